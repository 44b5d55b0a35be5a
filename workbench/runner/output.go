package runner

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// output is standard output. To a terminal everything goes at once; to a pipe
// or file it goes in large pieces, but never later than flushAfter, so that a
// script that prints a million lines is not slow and one that prints a line a
// minute is not silent.
type output struct {
	mu     sync.Mutex
	w      *bufio.Writer
	direct bool
	timer  *time.Timer
	begun  bool // a line has been begun and not ended
}

const flushAfter = 50 * time.Millisecond

func newOutput(w io.Writer, direct bool) *output {
	return &output{w: bufio.NewWriterSize(w, 32<<10), direct: direct}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(p) > 0 {
		o.begun = p[len(p)-1] != '\n'
	}
	n, err := o.w.Write(p)
	if err != nil {
		return n, err
	}
	if o.direct {
		return n, o.w.Flush()
	}
	if o.timer == nil {
		o.timer = time.AfterFunc(flushAfter, func() { _ = o.Flush() })
	} else if o.w.Buffered() > 0 {
		o.timer.Reset(flushAfter)
	}
	return n, nil
}

// Flush writes what is waiting.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Flush()
}

// endLine ends a line that was begun, so that a prompt or a message has one of
// its own.
func (o *output) endLine() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun {
		o.begun = false
		_ = o.w.WriteByte('\n')
		_ = o.w.Flush()
	}
}
