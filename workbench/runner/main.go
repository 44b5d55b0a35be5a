// Package runner is the command: it understands the command line, makes a Lua
// state, runs a script, code or the prompt in it, and turns what happens into
// an exit status. Main is all of it.
//
// To add a subcommand: its word in commands (args.go), a case in Main, a line
// in Usage.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Exit statuses of the command.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2 // also for source that is no Lua
	exitTimeLimit   = 124
	exitInterrupted = 130
	exitMemory      = 137
)

// Streams are what a process is connected to.
type Streams struct {
	In, Out, Err *os.File
	Getenv       func(string) string
}

// System are the streams of this process.
func System() Streams { return Streams{os.Stdin, os.Stdout, os.Stderr, os.Getenv} }

// A program is one run of the command.
type program struct {
	Invocation
	in       *os.File
	out      *output   // standard output
	screen   io.Writer // out, taking the progress bar away first
	errs     io.Writer // standard error, likewise
	getenv   func(string) string
	terminal terminal.Info
	meter    *bar.Meter
	paint    terminal.Painter // of diagnostics
}

// Main runs the command with the arguments after its name and returns the exit
// status.
func Main(args []string, s Streams) int {
	inv, err := Parse(args)
	if err != nil {
		fmt.Fprintf(s.Err, "workbench: %v\ntry: workbench --help\n", err)
		return exitUsage
	}
	p := newProgram(inv, s)
	defer p.out.Flush()
	switch inv.Command {
	case "help":
		io.WriteString(p.out, Usage)
		return exitOK
	case "version":
		fmt.Fprintln(p.out, everywhere.Version())
		return exitOK
	}
	if inv.Threads > 0 {
		runtime.GOMAXPROCS(inv.Threads)
	}
	ctx, cancel := p.limit(context.Background())
	defer cancel()
	switch inv.Command {
	case "test":
		return p.test(ctx)
	case "doc":
		return p.doc()
	case "lint":
		return p.lint()
	case "file", "code":
		return p.script(ctx)
	}
	return p.prompt(ctx)
}

func newProgram(inv Invocation, s Streams) *program {
	info := terminal.Detect(s.In, s.Out, s.Err, s.Getenv)
	p := &program{Invocation: inv, in: s.In, getenv: s.Getenv, terminal: info, paint: terminal.Painter{On: info.ErrColor}}
	var bars io.Writer // where bars are drawn
	if info.Err && !info.Dumb {
		bars = s.Err
	}
	p.meter = bar.New(bars, info.Width)
	p.out = newOutput(s.Out, info.Out)
	p.screen, p.errs = p.meter.Wrap(p.out), p.meter.Wrap(ordered{p.out, s.Err})
	return p
}

// ordered writes diagnostics after the output that came before them.
type ordered struct {
	out  *output
	errs io.Writer
}

func (o ordered) Write(b []byte) (int, error) {
	if err := o.out.Flush(); err != nil {
		return 0, err
	}
	return o.errs.Write(b)
}

// errTimeLimit is the cause of a context whose time is up.
var errTimeLimit = errors.New("time limit")

// limit gives a run its time.
func (p *program) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, time.Now().Add(p.Timeout), fmt.Errorf("%w of %s exceeded", errTimeLimit, p.Timeout))
}

// complain writes a diagnostic.
func (p *program) complain(format string, args ...any) {
	fmt.Fprintf(p.errs, "%s %s\n", p.paint.Paint(terminal.Error, "workbench:"), fmt.Sprintf(format, args...))
}
