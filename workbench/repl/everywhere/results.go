package everywhere

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/syntax"
)

// maxRecent is how many results have names.
const maxRecent = 9

// Keep names the results of an input: _ and _1 the first of them, then what was there before.
func (d *Desk) Keep(L *lua.LState, values []lua.LValue) {
	if len(values) == 0 || values[0] == lua.LNil {
		return
	}
	d.recent = append(append([]lua.LValue{}, values...), d.recent...)
	d.recent = d.recent[:min(len(d.recent), maxRecent)]
	L.G.Global.RawSetString("_", d.recent[0])
	for i, v := range d.recent {
		L.G.Global.RawSetString(fmt.Sprintf("_%d", i+1), v)
	}
}

// Meant says why a bare name has the value nil, where it looks like a slip: "" elsewhere.
func (d *Desk) Meant(L *lua.LState, text string) string {
	name := strings.TrimSpace(text)
	if !syntax.IsName(name) || L.G.Global.RawGetString(name) != lua.LNil {
		return ""
	}
	var names []string
	L.G.Global.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	if near := bind.Suggest(name, names); near != "" {
		return fmt.Sprintf("'%s' is not defined; did you mean '%s'?", name, near)
	}
	return ""
}
