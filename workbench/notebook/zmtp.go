package notebook

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// The bits that a frame begins with.
const (
	moreFollows = 1 << iota // of the message
	longFrame               // its size has eight bytes
	command                 // is for the connection, not for who reads messages
)

// longest is a bound on the bytes of a frame: what claims more is not from a front end.
const longest = 1 << 28

// greetingSize is that of the greeting which both sides begin with: a signature of ten bytes, the
// version in two, the mechanism in twenty, whether it is a server, and zeros.
const greetingSize = 64

// A zmtp is a connection by ZMTP 3.0 (https://rfc.zeromq.org/spec/23).
type zmtp struct {
	conn net.Conn
	in   *bufio.Reader
}

func newZMTP(conn net.Conn) zmtp { return zmtp{conn, bufio.NewReader(conn)} }

// greet says what a socket is, and returns what the peer calls itself, which may be "".
func (z zmtp) greet(p pattern) (name string, err error) {
	greeting := make([]byte, greetingSize)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	if _, err := z.conn.Write(greeting); err != nil {
		return "", err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(z.in, theirs); err != nil {
		return "", err
	}
	mechanism, _, _ := bytes.Cut(theirs[12:32], []byte{0})
	if theirs[0] != 0xff || theirs[9]&1 != 1 || theirs[10] < 3 || string(mechanism) != "NULL" {
		return "", errors.New("no peer of ZMTP 3 without encryption")
	}
	ready := append([]byte("\x05READY"), property("Socket-Type", string(p))...)
	if p == router {
		ready = append(ready, property("Identity", "")...)
	}
	if err := writeFrame(z.conn, command, ready); err != nil {
		return "", err
	}
	flags, body, err := z.frame()
	if err != nil {
		return "", err
	}
	said, ok := bytes.CutPrefix(body, []byte("\x05READY"))
	if flags&command == 0 || !ok {
		return "", errors.New("the peer is not ready")
	}
	return identity(said)
}

// property is one of those that a READY command lists.
func property(name, value string) []byte {
	b := append([]byte{byte(len(name))}, name...)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(value))), value...)
}

// identity looks for what a peer calls itself among its properties.
func identity(properties []byte) (string, error) {
	broken := errors.New("properties that end too soon")
	for rest := properties; len(rest) > 0; {
		n := 1 + int(rest[0])
		if len(rest) < n+4 {
			return "", broken
		}
		size := binary.BigEndian.Uint32(rest[n:])
		if uint64(len(rest)-n-4) < uint64(size) {
			return "", broken
		}
		value := rest[n+4 : n+4+int(size)]
		if bytes.EqualFold(rest[1:n], []byte("Identity")) {
			return string(value), nil
		}
		rest = rest[n+4+int(size):]
	}
	return "", nil
}

// read returns the frames of the next message.
func (z zmtp) read() (frames [][]byte, err error) {
	for {
		flags, body, err := z.frame()
		if err != nil {
			return nil, err
		}
		if flags&command != 0 { // of those that there are, none has to be answered by one of version 3.0
			continue
		}
		if frames = append(frames, body); flags&moreFollows == 0 {
			return frames, nil
		}
	}
}

// frame reads one frame. What it claims as its size is not taken before it has come.
func (z zmtp) frame() (flags byte, body []byte, err error) {
	if flags, err = z.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	head := make([]byte, 1)
	if flags&longFrame != 0 {
		head = make([]byte, 8)
	}
	if _, err := io.ReadFull(z.in, head); err != nil {
		return 0, nil, err
	}
	size := uint64(head[0])
	if flags&longFrame != 0 {
		size = binary.BigEndian.Uint64(head)
	}
	if size > longest {
		return 0, nil, fmt.Errorf("a frame of %d bytes", size)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, z.in, int64(size)); err != nil {
		return 0, nil, err
	}
	return flags, b.Bytes(), nil
}

// writeMessage writes frames as one message.
func writeMessage(w io.Writer, frames [][]byte) error {
	out := bufio.NewWriter(w)
	for i, f := range frames {
		flags := byte(moreFollows)
		if i == len(frames)-1 {
			flags = 0
		}
		if err := writeFrame(out, flags, f); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeFrame(w io.Writer, flags byte, body []byte) error {
	head := []byte{flags, byte(len(body))}
	if len(body) > 255 {
		head = binary.BigEndian.AppendUint64([]byte{flags | longFrame}, uint64(len(body)))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}
