package lint

import (
	"path/filepath"

	"github.com/yuin/gopher-lua/ast"
)

// file looks at a whole tree.
func (s *survey) file(tree []ast.Stmt) {
	walk(tree, nil, visitor{stmt: s.stmt, expr: s.expr})
}

func (s *survey) stmt(st ast.Stmt, locals *scope) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, l := range st.Lhs {
			s.assign(l, locals)
		}
	case *ast.FuncDefStmt:
		if st.Name.Func != nil {
			s.assign(st.Name.Func, locals)
		}
		if st.Name.Method != "" {
			s.fields[st.Name.Method] = true
		}
	case *ast.IfStmt:
		s.test(st.Condition, locals)
	case *ast.WhileStmt:
		s.test(st.Condition, locals)
	case *ast.RepeatStmt:
		s.test(st.Condition, locals)
	}
}

// assign notes a global, or a field, that gets a value.
func (s *survey) assign(target ast.Expr, locals *scope) {
	switch t := target.(type) {
	case *ast.IdentExpr:
		if locals.has(t.Value) {
			s.reassigned[t.Value] = true
		} else {
			s.global(t.Value)
		}
	case *ast.AttrGetExpr:
		key, ok := t.Key.(*ast.StringExpr)
		if ok {
			s.fields[key.Value] = true
		}
		if isGlobal(t.Object, "_G", locals) {
			if ok {
				s.global(key.Value)
			} else {
				s.dynamic = true
			}
		}
	}
}

// global notes a place where a global gets a value.
func (s *survey) global(name string) {
	s.again[name] = s.assigned[name]
	s.assigned[name] = true
}

// test notes a global whose value is only asked for, not used.
func (s *survey) test(e ast.Expr, locals *scope) {
	if id, ok := e.(*ast.IdentExpr); ok && !locals.has(id.Value) {
		s.tested[id.Value] = true
	}
}

func (s *survey) expr(e ast.Expr, locals *scope) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		s.test(e.Lhs, locals)
	case *ast.UnaryNotOpExpr:
		s.test(e.Expr, locals)
	case *ast.RelationalOpExpr:
		if isNil(e.Lhs) || isNil(e.Rhs) {
			s.test(e.Lhs, locals)
			s.test(e.Rhs, locals)
		}
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if k, ok := f.Key.(*ast.StringExpr); ok {
				s.fields[k.Value] = true
			}
		}
	case *ast.FuncCallExpr:
		s.call(e, locals)
	}
}

// call notes the functions of Lua that make globals.
func (s *survey) call(e *ast.FuncCallExpr, locals *scope) {
	id, ok := e.Func.(*ast.IdentExpr)
	if !ok || locals.has(id.Value) {
		return
	}
	literal, isLiteral := "", false
	if len(e.Args) > 0 {
		if str, ok := e.Args[0].(*ast.StringExpr); ok {
			literal, isLiteral = str.Value, true
		}
	}
	switch id.Value {
	case "type", "tostring", "rawequal":
		for _, a := range e.Args {
			s.test(a, locals)
		}
	case "load", "loadstring", "loadfile", "setfenv", "getfenv":
		s.dynamic = true
	case "setmetatable", "rawset", "next", "pairs":
		if len(e.Args) == 0 || !isGlobal(e.Args[0], "_G", locals) || id.Value == "next" || id.Value == "pairs" {
			return
		}
		if id.Value == "rawset" && len(e.Args) > 1 {
			if key, ok := e.Args[1].(*ast.StringExpr); ok {
				s.global(key.Value)
				return
			}
		}
		s.dynamic = true
	case "dofile":
		if !isLiteral || !s.load(literal, filepath.Join(s.dir, literal)) {
			s.dynamic = true
		}
	case "require":
		_, module := s.world.modules[literal]
		_, library := s.world.globals[literal]
		if !isLiteral || !module && !library && !s.load(s.required(literal)...) {
			s.dynamic = true
		}
	}
}

func isNil(e ast.Expr) bool { _, ok := e.(*ast.NilExpr); return ok }

func isGlobal(e ast.Expr, name string, locals *scope) bool {
	id, ok := e.(*ast.IdentExpr)
	return ok && id.Value == name && !locals.has(name)
}
