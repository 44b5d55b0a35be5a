package bind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// IsProperty reports whether values of some type have a property of the name, which is read and not called.
func IsProperty(L *lua.LState, name string) bool {
	s := stateOf(L)
	if s == nil {
		return false
	}
	for i := range s.reg.types {
		for _, p := range s.reg.types[i].properties {
			if p.name == name {
				return true
			}
		}
	}
	return false
}

// Names lists what values of a type have, the first of many: "n, input, output and split(…)". It is "" for a type that
// is not registered.
func Names(L *lua.LState, typeName string) string {
	s := stateOf(L)
	if s == nil {
		return ""
	}
	t := s.reg.typeNamed(typeName)
	if t == nil {
		return ""
	}
	const most = 8
	var names []string
	for _, p := range t.properties {
		names = append(names, "."+p.name)
	}
	for _, m := range t.methods {
		names = append(names, ":"+m.name+"(…)")
	}
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	return strings.Join(names, ", ")
}
