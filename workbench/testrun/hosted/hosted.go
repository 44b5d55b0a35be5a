// Package hosted runs test files in the states in which users run scripts.
package hosted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/stdlib"
	"github.com/greenbench/workbench/workbench/testrun"
)

// Setup returns the options of the host for one test file: its modules with
// the module test among them. What they print goes to out.
type Setup func(out io.Writer, test bind.Module) host.Options

// Modules is the Setup of a host with these modules and nothing else special.
func Modules(modules ...bind.Module) Setup {
	return func(_ io.Writer, test bind.Module) host.Options {
		return host.Options{Modules: bind.New(append(modules[:len(modules):len(modules)], test)...)}
	}
}

// Maker makes states from hosts. Standard output is kept for the test runner;
// standard input is empty unless the setup gives one.
func Maker(setup Setup) testrun.Maker {
	return func(_ context.Context, test bind.Module) (testrun.State, error) {
		s := &state{}
		o := setup(&s.out, test)
		o.Out = &s.out
		if o.In == nil {
			o.In = strings.NewReader("")
		}
		var err error
		s.host, err = host.New(o)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// state is a host as a testrun.State, Caller and Explainer.
type state struct {
	host *host.Host
	out  strings.Builder
}

func (s *state) Run(ctx context.Context, name, source string) error {
	return s.host.Run(ctx, name, source)
}

func (s *state) Lua() *lua.LState { return s.host.L }

func (s *state) Output() string {
	// A writer that fails fails again when the host flushes it after the run.
	_ = s.host.Library.Flush()
	text := s.out.String()
	s.out.Reset()
	return text
}

func (s *state) Close() { _ = s.host.Close() } // the files of a test are its own concern

func (s *state) Call(L *lua.LState, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error) {
	return s.host.Library.Call(L, fn, args...)
}

// Explain returns what the program shows, without the traceback.
func (s *state) Explain(err error) string {
	var exit *stdlib.ExitError
	if errors.As(err, &exit) {
		return fmt.Sprintf("os.exit(%d): a test must not end the program", exit.Code)
	}
	e := s.host.Describe(err)
	if e.Hint != "" {
		return e.Error() + "\n" + e.Hint
	}
	return e.Error()
}
