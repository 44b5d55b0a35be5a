package notebook

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"

	"github.com/greenbench/workbench/workbench/notebook/zmtp"
)

// A Connection is where a front end waits for its kernel: the contents of the file that it
// names when it starts one.
type Connection struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	ControlPort     int    `json:"control_port"`
	StdinPort       int    `json:"stdin_port"`
	IOPubPort       int    `json:"iopub_port"`
	HeartbeatPort   int    `json:"hb_port"`
	Key             string `json:"key"` // of the signatures; "": messages are not signed
	SignatureScheme string `json:"signature_scheme"`
}

// ReadConnection reads the file of a connection.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("%s: is no connection file of Jupyter, which is JSON: %w", path, err)
	}
	switch {
	case c.Transport != "tcp" && c.Transport != "ipc":
		return c, fmt.Errorf("%s: transport %q: must be tcp or ipc", path, c.Transport)
	case c.Key != "" && c.SignatureScheme != signatureScheme:
		return c, fmt.Errorf("%s: signature_scheme %q: must be %s", path, c.SignatureScheme, signatureScheme)
	case c.IP == "":
		return c, fmt.Errorf("%s: ip is missing", path)
	}
	return c, nil
}

// address of a port.
func (c Connection) address(port int) (zmtp.Address, error) {
	if c.Transport == "ipc" {
		return zmtp.File(fmt.Sprintf("%s-%d", c.IP, port)), nil
	}
	ip, err := c.number()
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("ip %q, port %d: must be an address in numbers, such as 127.0.0.1, and a port", c.IP, port)
	}
	return zmtp.TCP(netip.AddrPortFrom(ip, uint16(port))), nil
}

// number is the address of this machine that is listened at.
func (c Connection) number() (netip.Addr, error) {
	switch c.IP {
	case "localhost":
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	case "*":
		return netip.IPv4Unspecified(), nil
	}
	return netip.ParseAddr(c.IP)
}

// sockets are the five channels of the protocol.
type sockets struct{ shell, control, stdin, iopub, heartbeat *zmtp.Socket }

// listen opens the channels.
func (c Connection) listen() (s sockets, err error) {
	for _, l := range []struct {
		to   **zmtp.Socket
		kind zmtp.Kind
		port int
	}{
		{&s.shell, zmtp.Router, c.ShellPort},
		{&s.control, zmtp.Router, c.ControlPort},
		{&s.stdin, zmtp.Router, c.StdinPort},
		{&s.iopub, zmtp.Publisher, c.IOPubPort},
		{&s.heartbeat, zmtp.Reply, c.HeartbeatPort},
	} {
		at, err := c.address(l.port)
		if err == nil {
			*l.to, err = zmtp.Listen(l.kind, at)
		}
		if err != nil {
			s.close()
			return s, fmt.Errorf("the kernel cannot listen: %w", err)
		}
	}
	return s, nil
}

func (s sockets) close() {
	for _, one := range []*zmtp.Socket{s.shell, s.control, s.stdin, s.iopub, s.heartbeat} {
		if one != nil {
			_ = one.Close() // the process ends, or the error of listening is the one to tell
		}
	}
}
