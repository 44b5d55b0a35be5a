package trace

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// maxFormula bounds the formulas that stand for a function.
const maxFormula = 400

// Write returns the function as Lua text: as it was written if it means the same
// anywhere, else as the formula that it became, with the values of the variables
// around it. t is nil for a function that is not traced.
func Write(c *bind.Call, f *bind.Function, t *Traced) string {
	fn, ok := f.Value().(*lua.LFunction)
	if !ok || fn.IsG {
		return "…"
	}
	source, found := sourceOf(c.L, fn.Proto)
	if s := scanFunction(c.L, fn); found && s.closed && s.libraryOnly() {
		return source
	}
	if t != nil {
		if text, ok := t.text(fn); ok {
			return text
		}
	}
	if found {
		return source
	}
	return "function(" + strings.Join(parameters(fn.Proto), ", ") + ") … end"
}

// Lua returns a formula as a Lua expression that means the same in any script: functions
// are those of math, but for those that are globals. ok is false where there is none, for
// Matérn and Bessel functions, signs, and formulas that are too long.
func Lua(n *expr.Node) (text string, ok bool) {
	return n.Write(func(name string) (string, bool) {
		switch name {
		case "where", "lt", "le", "gt", "ge":
			return name, true
		case expr.OpMatern.String(), expr.OpBesselK.String(), expr.OpSign.String():
			return name, false
		}
		return "math." + name, true
	})
}

// libraryOnly reports whether all globals that the function mentions are of the
// library, and so mean the same in another session.
func (s *scan) libraryOnly() bool {
	return !slices.ContainsFunc(s.globals, func(name string) bool {
		switch v := s.global.RawGetString(name).(type) {
		case *lua.LFunction:
			return !v.IsG
		case *lua.LTable:
			_, module := v.Metatable.(*lua.LTable)
			return !module && !slices.Contains([]string{"math", "string", "table"}, name)
		}
		return true
	})
}

// parameters are the names of a function's parameters.
func parameters(p *lua.FunctionProto) []string {
	var names []string
	for i := range int(p.NumParameters) {
		if i < len(p.DbgLocals) {
			names = append(names, p.DbgLocals[i].Name)
		}
	}
	if p.IsVarArg != 0 {
		names = append(names, "...")
	}
	return names
}

// text is a function that computes the formula, if it has one form and its parameters have names.
func (t *Traced) text(fn *lua.LFunction) (string, bool) {
	if len(t.Formula.Forms) != 1 || fn.Proto.IsVarArg != 0 {
		return "", false
	}
	var values []string
	for i, n := range t.Formula.Forms[0].Nodes {
		text, ok := Lua(n)
		if !ok {
			return "", false
		}
		if t.Image != nil {
			text = t.Image[i] + " = " + text
		}
		values = append(values, text)
	}
	body := strings.Join(values, ", ")
	if t.image {
		body = "{" + body + "}"
	}
	names := parameters(fn.Proto)
	if len(t.Formula.Params) == 0 {
		names = names[:min(len(names), t.Formula.Points)]
	}
	return "function(" + strings.Join(names, ", ") + ") return " + body + " end", len(body) <= maxFormula
}
