package bind

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Elsewhere says what to write for a name that people know from NumPy, SciPy, MATLAB or Julia, or that is
// called without its module: "write array.zeros". It is "" for a name that nothing here has. Of a name that is not called only constants are known: other words are names of variables.
func Elsewhere(L *lua.LState, name string, called bool) string {
	s := stateOf(L)
	if s == nil {
		return ""
	}
	for _, m := range s.reg.modules {
		if text, ok := m.Foreign.Values[name]; ok {
			return text
		}
	}
	if called {
		for _, m := range s.reg.modules {
			if text, ok := m.Foreign.Functions[name]; ok {
				return text
			}
		}
	}
	math, isTable := L.G.Global.RawGetString("math").(*lua.LTable)
	if isTable && (called || math.RawGetString(name).Type() == lua.LTNumber) && math.RawGetString(name) != lua.LNil {
		return "write math." + name
	}
	if !called {
		return ""
	}
	if found := s.reg.named(func(f *Func) bool { return f.name == name }); found != "" {
		return found
	}
	if len(name) < 3 {
		return ""
	}
	word := plain(name)
	return s.reg.named(func(f *Func) bool {
		return plain(f.name) == word || slices.ContainsFunc(f.keywords, func(k string) bool { return plain(k) == word })
	})
}

// named says how the first functions of modules are called that fit, two at most, or the first method of an array or a mask.
func (r *Registry) named(fits func(f *Func) bool) string {
	var calls []string
	for _, m := range r.modules {
		for i := range m.Funcs {
			if m.Call != nil && m.Call.name == m.Funcs[i].name {
				continue
			}
			if full := m.fullName(m.Funcs[i].name); fits(&m.Funcs[i]) && len(calls) < 2 {
				calls = append(calls, full)
			}
		}
	}
	if len(calls) > 0 {
		return "write " + strings.Join(calls, " or ")
	}
	for _, m := range r.modules {
		for _, t := range m.Types {
			for i := range t.methods {
				if t.name == "array" && fits(&t.methods[i]) {
					return fmt.Sprintf("write a:%s(…)", t.methods[i].name)
				}
			}
		}
	}
	return ""
}
