package notebook

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// A pattern says what a socket does with messages.
type pattern string

const (
	router pattern = "ROUTER" // what comes begins with the name of its peer; what goes, with that of the peer it goes to
	pub    pattern = "PUB"    // what goes, goes to all that subscribed to how its first frame begins
)

// A socket listens as those of ZeroMQ do, which is as much of it as a kernel needs: it is the
// side that peers connect to, and speaks ZMTP 3.0 without encryption
// (https://rfc.zeromq.org/spec/23).
type socket struct {
	pattern  pattern
	listener net.Listener
	inbox    chan [][]byte
	done     chan struct{} // closed with the socket

	mu    sync.Mutex
	peers map[string]*peer // by the names that they gave, or were given
	wait  sync.WaitGroup   // for peers to have got what was sent
}

// A peer is the other end of one connection.
type peer struct {
	conn  net.Conn
	queue chan [][]byte // what goes to it

	mu     sync.Mutex
	topics []string // that a peer of pub subscribed to
}

const (
	queued    = 10000            // messages wait for a peer that does not read; those after are lost, as ZeroMQ has it
	handshake = 10 * time.Second // in which a peer must say what it is
	lingers   = time.Second      // that a socket waits for its peers to read what was sent, at the end
)

// listen opens a socket at an address such as "tcp://127.0.0.1:5555" or "ipc:///tmp/kernel-1". It
// is closed with ctx.
func listen(ctx context.Context, p pattern, address string) (*socket, error) {
	network, place, _ := strings.Cut(address, "://")
	if network == "ipc" {
		network = "unix"
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, network, strings.TrimPrefix(place, "*"))
	if err != nil {
		return nil, err
	}
	s := &socket{pattern: p, listener: l, inbox: make(chan [][]byte, 100), done: make(chan struct{}), peers: map[string]*peer{}}
	context.AfterFunc(ctx, s.close)
	go s.accept()
	return s, nil
}

func (s *socket) accept() {
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // of one connection, or for want of files, which may pass
			time.Sleep(10 * time.Millisecond)
			continue
		}
		go s.serve(conn)
	}
}

// serve reads what a peer sends until it or the socket ends.
func (s *socket) serve(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(handshake)) // fails on closed ones only, where reading does, too
	in := newZMTP(conn)
	name, err := in.greet(s.pattern)
	if err != nil {
		return // it speaks something else
	}
	_ = conn.SetDeadline(time.Time{})
	p := &peer{conn: conn, queue: make(chan [][]byte, queued)}
	if name, err = s.join(name, p); err != nil {
		return
	}
	defer s.leave(name, p)
	for {
		frames, err := in.read()
		if err != nil {
			return
		}
		if s.pattern == pub {
			p.subscribe(frames)
			continue
		}
		select {
		case s.inbox <- append([][]byte{[]byte(name)}, frames...):
		case <-s.done:
			return
		}
	}
}

// join lists a peer by its name, or one made for it where it has none or another has the same,
// and begins to send to it.
func (s *socket) join(name string, p *peer) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.done:
		return "", net.ErrClosed
	default:
	}
	if name == "" || s.peers[name] != nil {
		name = "\x00" + rand.Text()
	}
	s.peers[name] = p
	s.wait.Go(func() {
		for frames := range p.queue {
			if err := writeMessage(p.conn, frames); err != nil {
				_ = p.conn.Close() // and serve ends
			}
		}
	})
	return name, nil
}

func (s *socket) leave(name string, p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peers[name] == p {
		delete(s.peers, name)
		close(p.queue)
	}
}

// subscribe takes a message of a subscriber: 1 or 0, and how messages begin that it wants, or
// wants no longer.
func (p *peer) subscribe(frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 {
		return
	}
	topic := string(frames[0][1:])
	p.mu.Lock()
	defer p.mu.Unlock()
	switch i := slices.Index(p.topics, topic); {
	case frames[0][0] == 1:
		p.topics = append(p.topics, topic)
	case i >= 0:
		p.topics = slices.Delete(p.topics, i, i+1)
	}
}

func (p *peer) wants(first []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.topics, func(t string) bool { return strings.HasPrefix(string(first), t) })
}

// receive returns the next message; net.ErrClosed once the socket is closed.
func (s *socket) receive() ([][]byte, error) {
	select {
	case frames := <-s.inbox:
		return frames, nil
	case <-s.done:
		return nil, net.ErrClosed
	}
}

// send sends a message, of one frame or more, and does not wait for it to be read. What goes to a peer that is gone is
// lost, as a letter to one who has moved.
func (s *socket) send(frames [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pattern != pub {
		if p := s.peers[string(frames[0])]; p != nil {
			p.put(frames[1:])
		}
		return
	}
	for _, p := range s.peers {
		if p.wants(frames[0]) {
			p.put(frames)
		}
	}
}

func (p *peer) put(frames [][]byte) {
	select {
	case p.queue <- frames:
	default:
	}
}

// close ends the socket and its connections, when peers have read what was sent to them or a
// second has passed.
func (s *socket) close() {
	s.mu.Lock()
	select {
	case <-s.done:
		s.mu.Unlock()
		return
	default:
	}
	close(s.done)
	_ = s.listener.Close()
	peers := s.peers
	s.peers = map[string]*peer{}
	for _, p := range peers {
		_ = p.conn.SetWriteDeadline(time.Now().Add(lingers))
		close(p.queue)
	}
	s.mu.Unlock()
	s.wait.Wait()
	for _, p := range peers {
		_ = p.conn.Close()
	}
}
