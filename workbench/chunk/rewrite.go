package chunk

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// rewriter replaces the shapes that gopher-lua's compiler gets wrong. It goes through the tree once, parts first, and
// knows which names are locals of the function it is in.
type rewriter struct {
	tree   *Tree
	hidden *hidden
	serial int // temporaries and labels so far
	scope  *scope

	programs map[*ast.DoBlockStmt]ast.Stmt // the loops that blocks with a program in them were made of
}

// scope is a function being rewritten.
type scope struct {
	outer  *scope
	locals []string // in scope, innermost last
	loops  []*loop
	shared map[string]bool // names assigned to in functions inside it

	programs int // before loops in it
}

// loop is a loop being rewritten.
type loop struct {
	closures bool   // its body can make closures
	label    string // where its rewritten breaks go; empty while there is none
}

// chunk rewrites the main block of the tree.
func (r *rewriter) chunk() []ast.Stmt {
	r.scope = &scope{shared: assignedInside(r.tree.Block)}
	return r.block(r.tree.Block)
}

// temporary returns a name that no program can spell.
func (r *rewriter) temporary() string {
	r.serial++
	return "(" + strconv.Itoa(r.serial) + ")"
}

// isLocal reports whether the name means a local of the function itself, not of one around it.
func (r *rewriter) isLocal(name string) bool {
	for i := len(r.scope.locals) - 1; i >= 0; i-- {
		if r.scope.locals[i] == name {
			return true
		}
	}
	return false
}

func (r *rewriter) declare(names ...string) { r.scope.locals = append(r.scope.locals, names...) }

// block rewrites a block in a scope of its own.
func (r *rewriter) block(block []ast.Stmt) []ast.Stmt {
	outer := len(r.scope.locals)
	block = r.statements(block)
	r.scope.locals = r.scope.locals[:outer]
	return block
}

// statements rewrites a block and leaves its locals in scope, for the condition of a repeat.
func (r *rewriter) statements(block []ast.Stmt) []ast.Stmt {
	rewritten := make([]ast.Stmt, 0, len(block))
	for _, s := range block {
		if jump, ok := s.(*ast.BreakStmt); ok {
			rewritten = append(rewritten, r.breakStatement(jump, silent(rewritten)))
			continue
		}
		rewritten = append(rewritten, r.statement(s)...)
	}
	return rewritten
}

func (r *rewriter) statement(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, target := range s.Lhs {
			if field, ok := target.(*ast.AttrGetExpr); ok {
				field.Object, field.Key = r.expression(field.Object), r.key(field.Key)
			}
		}
		r.expressions(s.Rhs)
		if statement, ok := r.pop(s); ok {
			return []ast.Stmt{statement}
		}
		return r.assignment(s)
	case *ast.LocalAssignStmt:
		return r.localStatement(s)
	case *ast.FuncCallStmt:
		s.Expr = r.expression(s.Expr)
	case *ast.DoBlockStmt:
		s.Stmts = r.block(s.Stmts)
	case *ast.WhileStmt:
		return r.whileStatement(s)
	case *ast.RepeatStmt:
		outer := len(r.scope.locals)
		finish := r.enterLoop(s.Stmts)
		s.Stmts = r.statements(s.Stmts)
		s.Condition = r.expression(s.Condition)
		r.scope.locals = r.scope.locals[:outer]
		return r.fasten(s, finish(s))
	case *ast.IfStmt:
		return r.ifStatement(s)
	case *ast.NumberForStmt:
		s.Init, s.Limit = r.expression(s.Init), r.expression(s.Limit)
		if s.Step != nil {
			s.Step = r.expression(s.Step)
		}
		finish := r.enterLoop(s.Stmts)
		s.Stmts = r.body(s.Stmts, s.Name)
		return r.fasten(s, finish(s))
	case *ast.GenericForStmt:
		r.expressions(s.Exprs)
		finish := r.enterLoop(s.Stmts)
		s.Stmts = r.body(s.Stmts, s.Names...)
		return r.genericFor(s, finish(s))
	case *ast.FuncDefStmt:
		if s.Name.Func == nil {
			r.function(s.Func, "self")
		} else {
			r.function(s.Func)
		}
	case *ast.ReturnStmt:
		r.expressions(s.Exprs)
	}
	return []ast.Stmt{s}
}

// body rewrites a block whose scope begins with the given names.
func (r *rewriter) body(block []ast.Stmt, names ...string) []ast.Stmt {
	outer := len(r.scope.locals)
	r.declare(names...)
	block = r.statements(block)
	r.scope.locals = r.scope.locals[:outer]
	return block
}

// function rewrites the body of a function; self is the hidden parameter of a method.
func (r *rewriter) function(f *ast.FunctionExpr, self ...string) {
	r.scope = &scope{outer: r.scope, shared: assignedInside(f.Stmts)}
	r.declare(self...)
	r.declare(f.ParList.Names...)
	if f.ParList.HasVargs {
		r.declare("arg")
	}
	f.Stmts = r.statements(f.Stmts)
	r.scope = r.scope.outer
}

// assignedInside returns the names of variables that functions inside the block assign to.
func assignedInside(block []ast.Stmt) map[string]bool {
	names := map[string]bool{}
	Inspect(block, func(node ast.PositionHolder) bool {
		inner, ok := node.(*ast.FunctionExpr)
		if !ok {
			return true
		}
		Inspect(inner.Stmts, func(node ast.PositionHolder) bool {
			switch s := node.(type) {
			case *ast.AssignStmt:
				for _, target := range s.Lhs {
					if name, ok := target.(*ast.IdentExpr); ok {
						names[name.Value] = true
					}
				}
			case *ast.FuncDefStmt:
				if name, ok := s.Name.Func.(*ast.IdentExpr); ok {
					names[name.Value] = true
				}
			}
			return true
		})
		return false
	})
	return names
}

func (r *rewriter) expressions(list []ast.Expr) {
	for i, e := range list {
		list[i] = r.expression(e)
	}
}

func (r *rewriter) expression(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return r.numeral(e)
	case *ast.FunctionExpr:
		r.function(e)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			e.Func = r.expression(e.Func)
		} else {
			e.Receiver = r.expression(e.Receiver)
		}
		r.expressions(e.Args)
	case *ast.AttrGetExpr:
		e.Object, e.Key = r.expression(e.Object), r.key(e.Key)
	case *ast.TableExpr:
		for _, field := range e.Fields {
			if field.Key != nil {
				field.Key = r.key(field.Key)
			}
			field.Value = r.expression(field.Value)
		}
		return r.constructor(e)
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
		return r.logical(e)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
	case *ast.StringConcatOpExpr:
		return r.concatenation(e)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expression(e.Lhs), r.expression(e.Rhs)
		return r.arithmetic(e)
	case *ast.UnaryMinusOpExpr:
		e.Expr = r.expression(e.Expr)
		return r.minus(e)
	case *ast.UnaryNotOpExpr:
		e.Expr = r.expression(e.Expr)
		return r.not(e)
	case *ast.UnaryLenOpExpr:
		e.Expr = r.expression(e.Expr)
	}
	return e
}

// variable returns an expression for a temporary.
func variable(name string, line int) *ast.IdentExpr { return on(line, &ast.IdentExpr{Value: name}) }

// doBlock wraps statements in do … end.
func doBlock(line int, statements ...ast.Stmt) []ast.Stmt {
	return []ast.Stmt{over(line, line, &ast.DoBlockStmt{Stmts: statements})}
}

// single makes an expression that may have several values have one.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// isMulti reports whether the expression may have several values.
func isMulti(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}
