package chunk

import "github.com/yuin/gopher-lua/ast"

// assignment rewrites the assignments that gopher-lua carries out while it still computes the values.
//
// It assigns the first of several values before it computes the second, if the target is a local: a, b = b, a leaves b
// twice, and x, v = x + h*v, v - h*x is no longer a simultaneous step. The same happens between the parts of one value with
// and, or (the local holds intermediate results, and is not assigned at all by v = f() and 1 when f() is false); a call in
// parentheses is prepared in the register of a last parameter and destroys the locals after it; (...) clears them. So
//
//	t.x, v = e1, e2
//
// becomes, with temporaries for what the targets need and for the values,
//
//	do local o = t; local x, y = e1, e2; v = y; o.x = x end
//
// in the order in which Lua 5.1 does the same: parts of the targets, values, then stores from right to left. Locals in the
// targets are read last, as there.
func (r *rewriter) assignment(s *ast.AssignStmt) []ast.Stmt {
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 && !r.unsafeTarget(s.Lhs[0], s.Rhs[0]) {
		return []ast.Stmt{s}
	}
	line := s.Line()
	assigned := map[string]bool{}
	for _, target := range s.Lhs {
		if name, ok := target.(*ast.IdentExpr); ok {
			assigned[name.Value] = true
		}
	}
	var statements []ast.Stmt
	hoist := func(e ast.Expr) ast.Expr {
		name := r.temporary()
		statements = append(statements, on(line, &ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{e}}))
		return variable(name, e.Line())
	}
	values := make([]string, len(s.Lhs))
	stores := make([]ast.Stmt, len(s.Lhs))
	for i, target := range s.Lhs {
		values[i] = r.temporary()
		if field, ok := target.(*ast.AttrGetExpr); ok {
			object, key := field.Object, field.Key
			if !r.steady(object, assigned) {
				object = hoist(object)
			}
			if _, constant := constantTruth(key); !constant && !r.steady(key, assigned) {
				key = hoist(key)
			}
			target = on(field.Line(), &ast.AttrGetExpr{Object: object, Key: key})
		}
		store := &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{variable(values[i], line)}}
		stores[len(stores)-1-i] = on(target.Line(), store)
	}
	statements = append(statements, on(line, &ast.LocalAssignStmt{Names: values, Exprs: s.Rhs}))
	return doBlock(line, append(statements, stores...)...)
}

// steady reports whether a part of a target is a local that the assignment does not change.
func (r *rewriter) steady(e ast.Expr, assigned map[string]bool) bool {
	name, ok := e.(*ast.IdentExpr)
	return ok && r.isLocal(name.Value) && !assigned[name.Value]
}

// unsafeTarget reports whether target = value, alone, is compiled wrongly.
func (r *rewriter) unsafeTarget(target, value ast.Expr) bool {
	if field, ok := target.(*ast.AttrGetExpr); ok {
		_, constant := field.Object.(*ast.StringExpr) // ("x").y = 1 takes a constant for a register
		key, named := field.Key.(*ast.IdentExpr)      // t[i] = f() where f changes i: Lua 5.1 reads i after the call
		return constant || named && r.scope.shared[key.Value] && r.isLocal(key.Value)
	}
	if !r.isLocal(target.(*ast.IdentExpr).Value) {
		return false
	}
	switch value := value.(type) {
	case *ast.LogicalOpExpr:
		return true
	case *ast.FuncCallExpr:
		return value.AdjustRet
	case *ast.Comma3Expr:
		return value.AdjustRet
	}
	return false
}
