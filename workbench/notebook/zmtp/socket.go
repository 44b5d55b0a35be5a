package zmtp

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// A Kind of socket says with which kinds it speaks, and what it does with messages.
type Kind string

const (
	Router    Kind = "ROUTER" // the first frame of each message is the identity of its peer
	Reply     Kind = "REP"    // the same, for peers that send one request and wait for its answer
	Publisher Kind = "PUB"    // each message goes to all peers that subscribed to how it begins; nothing is received
)

// peers are the kinds of sockets that may connect to one of a kind.
func (k Kind) peers() []string {
	if k == Publisher {
		return []string{"SUB", "XSUB"}
	}
	return []string{"REQ", "DEALER", "ROUTER"}
}

// patience is how long a peer may take to say who it is, or to take a message, before its
// connection is closed. Peers connect again by themselves.
const patience = 10 * time.Second

// A Socket exchanges messages with any number of peers. Its methods may be called at the same time.
type Socket struct {
	kind     Kind
	listener net.Listener
	inbox    chan [][]byte
	open     context.Context // until Close
	end      context.CancelFunc

	mu    sync.Mutex
	peers map[string]*peer // by identity
}

// An Address is where a socket listens.
type Address func() (net.Listener, error)

// TCP is an address and a port.
func TCP(at netip.AddrPort) Address {
	return func() (net.Listener, error) { return net.ListenTCP("tcp", net.TCPAddrFromAddrPort(at)) }
}

// File is the path of a Unix domain socket, which is made, and removed at the end.
func File(path string) Address {
	return func() (net.Listener, error) { return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}) }
}

// Listen opens a socket.
func Listen(kind Kind, at Address) (*Socket, error) {
	l, err := at()
	if err != nil {
		return nil, err
	}
	s := &Socket{kind: kind, listener: l, inbox: make(chan [][]byte), peers: map[string]*peer{}}
	s.open, s.end = context.WithCancel(context.Background())
	go s.accept()
	return s, nil
}

// Receive waits for a message; net.ErrClosed says that the socket was closed.
func (s *Socket) Receive() ([][]byte, error) {
	select {
	case m := <-s.inbox:
		return m, nil
	case <-s.open.Done():
		return nil, net.ErrClosed
	}
}

// Send sends a message: to the peer that its first frame names or, from a publisher, to all that
// subscribed to it. As ever with ZeroMQ, messages to peers that are gone are lost, and the
// connection of one that takes nothing for ten seconds is closed.
func (s *Socket) Send(frames [][]byte) error {
	if s.open.Err() != nil {
		return net.ErrClosed
	}
	if len(frames) == 0 {
		return errors.New("a message without frames")
	}
	for _, p := range s.recipients(frames[0]) {
		rest := frames
		if s.kind != Publisher {
			rest = frames[1:]
		}
		if err := p.write(appendMessage(nil, rest)); err != nil {
			s.leave(p)
		}
	}
	return nil
}

// recipients are the peers that a message is for.
func (s *Socket) recipients(first []byte) (list []*peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kind != Publisher {
		if p := s.peers[string(first)]; p != nil {
			list = append(list, p)
		}
		return list
	}
	for _, p := range s.peers {
		if slices.ContainsFunc(p.topics, func(t []byte) bool { return bytes.HasPrefix(first, t) }) {
			list = append(list, p)
		}
	}
	return list
}

// Close ends all connections.
func (s *Socket) Close() error {
	s.end()
	err := s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.peers {
		_ = p.conn.Close()
	}
	return err
}

// accept takes in peers until the socket is closed.
func (s *Socket) accept() {
	for {
		conn, err := s.listener.Accept()
		switch {
		case s.open.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			return
		case err != nil: // of this connection, or for want of files
			time.Sleep(10 * time.Millisecond)
		default:
			go s.serve(&peer{conn: conn})
		}
	}
}

// serve speaks with a peer until it leaves.
func (s *Socket) serve(p *peer) {
	if err := p.greet(s.kind); err != nil {
		_ = p.conn.Close()
		return
	}
	s.enter(p)
	defer s.leave(p)
	for {
		frames, err := p.message()
		if err != nil {
			return
		}
		if s.kind == Publisher {
			s.subscribe(p, frames)
			continue
		}
		select {
		case s.inbox <- append([][]byte{[]byte(p.identity)}, frames...):
		case <-s.open.Done():
			return
		}
	}
}

// enter makes a peer known. Of two with one identity the later is the one that connected again.
func (s *Socket) enter(p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.identity == "" || s.kind == Publisher {
		p.identity = "\x00" + rand.Text() // no name that a peer may choose begins so
	}
	if before := s.peers[p.identity]; before != nil {
		_ = before.conn.Close()
	}
	s.peers[p.identity] = p
	if s.open.Err() != nil { // closed meanwhile
		_ = p.conn.Close()
	}
}

func (s *Socket) leave(p *peer) {
	_ = p.conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peers[p.identity] == p {
		delete(s.peers, p.identity)
	}
}

// subscribe reads what a subscriber wants, or no longer wants: a byte 1 or 0, and how messages begin.
func (s *Socket) subscribe(p *peer, frames [][]byte) {
	if len(frames) != 1 || len(frames[0]) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	topic := frames[0][1:]
	switch frames[0][0] {
	case 1:
		p.topics = append(p.topics, topic)
	case 0:
		if i := slices.IndexFunc(p.topics, func(t []byte) bool { return bytes.Equal(t, topic) }); i >= 0 {
			p.topics = slices.Delete(p.topics, i, i+1)
		}
	}
}

// errPeer says why a connection is not used.
func errPeer(format string, args ...any) error { return fmt.Errorf("zmtp: "+format, args...) }
