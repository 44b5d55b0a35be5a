package bind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// Overwritten says that a global variable took the name of a module, and what to
// do: kernel = kernel.se{…} is easily written.
func Overwritten(name string) string {
	return fmt.Sprintf("'%s' is now your variable, not the module; %s = require %q brings the module back; use another name", name, name, name)
}

// Hidden returns the module, of this registry or of Lua's library, whose name a
// global variable has taken. It is nil when there is no such module, or when the
// global still is the module.
func Hidden(L *lua.LState, name string) *lua.LTable {
	loaded, ok := L.G.Registry.RawGetString("_LOADED").(*lua.LTable)
	if !ok {
		return nil
	}
	module, ok := loaded.RawGetString(name).(*lua.LTable)
	if !ok || L.G.Global.RawGetString(name) == lua.LValue(module) {
		return nil
	}
	return module
}

// meant says, for a name that a value of the type does not have, that a module
// has it: the module that the variable with the value hides, or that of the type.
func (x *index) meant(L *lua.LState, name string) (message string, ok bool) {
	for _, m := range x.state.reg.modules {
		module := Hidden(L, m.Name)
		if module != nil && L.G.Global.RawGetString(m.Name) == L.Get(1) && module.RawGetString(name) != lua.LNil {
			return fmt.Sprintf("%s has no '%s': %s", article(x.typ.name), name, Overwritten(m.Name)), true
		}
	}
	for _, m := range x.state.reg.modules {
		for i := range m.Types {
			if m.Types[i].name != x.typ.name || m.Global {
				continue
			}
			for _, f := range m.Funcs {
				if f.name == name {
					return fmt.Sprintf("%s has no '%s'; the module has: write %s.%s, with a variable of another name than the module's",
						article(x.typ.name), name, m.Name, name), true
				}
			}
		}
	}
	return "", false
}
