package runner

import (
	"context"
	"io"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/testrun"
)

// test is the command of that name.
func (p *program) test(ctx context.Context) int {
	return testrun.Command(ctx, p.Args, testrun.Program{
		Maker: TestState(host.Options{Safe: p.Safe, MaxMemory: p.MaxMemory}), Version: everywhere.Version(),
		Out: p.out, Err: p.errs, Color: p.terminal.Color,
	})
}

// TestState makes the host of a test file: what a script finds, and the module test.
func TestState(o host.Options) testrun.Maker {
	return func(test bind.Module, out io.Writer) (*host.Host, error) {
		desk := &everywhere.Desk{}
		desk.Registry = registry(desk, test)
		o := o
		o.Out, o.Err, o.Modules = out, out, desk.Registry
		h, err := host.New(o)
		if err != nil {
			return nil, err
		}
		desk.Load, desk.Source = h.Library.Load, h.Source
		desk.Begin(h.L)
		return h, nil
	}
}
