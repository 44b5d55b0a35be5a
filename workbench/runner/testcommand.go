package runner

import (
	"bytes"
	"context"
	"sync"

	lua "github.com/yuin/gopher-lua"

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

// TestState makes the state of a test file: what a script finds, and the module
// test.
func TestState(o host.Options) testrun.Maker {
	return func(_ context.Context, test bind.Module) (testrun.State, error) {
		s := &testState{}
		desk := &everywhere.Desk{}
		desk.Registry = registry(desk, test)
		o := o
		o.Out, o.Err, o.Modules = &s.out, &s.out, desk.Registry
		h, err := host.New(o)
		if err != nil {
			return nil, err
		}
		desk.Load, desk.Source = h.Library.Load, h.Source
		desk.Begin(h.L)
		s.host = h
		return s, nil
	}
}

// testState is a host whose output is collected.
type testState struct {
	host *host.Host
	out  collector
}

func (s *testState) Run(ctx context.Context, name, source string) error {
	return s.host.Run(ctx, name, source)
}

func (s *testState) Lua() *lua.LState { return s.host.L }
func (s *testState) Output() string   { return s.out.take() }
func (s *testState) Close()           { _ = s.host.Close() } // a test leaves nothing worth saving

// collector is a buffer that several goroutines may write to.
type collector struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (c *collector) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.Write(p)
}

func (c *collector) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.buf.String()
	c.buf.Reset()
	return text
}
