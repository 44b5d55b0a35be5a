// Package transcript keeps what happens at the prompt, inputs, output and pictures, and
// writes it as a page of HTML that needs nothing else.
package transcript

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// Bounds on what is kept.
const (
	maxOutput   = 100_000 // bytes for each input
	maxPictures = 200
)

// Log is the transcript of a session. It may be used by several goroutines; nil keeps
// nothing.
type Log struct {
	mu       sync.Mutex
	entries  []*entry
	pictures int
}

type entry struct {
	input  string
	output bytes.Buffer
	cut    bool
	images [][]byte // SVG
	took   time.Duration
	failed bool
}

// Begin starts the entry of an input.
func (l *Log) Begin(input string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, &entry{input: input})
}

// End ends it; message is what went wrong, or "".
func (l *Log) End(took time.Duration, message string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.last(); e != nil {
		e.took, e.failed = took, message != ""
		e.write([]byte(message))
	}
}

func (l *Log) last() *entry {
	if len(l.entries) == 0 {
		return nil
	}
	return l.entries[len(l.entries)-1]
}

// write keeps the beginning of the output.
func (e *entry) write(p []byte) {
	if room := maxOutput - e.output.Len(); len(p) > room {
		p, e.cut = p[:max(room, 0)], true
	}
	e.output.Write(p)
}

// Tee returns a writer that writes to w and keeps what it writes.
func (l *Log) Tee(w io.Writer) io.Writer { return tee{l, w} }

type tee struct {
	log *Log
	w   io.Writer
}

// Write implements io.Writer.
func (t tee) Write(p []byte) (int, error) {
	t.log.mu.Lock()
	if e := t.log.last(); e != nil {
		e.write(p)
	}
	t.log.mu.Unlock()
	return t.w.Write(p)
}

// Picture keeps a figure that is shown.
func (l *Log) Picture(f plot.Figure) error {
	var svg bytes.Buffer
	if err := plot.Encode(&svg, f, "svg", plot.Size{}); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.last(); e != nil && l.pictures < maxPictures {
		e.images = append(e.images, svg.Bytes())
		l.pictures++
	}
	return nil
}
