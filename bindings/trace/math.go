package trace

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/expr"
)

// Math lets the functions of math take formulas. It is a MathExtension of the
// standard library.
type Math struct{}

// Math computes math.<name>(args…) if one of the arguments is a formula and the
// others are numbers or formulas.
func (Math) Math(L *lua.LState, name string, args []lua.LValue) (result lua.LValue, handled bool, err error) {
	nodes := make([]*expr.Node, len(args))
	symbolic := false
	for i, v := range args {
		n, ok := NodeOf(v)
		if !ok {
			return nil, false, nil
		}
		nodes[i] = n
		symbolic = symbolic || !n.IsConst()
	}
	if !symbolic {
		return nil, false, nil
	}
	n, ok := function(name, nodes)
	if !ok {
		return nil, true, fmt.Errorf("a formula has no value yet, and math.%s of it cannot be written as an expression", name)
	}
	return bind.At(L).Lua(Result(n)), true, nil
}

// function is math.<name>(args…); it ignores arguments that Lua ignores.
func function(name string, args []*expr.Node) (n *expr.Node, ok bool) {
	if f := unary(name); f != nil && !(name == "log" && len(args) > 1) {
		return f(args[0]), true
	}
	if len(args) < 2 {
		return args[0], name == "max" || name == "min"
	}
	a, b := args[0], args[1]
	switch name {
	case "atan2":
		return expr.Atan2(a, b), true
	case "pow":
		return expr.Pow(a, b), true
	case "log":
		return expr.Div(expr.Log(a), expr.Log(b)), true
	case "fmod", "mod": // the remainder with the sign of a
		return expr.Mul(expr.Sign(a), expr.Mod(expr.Abs(a), expr.Abs(b))), true
	case "max", "min":
		op := expr.Max
		if name == "min" {
			op = expr.Min
		}
		for _, b := range args[1:] {
			a = op(a, b)
		}
		return a, true
	}
	return nil, false
}

// unary returns the function of one argument with that name, nil if there is none.
func unary(name string) func(*expr.Node) *expr.Node {
	switch name {
	case "abs":
		return expr.Abs
	case "acos":
		return expr.Acos
	case "asin":
		return expr.Asin
	case "atan":
		return expr.Atan
	case "ceil":
		return expr.Ceil
	case "cos":
		return expr.Cos
	case "cosh":
		return expr.Cosh
	case "exp":
		return expr.Exp
	case "floor":
		return expr.Floor
	case "log":
		return expr.Log
	case "log10":
		return func(a *expr.Node) *expr.Node { return expr.Div(expr.Log(a), expr.Const(math.Ln10)) }
	case "sin":
		return expr.Sin
	case "sinh":
		return expr.Sinh
	case "sqrt":
		return expr.Sqrt
	case "tan":
		return expr.Tan
	case "tanh":
		return expr.Tanh
	case "deg":
		return func(a *expr.Node) *expr.Node { return expr.Div(a, expr.Const(math.Pi/180)) }
	case "rad":
		return func(a *expr.Node) *expr.Node { return expr.Mul(a, expr.Const(math.Pi/180)) }
	}
	return nil
}
