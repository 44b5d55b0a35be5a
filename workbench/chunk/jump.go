package chunk

import "github.com/yuin/gopher-lua/ast"

// breakStatement turns the breaks that gopher-lua compiles wrongly into gotos.
//
// Where a loop goes back to an instruction that is itself a jump, the jump's distance is taken for the number of a label:
// for j in ipairs{1} do break end inside another loop never ends. And a break out of a block whose locals were captured
// by a closure does not close them, so that the closure reads whatever comes into their registers next. A goto begins with
// an instruction that closes variables, which settles both (patch.go tells it which ones).
func (r *rewriter) breakStatement(s *ast.BreakStmt, first bool) ast.Stmt {
	inner := r.scope.loops[len(r.scope.loops)-1]
	if !first && !inner.closures {
		return s
	}
	if inner.label == "" {
		inner.label = breakLabel + r.temporary()
	}
	return on(s.Line(), &ast.GotoStmt{Label: inner.label})
}

// silent reports whether no instructions come from the statements.
func silent(statements []ast.Stmt) bool {
	for _, s := range statements {
		switch s := s.(type) {
		case *ast.LabelStmt:
		case *ast.DoBlockStmt:
			if !silent(s.Stmts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// enterLoop begins a loop with the given body. The function returned ends it: it puts the label of rewritten breaks after
// the loop.
func (r *rewriter) enterLoop(body []ast.Stmt) func(ast.Stmt) []ast.Stmt {
	inner := &loop{closures: createsFunction(body)}
	r.scope.loops = append(r.scope.loops, inner)
	return func(s ast.Stmt) []ast.Stmt {
		r.scope.loops = r.scope.loops[:len(r.scope.loops)-1]
		if inner.label == "" {
			return []ast.Stmt{s}
		}
		return doBlock(s.LastLine(), s, on(s.LastLine(), &ast.LabelStmt{Name: inner.label}))
	}
}

// whileStatement rewrites a while loop; one whose condition is never true is left out, for its first instruction would be a
// jump.
func (r *rewriter) whileStatement(s *ast.WhileStmt) []ast.Stmt {
	s.Condition = r.expression(s.Condition)
	finish := r.enterLoop(s.Stmts)
	s.Stmts = r.block(s.Stmts)
	loop := finish(s)
	if truth, known := constantTruth(s.Condition); known && !truth {
		return nil
	}
	return r.fasten(s, loop)
}

// ifStatement rewrites an if statement. Where the condition is a constant, what remains is a block: the jump gopher-lua
// would make of it confuses the loop around it.
func (r *rewriter) ifStatement(s *ast.IfStmt) []ast.Stmt {
	s.Condition = r.expression(s.Condition)
	s.Then = r.block(s.Then)
	s.Else = r.block(s.Else)
	truth, known := constantTruth(s.Condition)
	switch {
	case !known:
		return []ast.Stmt{s}
	case truth:
		return doBlock(s.Line(), s.Then...)
	}
	return doBlock(s.Line(), s.Else...)
}
