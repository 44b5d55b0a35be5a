// Package runner is the command: it understands the command line, makes a Lua
// state, runs a script, code or the prompt in it, and turns what happens into
// an exit status. Main is all of it.
//
// To add a command: a line in Declaration (options.go), a case in main.
package runner

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/bar"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/repl/transcript"
	"github.com/greenbench/workbench/workbench/stdlib"
	"github.com/greenbench/workbench/workbench/usage"
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
	stdin     *stdlib.PatientReader
	stdinFile *os.File
	input     *bufio.Reader // standard input, of scripts and of the prompt without a terminal
	out       *output       // standard output
	prompts   io.Writer     // the same for prompts, after which the user ends the line
	screen    io.Writer     // out, taking the progress bar away first
	errs      io.Writer     // standard error, likewise
	getenv    func(string) string
	terminal  terminal.Info
	meter     *bar.Meter
	paint     terminal.Painter // of diagnostics

	transcript *transcript.Log // of a prompt
	live       bool            // the pages of the manual run
	pictures   io.Writer       // where pictures go: screen, but not into the transcript
}

// Main runs the command with the arguments after its name and returns the exit
// status.
func Main(args []string, s Streams) int {
	inv, err := Parse(args)
	if err != nil {
		fmt.Fprintf(s.Err, "workbench: %v\ntry: workbench --help\n", err)
		return host.ExitUsage
	}
	p := newProgram(inv, s)
	status := p.main()
	// What was printed is a result: where it is lost, the run has failed.
	if err := p.out.Flush(); err != nil && status == host.ExitOK {
		p.complain("standard output: %v", err)
		status = host.ExitFailure
	}
	return status
}

// main does what the command line asks for and returns the exit status.
func (p *program) main() int {
	switch p.Command {
	case "help":
		io.WriteString(p.out, Declaration().Usage())
		return host.ExitOK
	case "man":
		io.WriteString(p.out, Declaration().Man(everywhere.Version()))
		return host.ExitOK
	case "completion":
		return p.completion()
	case "version":
		fmt.Fprintln(p.out, everywhere.Version())
		return host.ExitOK
	}
	if p.Threads > 0 {
		runtime.GOMAXPROCS(p.Threads)
	}
	ctx := p.display(context.Background())
	switch p.Command {
	case "test":
		return p.test(ctx)
	case "doc":
		return p.doc(ctx)
	case "kernel":
		return p.kernel(ctx)
	case "lint":
		return p.lint()
	case "file", "code":
		return p.inPart(ctx, p.script)
	}
	return p.prompt(ctx, nil)
}

// completion prints the script for a shell.
func (p *program) completion() int {
	script, ok := Declaration().Completion(p.Args[0])
	if !ok {
		p.complain("completion: unknown shell %s: must be one of %s", p.Args[0], strings.Join(usage.Shells(), ", "))
		return host.ExitUsage
	}
	io.WriteString(p.out, script)
	return host.ExitOK
}

func newProgram(inv Invocation, s Streams) *program {
	info := terminal.Detect(s.In, s.Out, s.Err, s.Getenv)
	stdin := &stdlib.PatientReader{Reader: s.In}
	p := &program{Invocation: inv, stdin: stdin, stdinFile: s.In, input: bufio.NewReader(stdin), getenv: s.Getenv, terminal: info, paint: terminal.Painter{On: info.ErrColor}}
	var bars io.Writer // where bars are drawn
	if info.Err && !info.Dumb {
		bars = s.Err
	}
	p.meter = bar.New(bars, info.Width).Notes(func(text string) {
		fmt.Fprintln(p.errs, p.paint.Paint(terminal.Dim, "note: "+text))
	})
	p.out, p.prompts = newOutput(s.Out, info.Out), s.Out
	p.screen, p.errs = p.meter.Wrap(p.out), p.meter.Wrap(ordered{p.out, s.Err})
	p.pictures = p.screen
	return p
}

// ordered writes diagnostics after the output that came before them.
type ordered struct {
	out  *output
	errs io.Writer
}

func (o ordered) Write(b []byte) (int, error) {
	_ = o.out.Flush() // its failure is told at the end
	return o.errs.Write(b)
}

// complain writes a diagnostic.
func (p *program) complain(format string, args ...any) {
	fmt.Fprintf(p.errs, "%s %s\n", p.paint.Paint(terminal.Error, "workbench:"), fmt.Sprintf(format, args...))
}
