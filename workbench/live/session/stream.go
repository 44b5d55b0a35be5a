package session

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	streamDelay = 50 * time.Millisecond // what is printed waits so long for more of its kind
	streamSize  = 16 << 10              // and no longer when it is so much
	most        = 1 << 20               // bytes that one run may print: a page with more cannot be scrolled
)

// A stream sends what is printed in pieces of some size, and of one run no more than a page can
// show.
type stream struct {
	s    *Session
	kind Kind

	mu      sync.Mutex
	waiting []byte
	timer   *time.Timer
	sent    int // of this run
	dropped int
}

// Write implements io.Writer.
func (w *stream) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if room := most - w.sent - len(w.waiting); len(p) > room {
		w.dropped += len(p) - max(room, 0)
		w.waiting = append(w.waiting, p[:max(room, 0)]...)
		return len(p), nil
	}
	w.waiting = append(w.waiting, p...)
	switch {
	case len(w.waiting) >= streamSize:
		w.flush(false)
	case w.timer == nil:
		w.timer = time.AfterFunc(streamDelay, w.Flush)
	default:
		w.timer.Reset(streamDelay)
	}
	return len(p), nil
}

// Flush sends what is waiting.
func (w *stream) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush(true)
}

// flush sends what is waiting; of a character that is not all there, the rest may follow.
func (w *stream) flush(all bool) {
	n := len(w.waiting)
	for i := 1; !all && i < utf8.UTFMax && i <= n; i++ {
		if b := w.waiting[n-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(w.waiting[n-i:]) {
				n -= i
			}
			break
		}
	}
	if n == 0 {
		return
	}
	w.sent += n
	text := strings.ToValidUTF8(string(w.waiting[:n]), "\ufffd")
	w.waiting = append(w.waiting[:0], w.waiting[n:]...)
	w.s.send(Event{w.kind, text})
}

// end ends a run: the next one has all the room again.
func (w *stream) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dropped > 0 {
		w.s.send(Event{Note, fmt.Sprintf("note: %d more bytes were printed and are not shown\n", w.dropped)})
	}
	w.sent, w.dropped = 0, 0
}

// flush sends what is waiting of both streams, so that what follows comes after it.
func (s *Session) flush() {
	s.out.Flush()
	s.errs.Flush()
}
