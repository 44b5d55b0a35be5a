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
	"github.com/greenbench/workbench/workbench/chunk"
)

// A checker reports what is wrong in one tree.
type checker struct {
	world    *World
	survey   *survey
	file     string
	tree     *chunk.Tree
	findings []Finding
	reported map[string]bool // what is wrong with a name is said once
}

// report adds a finding at a node; key tells findings about the same thing
// apart, which are reported once.
func (c *checker) report(at ast.PositionHolder, key string, definite bool, s *scope, format string, args ...any) {
	if c.reported[key] {
		return
	}
	c.reported[key] = true
	line, column := max(at.Line(), 1), 0
	if span, ok := c.tree.Span(at); ok {
		line, column = c.tree.Position(span.Start)
	}
	c.findings = append(c.findings, Finding{
		File: c.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...),
		Definite: definite && !s.guarded,
	})
}

func (c *checker) expr(e ast.Expr, s *scope) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.global(e, s)
	case *ast.AttrGetExpr:
		c.field(e, s)
	case *ast.FuncCallExpr:
		if e.Method != "" {
			c.method(e, s)
		} else if p, ok := c.callee(e.Func, s); ok {
			c.arguments(e, p, true, s)
		}
	}
}

// global reports a name that has no value anywhere.
func (c *checker) global(e *ast.IdentExpr, s *scope) {
	name := e.Value
	if _, exists := c.world.globals[name]; exists || s.has(name) || c.survey.assigned[name] || name == "arg" || name == "_G" {
		return
	}
	if c.survey.tested[name] {
		return
	}
	names := append(slices.Sorted(maps.Keys(c.world.globals)), slices.Sorted(maps.Keys(c.survey.assigned))...)
	for in := s; in != nil; in = in.outer {
		names = append(names, slices.Sorted(maps.Keys(in.names))...)
	}
	c.report(e, "global "+name, !c.survey.dynamic, s, "'%s' is not defined%s", name, bind.DidYouMean(name, names))
}

// module is the name of the module that an expression stands for: the module
// itself, or a local that was given it and never changed.
func (c *checker) module(e ast.Expr, s *scope) (string, bool) {
	for range 8 { // locals that stand for one another
		switch x := e.(type) {
		case *ast.IdentExpr:
			v, local := s.value(x.Value)
			if id, same := v.(*ast.IdentExpr); !local || same && id.Value == x.Value { // local kernel = kernel
				_, known := c.world.modules[x.Value]
				return x.Value, known && !c.survey.assigned[x.Value]
			}
			if c.survey.reassigned[x.Value] {
				return "", false
			}
			e = v
		case *ast.FuncCallExpr:
			if !isGlobal(x.Func, "require", s) || len(x.Args) != 1 {
				return "", false
			}
			name, ok := x.Args[0].(*ast.StringExpr)
			if !ok {
				return "", false
			}
			_, known := c.world.modules[name.Value]
			return name.Value, known
		default:
			return "", false
		}
	}
	return "", false
}

// field reports a member that a module does not have.
func (c *checker) field(e *ast.AttrGetExpr, s *scope) {
	key, ok := e.Key.(*ast.StringExpr)
	if !ok {
		return
	}
	module, ok := c.module(e.Object, s)
	if !ok || c.survey.fields[key.Value] {
		return
	}
	m := c.world.modules[module]
	var names []string
	for _, f := range m.Functions {
		names = append(names, f.Name)
	}
	for _, v := range m.Values {
		names = append(names, v.Name)
	}
	if t, ok := c.world.globals[module].(*lua.LTable); ok {
		t.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	}
	if slices.Contains(names, key.Value) {
		return
	}
	c.report(key, "field "+module+"."+key.Value, true, s,
		"module '%s' has no '%s'%s", module, key.Value, bind.DidYouMean(key.Value, names))
}

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
