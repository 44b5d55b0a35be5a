package testrun

import (
	"fmt"
	"math"
	"os"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
)

// source writes a value as Lua: numbers with all their digits, arrays as
// tables with a line for each row.
func source(l *lua.LState, v lua.LValue) (string, error) {
	w := &sourceWriter{l: l}
	if err := w.value("", orNil(v), "\n"); err != nil {
		return "", err
	}
	if !w.some {
		return "", fmt.Errorf("value: is empty, there is nothing to compare")
	}
	return w.String(), nil
}

type sourceWriter struct {
	strings.Builder
	l    *lua.LState
	some bool // something beside tables was written
}

// value writes what stands at a path within the value; newline begins a line
// with the indentation of its first.
func (w *sourceWriter) value(path string, v lua.LValue, newline string) error {
	const deepest = 100 // a table may hold itself
	w.some = w.some || v.Type() != lua.LTTable
	switch v := v.(type) {
	case lua.LNumber:
		w.WriteString(sourceNumber(float64(v)))
		return nil
	case lua.LString:
		w.WriteString(syntax.Quote(string(v)))
		return nil
	case lua.LBool:
		w.WriteString(v.String())
		return nil
	case *lua.LUserData:
		if a, ok := v.Value.(*array.Array); ok {
			w.array(a.Shape, a.Data, newline)
			return nil
		}
	case *lua.LTable:
		if len(newline) > deepest {
			return fmt.Errorf("%s: tables nested more than %d deep, or within themselves", path, deepest)
		}
		return w.table(path, v, newline)
	}
	if path == "" {
		path = "value"
	}
	return fmt.Errorf("%s: want numbers, texts, truth values, arrays and tables of them, got %s", path, show(w.l, v))
}

func (w *sourceWriter) table(path string, t *lua.LTable, newline string) error {
	if a := tableArray(t, 1); a != nil {
		w.some = true
		w.array(a.Shape, a.Data, newline)
		return nil
	}
	w.WriteByte('{')
	for i, key := range keysOf(t) {
		w.WriteString(newline + "\t")
		name, isText := key.(lua.LString)
		switch {
		case key == lua.LNumber(i+1):
		case isText && syntax.IsName(string(name)):
			w.WriteString(string(name) + " = ")
		case isText:
			w.WriteString("[" + syntax.Quote(string(name)) + "] = ")
		default:
			w.WriteString("[" + key.String() + "] = ")
		}
		if err := w.value(joinKey(path, key), t.RawGet(key), newline+"\t"); err != nil {
			return err
		}
		w.WriteByte(',')
	}
	w.WriteString(newline + "}")
	return nil
}

func (w *sourceWriter) array(shape []int, data []float64, newline string) {
	if len(shape) == 0 {
		w.WriteString(sourceNumber(data[0]))
		return
	}
	w.WriteByte('{')
	for i := range shape[0] {
		if len(shape) == 1 {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(sourceNumber(data[i]))
			continue
		}
		n := len(data) / shape[0]
		w.WriteString(newline + "\t")
		w.array(shape[1:], data[i*n:(i+1)*n], newline+"\t")
		w.WriteByte(',')
	}
	if len(shape) > 1 {
		w.WriteString(newline)
	}
	w.WriteByte('}')
}

// sourceNumber writes what Lua has no words for as the quotients that make it.
func sourceNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "0/0"
	case math.IsInf(x, 0):
		return fmt.Sprintf("%d/0", int(math.Copysign(1, x)))
	}
	return digits17(x)
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
