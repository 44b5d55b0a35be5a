package repl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// run runs a complete input and shows what comes of it.
func (s *Session) run(ctx context.Context, text string, r input.Reading) {
	s.remember(text)
	s.count++
	name := fmt.Sprintf("input[%d]", s.count)
	s.texts[name] = text
	s.noticeLocals(r.Locals)
	s.noticeSlips(text, r.Code)

	began := time.Now()
	s.Transcript.Begin(text)
	values, err := s.evaluate(ctx, func(ctx context.Context) ([]lua.LValue, error) {
		return s.host.Eval(ctx, name, r.Code)
	})
	took := time.Since(began)
	defer s.noticeModules()
	if err != nil {
		s.Transcript.End(took, report.Of(s.host.Describe(err)).Text(s.text, terminal.Painter{}))
		s.failed(err, took)
		return
	}
	defer s.Transcript.End(took, "") // after the results are shown
	s.done = append(s.done, everywhere.Input{Text: text, Results: len(values)})
	s.Desk.Keep(s.host.L, values)
	if !r.Quiet {
		s.show(values, text)
	}
	if took >= slow && !s.Pipe {
		s.timing(took)
	}
}

// evaluate runs code under ctx, Ctrl-C, and the progress bar.
func (s *Session) evaluate(ctx context.Context, run func(context.Context) ([]lua.LValue, error)) ([]lua.LValue, error) {
	ctx, end := s.stops.begin(progress.With(ctx, s.Meter.Report))
	defer end()
	s.Meter.Begin(ctx)
	defer s.Meter.End()
	return run(ctx)
}

// noticeSlips says what will not fail and is not what was meant. Of a name alone the answer says it.
func (s *Session) noticeSlips(text, code string) {
	if syntax.IsName(strings.TrimSpace(text)) {
		return
	}
	notes := s.Desk.Unset(s.host.L, text)
	if s.Desk.Silent != nil {
		notes = append(notes, s.Desk.Silent(code)...)
	}
	for _, note := range notes {
		fmt.Fprintln(s.Err, s.paint.Paint(terminal.Dim, "note: "+note))
	}
}

// noticeLocals says, once, what happens to locals.
func (s *Session) noticeLocals(names []string) {
	if len(names) > 0 {
		s.tell("local", "at the prompt, locals of the outermost level stay for the next lines")
	}
}

// noticeModules says when a variable has taken the name of a module.
func (s *Session) noticeModules() {
	hidden := s.Desk.Overwritten(s.host.L)
	for _, name := range hidden {
		if !slices.Contains(s.hidden, name) {
			s.endLine()
			fmt.Fprintln(s.Err, s.paint.Paint(terminal.Dim, "note: "+bind.Overwritten(name)))
		}
	}
	s.hidden = hidden
}

func (s *Session) show(values []lua.LValue, text string) {
	if len(values) == 0 {
		return
	}
	if !s.Pipe {
		s.printer.Width, s.printer.Rows = s.Terminal.Size()
	}
	s.endLine()
	fmt.Fprintln(s.Out, strings.TrimRight(s.printer.Values(values), "\n"))
	if len(values) == 1 && values[0] == lua.LNil {
		if hint := s.Desk.Meant(s.host.L, text); hint != "" {
			fmt.Fprintln(s.Err, "  "+s.paint.Paint(terminal.Hint, hint))
		}
	}
}

// format chooses how many digits results have.
func (s *Session) format(long bool) {
	s.printer.Long, s.printer.Number = long, chunk.FormatNumber
	if long {
		s.printer.Number = func(x float64) string {
			if x == math.Trunc(x) {
				return chunk.FormatNumber(x)
			}
			return strconv.FormatFloat(x, 'g', 17, 64)
		}
	}
}

// timing shows how long an input took, at the right margin.
func (s *Session) timing(took time.Duration) {
	text := "[" + everywhere.Duration(took) + "]"
	pad := max(0, s.Terminal.Width()-len([]rune(text))-1)
	fmt.Fprintln(s.Err, strings.Repeat(" ", pad)+s.paint.Paint(terminal.Dim, text))
}

// interrupted says where an input was when Ctrl-C was pressed.
func (s *Session) interrupted(err error, took time.Duration) {
	e := s.host.Describe(err)
	text := e.Message
	if where := s.Meter.Where(); where != "" {
		text = "interrupted in " + where
	}
	if e.File != "" && e.Line > 0 {
		text += fmt.Sprintf(" at %s:%d", e.File, e.Line)
	}
	if s.Terminal.Interactive() {
		fmt.Fprintln(s.Err) // the terminal has shown ^C in this line
	}
	fmt.Fprintln(s.Err, s.paint.Paint(terminal.Hint, fmt.Sprintf("%s, after %s", text, everywhere.Duration(took))))
	s.Reader.DropPaste()
	if s.Pipe {
		s.finished, s.status = true, e.Exit
	}
}
