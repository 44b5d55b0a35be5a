package testrun

import (
	"errors"
	"fmt"
	"math"
	"os"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/workbench/chunk"
)

// source writes a value as Lua, arrays as tables with a line for each row.
func source(l *lua.LState, v lua.LValue) (string, error) {
	if t, ok := v.(*lua.LTable); ok && t.Len() == 0 && len(chunk.Keys(t)) == 0 {
		return "", errors.New("value: is empty, there is nothing to compare")
	}
	var w chunk.Literal
	w.Other = func(path string, v lua.LValue, newline string) (string, error) {
		if u, ok := v.(*lua.LUserData); ok {
			if a, ok := u.Value.(*array.Array); ok {
				return w.At(path, rows(l, a.Shape, a.Data), newline)
			}
		}
		if path == "" {
			path = "value"
		}
		return "", fmt.Errorf("%s: want numbers, texts, truth values, arrays and tables of them, got %s", path, show(l, v))
	}
	return w.Text(orNil(v))
}

// rows returns an array as tables within tables.
func rows(l *lua.LState, shape []int, data []float64) lua.LValue {
	if len(shape) == 0 {
		return lua.LNumber(data[0])
	}
	t := l.NewTable()
	for i := range shape[0] {
		n := len(data) / shape[0]
		t.RawSetInt(i+1, rows(l, shape[1:], data[i*n:(i+1)*n]))
	}
	return t
}

// readGolden reads the value of a golden file.
func readGolden(l *lua.LState, path string) (lua.LValue, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readSource(l, path, string(text))
}

// readSource reads what source wrote behind a return. It runs nothing, and so
// has no limit on the length of tables.
func readSource(l *lua.LState, name, text string) (lua.LValue, error) {
	tree, err := chunk.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	if len(tree.Block) == 1 {
		if r, ok := tree.Block[0].(*ast.ReturnStmt); ok && len(r.Exprs) == 1 {
			if v := constant(l, r.Exprs[0]); v != nil {
				return v, nil
			}
		}
	}
	return nil, fmt.Errorf("%s: want return and one value, made of numbers, texts, truth values and tables", name)
}

// constant returns the value of an expression without names, or nil.
func constant(l *lua.LState, e ast.Expr) lua.LValue {
	switch e := e.(type) {
	case *ast.TrueExpr:
		return lua.LTrue
	case *ast.FalseExpr:
		return lua.LFalse
	case *ast.StringExpr:
		return lua.LString(e.Value)
	case *ast.NumberExpr:
		x, _ := chunk.ParseNumber(e.Value)
		return lua.LNumber(x)
	case *ast.UnaryMinusOpExpr:
		if x, ok := constant(l, e.Expr).(lua.LNumber); ok {
			return -x
		}
	case *ast.ArithmeticOpExpr:
		x, ok := constant(l, e.Lhs).(lua.LNumber)
		y, both := constant(l, e.Rhs).(lua.LNumber)
		if ok && both && e.Operator == "/" {
			return x / y
		}
	case *ast.TableExpr:
		t := l.NewTable()
		for _, f := range e.Fields {
			v := constant(l, f.Value)
			key := lua.LValue(lua.LNumber(t.Len() + 1))
			if f.Key != nil {
				key = constant(l, f.Key)
			}
			if x, ok := key.(lua.LNumber); v == nil || key == nil || ok && math.IsNaN(float64(x)) {
				return nil
			}
			t.RawSet(key, v)
		}
		return t
	}
	return nil
}
