package zmtp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	zmq "github.com/go-zeromq/zmq4"
)

// listen opens a socket on a free port and says where it is.
func listen(t *testing.T, kind Kind) (s *Socket, at string) {
	t.Helper()
	s, err := Listen(kind, TCP(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, s.listener.Addr().String()
}

// dial connects a socket of another program's.
func dial(t *testing.T, s zmq.Socket, at string) zmq.Socket {
	t.Helper()
	if err := s.Dial(at); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// received is the next message, with its first frame in front.
func received(t *testing.T, s *Socket) [][]byte {
	t.Helper()
	got := make(chan [][]byte, 1)
	go func() {
		m, _ := s.Receive()
		got <- m
	}()
	select {
	case m := <-got:
		return m
	case <-time.After(3 * patience):
		t.Fatal("nothing is received")
		return nil
	}
}

// frames of many sizes: none, the largest of a short frame, the smallest of a long one, a megabyte.
func frames() (list [][]byte) {
	for _, n := range []int{1, 0, 255, 256, 65536, 1 << 20, 3} {
		list = append(list, bytes.Repeat([]byte{byte(n + 7)}, n))
	}
	return list
}

func same(a, b [][]byte) bool {
	return len(a) == len(b) && bytes.Equal(appendMessage(nil, a), appendMessage(nil, b))
}

// What another implementation sends is what arrives, with the name it gave itself in front; and
// the answer goes to it alone.
func TestRouter(t *testing.T) {
	s, at := listen(t, Router)
	ctx := t.Context()
	one := dial(t, zmq.NewDealer(ctx, zmq.WithID(zmq.SocketIdentity("one"))), "tcp://"+at)
	two := dial(t, zmq.NewDealer(ctx, zmq.WithID(zmq.SocketIdentity("two"))), "tcp://"+at)
	for name, peer := range map[string]zmq.Socket{"two": two, "one": one} {
		if err := peer.SendMulti(zmq.NewMsgFrom(frames()...)); err != nil {
			t.Fatal(err)
		}
		m := received(t, s)
		if string(m[0]) != name || !same(m[1:], frames()) {
			t.Fatalf("from %s: %d frames of %q", name, len(m)-1, m[0])
		}
	}
	if err := s.Send([][]byte{[]byte("nobody"), []byte("lost")}); err != nil {
		t.Errorf("to nobody: %v", err)
	}
	for name, peer := range map[string]zmq.Socket{"one": one, "two": two} {
		if err := s.Send(append([][]byte{[]byte(name)}, frames()...)); err != nil {
			t.Fatal(err)
		}
		m, err := peer.Recv()
		if err != nil || !same(m.Frames, frames()) {
			t.Errorf("to %s: %d frames, %v", name, len(m.Frames), err)
		}
	}
}

// Peers without names get one each; a request is answered by sending back its envelope.
func TestReply(t *testing.T) {
	s, at := listen(t, Reply)
	for i := range 3 {
		peer := dial(t, zmq.NewReq(t.Context()), "tcp://"+at)
		want := fmt.Sprint("ping ", i)
		if err := peer.Send(zmq.NewMsgString(want)); err != nil {
			t.Fatal(err)
		}
		if err := s.Send(received(t, s)); err != nil {
			t.Fatal(err)
		}
		if m, err := peer.Recv(); err != nil || string(m.Bytes()) != want {
			t.Errorf("%q is answered by %q, %v", want, m.Bytes(), err)
		}
	}
}

// A publisher's messages go to those that subscribed to how they begin, until they do no longer.
func TestPublisher(t *testing.T) {
	s, at := listen(t, Publisher)
	peer := dial(t, zmq.NewSub(t.Context()), "tcp://"+at)
	subscribed := func(want ...string) {
		t.Helper()
		for range 1000 {
			var have []string
			s.mu.Lock()
			for _, p := range s.peers {
				for _, topic := range p.topics {
					have = append(have, string(topic))
				}
			}
			s.mu.Unlock()
			if fmt.Sprint(have) == fmt.Sprint(want) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("not subscribed to %q", want)
	}
	set := func(option, topic string) {
		t.Helper()
		if err := peer.SetOption(option, topic); err != nil {
			t.Fatal(err)
		}
	}
	say := func(topic string) {
		t.Helper()
		if err := s.Send([][]byte{[]byte(topic), []byte("body")}); err != nil {
			t.Fatal(err)
		}
	}
	set(zmq.OptionSubscribe, "stat")
	set(zmq.OptionSubscribe, "end")
	subscribed("stat", "end")
	for _, topic := range []string{"stream", "status", "sta", "stat", "other"} {
		say(topic)
	}
	set(zmq.OptionUnsubscribe, "stat")
	subscribed("end")
	say("status")
	say("end")
	var got []string
	for range 3 {
		m, err := peer.Recv()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(m.Frames[0]))
	}
	if want := "status stat end"; strings.Join(got, " ") != want {
		t.Errorf("published: %q, want %s", got, want)
	}
}

// The other transport.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	s, err := Listen(Router, File(path))
	if err != nil {
		t.Skipf("no Unix domain sockets here: %v", err)
	}
	defer s.Close()
	peer := dial(t, zmq.NewDealer(t.Context()), "ipc://"+path)
	if err := peer.Send(zmq.NewMsgString("hello")); err != nil {
		t.Fatal(err)
	}
	if m := received(t, s); len(m) != 2 || string(m[1]) != "hello" {
		t.Errorf("received %q", m)
	}
}

// hello is what a peer says first.
func hello(kind, identity string) []byte {
	ready := append([]byte("\x05READY"), property("Socket-Type", kind)...)
	ready = append(ready, property("IDENTITY", identity)...)
	return append(greeting(), appendFrame(nil, command, ready)...)
}

// Peers that are wrong are left, the socket goes on; and no more memory is taken than they sent.
func TestRefused(t *testing.T) {
	s, at := listen(t, Router)
	changed := func(i int, b byte) []byte {
		h := hello("DEALER", "a")
		h[i] = b
		return h
	}
	ready := func(body string) []byte { return append(greeting(), appendFrame(nil, command, []byte(body))...) }
	for name, sent := range map[string][]byte{
		"no ZeroMQ":       []byte(strings.Repeat("GET / HTTP/1.1\r\n", 8)),
		"signature":       changed(9, 0),
		"version 2":       changed(10, 2),
		"mechanism":       changed(13, 'X'),
		"kind":            hello("SUB", "a"),
		"no command":      append(greeting(), appendFrame(nil, 0, []byte("\x05READY"))...),
		"another command": ready("\x05HELLO"),
		"cut name":        ready("\x05READY\x20Socket"),
		"cut value":       ready("\x05READY\x0bSocket-Type\xff\xff\xff\xffDEALER"),
		"endless frame":   append(hello("DEALER", "a"), 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
	} {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(3 * patience))
		if _, err := c.Write(sent); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection stays open", name)
		}
		_ = c.Close()
	}
	peer := dial(t, zmq.NewDealer(t.Context()), "tcp://"+at)
	if err := peer.Send(zmq.NewMsgString("hello")); err != nil {
		t.Fatal(err)
	}
	if m := received(t, s); len(m) != 2 || string(m[1]) != "hello" {
		t.Errorf("afterwards: %q", m)
	}
}

// A peer may ask whether this end lives; and one that connects again takes the place it had.
func TestPingAndReturn(t *testing.T) {
	s, at := listen(t, Router)
	var ends []*bufio.Reader
	for i := range 2 {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(3 * patience))
		sent := append(hello("DEALER", "again"), appendFrame(nil, command, []byte("\x04PING\x00\x10context"))...)
		if _, err := c.Write(append(sent, appendFrame(nil, 0, []byte{byte(i)})...)); err != nil {
			t.Fatal(err)
		}
		if m := received(t, s); string(m[0]) != "again" || m[1][0] != byte(i) {
			t.Fatalf("received %q", m)
		}
		p := &peer{conn: c, from: bufio.NewReader(c)}
		if _, err := p.from.Discard(64); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\x05READY", "\x04PONGcontext"} {
			if flags, body, err := p.frame(); err != nil || flags != command || !strings.HasPrefix(string(body), want) {
				t.Fatalf("%q, %v; want %q", body, err, want)
			}
		}
		ends = append(ends, p.from)
	}
	if err := s.Send([][]byte{[]byte("again"), []byte("x")}); err != nil {
		t.Fatal(err)
	}
	if b, err := ends[1].Peek(3); err != nil || string(b) != "\x00\x01x" {
		t.Errorf("the later connection gets %q, %v", b, err)
	}
	if b, err := ends[0].ReadByte(); err == nil {
		t.Errorf("the earlier connection gets %q", b)
	}
}

// A closed socket says so, to who waits, too.
func TestClose(t *testing.T) {
	s, at := listen(t, Router)
	waits := make(chan error)
	go func() {
		_, err := s.Receive()
		waits <- err
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; !errors.Is(err, net.ErrClosed) {
		t.Errorf("who waits gets %v", err)
	}
	if err := s.Send([][]byte{{1}, {2}}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("who sends gets %v", err)
	}
	if c, err := net.Dial("tcp", at); err == nil {
		_ = c.Close()
		t.Error("the port is still open")
	}
}
