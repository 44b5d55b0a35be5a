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

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/show"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/runner/lint"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// script runs a file or code, and then the prompt if -i asks for it.
func (p *program) script(ctx context.Context) int {
	pieces, status := p.pieces()
	if status != host.ExitOK {
		return status
	}
	desk := &everywhere.Desk{Width: p.terminal.Width}
	if p.Stay {
		return p.prompt(ctx, pieces)
	}
	h, err := p.host(desk)
	if err != nil {
		p.complain("%v", err)
		return host.ExitFailure
	}
	defer h.Close()
	for _, c := range pieces {
		if c.file && p.refused(h, c) {
			return host.ExitUsage
		}
		if err := p.run(ctx, h, c); err != nil {
			return p.failed(h, c, err)
		}
	}
	return host.ExitOK
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
		return out, host.ExitOK
	}
	var data []byte
	var err error
	name := p.File
	if p.File == "-" {
		name = "stdin"
		data, err = io.ReadAll(p.input)
	} else {
		data, err = os.ReadFile(p.File)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			p.complain("no such file: %s%s", p.File, nearFile(p.File))
		} else {
			p.complain("%v", err)
		}
		return nil, host.ExitUsage
	}
	return []piece{{name: name, text: string(data), file: true}}, host.ExitOK
}

// refused shows the certain mistakes of a script, which then does not run: a
// misspelt name in line 41 should not cost the forty minutes before it. What is
// probably a slip is noted, and the script runs.
func (p *program) refused(h *host.Host, c piece) bool {
	w := lint.NewWorld(h.L, h.Registry, lint.ReadFile)
	found := false
	for _, f := range w.Check(c.name, c.text) {
		if f.Telling {
			fmt.Fprintln(p.errs, p.paint.Paint(terminal.Dim, fmt.Sprintf("note: %s:%d: %s", f.File, f.Line, f.Message)))
		}
		if !f.Definite {
			continue
		}
		found = true
		problem := report.Problem{File: f.File, Line: f.Line, Column: f.Column, Message: f.Message}
		text := func(name string) (string, bool) { return c.text, name == c.name }
		io.WriteString(p.errs, problem.Text(text, p.paint))
	}
	if found {
		fmt.Fprintln(p.errs, "nothing was run")
	}
	return found
}

// run runs one piece until it ends or Ctrl-C is pressed; the second Ctrl-C does
// not wait.
func (p *program) run(ctx context.Context, h *host.Host, c piece) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer func() {
		signal.Stop(signals)
		close(signals)
	}()
	go func() {
		for range signals {
			if ctx.Err() != nil {
				_ = p.out.Flush()
				os.Exit(host.ExitInterrupted)
			}
			cancel(host.ErrInterrupted)
		}
	}()
	ctx = progress.With(ctx, p.meter.Report)
	p.meter.Begin(ctx)
	defer p.meter.End()
	if c.file {
		return h.Run(ctx, c.name, c.text)
	}
	values, err := h.Eval(ctx, c.name, p.code(c))
	if err == nil && c.print && len(values) > 0 {
		_, err = fmt.Fprintln(p.screen, p.printer(h).Values(values))
	}
	return err
}

// printer shows the value of -p as print does.
func (p *program) printer(h *host.Host) *show.Printer {
	return &show.Printer{
		Width: 80, Depth: 4, Items: 100,
		Number:   chunk.FormatNumber,
		Describe: func(v lua.LValue) string { return show.Describe(h.L, v) },
		Function: func(f *lua.LFunction) (string, bool) { return h.Registry.Name(h.L, f) },
	}
}

// code is the text to compile: -p shows the value of "x = 3; x", too.
func (p *program) code(c piece) string {
	if c.print {
		return chunk.ReturnLast(c.text)
	}
	return c.text
}

// failed shows an error of a piece and returns the exit status for it.
func (p *program) failed(h *host.Host, c piece, err error) int {
	e := h.Describe(err)
	var exit *stdlib.ExitError
	if errors.As(err, &exit) {
		return e.Exit
	}
	if where := p.meter.Where(); where != "" && errors.Is(err, host.ErrInterrupted) {
		e.Message = "interrupted in " + where
	}
	p.out.endLine()
	source := fileSource(func(name string) (string, bool) {
		if text, ok := h.Source(name); ok {
			return text, true
		}
		return c.text, name == c.name // which did not compile
	})
	io.WriteString(p.errs, report.Of(e).Text(source, p.paint))
	text, _ := source(e.File)
	p.crash(err, text)
	return e.Exit
}

// fileSource finds the text that a message is about: a chunk that was loaded,
// or a file.
func fileSource(loaded report.Source) report.Source {
	return func(name string) (string, bool) {
		if t, ok := loaded(name); ok {
			return t, true
		}
		if !strings.HasSuffix(name, ".lua") {
			return "", false
		}
		data, err := lint.ReadFile(name)
		return string(data), err == nil
	}
}
