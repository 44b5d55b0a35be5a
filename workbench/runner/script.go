package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/lex"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/show"
	"github.com/greenbench/workbench/workbench/runner/lint"
)

// script runs a file or code, and then the prompt if -i asks for it.
func (p *program) script(ctx context.Context) int {
	pieces, status := p.pieces()
	if status != exitOK {
		return status
	}
	desk := &everywhere.Desk{Width: p.terminal.Width}
	m, err := p.machine(desk)
	if err != nil {
		p.complain("%v", err)
		return exitFailed
	}
	defer m.Close()
	if p.Stay {
		return p.promptAfter(ctx, m, desk, pieces)
	}
	texts := map[string]string{}
	for _, c := range pieces {
		texts[c.name] = c.text
	}
	desk.Source = sources(texts)
	for _, c := range pieces {
		if c.file && p.refused(m, c) {
			return exitUsage
		}
		if status := p.runPiece(ctx, m, c, desk.Source); status != exitOK {
			return status
		}
	}
	return exitOK
}

// A piece is a file or one of the -e and -p arguments.
type piece struct {
	name, text  string
	file, print bool
}

func (p *program) pieces() ([]piece, int) {
	if p.Command == "code" {
		var out []piece
		for i, c := range p.Code {
			name := "code"
			if len(p.Code) > 1 {
				name = fmt.Sprintf("code[%d]", i+1)
			}
			out = append(out, piece{name: name, text: c.Text, print: c.Print})
		}
		return out, exitOK
	}
	var data []byte
	var err error
	name := p.File
	if p.File == "-" {
		name = "stdin"
		data, err = io.ReadAll(p.in)
	} else {
		data, err = os.ReadFile(p.File)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			p.complain("no such file: %s%s", p.File, nearFile(p.File))
		} else {
			p.complain("%v", err)
		}
		return nil, exitUsage
	}
	return []piece{{name: name, text: string(data), file: true}}, exitOK
}

// refused shows the certain mistakes of a script, which then does not run: a
// misspelt name in line 41 should not cost the forty minutes before it.
func (p *program) refused(m *machine, c piece) bool {
	w := lint.NewWorld(m.State(), m.Registry(), lint.ReadFile)
	found := false
	for _, f := range w.Check(c.name, c.text) {
		if !f.Definite {
			continue
		}
		found = true
		problem := report.Problem{File: f.File, Line: f.Line, Column: f.Column, Message: f.Message}
		io.WriteString(p.errs, problem.Text(sources(map[string]string{c.name: c.text}), p.paint))
	}
	if found {
		fmt.Fprintln(p.errs, "nothing was run")
	}
	return found
}

// runPiece runs one piece until it ends or Ctrl-C is pressed; the second Ctrl-C
// does not wait.
func (p *program) runPiece(ctx context.Context, m *machine, c piece, src report.Source) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		for range signals {
			if context.Cause(ctx) != nil {
				_ = p.out.Flush()
				os.Exit(exitInterrupted)
			}
			cancel(errInterrupted)
		}
	}()
	defer close(signals)
	p.meter.Begin()
	values, err := m.Eval(progress.With(ctx, p.meter.Report), c.name, p.code(c))
	p.meter.End()
	if err != nil {
		return p.failed(m, err, src)
	}
	if c.print {
		printer := &show.Printer{
			Width: 80, Depth: 4, Number: chunk.FormatNumber,
			Describe: func(v lua.LValue) string { return show.Describe(m.State(), v) },
			Function: func(*lua.LFunction) (string, bool) { return "", false },
		}
		if len(values) > 0 {
			fmt.Fprintln(p.screen, printer.Values(values))
		}
	}
	return exitOK
}

// code is the text to compile: -p shows the value of "x = 3; x", too.
func (p *program) code(c piece) string {
	if c.print {
		if _, err := chunk.ParseInput(c.name, []byte(c.text)); err != nil {
			if last, ok := lex.ReturnLast(c.text); ok {
				return last
			}
		}
	}
	return c.text
}

var errInterrupted = errors.New("interrupted")

// failed shows an error and returns the exit status for it.
func (p *program) failed(m *machine, err error, src report.Source) int {
	if status, ok := m.Exit(err); ok {
		return status
	}
	problem := m.Explain(err)
	status := m.status(err)
	if status == exitInterrupted {
		if where := p.meter.Where(); where != "" {
			problem.Message = "interrupted in " + where
		}
	}
	p.out.endLine()
	io.WriteString(p.errs, problem.Text(src, p.paint))
	return status
}

// sources finds the text that a message is about: what was given on the command
// line, or a file.
func sources(texts map[string]string) report.Source {
	return func(name string) (string, bool) {
		if t, ok := texts[name]; ok {
			return t, true
		}
		if !strings.HasSuffix(name, ".lua") {
			return "", false
		}
		data, err := lint.ReadFile(name)
		return string(data), err == nil
	}
}
