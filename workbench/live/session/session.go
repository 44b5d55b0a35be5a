// Package session is a conversation of a page with a Lua state: code comes in, and what comes of
// it goes out as events, which say the same as the prompt does. It knows neither browsers nor
// terminals, so that tests run it as it is.
//
//	s, err := session.New(session.Options{Send: func(e session.Event) { … }})
//	ok := s.Run(ctx, "1 + 1")
package session

import (
	"context"
	"io"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/complete"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/offer"
	"github.com/greenbench/workbench/workbench/repl/show"
	"github.com/greenbench/workbench/workbench/testrun"
)

// An Event is something that the page shows.
type Event struct {
	Kind Kind
	Text string
}

// Kind says what the text of an event is.
type Kind string

// The kinds of events.
const (
	Output   Kind = "output"   // printed, or a result
	Note     Kind = "note"     // said beside it
	Failure  Kind = "error"    // why it failed
	Picture  Kind = "picture"  // SVG, without an XML declaration
	Progress Kind = "progress" // in place of the one before; "" takes it away
)

// width is how many columns a page has.
const width = 88

// Options say what a session is for.
type Options struct {
	Send      func(Event) // may be called from several goroutines, one at a time
	Safe      bool        // see stdlib.SafeNotice
	MaxMemory int64       // in bytes; 0: no limit
	Seed      uint64

	// Advise is told of the state before anything runs; nil is allowed.
	Advise func(*host.Host, *everywhere.Desk)
}

// A Session is used by one goroutine at a time, except Interrupt.
type Session struct {
	*host.Host
	desk      everywhere.Desk
	send      func(Event)
	out, errs *stream
	printer   *show.Printer
	completer *complete.Engine

	count  int               // of inputs
	texts  map[string]string // of inputs, by the name of their chunk
	trace  string            // of the last error
	hidden []string          // modules whose names variables have taken
}

// New makes a session with all modules.
func New(o Options) (*Session, error) {
	s := &Session{send: o.Send, texts: map[string]string{}, trace: "No error so far.\n"}
	s.out, s.errs = &stream{s: s, kind: Output}, &stream{s: s, kind: Note}
	s.desk.Safe = o.Safe
	s.desk.Width = func() int { return width }
	s.desk.Trace = func() string { return s.trace }
	s.desk.Registry = bind.New(append(bindings.All(), s.desk.Module(), testrun.Module())...)
	var err error
	s.Host, err = host.New(host.Options{
		Out: s.out, Err: s.errs, In: strings.NewReader(""), Safe: o.Safe, MaxMemory: o.MaxMemory, Seed: o.Seed, Modules: s.desk.Registry,
	})
	if err != nil {
		return nil, err
	}
	s.desk.Load, s.desk.Source = s.Library.Load, s.source
	s.desk.Book = func(name string, width int) (string, bool) { return manual.Text(s.desk.Registry, name, width) }
	s.desk.Begin(s.L)
	if o.Advise != nil {
		o.Advise(s.Host, &s.desk)
	}
	s.completer = &complete.Engine{L: s.L, Registry: s.Registry, Dir: complete.Files}
	s.printer = &show.Printer{
		Width: width, Depth: 4, Items: 100, Number: chunk.FormatNumber,
		Describe: func(v lua.LValue) string { return show.Describe(s.L, v) },
		Function: s.signature,
	}
	return s, nil
}

// signature is how a function of the workbench is called.
func (s *Session) signature(f *lua.LFunction) (string, bool) {
	name, ok := s.Registry.Name(s.L, f)
	if !ok {
		return "", false
	}
	for p := range s.Registry.Functions() {
		if p.FullName == name {
			return p.Signature, true
		}
	}
	return name, true
}

// source is the text of an input, or of a file.
func (s *Session) source(name string) (string, bool) {
	if text, ok := s.texts[name]; ok {
		return text, true
	}
	return s.Source(name)
}

// Complete offers what the Tab key of the prompt would, at byte pos of a text of one or more lines.
func (s *Session) Complete(text string, pos int) offer.Completion {
	pos = max(0, min(pos, len(text)))
	begin := strings.LastIndexByte(text[:pos], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		end = pos + i
	}
	line, at := text[begin:end], pos-begin
	asks := 0
	if rest, ok := strings.CutPrefix(line, "?"); ok && begin == 0 && at > 0 { // ?kern
		line, at, asks = rest, at-1, 1
	}
	c := s.completer.Complete(strings.TrimSuffix(text[:begin], "\n"), line, at)
	c.From += begin + asks
	return c
}

// Help is the page of a name, or what was probably meant by it.
func (s *Session) Help(name string) string { return s.desk.About(s.L, strings.TrimSpace(name)) }

// picture sends a figure.
func (s *Session) picture(f plot.Figure) error {
	var b strings.Builder
	if err := plot.Encode(&b, f, "svg", plot.Size{}); err != nil {
		return err
	}
	s.flush()
	text := b.String() // within a page, it must not begin with a declaration of its own
	s.send(Event{Picture, text[max(strings.Index(text, "<svg"), 0):]})
	return nil
}

// note says something beside the output.
func (s *Session) note(text string) {
	s.flush()
	s.send(Event{Note, text + "\n"})
}

// noteModules says which variables have taken the name of a module.
func (s *Session) noteModules() {
	hidden := s.desk.Overwritten(s.L)
	for _, name := range hidden {
		if !slices.Contains(s.hidden, name) {
			s.note("note: " + bind.Overwritten(name))
		}
	}
	s.hidden = hidden
}

// meter shows the progress of a run.
func (s *Session) meter() *bar.Meter {
	return bar.On(func(line string) { s.send(Event{Progress, line}) }, func() int { return width }).
		Notes(func(text string) { s.note("note: " + text) })
}

// Interrupt stops what runs, as Ctrl-C does at the prompt.
func (s *Session) Interrupt() { s.Host.Interrupt(nil) }

// display is the context in which figures are sent to the page; drawn remembers them.
func (s *Session) display(ctx context.Context, drawn *[]plot.Figure) context.Context {
	return bindings.WithDisplay(ctx, func(_ io.Writer, f plot.Figure) error {
		*drawn = append(*drawn, f)
		return s.picture(f)
	})
}
