package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// parts returns the text of the one part of expressions of the line that choose returns; "" if there are several with
// different texts, or none.
func (x *explainer) parts(choose func(ast.Expr) []ast.Expr) string {
	found := ""
	for _, e := range x.source.at(x.name, x.line) {
		for _, part := range choose(e) {
			text := x.source.write(part)
			if text == "" || found != "" && found != text {
				return ""
			}
			found = text
		}
	}
	return found
}

// constant returns a literal key as messages show it, "" for other expressions.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StringExpr:
		return e.Value
	case *ast.NumberExpr:
		return e.Value
	}
	return ""
}

// variableOnly is the expression unless it is a literal, whose type is plain to see.
func variableOnly(e ast.Expr) []ast.Expr {
	switch e.(type) {
	case *ast.NumberExpr, *ast.StringExpr:
		return nil
	}
	return []ast.Expr{e}
}

// works reports whether the expression is the path of a global function.
func (x *explainer) works(e ast.Expr) bool {
	v := x.lookup(x.source.write(e))
	_, ok := v.(*lua.LFunction)
	return ok || v.Type() == lua.LTTable && x.lib.main.GetMetaField(v, "__call") != lua.LNil
}

// path splits "kernel.matern" into its names; nil if the text is anything else.
func path(text string) []string {
	names := strings.Split(text, ".")
	for _, name := range names {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			return nil
		}
	}
	return names
}

// lookup returns the value at the path of a global, nil if there is none. It calls no metamethods.
func (x *explainer) lookup(text string) lua.LValue {
	var v lua.LValue = x.lib.main.G.Global
	names := path(text)
	if names == nil {
		return lua.LNil
	}
	for _, name := range names {
		table, ok := v.(*lua.LTable)
		if !ok {
			return lua.LNil
		}
		v = table.RawGetString(name)
	}
	return v
}

// globalKind is the type of the global that the text names, "" if it names none.
func (x *explainer) globalKind(text string) string {
	if v := x.lookup(text); v != lua.LNil {
		return v.Type().String()
	}
	return ""
}

// elsewhere says what to write for the name of a global without a value that is known from other tools.
func (x *explainer) elsewhere(text string) string {
	if names := path(text); len(names) != 1 || x.source.locals[text] || x.lookup(text) != lua.LNil {
		return ""
	}
	return bind.Elsewhere(x.lib.main, text, x.calling)
}

// imported says what to write for np.zeros and the like: the modules of Python, as they are called when imported.
func (x *explainer) imported(text, key string) string {
	switch strings.Split(text, ".")[0] {
	case "np", "numpy", "sp", "scipy", "plt", "mpl", "pylab", "jnp", "torch", "la", "cp":
	default:
		return ""
	}
	if names := path(text); names == nil || x.source.locals[names[0]] || x.lookup(names[0]) != lua.LNil {
		return ""
	}
	if instead := bind.Elsewhere(x.lib.main, key, true); instead != "" {
		return instead + "; nothing is imported"
	}
	return "the modules are array, linalg, fft and more, and nothing is imported"
}

// meant returns the global, or field of one, that was probably meant by a name that has no value; "" if there is none.
func (x *explainer) meant(text string) string {
	names := path(text)
	if names == nil || x.source.locals[names[0]] || x.lookup(text) != lua.LNil {
		return ""
	}
	last := len(names) - 1
	var table lua.LValue = x.lib.main.G.Global
	if last > 0 {
		table = x.lookup(strings.Join(names[:last], "."))
	}
	t, ok := table.(*lua.LTable)
	if !ok {
		return ""
	}
	var candidates []string
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if name, ok := k.(lua.LString); ok && v != lua.LNil {
			candidates = append(candidates, string(name))
		}
	}
	if meant := bind.Suggest(names[last], candidates); meant != "" {
		return strings.Join(append(names[:last:last], meant), ".")
	}
	return ""
}

// hidden says that the first name of a path is a global variable of the script that took the name of a module, which has
// what is missing.
func (x *explainer) hidden(text string) string {
	names := path(text)
	if names == nil || x.source.locals[names[0]] {
		return ""
	}
	module := bind.Hidden(x.lib.main, names[0])
	if module == nil || len(names) > 1 && module.RawGetString(names[1]) == lua.LNil {
		return ""
	}
	return bind.Overwritten(names[0])
}
