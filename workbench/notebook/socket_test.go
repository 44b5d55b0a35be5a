package notebook

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	zmq "github.com/go-zeromq/zmq4"
)

func listening(t *testing.T, p pattern) (*socket, string) {
	t.Helper()
	s, err := listen(t.Context(), p, "tcp://127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s, "tcp://" + s.listener.Addr().String()
}

// Messages of every size go to a router and back as they were: small, at the edges of the two
// ways to write a size, empty, large, of many frames.
func TestRouterAgainstZeroMQ(t *testing.T) {
	s, address := listening(t, router)
	c := zmq.NewDealer(t.Context(), zmq.WithID(zmq.SocketIdentity("me")))
	defer c.Close()
	if err := c.Dial(address); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][][]byte{
		{[]byte("a")},
		{{}, []byte("b"), {}},
		{bytes.Repeat([]byte("c"), 255), bytes.Repeat([]byte("d"), 256), bytes.Repeat([]byte("e"), 70000)},
		{bytes.Repeat([]byte("f"), 3<<20)},
		slices.Repeat([][]byte{[]byte("g")}, 300),
	} {
		if err := c.SendMulti(zmq.NewMsgFrom(want...)); err != nil {
			t.Fatal(err)
		}
		got, err := s.receive()
		if err != nil {
			t.Fatal(err)
		}
		if string(got[0]) != "me" || !slices.EqualFunc(got[1:], want, bytes.Equal) {
			t.Fatalf("%d frames of %d arrived from %q", len(got)-1, len(want), got[0])
		}
		s.send(got)
		back, err := c.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(back.Frames, want, bytes.Equal) {
			t.Fatalf("%d frames of %d came back", len(back.Frames), len(want))
		}
	}
	s.send([][]byte{[]byte("nobody"), []byte("lost")}) // must neither wait nor fail
}

// Subscribers get what they subscribed to, and one that does not read delays nobody.
func TestPubAgainstZeroMQ(t *testing.T) {
	s, address := listening(t, pub)
	all, some, asleep := zmq.NewSub(t.Context()), zmq.NewSub(t.Context()), peerOf(t, s, "SUB")
	for c, topic := range map[zmq.Socket]string{all: "", some: "st"} {
		defer c.Close()
		if err := c.Dial(address); err != nil {
			t.Fatal(err)
		}
		if err := c.SetOption(zmq.OptionSubscribe, topic); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeFrame(asleep.conn, 0, []byte{1}); err != nil {
		t.Fatal(err)
	}
	subscribed := func() (n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, p := range s.peers {
			p.mu.Lock()
			n += len(p.topics)
			p.mu.Unlock()
		}
		return n
	}
	for subscribed() < 3 {
		time.Sleep(time.Millisecond)
	}
	go func() {
		large := make([]byte, 1<<16)
		for range 2000 { // more than a connection holds, for the one that does not read
			s.send([][]byte{[]byte("other"), large})
		}
		s.send([][]byte{[]byte("stream"), []byte("x")})
	}()
	if m, err := some.Recv(); err != nil || string(m.Frames[0]) != "stream" {
		t.Errorf("%v, %v", m, err)
	}
	for i := range 2001 {
		m, err := all.Recv()
		if want := i == 2000; err != nil || (string(m.Frames[0]) == "stream") != want {
			t.Fatalf("message %d: %q, %v", i, m.Frames[0], err)
		}
	}
}

// peerOf connects to a socket by hand.
func peerOf(t *testing.T, s *socket, kind pattern) zmtp {
	t.Helper()
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	z := newZMTP(conn)
	if _, err := z.greet(kind); err != nil {
		t.Fatal(err)
	}
	return z
}

// What was sent before the end still arrives, and nothing hangs.
func TestSocketsCloseAfterTheLastMessage(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := listen(ctx, router, "ipc://"+t.TempDir()+"/kernel-1")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	z := newZMTP(conn)
	if _, err := z.greet("DEALER"); err != nil {
		t.Fatal(err)
	}
	if err := writeMessage(conn, [][]byte{[]byte("bye?")}); err != nil {
		t.Fatal(err)
	}
	m, err := s.receive()
	if err != nil {
		t.Fatal(err)
	}
	s.send(m)
	s.close()
	if got, err := z.read(); err != nil || string(got[0]) != "bye?" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.receive(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("receiving from a closed socket: %v", err)
	}
	cancel()
}

// What does not speak the protocol is refused, takes no memory that it did not send, and
// disturbs nobody.
func TestWhatIsNoPeerIsRefused(t *testing.T) {
	s, address := listening(t, router)
	greeting := append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0}, make([]byte, 52)...)
	copy(greeting[12:], "NULL")
	huge := binary.BigEndian.AppendUint64([]byte{longFrame}, 1<<60)
	ready := []byte("\x04\x06\x05READY")
	for name, sent := range map[string][]byte{
		"HTTP":                  []byte("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: a browser of today\r\n\r\n"),
		"an older version":      append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 1}, make([]byte, 53)...),
		"encryption":            append(slices.Clone(greeting[:12]), append([]byte("CURVE"), make([]byte, 47)...)...),
		"no command":            append(slices.Clone(greeting), 0, 1, 'x'),
		"a frame of an exabyte": append(slices.Concat(greeting, ready), huge...),
		"a property cut off":    append(slices.Clone(greeting), []byte("\x04\x08\x05READY\x09S")...),
	} {
		conn, err := net.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(sent); err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
			t.Errorf("%s: the connection stays open", name)
		}
		conn.Close()
	}
	c := zmq.NewDealer(t.Context())
	defer c.Close()
	if err := c.Dial(address); err != nil {
		t.Fatal(err)
	}
	if err := c.Send(zmq.NewMsgString("still there?")); err != nil {
		t.Fatal(err)
	}
	if m, err := s.receive(); err != nil || string(m[1]) != "still there?" {
		t.Errorf("%q, %v", m, err)
	}
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}
