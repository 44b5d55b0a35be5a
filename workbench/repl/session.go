// Package repl is the interactive session: it reads what is typed, decides when
// an input is complete, runs it in a Lua state, shows results and errors, and
// keeps everything that was defined, whatever happens.
//
// Session is the loop. What it is made of lies in the packages below: line
// (the editor), lex (source text), history, complete, show (results), report
// (errors), bar (progress), terminal, everywhere (functions at hand). The
// Lua state, a host.Host, comes from outside: the program and the tests make it
// as they need it.
//
// To add a command of the prompt that is not Lua, see commands in command.go;
// a function belongs in everywhere or in a module.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/complete"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/history"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/repl/offer"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/show"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/repl/transcript"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// Options are what a session needs beside its Lua state. Reader, Out and Err are
// required.
type Options struct {
	Reader   line.Reader
	Out, Err io.Writer
	Terminal terminal.Info
	Meter    *bar.Meter
	History  *history.Log
	Desk     *everywhere.Desk
	// Pipe: nobody is watching. The first error ends the session, nothing is
	// said that is not a result or an error.
	Pipe bool
	// Safe forbids commands of the shell.
	Safe bool
	// Source gives the text of files that errors mention.
	Source report.Source
	// EndLine ends a line of output that was begun; nil if output is elsewhere.
	EndLine func()
	// Transcript keeps inputs, output and pictures for the report; may be nil.
	Transcript *transcript.Log
	// Crash keeps the details of an error that is a fault of the workbench.
	Crash func(err error, input string)
}

// A Session is a conversation with one Lua state.
type Session struct {
	Options
	host    *host.Host
	printer *show.Printer
	paint   terminal.Painter // of diagnostics

	pending   input.Block
	count     int                // of inputs that ran
	texts     map[string]string  // of inputs, by the name of their chunk
	done      []everywhere.Input // inputs that succeeded
	tolds     map[string]bool    // notices that are given once
	hidden    []string           // modules whose names variables have taken
	stops     *stopper
	completer *complete.Engine
	last      *report.Problem // the error shown last
	toEdit    *string         // what the editor opens with when the running input ends
	mends     bool            // the reader edits blocks
	finished  bool
	status    int
}

// slow is how long an input may take without its time being shown.
const slow = 500 * time.Millisecond

// New makes a session. Options.Desk declares the everywhere functions of the
// state; New connects it to the session.
func New(h *host.Host, o Options) *Session {
	s := &Session{Options: o, host: h, texts: map[string]string{}, tolds: map[string]bool{}}
	if s.History == nil {
		s.History = history.New()
	}
	if s.Meter == nil {
		s.Meter = bar.New(nil, o.Terminal.Width)
	}
	if s.Desk == nil {
		s.Desk = &everywhere.Desk{Registry: h.Registry}
		s.Desk.Begin(h.L)
	}
	s.paint = terminal.Painter{On: o.Terminal.ErrColor}
	s.Meter.Notes(func(text string) { fmt.Fprintln(s.Err, s.paint.Paint(terminal.Dim, "note: "+text)) })
	s.printer = &show.Printer{
		Depth: 4, Items: 100,
		Paint:    terminal.Painter{On: o.Terminal.Color},
		Number:   chunk.FormatNumber,
		Describe: func(v lua.LValue) string { return show.Describe(h.L, v) },
		Function: s.signature,
	}
	s.Desk.Source = s.text
	s.Desk.Inputs = func() []everywhere.Input { return s.done }
	s.Desk.Format = s.format
	s.stops = newStopper(s)
	s.completer = &complete.Engine{L: h.L, Registry: h.Registry, Own: s.Desk.Own}
	if !o.Safe {
		s.completer.Dir = complete.Files
	}
	return s
}

// signature is how a function of the workbench is called.
func (s *Session) signature(f *lua.LFunction) (string, bool) {
	name, ok := s.host.Registry.Name(s.host.L, f)
	if !ok {
		return "", false
	}
	for p := range s.host.Registry.Functions() {
		if p.FullName == name {
			return p.Signature, true
		}
	}
	return name, true
}

// text is the source of an input, or of a file.
func (s *Session) text(name string) (string, bool) {
	if t, ok := s.texts[name]; ok {
		return t, true
	}
	if t, ok := s.host.Source(name); ok {
		return t, true
	}
	if s.Source != nil {
		return s.Source(name)
	}
	return "", false
}

// Run reads and runs inputs until the end and returns the exit status: 0, or
// in a pipe 1 after an error and 2 after a syntax error.
func (s *Session) Run(ctx context.Context) int {
	defer s.stops.watch()()
	for !s.finished {
		prompt := transcript.Prompt
		if !s.pending.Empty() {
			prompt = transcript.Continuing
		}
		s.endLine()
		text, err := s.Reader.ReadLine(prompt)
		switch {
		case errors.Is(err, line.ErrInterrupt):
			s.drop()
		case errors.Is(err, io.EOF) && s.pending.Empty():
			s.finished = true
		case errors.Is(err, io.EOF):
			// The end of the input ends a block; at a terminal it only drops it.
			r := s.pending.Read(s.name())
			s.wrong(r.Err)
		case err != nil:
			fmt.Fprintf(s.Err, "%v\n", err)
			s.finished, s.status = true, 1
		default:
			s.take(ctx, text)
		}
	}
	return s.status
}

