package chunk

import "github.com/yuin/gopher-lua/ast"

// pop turns t[#t] = nil into a call of a hidden function that really shortens the table. gopher-lua keeps the nil at the end
// and looks for the length behind it each time, so that emptying a stack takes a time that grows with its square: seconds for
// a hundred thousand elements.
func (r *rewriter) pop(s *ast.AssignStmt) (statement ast.Stmt, ok bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, false
	}
	field, ok1 := s.Lhs[0].(*ast.AttrGetExpr)
	_, ok2 := s.Rhs[0].(*ast.NilExpr)
	if !ok1 || !ok2 {
		return nil, false
	}
	table, ok1 := field.Object.(*ast.IdentExpr)
	length, ok2 := field.Key.(*ast.UnaryLenOpExpr)
	if !ok1 || !ok2 {
		return nil, false
	}
	if same, ok := length.Expr.(*ast.IdentExpr); !ok || same.Value != table.Value {
		return nil, false
	}
	line := field.Line()
	return on(line, &ast.FuncCallStmt{Expr: r.hidden.call(hiddenPop, line, table)}), true
}
