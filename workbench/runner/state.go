package runner

import (
	"os"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/runner/lint"
	"github.com/greenbench/workbench/workbench/testrun"
)

// host makes the Lua state of a script or a prompt: all modules, and the
// functions of the desk.
func (p *program) host(desk *everywhere.Desk) (*host.Host, error) {
	desk.Safe = p.Safe
	desk.Registry = registry(desk, testrun.Module())
	h, err := host.New(host.Options{
		Out: p.screen, Err: p.errs, In: p.input, Stdin: p.stdinFile,
		Safe: p.Safe, MaxMemory: p.MaxMemory, Timeout: p.Timeout,
		Script: p.File, Args: p.Args, Command: p.command(), Modules: desk.Registry,
	})
	if err != nil {
		return nil, err
	}
	desk.Load, desk.Source = h.Library.Load, h.Source
	desk.Book = func(name string, width int) (string, bool) { return manual.Text(desk.Registry, name, width) }
	desk.Begin(h.L)
	prompt := p.Command == "repl" || p.Stay
	if !prompt || !p.terminal.Interactive() { // a prompt reads the terminal itself
		p.stdin.Session = h.Library.Session()
	}
	if prompt {
		lint.Advise(h.L, desk) // before variables are made
	}
	return h, nil
}

// command is what started the program, before the script.
func (p *program) command() []string {
	if p.File == "" {
		return nil
	}
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return append([]string{path}, p.Options...)
}

// registry is all modules and the functions at hand everywhere. The module test is that of a test runner, or the one for
// scripts that none runs.
func registry(desk *everywhere.Desk, test bind.Module) *bind.Registry {
	return bind.New(append(bindings.All(), desk.Module(), test)...)
}
