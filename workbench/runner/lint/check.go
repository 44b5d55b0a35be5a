package lint

import (
	"fmt"
	"maps"
	"slices"

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
	called   map[*ast.IdentExpr]bool
	used     map[*ast.IdentExpr]bool // names whose value is called, indexed or calculated with
	kinds    map[ast.Expr]string     // of values that locals are given
	globals  map[string]string       // kinds of what they were given so far
}

// report adds a finding at a node; key tells findings about the same thing
// apart, which are reported once; it says whether it was added.
func (c *checker) report(at ast.PositionHolder, key string, definite bool, s *scope, format string, args ...any) bool {
	if c.reported[key] {
		return false
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
	return true
}

// slip reports what never fails, but is not what was meant.
func (c *checker) slip(at ast.PositionHolder, key string, s *scope, format string, args ...any) {
	if c.report(at, key, false, s, format, args...) {
		last := &c.findings[len(c.findings)-1]
		last.Telling, last.Silent = true, true
	}
}

func (c *checker) expr(e ast.Expr, s *scope) {
	c.uses(operands(e)...)
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.global(e, s)
	case *ast.AttrGetExpr:
		c.field(e, s)
	case *ast.RelationalOpExpr:
		c.equality(e, s)
	case *ast.FuncCallExpr:
		if id, ok := e.Func.(*ast.IdentExpr); ok {
			c.called[id] = true
		}
		if e.Method != "" {
			c.method(e, s)
		} else if p, ok := c.callee(e.Func, s); ok {
			c.arguments(e, p, true, s)
		}
	}
}

// global reports a name that has no value anywhere. Such a variable is nil, so
// the line fails where something is done with the value, and where it is only
// passed on, as in "local bit = bit32 or bit" and print(x), it is right.
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
	names = slices.DeleteFunc(names, func(n string) bool { return n == "_G" }) // not a misspelt g
	hint := bind.DidYouMean(name, names)
	if instead := bind.Elsewhere(c.world.state, name, c.called[e]); instead != "" && c.used[e] {
		hint = "; " + instead
	}
	if c.used[e] {
		if c.report(e, "used global "+name, !c.survey.dynamic, s, "'%s' is not defined%s", name, hint) {
			c.findings[len(c.findings)-1].Undefined = name
		}
	} else if c.report(e, "global "+name, false, s, "'%s' is not defined%s", name, hint) {
		c.findings[len(c.findings)-1].Telling = hint != "" && len(name) > 3 && !c.survey.dynamic && !s.guarded // jit is no misspelt bit
	}
}

// uses notes the names among expressions whose value something is done with
// that nil does not allow.
func (c *checker) uses(es ...ast.Expr) {
	for _, e := range es {
		if id, ok := e.(*ast.IdentExpr); ok {
			c.used[id] = true
		}
	}
}

// operands are the parts of an expression that may not be nil.
func operands(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return []ast.Expr{e.Object}
	case *ast.FuncCallExpr:
		return []ast.Expr{e.Func, e.Receiver}
	case *ast.ArithmeticOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.StringConcatOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.UnaryMinusOpExpr:
		return []ast.Expr{e.Expr}
	case *ast.UnaryLenOpExpr:
		return []ast.Expr{e.Expr}
	case *ast.RelationalOpExpr:
		if e.Operator != "==" && e.Operator != "~=" {
			return []ast.Expr{e.Lhs, e.Rhs}
		}
	}
	return nil
}

// stmt notes what statements do with names, and modules that lose theirs.
func (c *checker) stmt(st ast.Stmt, s *scope) {
	c.given(st, s)
	switch st := st.(type) {
	case *ast.IfStmt:
		c.condition(st.Condition, s)
	case *ast.WhileStmt:
		c.condition(st.Condition, s)
	case *ast.RepeatStmt:
		c.condition(st.Condition, s)
	case *ast.NumberForStmt:
		c.uses(st.Init, st.Limit, st.Step)
	case *ast.GenericForStmt:
		c.uses(st.Exprs[0])
	case *ast.FuncDefStmt:
		c.uses(st.Name.Receiver)
		if st.Name.Func != nil {
			c.overwrites(st.Name.Func, nil, s)
		}
	case *ast.AssignStmt:
		for i, l := range st.Lhs {
			var value ast.Expr
			if i < len(st.Rhs) {
				value = st.Rhs[i]
			}
			c.overwrites(l, value, s)
		}
	}
}

// condition reports a mask in the place of true or false: every value but nil and false is true in Lua.
func (c *checker) condition(e ast.Expr, s *scope) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.condition(e.Lhs, s)
		c.condition(e.Rhs, s)
	case *ast.UnaryNotOpExpr:
		c.condition(e.Expr, s)
	case *ast.FuncCallExpr:
		switch e.Method {
		case "gt", "ge", "lt", "le", "eq", "ne":
		default:
			return
		}
		if c.survey.fields[e.Method] {
			return
		}
		c.slip(e, fmt.Sprintf("mask %d", e.Line()), s, "a mask is always true in a condition: write :any() or :all() behind '%s'", e.Method)
	}
}

// overwrites reports a global that is given the name of a module, unless its
// value is the module.
func (c *checker) overwrites(target, value ast.Expr, s *scope) {
	id, ok := target.(*ast.IdentExpr)
	if !ok || s.has(id.Value) || !c.world.isModule(id.Value) {
		return
	}
	switch v := value.(type) {
	case *ast.IdentExpr: // kernel = kept
		return
	case *ast.LogicalOpExpr: // kernel = kernel or …
		if isGlobal(v.Lhs, id.Value, s) {
			return
		}
	case *ast.FuncCallExpr:
		if (isGlobal(v.Func, "require", s) || isGlobal(v.Func, "reload", s)) && len(v.Args) == 1 {
			return
		}
	}
	if c.report(id, "overwrites "+id.Value, false, s, "%s", bind.Overwritten(id.Value)) {
		c.findings[len(c.findings)-1].Telling = true
	}
}

// hiding reports a member of a module that is looked for in a local variable
// of the module's name.
func (c *checker) hiding(e *ast.AttrGetExpr, key string, s *scope) {
	id, ok := e.Object.(*ast.IdentExpr)
	if !ok || !c.world.isModule(id.Value) || c.survey.fields[key] {
		return
	}
	value, local := s.value(id.Value)
	if _, made := value.(*ast.FuncCallExpr); !local || !made {
		return
	}
	if _, exists := c.world.pages[id.Value+"."+key]; exists {
		c.report(e.Key, "hides "+id.Value+"."+key, false, s,
			"'%s' is a local variable here, not the module, which has '%s': give the variable another name", id.Value, key)
	}
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
		c.hiding(e, key.Value, s)
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
	hint := bind.DidYouMean(key.Value, names)
	if m.Call != nil && hint == "" && bind.IsMaker(module, key.Value) {
		hint = bind.ItselfIsCalled(module)
	}
	if text := bind.Elsewhere(c.world.state, key.Value, true); hint == "" && text != "" {
		hint = "; " + text
	}
	c.report(key, "field "+module+"."+key.Value, true, s, "module '%s' has no '%s'%s", module, key.Value, hint)
}
