package lint

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
)

// Advise lets a prompt say what is not defined in a script before it runs, and what never fails
// in an input but is not what was meant. The state has no variables yet.
func Advise(L *lua.LState, desk *everywhere.Desk) {
	world := NewWorld(L, desk.Registry, ReadFile)
	desk.Undefined = func(script string) (names []string) {
		for _, f := range world.Check("script", script) {
			if f.Definite && f.Undefined != "" {
				names = append(names, f.Undefined)
			}
		}
		return names
	}
	desk.Silent = func(input string) []string {
		return world.Silent(input, func(global string) string { return bind.TypeName(L.G.Global.RawGetString(global)) })
	}
}
