package lint

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// kind is the type of a value where it is certain, one of the workbench or "number"; "" where it is not.
func (c *checker) kind(e ast.Expr, s *scope) string {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return "number"
	case *ast.UnaryMinusOpExpr:
		return c.kind(e.Expr, s)
	case *ast.ArithmeticOpExpr:
		return arithmetic(c.kind(e.Lhs, s), c.kind(e.Rhs, s))
	case *ast.IdentExpr:
		return c.variable(e.Value, s)
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return c.world.properties[c.kind(e.Object, s)+"."+key.Value]
		}
	case *ast.FuncCallExpr:
		if p, ok := c.callable(e, s); ok && len(p.Returns) > 0 {
			return p.Returns[0].Type
		}
	}
	return ""
}

// arithmetic is the kind of a sum, product or other combination.
func arithmetic(a, b string) string {
	rank := map[string]int{"number": 1, "array": 2, "complex": 3}
	switch {
	case rank[a] == 0 || rank[b] == 0:
		return ""
	case rank[a] > rank[b]:
		return a
	}
	return b
}

// variable is the kind of a variable that gets one value in all of the script, or has one before it.
func (c *checker) variable(name string, s *scope) string {
	if v, local := s.value(name); local {
		if c.survey.reassigned[name] {
			return ""
		}
		return c.kinds[v]
	}
	switch {
	case c.survey.again[name] || c.survey.dynamic:
		return ""
	case c.survey.assigned[name]:
		return c.globals[name]
	case c.world.live != nil:
		return c.world.live(name)
	}
	return ""
}

// callable is the declaration of what a call calls, where it is certain: a function, a module, or a method of a value
// of known kind.
func (c *checker) callable(e *ast.FuncCallExpr, s *scope) (bind.FuncDoc, bool) {
	if e.Method != "" {
		kind := c.kind(e.Receiver, s)
		for _, p := range c.world.methods[e.Method] {
			if p.Type == kind && !c.survey.fields[e.Method] {
				return p, true
			}
		}
		return bind.FuncDoc{}, false
	}
	if module, ok := c.module(e.Func, s); ok {
		p, ok := c.world.pages[module]
		return p, ok && p.Kind == "call"
	}
	p, ok := c.callee(e.Func, s)
	return p, ok && !c.survey.fields[p.Name]
}

// given notes the kinds of what variables are given.
func (c *checker) given(st ast.Stmt, s *scope) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		for _, e := range st.Exprs {
			c.kinds[e] = c.kind(e, s)
		}
	case *ast.AssignStmt:
		for i, l := range st.Lhs {
			if id, ok := l.(*ast.IdentExpr); ok && !s.has(id.Value) {
				kind := ""
				if i < len(st.Rhs) {
					kind = c.kind(st.Rhs[i], s)
				}
				c.globals[id.Value] = kind
			}
		}
	}
}

// equality reports == and ~= of an array and a number: Lua compares values of two types itself, and never finds them
// equal.
func (c *checker) equality(e *ast.RelationalOpExpr, s *scope) {
	if e.Operator != "==" && e.Operator != "~=" {
		return
	}
	of, number := e.Lhs, e.Rhs
	if c.kind(of, s) == "number" {
		of, number = number, of
	}
	kind := c.kind(of, s)
	if kind == "number" || c.kind(number, s) != "number" || !c.has(kind, "eq") {
		return
	}
	call := fmt.Sprintf(":eq(%s)", c.source(number, "x"))
	switch {
	case e.Operator == "~=" && c.has(kind, "ne"):
		call = strings.Replace(call, "eq", "ne", 1)
	case e.Operator == "~=":
		call += ":logical_not()"
	}
	call = c.receiver(of) + call
	c.slip(e, fmt.Sprintf("equality %d %s", e.Line(), call), s,
		"%s never equals a number, so %s is always %t: write %s, a mask, with :all() or :any() behind it for one answer",
		bind.Article(kind), e.Operator, e.Operator == "~=", call)
}

func (c *checker) has(kind, method string) bool {
	for _, p := range c.world.methods[method] {
		if p.Type == kind {
			return true
		}
	}
	return false
}

// source is how an operand is written; a name stands for a long one.
func (c *checker) source(e ast.Expr, otherwise string) string {
	const long = 40
	span, ok := c.tree.Span(e)
	if !ok || span.End-span.Start > long {
		return otherwise
	}
	text := c.tree.Source[span.Start:span.End]
	if strings.ContainsAny(text, "\r\n") {
		return otherwise
	}
	return text
}

// receiver is source such that a method may follow.
func (c *checker) receiver(e ast.Expr) string {
	text := c.source(e, "a")
	switch e.(type) {
	case *ast.ArithmeticOpExpr, *ast.UnaryMinusOpExpr:
		if strings.LastIndexByte(text, '(') != 0 { // else it is in parentheses as a whole
			return "(" + text + ")"
		}
	}
	return text
}
