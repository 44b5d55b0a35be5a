package chunk

import "github.com/yuin/gopher-lua/ast"

// genericFor completes the three values a generic for works with: iterator, state and first control value. gopher-lua
// counts the loop variables where it should count to three, so that in for x in iterator do the iterator is given whatever
// was in the registers before, and in for k in next, f() do the values of f() are dropped. Missing ones become nil; a call
// at the end is made before the loop.
//
// The result replaces loop, which is the already rewritten statement s, perhaps inside a block of its own.
func (r *rewriter) genericFor(s *ast.GenericForStmt, loop []ast.Stmt) []ast.Stmt {
	last := s.Exprs[len(s.Exprs)-1]
	if !isMulti(last) {
		for len(s.Exprs) < 3 {
			s.Exprs = append(s.Exprs, on(last.Line(), &ast.NilExpr{}))
		}
		return loop
	}
	if len(s.Exprs) == 1 || len(s.Exprs) <= len(s.Names) && len(s.Exprs) <= 3 {
		return loop
	}
	line := s.Line()
	names := []string{r.temporary(), r.temporary(), r.temporary()}
	values := on(line, &ast.LocalAssignStmt{Names: names, Exprs: s.Exprs})
	s.Exprs = []ast.Expr{variable(names[0], line), variable(names[1], line), variable(names[2], line)}
	return doBlock(line, append([]ast.Stmt{values}, loop...)...)
}
