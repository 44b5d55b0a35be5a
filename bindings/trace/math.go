package trace

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
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
	n, ok := Function(name, nodes)
	if !ok {
		return nil, true, fmt.Errorf("a formula has no value yet, and math.%s of it cannot be written as an expression", name)
	}
	return bind.At(L).Lua(Result(n)), true, nil
}

// Function is math.<name>(args…) of formulas; it ignores arguments that Lua ignores.
func Function(name string, args []*expr.Node) (n *expr.Node, ok bool) {
	if f := unary(name); f != nil && !(name == "log" && len(args) > 1) {
		return f(args[0]), true
	}
	if len(args) < 2 {
		return args[0], name == "max" || name == "min"
	}
	a, b := args[0], args[1]
	switch name {
	case "atan2":
		return expr.Of(expr.OpAtan2, a, b), true
	case "pow":
		return expr.Of(expr.OpPow, a, b), true
	case "log":
		return expr.Of(expr.OpDiv, expr.Of(expr.OpLog, a), expr.Of(expr.OpLog, b)), true
	case "fmod", "mod": // the remainder with the sign of a
		return expr.Of(expr.OpMul, expr.Of(expr.OpSign, a), expr.Of(expr.OpMod, expr.Of(expr.OpAbs, a), expr.Of(expr.OpAbs, b))), true
	case "max", "min":
		op := expr.OpMax
		if name == "min" {
			op = expr.OpMin
		}
		for _, b := range args[1:] {
			a = expr.Of(op, a, b)
		}
		return a, true
	}
	return nil, false
}

// unary returns the function of one argument with that name, nil if there is none.
func unary(name string) func(*expr.Node) *expr.Node {
	for _, op := range []expr.Op{
		expr.OpAbs, expr.OpAcos, expr.OpAsin, expr.OpAtan, expr.OpCeil, expr.OpCos, expr.OpCosh, expr.OpExp,
		expr.OpFloor, expr.OpLog, expr.OpSin, expr.OpSinh, expr.OpSqrt, expr.OpTan, expr.OpTanh,
	} {
		if op.String() == name {
			return func(a *expr.Node) *expr.Node { return expr.Of(op, a) }
		}
	}
	over := func(unit float64) func(*expr.Node) *expr.Node {
		return func(a *expr.Node) *expr.Node { return expr.Of(expr.OpDiv, a, expr.Const(unit)) }
	}
	switch name {
	case "log10":
		return func(a *expr.Node) *expr.Node { return over(math.Ln10)(expr.Of(expr.OpLog, a)) }
	case "deg":
		return over(math.Pi / 180)
	case "rad":
		return func(a *expr.Node) *expr.Node { return expr.Of(expr.OpMul, a, expr.Const(math.Pi/180)) }
	}
	return nil
}
