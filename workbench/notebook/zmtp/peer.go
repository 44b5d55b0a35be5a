package zmtp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// A peer is the other end of a connection.
type peer struct {
	conn     net.Conn
	from     *bufio.Reader
	writing  sync.Mutex
	identity string
	topics   [][]byte // that a subscriber asked for, guarded by the socket
}

// Flags of a frame.
const (
	more    = 1 // another frame of the message follows
	long    = 2 // the size has eight bytes
	command = 4 // no part of a message
)

// Bounds on what a peer may send: a frame, and how many of them make a message.
const (
	largestFrame = 1 << 30
	mostFrames   = 1 << 16
)

// mechanism is how peers authenticate themselves: not at all.
const mechanism = "NULL\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// greeting is the first 64 bytes: signature, version 3.0, mechanism, no server, filler.
func greeting() []byte {
	g := append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0}, mechanism...)
	return append(g, make([]byte, 64-len(g))...)
}

// greet exchanges greetings and says READY, to a peer that may speak with the kind.
func (p *peer) greet(kind Kind) error {
	if err := p.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := p.write(greeting()); err != nil {
		return err
	}
	p.from = bufio.NewReader(p.conn)
	var theirs [64]byte
	if _, err := io.ReadFull(p.from, theirs[:]); err != nil {
		return err
	}
	switch {
	case theirs[0] != 0xff || theirs[9] != 0x7f:
		return errPeer("this is not ZeroMQ")
	case theirs[10] < 3:
		return errPeer("version %d of the protocol", theirs[10])
	case string(theirs[12:32]) != mechanism:
		return errPeer("mechanism %q", bytes.TrimRight(theirs[12:32], "\x00"))
	}
	ready := append([]byte("\x05READY"), property("Socket-Type", string(kind))...)
	if kind == Router {
		ready = append(ready, property("Identity", "")...)
	}
	if err := p.write(appendFrame(nil, command, ready)); err != nil {
		return err
	}
	flags, body, err := p.frame()
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(body, []byte("\x05READY"))
	if flags&command == 0 || !ok {
		return errPeer("no READY")
	}
	properties, err := readProperties(rest)
	if err != nil {
		return err
	}
	if theirs := properties["socket-type"]; !slices.Contains(kind.peers(), theirs) {
		_ = p.write(appendFrame(nil, command, []byte("\x05ERROR\x13Invalid socket type"))) // its connection is closed next
		return errPeer("%q does not speak with %s", theirs, kind)
	}
	p.identity = properties["identity"]
	return p.conn.SetDeadline(time.Time{})
}

// property is a name and a value of READY.
func property(name, value string) []byte {
	b := append([]byte{byte(len(name))}, name...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(value)))
	return append(b, value...)
}

// readProperties are the values of READY by their names in small letters, in which case does not count.
func readProperties(b []byte) (map[string]string, error) {
	found := map[string]string{}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n+4 {
			return nil, errPeer("a property is cut off")
		}
		name, size := bytes.ToLower(b[1:1+n]), uint64(binary.BigEndian.Uint32(b[1+n:]))
		b = b[1+n+4:]
		if size > uint64(len(b)) {
			return nil, errPeer("property %s is cut off", name)
		}
		found[string(name)] = string(b[:size])
		b = b[size:]
	}
	return found, nil
}

// message reads the frames of the next message, and answers what asks whether this end lives.
func (p *peer) message() (frames [][]byte, err error) {
	for {
		flags, body, err := p.frame()
		switch {
		case err != nil:
			return nil, err
		case flags&command != 0:
			// PING has two bytes of time to live and what PONG repeats.
			if rest, ok := bytes.CutPrefix(body, []byte("\x04PING")); ok && len(rest) >= 2 {
				if err := p.write(appendFrame(nil, command, append([]byte("\x04PONG"), rest[2:]...))); err != nil {
					return nil, err
				}
			}
			continue
		}
		frames = append(frames, body)
		if flags&more == 0 {
			return frames, nil
		}
		if len(frames) == mostFrames {
			return nil, errPeer("a message of more than %d frames", mostFrames)
		}
	}
}

// frame reads a frame. Memory is taken for what arrives, not for what was announced.
func (p *peer) frame() (flags byte, body []byte, err error) {
	if flags, err = p.from.ReadByte(); err != nil {
		return 0, nil, err
	}
	var size [8]byte
	from := 7
	if flags&long != 0 {
		from = 0
	}
	if _, err = io.ReadFull(p.from, size[from:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint64(size[:])
	if n > largestFrame {
		return 0, nil, errPeer("a frame of %d bytes", n)
	}
	var b bytes.Buffer
	if _, err = io.CopyN(&b, p.from, int64(n)); err != nil {
		return 0, nil, err
	}
	return flags, b.Bytes(), nil
}

// write sends bytes, a message at a time.
func (p *peer) write(b []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	if err := p.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := p.conn.Write(b)
	return err
}

// appendMessage appends the frames of a message.
func appendMessage(b []byte, frames [][]byte) []byte {
	for i, f := range frames {
		flags := byte(more)
		if i == len(frames)-1 {
			flags = 0
		}
		b = appendFrame(b, flags, f)
	}
	return b
}

func appendFrame(b []byte, flags byte, body []byte) []byte {
	if len(body) > 255 {
		b = binary.BigEndian.AppendUint64(append(b, flags|long), uint64(len(body)))
	} else {
		b = append(b, flags, byte(len(body)))
	}
	return append(b, body...)
}
