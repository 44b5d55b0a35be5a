package notebook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
)

const (
	streamDelay = 50 * time.Millisecond // what is printed waits so long for more of its kind
	streamSize  = 32 << 10              // and no longer when it is so much
)

// A stream sends what is printed to the front ends, in pieces of some size, so that a loop that
// prints a hundred thousand lines is no hundred thousand messages.
type stream struct {
	k    *Kernel
	name string

	mu      sync.Mutex
	waiting bytes.Buffer
	timer   *time.Timer
}

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting.Write(p)
	switch {
	case s.waiting.Len() >= streamSize:
		s.send()
	case s.timer == nil:
		s.timer = time.AfterFunc(streamDelay, s.Flush)
	default:
		s.timer.Reset(streamDelay)
	}
	return len(p), nil
}

// Flush sends what is waiting.
func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send()
}

func (s *stream) send() {
	if s.waiting.Len() > 0 {
		s.k.publish(s.k.current(), "stream", fields{"name": s.name, "text": s.waiting.String()})
		s.waiting.Reset()
	}
}

// flush sends what is waiting of both streams, so that what follows comes after it.
func (k *Kernel) flush() {
	k.stdout.Flush()
	k.stderr.Flush()
}

// A keyboard is standard input: each line is asked of the person at the front end.
type keyboard struct {
	k       *Kernel
	replies chan string

	mu      sync.Mutex
	ctx     context.Context // of the cell that may ask; nil: none may
	waiting []byte          // of the last line, not yet read
}

// errNoInput says why there is nothing to read.
var errNoInput = errors.New("this front end takes no input: give the value in the cell")

// Read implements io.Reader.
func (b *keyboard) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		if b.ctx == nil {
			return 0, errNoInput
		}
		line, err := b.ask()
		if err != nil {
			return 0, err
		}
		b.waiting = []byte(line + "\n")
	}
	n := copy(p, b.waiting)
	b.waiting = b.waiting[n:]
	return n, nil
}

// ask asks the front end that sent the cell for a line.
func (b *keyboard) ask() (string, error) {
	m := b.k.current()
	b.k.flush()
	select { // an answer that came after an interrupt
	case <-b.replies:
	default:
	}
	b.k.send(b.k.stdin, m.identities, "input_request", m.rawHeader, fields{"prompt": "", "password": false})
	select {
	case line := <-b.replies:
		if line == "\x04" {
			return "", io.EOF
		}
		return line, nil
	case <-b.ctx.Done():
		return "", context.Cause(b.ctx)
	}
}

// answered takes a message of the stdin channel.
func (b *keyboard) answered(m message) {
	var content struct {
		Value string `json:"value"`
	}
	if m.header.Type == "input_reply" && json.Unmarshal(m.content, &content) == nil {
		select {
		case b.replies <- content.Value:
		default: // nobody asked
		}
	}
}

// forbid lets nothing ask.
func (b *keyboard) forbid() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ctx = nil
}

// allow lets a cell ask.
func (b *keyboard) allow(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ctx = ctx
}
