package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

func formatNumber(x float64) string { return chunk.FormatNumber(x) }

// run runs a complete input and shows what comes of it.
func (s *Session) run(ctx context.Context, text string, r reading) {
	s.remember(text)
	s.count++
	name := fmt.Sprintf("input[%d]", s.count)
	s.texts[name] = text
	s.noticeLocals(r.locals)

	began := time.Now()
	values, err := s.Evaluate(ctx, name, r.code)
	took := time.Since(began)

	status, exits := s.m.Exit(err)
	switch {
	case exits:
		s.finished, s.status = true, status
	case errors.Is(err, errInterrupted):
		s.interrupted(err, took)
	case err != nil:
		s.fail(err, 1)
	default:
		s.done = append(s.done, text)
		s.keep(values)
		if !r.quiet {
			s.show(values, text)
		}
	}
	if err == nil && took >= slow && !s.Pipe {
		s.timing(took)
	}
}

// Evaluate runs code under ctx, Ctrl-C, and the progress bar.
func (s *Session) Evaluate(ctx context.Context, name, code string) ([]lua.LValue, error) {
	ctx, end := s.stops.begin(progress.With(ctx, s.Meter.Report))
	s.Meter.Begin()
	values, err := s.m.Eval(ctx, name, code)
	s.Meter.End()
	cause := end()
	if err != nil && cause != nil {
		return nil, &stopped{cause: cause, where: s.Meter.Where(), problem: s.m.Explain(err)}
	}
	return values, err
}

// noticeLocals says, once, what happens to locals, and always when one hides a
// module.
func (s *Session) noticeLocals(names []string) {
	if len(names) == 0 {
		return
	}
	s.tell("local", "at the prompt, locals of the outermost level stay for the next lines")
	for _, n := range names {
		for m := range s.m.Registry().Modules() {
			if m.Name == n && !m.Global {
				s.tell("module "+n, fmt.Sprintf("%s is now your variable; %s = require %q brings the module back", n, n, n))
			}
		}
	}
}

// keep names the results: _ and _1 the first of them, then what was there
// before.
func (s *Session) keep(values []lua.LValue) {
	if len(values) == 0 || values[0] == lua.LNil {
		return
	}
	s.recent = append(append([]lua.LValue{}, values...), s.recent...)
	s.recent = s.recent[:min(len(s.recent), maxRecent)]
	globals := s.m.State().G.Global
	globals.RawSetString("_", s.recent[0])
	for i, v := range s.recent {
		globals.RawSetString(fmt.Sprintf("_%d", i+1), v)
	}
}

func (s *Session) show(values []lua.LValue, text string) {
	if len(values) == 0 {
		return
	}
	if !s.Pipe {
		s.printer.Width, s.printer.Rows = s.Terminal.Size()
	}
	fmt.Fprintln(s.Out, strings.TrimRight(s.printer.Values(values), "\n"))
	if len(values) == 1 && values[0] == lua.LNil {
		s.hintUndefined(text)
	}
}

// hintUndefined says why a bare name shows nil, when it looks like a slip.
func (s *Session) hintUndefined(text string) {
	name := strings.TrimSpace(text)
	globals := s.m.State().G.Global
	if !isName(name) || globals.RawGetString(name) != lua.LNil {
		return
	}
	var names []string
	globals.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	if near := bind.Suggest(name, names); near != "" {
		fmt.Fprintln(s.Err, "  "+s.paint.Paint(terminal.Hint, fmt.Sprintf("'%s' is not defined; did you mean '%s'?", name, near)))
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
	var st *stopped
	text := "interrupted"
	if errors.As(err, &st) {
		if p := st.problem; p.File != "" && p.Line > 0 {
			text += fmt.Sprintf(" at %s:%d", p.File, p.Line)
		}
		if st.where != "" {
			text += " in " + st.where
		}
	}
	io.WriteString(s.Err, s.paint.Paint(terminal.Hint, fmt.Sprintf("%s, after %s", text, everywhere.Duration(took)))+"\n")
	s.Reader.DropPaste()
	if s.Pipe {
		s.finished, s.status = true, 130
	}
}
