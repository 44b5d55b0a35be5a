package lint

import "github.com/yuin/gopher-lua/ast"

// A scope is a block with the locals declared in it so far.
type scope struct {
	outer *scope
	names map[string]ast.Expr // the value a name was declared with, if it has one of its own
	// guarded: the code runs under pcall, where an error is what is wanted.
	guarded bool
}

func (s *scope) inner() *scope {
	in := &scope{outer: s, names: map[string]ast.Expr{}}
	if s != nil {
		in.guarded = s.guarded
	}
	return in
}

func (s *scope) has(name string) bool { _, ok := s.value(name); return ok }

// value is what a local was declared with; nil when that is not one expression.
func (s *scope) value(name string) (ast.Expr, bool) {
	for ; s != nil; s = s.outer {
		if v, ok := s.names[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// fromElsewhere reports whether a receiver is a parameter, or a local that was given
// nothing that can be seen: an object that another file may have made.
func (s *scope) fromElsewhere(receiver ast.Expr) bool {
	id, ok := receiver.(*ast.IdentExpr)
	if !ok {
		return false
	}
	v, local := s.value(id.Value)
	return local && v == nil
}

// A visitor is called for every statement and expression, before what is
// inside it, with the locals that are visible there.
type visitor struct {
	stmt func(ast.Stmt, *scope)
	expr func(ast.Expr, *scope)
}

// walk visits a block in a scope of its own.
func walk(block []ast.Stmt, outer *scope, v visitor) {
	s := outer.inner()
	for _, st := range block {
		v.statement(st, s)
	}
}

func (v visitor) statement(st ast.Stmt, s *scope) {
	if v.stmt != nil {
		v.stmt(st, s)
	}
	switch st := st.(type) {
	case *ast.AssignStmt:
		v.expressions(st.Rhs, s)
		for _, l := range st.Lhs {
			// The variable itself is written, not read; what it is part of is read.
			if _, plain := l.(*ast.IdentExpr); !plain {
				v.expression(l, s)
			}
		}
	case *ast.LocalAssignStmt:
		v.local(st, s)
	case *ast.FuncCallStmt:
		v.expression(st.Expr, s)
	case *ast.DoBlockStmt:
		walk(st.Stmts, s, v)
	case *ast.WhileStmt:
		v.expression(st.Condition, s)
		walk(st.Stmts, s, v)
	case *ast.RepeatStmt: // the condition sees the locals of the block
		in := s.inner()
		for _, x := range st.Stmts {
			v.statement(x, in)
		}
		v.expression(st.Condition, in)
	case *ast.IfStmt:
		v.expression(st.Condition, s)
		walk(st.Then, s, v)
		walk(st.Else, s, v)
	case *ast.NumberForStmt:
		v.expressions([]ast.Expr{st.Init, st.Limit, st.Step}, s)
		in := s.inner()
		in.names[st.Name] = nil
		walk(st.Stmts, in, v)
	case *ast.GenericForStmt:
		v.expressions(st.Exprs, s)
		in := s.inner()
		for _, n := range st.Names {
			in.names[n] = nil
		}
		walk(st.Stmts, in, v)
	case *ast.FuncDefStmt:
		v.definition(st, s)
	case *ast.ReturnStmt:
		v.expressions(st.Exprs, s)
	}
}

// local declares after the values were read, except that a function knows its
// own name.
func (v visitor) local(st *ast.LocalAssignStmt, s *scope) {
	if len(st.Names) == 1 && len(st.Exprs) == 1 {
		if f, ok := st.Exprs[0].(*ast.FunctionExpr); ok {
			s.names[st.Names[0]] = nil
			v.expression(f, s)
			return
		}
	}
	v.expressions(st.Exprs, s)
	for i, n := range st.Names {
		s.names[n] = nil
		if i < len(st.Exprs) {
			s.names[n] = st.Exprs[i]
		}
	}
}

func (v visitor) definition(st *ast.FuncDefStmt, s *scope) {
	method := st.Name.Method != ""
	if method {
		v.expression(st.Name.Receiver, s)
	} else if _, plain := st.Name.Func.(*ast.IdentExpr); !plain {
		v.expression(st.Name.Func, s)
	}
	v.function(st.Func, s, method)
}

func (v visitor) function(f *ast.FunctionExpr, s *scope, method bool) {
	in := s.inner()
	if method {
		in.names["self"] = nil
	}
	if f.ParList != nil {
		for _, n := range f.ParList.Names {
			in.names[n] = nil
		}
		if f.ParList.HasVargs { // Lua 5.1 fills a table of this name, too
			in.names["arg"] = nil
		}
	}
	walk(f.Stmts, in, v)
}

func (v visitor) expressions(es []ast.Expr, s *scope) {
	for _, e := range es {
		v.expression(e, s)
	}
}

func (v visitor) expression(e ast.Expr, s *scope) {
	if e == nil {
		return
	}
	if v.expr != nil {
		v.expr(e, s)
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		v.expressions([]ast.Expr{e.Object, e.Key}, s)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			v.expressions([]ast.Expr{f.Key, f.Value}, s)
		}
	case *ast.FuncCallExpr:
		v.expressions([]ast.Expr{e.Func, e.Receiver}, s)
		if catches(e) && !s.guarded {
			in := s.inner()
			in.guarded = true
			s = in
		}
		v.expressions(e.Args, s)
	case *ast.LogicalOpExpr:
		v.expressions([]ast.Expr{e.Lhs, e.Rhs}, s)
	case *ast.RelationalOpExpr:
		v.expressions([]ast.Expr{e.Lhs, e.Rhs}, s)
	case *ast.StringConcatOpExpr:
		v.expressions([]ast.Expr{e.Lhs, e.Rhs}, s)
	case *ast.ArithmeticOpExpr:
		v.expressions([]ast.Expr{e.Lhs, e.Rhs}, s)
	case *ast.UnaryMinusOpExpr:
		v.expression(e.Expr, s)
	case *ast.UnaryNotOpExpr:
		v.expression(e.Expr, s)
	case *ast.UnaryLenOpExpr:
		v.expression(e.Expr, s)
	case *ast.FunctionExpr:
		v.function(e, s, false)
	}
}

// catches says whether a call keeps the errors of the functions given to it.
func catches(e *ast.FuncCallExpr) bool {
	switch f := e.Func.(type) {
	case *ast.IdentExpr:
		return f.Value == "pcall" || f.Value == "xpcall"
	case *ast.AttrGetExpr:
		object, ok1 := f.Object.(*ast.IdentExpr)
		key, ok2 := f.Key.(*ast.StringExpr)
		return ok1 && ok2 && object.Value == "test" && key.Value == "error"
	}
	return false
}
