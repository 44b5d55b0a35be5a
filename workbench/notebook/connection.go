package notebook

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	zmq "github.com/go-zeromq/zmq4"
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

// address of a port, as ZeroMQ writes it.
func (c Connection) address(port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", c.IP, port)
}

// sockets are the five channels of the protocol.
type sockets struct{ shell, control, stdin, iopub, heartbeat zmq.Socket }

// listen opens the channels.
func (c Connection) listen(ctx context.Context) (s sockets, err error) {
	for _, l := range []struct {
		to   *zmq.Socket
		make func(context.Context, ...zmq.Option) zmq.Socket
		port int
	}{
		{&s.shell, zmq.NewRouter, c.ShellPort},
		{&s.control, zmq.NewRouter, c.ControlPort},
		{&s.stdin, zmq.NewRouter, c.StdinPort},
		{&s.iopub, zmq.NewPub, c.IOPubPort},
		{&s.heartbeat, zmq.NewRep, c.HeartbeatPort},
	} {
		*l.to = l.make(ctx)
		if err := (*l.to).Listen(c.address(l.port)); err != nil {
			s.close()
			return s, fmt.Errorf("kernel at %s: %w", c.address(l.port), err)
		}
	}
	return s, nil
}

func (s sockets) close() {
	for _, one := range []zmq.Socket{s.shell, s.control, s.stdin, s.iopub, s.heartbeat} {
		if one != nil {
			_ = one.Close() // the process ends, or the error of listening is the one to tell
		}
	}
}
