package session

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// Raises marks a line of the manual that shows an error: what stands after it runs all the same.
const Raises = "--!"

// Run runs a block of code, or answers a question such as ?kernel. It says whether all of it
// went well; what went wrong has been sent.
func (s *Session) Run(ctx context.Context, text string) bool {
	ok := true
	for _, part := range parts(text) {
		if !s.run(ctx, part) && !strings.Contains(part, Raises) {
			ok = false
			break
		}
	}
	s.flush()
	s.out.end()
	s.errs.end()
	return ok
}

// parts are the inputs that a block is: one, if it is a chunk of Lua; cut around lines that are
// there to fail; where lines are expressions whose values are to be shown, as at the prompt,
// each complete input by itself.
func parts(text string) (all []string) {
	var plain []string
	flush := func() {
		if part := strings.Join(plain, "\n"); strings.TrimSpace(part) != "" {
			all = append(all, inputs(part)...)
		}
		plain = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.Contains(line, Raises) {
			plain = append(plain, line)
			continue
		}
		flush()
		all = append(all, line)
	}
	flush()
	return all
}

// inputs are what the prompt would run of the lines of a text, one after the other.
func inputs(text string) (all []string) {
	whole := input.Read("block", text)
	if whole.Err == nil || whole.Incomplete || !strings.Contains(text, "\n") {
		return []string{text}
	}
	var b input.Block
	for line := range strings.SplitSeq(text, "\n") {
		if b.Empty() && strings.TrimSpace(line) == "" {
			continue
		}
		b.Add(line)
		switch r := b.Read("block"); {
		case r.Incomplete:
		case r.Err != nil && !isQuestion(b.Text()):
			return []string{text} // the message is about all of it
		default:
			all = append(all, b.Text())
			b.Reset()
		}
	}
	if !b.Empty() {
		all = append(all, b.Text())
	}
	return all
}

// isQuestion says whether a line asks for help.
func isQuestion(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "?") || strings.HasSuffix(line, "?")
}

// run runs one input.
func (s *Session) run(ctx context.Context, text string) bool {
	if strings.TrimSpace(text) == "help" {
		text = "?"
	}
	if page, asked := s.desk.Question(s.L, text); asked {
		s.send(Event{Output, page})
		return true
	}
	s.count++
	name := fmt.Sprintf("input[%d]", s.count)
	s.texts[name] = text
	r := input.Read(name, text)
	if r.Err != nil {
		s.failed(r.Err, nil, 0)
		return false
	}
	s.noteSlips(text, r.Code)
	var drawn []plot.Figure
	meter := s.meter()
	meter.Begin(ctx)
	began := time.Now()
	values, err := s.Eval(s.display(progress.With(ctx, meter.Report), &drawn), name, r.Code)
	took := time.Since(began)
	meter.End()
	s.flush()
	defer s.noteModules()
	if err != nil {
		s.failed(err, meter, took)
		return false
	}
	s.desk.Keep(s.L, values)
	if !r.Quiet {
		s.show(values, text, drawn)
	}
	return true
}

// noteSlips says what will not fail and is not what was meant. Of a name alone the answer says it.
func (s *Session) noteSlips(text, code string) {
	if syntax.IsName(strings.TrimSpace(text)) {
		return
	}
	notes := s.desk.Unset(s.L, text)
	if s.desk.Silent != nil {
		notes = append(notes, s.desk.Silent(code)...)
	}
	for _, n := range notes {
		s.note("note: " + n)
	}
}

// show sends the values of an input. A figure alone is its picture, which is there already if the
// input has drawn it.
func (s *Session) show(values []lua.LValue, text string, drawn []plot.Figure) {
	if len(values) == 0 {
		return
	}
	var figures []plot.Figure
	for _, v := range values {
		if u, ok := v.(*lua.LUserData); ok {
			if f, ok := u.Value.(plot.Figure); ok {
				figures = append(figures, f)
			}
		}
	}
	if len(values) > 1 || len(figures) == 0 {
		s.send(Event{Output, strings.TrimRight(s.printer.Values(values), "\n") + "\n"})
	}
	for _, f := range figures {
		if slices.ContainsFunc(drawn, func(g plot.Figure) bool { return reflect.DeepEqual(f, g) }) {
			continue
		}
		if err := s.picture(f); err != nil {
			s.note("note: the figure cannot be drawn: " + err.Error())
		}
	}
	if len(values) == 1 && values[0] == lua.LNil {
		if hint := s.desk.Meant(s.L, text); hint != "" {
			s.note("  " + hint)
		}
	}
}

// failed says why an input failed.
func (s *Session) failed(err error, meter *bar.Meter, took time.Duration) {
	var exit *stdlib.ExitError
	if errors.As(err, &exit) {
		s.note(fmt.Sprintf("note: os.exit(%d): nothing ends here, the session goes on", exit.Code))
		return
	}
	e := s.Describe(err)
	if errors.Is(err, host.ErrInterrupted) {
		s.send(Event{Failure, interrupted(e, meter, took)})
		return
	}
	p := report.Of(e)
	s.trace = p.Full()
	s.send(Event{Failure, p.Text(s.source, terminal.Painter{})})
}

// interrupted says where an input was when it was stopped.
func interrupted(e *host.Error, meter *bar.Meter, took time.Duration) string {
	text := e.Message
	if where := meter.Where(); where != "" {
		text = "interrupted in " + where
	}
	if e.File != "" && e.Line > 0 {
		text += fmt.Sprintf(" at %s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s, after %s\n", text, everywhere.Duration(took))
}

// Incomplete says whether a text is the beginning of something, so that another line is wanted.
func Incomplete(text string) bool { return !isQuestion(text) && input.Read("block", text).Incomplete }
