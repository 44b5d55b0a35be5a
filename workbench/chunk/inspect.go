package chunk

import "github.com/yuin/gopher-lua/ast"

// Inspect calls visit for every statement and expression of a block, each before its parts and in the order of the text;
// where visit returns false the parts are left out.
func Inspect(block []ast.Stmt, visit func(node ast.PositionHolder) bool) {
	for _, s := range block {
		inspectStatement(s, visit)
	}
}

func inspectAll(list []ast.Expr, visit func(ast.PositionHolder) bool) {
	for _, e := range list {
		inspect(e, visit)
	}
}

func inspectStatement(s ast.Stmt, visit func(ast.PositionHolder) bool) {
	if !visit(s) {
		return
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		inspectAll(s.Lhs, visit)
		inspectAll(s.Rhs, visit)
	case *ast.LocalAssignStmt:
		inspectAll(s.Exprs, visit)
	case *ast.FuncCallStmt:
		inspect(s.Expr, visit)
	case *ast.DoBlockStmt:
		Inspect(s.Stmts, visit)
	case *ast.WhileStmt:
		inspect(s.Condition, visit)
		Inspect(s.Stmts, visit)
	case *ast.RepeatStmt:
		Inspect(s.Stmts, visit)
		inspect(s.Condition, visit)
	case *ast.IfStmt:
		inspect(s.Condition, visit)
		Inspect(s.Then, visit)
		Inspect(s.Else, visit)
	case *ast.NumberForStmt:
		inspect(s.Init, visit)
		inspect(s.Limit, visit)
		if s.Step != nil {
			inspect(s.Step, visit)
		}
		Inspect(s.Stmts, visit)
	case *ast.GenericForStmt:
		inspectAll(s.Exprs, visit)
		Inspect(s.Stmts, visit)
	case *ast.FuncDefStmt:
		if s.Name.Func != nil {
			inspect(s.Name.Func, visit)
		} else {
			inspect(s.Name.Receiver, visit)
		}
		inspect(s.Func, visit)
	case *ast.ReturnStmt:
		inspectAll(s.Exprs, visit)
	}
}

// inspect is Inspect for an expression.
func inspect(e ast.Expr, visit func(ast.PositionHolder) bool) {
	if !visit(e) {
		return
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		inspect(e.Object, visit)
		inspect(e.Key, visit)
	case *ast.TableExpr:
		for _, field := range e.Fields {
			if field.Key != nil {
				inspect(field.Key, visit)
			}
			inspect(field.Value, visit)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			inspect(e.Func, visit)
		} else {
			inspect(e.Receiver, visit)
		}
		inspectAll(e.Args, visit)
	case *ast.LogicalOpExpr:
		inspect(e.Lhs, visit)
		inspect(e.Rhs, visit)
	case *ast.RelationalOpExpr:
		inspect(e.Lhs, visit)
		inspect(e.Rhs, visit)
	case *ast.StringConcatOpExpr:
		inspect(e.Lhs, visit)
		inspect(e.Rhs, visit)
	case *ast.ArithmeticOpExpr:
		inspect(e.Lhs, visit)
		inspect(e.Rhs, visit)
	case *ast.UnaryMinusOpExpr:
		inspect(e.Expr, visit)
	case *ast.UnaryNotOpExpr:
		inspect(e.Expr, visit)
	case *ast.UnaryLenOpExpr:
		inspect(e.Expr, visit)
	case *ast.FunctionExpr:
		Inspect(e.Stmts, visit)
	}
}

// blocks returns the blocks directly inside a statement.
func blocks(s ast.Stmt) [][]ast.Stmt {
	switch s := s.(type) {
	case *ast.DoBlockStmt:
		return [][]ast.Stmt{s.Stmts}
	case *ast.WhileStmt:
		return [][]ast.Stmt{s.Stmts}
	case *ast.RepeatStmt:
		return [][]ast.Stmt{s.Stmts}
	case *ast.IfStmt:
		return [][]ast.Stmt{s.Then, s.Else}
	case *ast.NumberForStmt:
		return [][]ast.Stmt{s.Stmts}
	case *ast.GenericForStmt:
		return [][]ast.Stmt{s.Stmts}
	}
	return nil
}

// createsFunction reports whether running the block can make a closure.
func createsFunction(block []ast.Stmt) bool {
	found := false
	Inspect(block, func(node ast.PositionHolder) bool {
		if _, ok := node.(*ast.FunctionExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

// LastName is the last name of a function, matern of kernel.matern, which is also what
// gopher-lua calls it in its records; "" if it has none.
func LastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return key.Value
		}
	}
	return ""
}
