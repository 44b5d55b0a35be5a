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

// A Maker makes a fresh state whose modules include the given one, which is
// the module test of one file.
type Maker func(ctx context.Context, test bind.Module) (State, error)
