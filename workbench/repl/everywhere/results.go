package everywhere

import (
	"cmp"
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
	if instead := cmp.Or(bind.Elsewhere(L, name, false), bind.Elsewhere(L, name, true)); instead != "" {
		return fmt.Sprintf("'%s' is not defined; %s", name, instead)
	}
	var names []string
	L.G.Global.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	if near := bind.Suggest(name, names); near != "" {
		return fmt.Sprintf("'%s' is not defined; did you mean '%s'?", name, near)
	}
	return ""
}

// Unset says, for names in a text that other languages give a value and this one does not, such as True and NaN, what to
// write: without a value they are nil, and nothing fails.
func (d *Desk) Unset(L *lua.LState, text string) (notes []string) {
	tokens := syntax.Code(text)
	parameters := false
	own := map[string]bool{}
	for i, t := range tokens {
		name := t.Text(text)
		switch {
		case t.Is(text, "function") || t.Is(text, "for") || t.Is(text, "local"):
			parameters = true
		case t.Is(text, ")") || t.Is(text, "in") || t.Is(text, "="):
			parameters = false
		case t.Kind != syntax.Name || own[name]:
		case parameters, i+1 < len(tokens) && tokens[i+1].Is(text, "="):
			own[name] = true
		case i > 0 && (tokens[i-1].Is(text, ".") || tokens[i-1].Is(text, ":")):
		case L.G.Global.RawGetString(name) == lua.LNil:
			if instead := bind.Elsewhere(L, name, false); instead != "" {
				own[name] = true
				notes = append(notes, fmt.Sprintf("'%s' has no value here; %s", name, instead))
			}
		}
	}
	return notes
}
