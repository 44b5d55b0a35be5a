package chunk

import "github.com/yuin/gopher-lua/ast"

// localStatement rewrites local f = function … end whose body mentions f. gopher-lua takes it for local function f, so that
// in local print = function(x) return print(x) end the inner print is the new function and calls itself for ever. A second
// name on the left makes it declare f after the function, where it belongs.
func (r *rewriter) localStatement(s *ast.LocalAssignStmt) []ast.Stmt {
	if r.tree.recursive[s] {
		r.declare(s.Names...)
		r.expressions(s.Exprs)
		return []ast.Stmt{s}
	}
	if len(s.Names) == 1 && len(s.Exprs) == 1 {
		if f, ok := s.Exprs[0].(*ast.FunctionExpr); ok && mentions(f, s.Names[0]) {
			s.Names = append(s.Names, r.temporary())
		}
	}
	r.expressions(s.Exprs)
	r.declare(s.Names...)
	return []ast.Stmt{s}
}

// mentions reports whether the name occurs as a variable in the body of the function.
func mentions(f *ast.FunctionExpr, name string) bool {
	found := false
	inspect(f, func(node ast.PositionHolder) bool {
		if v, ok := node.(*ast.IdentExpr); ok && v.Value == name {
			found = true
		}
		return !found
	})
	return found
}
