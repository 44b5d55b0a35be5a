package testrun

import (
	"context"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// A State is a Lua state in which one test file runs.
type State interface {
	// Run compiles source with the package chunk and runs it under ctx; name is
	// the file's, in error texts. After a Run whose context ended, others with
	// contexts of their own may follow.
	Run(ctx context.Context, name, source string) error
	// Lua returns the state itself.
	Lua() *lua.LState
	// Output returns what was printed since the last call.
	Output() string
	Close()
}

// A Caller is a State that calls Lua functions better than a plain thread
// does: L is the state that runs, and a failure leaves the variables of the
// functions that are running alone.
type Caller interface {
	Call(L *lua.LState, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error)
}

// An Explainer is a State that knows what its users are shown for an error.
type Explainer interface {
	// Explain returns the text, beginning with "file:line: " where that is known.
	Explain(err error) string
}

// A Maker makes a fresh state whose modules include the given one, which is
// the module test of one file.
type Maker func(ctx context.Context, test bind.Module) (State, error)