// RunScript runs a file before the first prompt; an error does not end the
// session. With keepLocals its outermost locals stay.
func (s *Session) RunScript(ctx context.Context, name, text string, keepLocals bool) {
	defer s.stops.watch()()
	if keepLocals {
		if _, err := chunk.Parse(name, []byte(text)); err == nil {
			text, _ = syntax.Globalise(text)
		}
	}
	began := time.Now()
	_, err := s.evaluate(ctx, func(ctx context.Context) ([]lua.LValue, error) {
		return nil, s.host.Run(ctx, name, text)
	})
	if err != nil {
		s.failed(err, time.Since(began))
	}
	s.noticeModules()
}

func (s *Session) endLine() {
	if s.EndLine != nil {
		s.EndLine()
	}
}

// drop forgets an unfinished block, which the arrow keys can bring back.
func (s *Session) drop() {
	if !s.pending.Empty() {
		s.Reader.Remember(s.pending.Text())
		s.pending.Reset()
	}
	s.Reader.DropPaste()
}

// name is that of the next input in messages.
func (s *Session) name() string { return fmt.Sprintf("input[%d]", s.count+1) }

// take adds a line and runs what is complete.
func (s *Session) take(ctx context.Context, text string) {
	if !s.pending.InText() {
		text, _ = transcript.StripPrompt(text)
	}
	if s.pending.Empty() {
		if strings.TrimSpace(text) == "" || s.command(ctx, text) {
			return
		}
	}
	s.pending.Add(text)
	switch r := s.pending.Read(s.name()); {
	case r.Incomplete:
	case r.Err != nil:
		s.wrong(r.Err)
	default:
		whole := s.pending.Text()
		s.pending.Reset()
		s.run(ctx, whole, r)
		s.openEditor(ctx)
	}
}

// wrong shows why the pending lines are no Lua.
func (s *Session) wrong(err error) {
	text := s.pending.Text()
	s.pending.Reset()
	s.remember(text)
	s.count++
	s.texts[fmt.Sprintf("input[%d]", s.count)] = text
	if s.mends && strings.Contains(text, "\n") { // the block comes back, with what was to follow it
		s.Reader.Prefill(strings.Join(append([]string{text}, s.Reader.DropPaste()...), "\n"))
	}
	s.fail(err)
}

// remember puts an input into the history before it runs.
func (s *Session) remember(text string) {
	s.Reader.Remember(text)
	if s.Pipe {
		return
	}
	if err := s.History.Append(text, time.Now()); err != nil {
		s.tell("history", err.Error())
	}
}

// tell gives a notice, once in a session.
func (s *Session) tell(key, text string) {
	if !s.tolds[key] && !s.Pipe {
		s.tolds[key] = true
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Dim, "note: "+text))
	}
}

// failed deals with the error of an evaluation: the script asked for the end
// of the program, Ctrl-C was pressed, or something is wrong.
func (s *Session) failed(err error, took time.Duration) {
	var exit *stdlib.ExitError
	switch {
	case errors.As(err, &exit):
		s.finished, s.status = true, exit.Code
	case errors.Is(err, host.ErrInterrupted):
		s.interrupted(err, took)
	default:
		s.fail(err)
	}
}

// fail shows an error; in a pipe it ends the session.
func (s *Session) fail(err error) {
	e := s.host.Describe(err)
	p := report.Of(e)
	s.last = &p
	s.endLine()
	io.WriteString(s.Err, p.Text(s.text, s.paint))
	if s.Crash != nil {
		s.Crash(err, s.texts[e.File])
	}
	if n := len(s.Reader.DropPaste()); n > 0 {
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Dim, fmt.Sprintf("note: the other %d pasted lines were not run", n)))
	}
	if s.Pipe {
		s.finished, s.status = true, e.Exit
	}
}

// Trace is the error shown last, with all its calls.
func (s *Session) Trace() string {
	if s.last == nil {
		return "No error so far.\n"
	}
	return s.last.Full()
}

// Complete answers the Tab key at the session's prompt.
func (s *Session) Complete(text string, pos int) offer.Completion {
	var c offer.Completion
	switch rest, asks := strings.CutPrefix(text, "?"); {
	case !s.pending.Empty():
		c = s.completer.Complete(s.pending.Text(), text, pos)
	case asks && pos > 0: // ?kern<Tab>
		c = s.completer.Complete("", rest, pos-1)
		c.From++
	default:
		c = s.completer.Complete("", text, pos)
	}
	c.Title = terminal.Painter{On: s.Terminal.Color}.Paint(terminal.Bold, c.Title)
	return c
}
