// Package transcript keeps what happens at the prompt, inputs, output and pictures, and
// writes it as a page of HTML that needs nothing else.
package transcript

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/greenbench/workbench/numeric/plot"
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

//go:embed page.html
var page string

// escapes are the codes that colour a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// Write writes the page. It holds everything up to the running input, which asks for
// it. About says how the session can be repeated: versions, seed, machine.
func (l *Log) Write(w io.Writer, title string, about []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	type shown struct {
		Input, Output string
		Images        []template.URL
		Took          string
		Failed, Cut   bool
	}
	var all []shown
	for _, e := range l.entries[:max(0, len(l.entries)-1)] {
		s := shown{Input: e.input, Output: string(escapes.ReplaceAll(e.output.Bytes(), nil)), Failed: e.failed, Cut: e.cut}
		if e.took >= time.Millisecond {
			s.Took = e.took.Round(time.Millisecond).String()
		}
		for _, svg := range e.images {
			s.Images = append(s.Images, template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(svg)))
		}
		all = append(all, s)
	}
	t, err := template.New("page").Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{"Title": title, "About": about, "Entries": all})
}
