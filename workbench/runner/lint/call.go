package lint

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// callee is the declaration of a called function, where it is certain.
func (c *checker) callee(f ast.Expr, s *scope) (bind.FuncDoc, bool) {
	switch f := f.(type) {
	case *ast.AttrGetExpr:
		if key, ok := f.Key.(*ast.StringExpr); ok {
			if module, ok := c.module(f.Object, s); ok {
				p, ok := c.world.pages[module+"."+key.Value]
				return p, ok
			}
		}
	case *ast.IdentExpr:
		if s.has(f.Value) || c.survey.assigned[f.Value] {
			return bind.FuncDoc{}, false
		}
		p, ok := c.world.pages[f.Value]
		return p, ok && p.Kind != "call"
	}
	return bind.FuncDoc{}, false
}

// method reports a method that no value has. What the receiver is cannot be
// known, so this is a suspicion.
func (c *checker) method(e *ast.FuncCallExpr, s *scope) {
	found := c.world.methods[e.Method]
	if c.survey.fields[e.Method] || c.survey.dynamic {
		return
	}
	if lib, ok := c.world.globals["string"].(*lua.LTable); ok && lib.RawGetString(e.Method) != lua.LNil {
		return
	}
	switch {
	case fileMethods[e.Method]:
	case len(found) == 0:
		hint := bind.DidYouMean(e.Method, slices.Sorted(maps.Keys(c.world.methods)))
		if hint == "" && s.fromElsewhere(e.Receiver) {
			return
		}
		c.report(e, "method "+e.Method, false, s, "nothing has a method '%s'%s", e.Method, hint)
	case len(found) == 1:
		c.arguments(e, found[0], false, s)
	}
}

// fileMethods are those of files that io.open returns.
var fileMethods = map[string]bool{
	"read": true, "write": true, "lines": true, "close": true, "flush": true, "seek": true, "setvbuf": true,
}

// arguments checks the table of named arguments of a call.
func (c *checker) arguments(e *ast.FuncCallExpr, p bind.FuncDoc, certain bool, s *scope) {
	if p.Style != "named" && p.Style != "positional" || len(e.Args) == 0 {
		return
	}
	table, ok := e.Args[len(e.Args)-1].(*ast.TableExpr)
	if !ok || p.Style == "named" && len(e.Args) != 1 || p.Style == "positional" && !c.takesOptions(e, p) {
		return
	}
	given := map[string]bool{}
	open := false // an entry whose name is not known
	before := len(c.findings)
	for _, f := range table.Fields {
		key, ok := f.Key.(*ast.StringExpr)
		if !ok {
			open = true
			continue
		}
		given[key.Value] = true
		c.argument(key, f.Value, p, certain, s)
	}
	if open || p.Style != "named" || len(c.findings) > before { // one mistake at a time
		return
	}
	for _, a := range p.Params {
		if a.Required && !given[a.Name] {
			c.report(e, fmt.Sprintf("missing %d %s", e.Line(), a.Name), certain, s, "%s: %s is missing", p.FullName, a.Name)
		}
	}
}

// takesOptions says whether the last argument of a call is surely the table of
// the named ones.
func (c *checker) takesOptions(e *ast.FuncCallExpr, p bind.FuncDoc) bool {
	positions, named := 0, 0
	for _, a := range p.Params {
		switch {
		case a.Variadic || a.List:
			return false
		case a.Position > 0:
			positions++
		default:
			named++
		}
	}
	return named > 0 && len(e.Args) == positions+1
}

func (c *checker) argument(key *ast.StringExpr, value ast.Expr, p bind.FuncDoc, certain bool, s *scope) {
	names := make([]string, len(p.Params))
	for i, a := range p.Params {
		names[i] = a.Name
		if a.Name != key.Value {
			continue
		}
		word, isWord := value.(*ast.StringExpr)
		allowed := words(a.Type)
		if isWord && len(allowed) > 0 && !slices.Contains(allowed, word.Value) {
			c.report(value, fmt.Sprintf("value %d %s", value.Line(), word.Value), certain, s,
				"%s: %s %q: want %s%s", p.FullName, a.Name, word.Value, strings.ReplaceAll(a.Type, "|", " or "), bind.DidYouMean(word.Value, allowed))
		}
		return
	}
	c.report(key, fmt.Sprintf("argument %s %s", p.FullName, key.Value), certain, s,
		"%s: unknown argument '%s'%s", p.FullName, key.Value, bind.DidYouMean(key.Value, names))
}

// words are the strings that a type such as number|"auto" allows; none when it
// allows any string.
func words(kind string) (out []string) {
	for part := range strings.SplitSeq(kind, "|") {
		switch {
		case strings.HasPrefix(part, `"`):
			if w, err := strconv.Unquote(part); err == nil {
				out = append(out, w)
			}
		case part == "number", part == "integer", part == "boolean", part == "false", part == "nil":
		default: // a string, or a type that may be made from one
			return nil
		}
	}
	return out
}
