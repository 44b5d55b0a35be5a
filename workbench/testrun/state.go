package testrun

import (
	"context"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// A State is a Lua state in which one test file runs.
type State interface {
	// Run compiles and runs source under ctx. The file's name and lines are
	// those of its error texts. It is not called again once ctx is done.
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
