package trace

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Operand is what formulas are combined with, and what comes out.
type Operand = bind.Either[float64, *expr.Node]

// Node is the operand as an expression.
func Node(o Operand) *expr.Node {
	if o.IsB {
		return o.B
	}
	return expr.Const(o.A)
}

// Result is a number if the expression is one, and a formula otherwise.
func Result(n *expr.Node) Operand {
	if n.IsConst() {
		return bind.First[float64, *expr.Node](n.Value())
	}
	return bind.Second[float64](n)
}

// NodeOf returns the expression that a Lua value stands for, if it is a formula
// or a number.
func NodeOf(v lua.LValue) (n *expr.Node, ok bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return expr.Const(float64(v)), true
	case *lua.LUserData:
		n, ok = v.Value.(*expr.Node)
	}
	return n, ok
}

// noValue ends the error for a branch on a formula.
const noValue = "has no value while the function is traced; "

// remedy is what to write for a branch on a comparison.
func remedy(event string) string {
	switch event {
	case "__eq":
		return "write where(le(math.abs(a - b), 0), x, y) for: if a == b then x else y"
	case "__le":
		return "write where(le(a, b), x, y) for: if a <= b then x else y"
	}
	return "write where(lt(a, b), x, y) for: if a < b then x else y"
}

// Type is the type of values that are not known yet.
func Type() bind.Type {
	return bind.TypeOf[*expr.Node]("formula",
		"A symbolic value: a coordinate of a point, or what is computed from coordinates, while a Lua function is turned into an expression. "+
			"Formulas can be combined like numbers, with the functions of math and with where, lt, le, gt, ge and dist; they cannot be compared.",
		bind.Operators(
			binary("__add", "Sum.", expr.OpAdd),
			binary("__sub", "Difference.", expr.OpSub),
			binary("__mul", "Product.", expr.OpMul),
			binary("__div", "Quotient.", expr.OpDiv),
			binary("__mod", "Remainder, with the sign of the right side.", expr.OpMod),
			binary("__pow", "Power.", expr.OpPow),
			bind.Unary("__unm", "Negative.", func(_ *bind.Call, a Operand) (Operand, error) { return Result(expr.Of(expr.OpNeg, Node(a))), nil }),
			branch("__lt", "Refused: a formula cannot decide a branch. Use lt, gt and where."),
			branch("__le", "Refused: a formula cannot decide a branch. Use le, ge and where."),
			branch("__eq", "Refused: a formula cannot decide a branch."),
		),
		fieldMethods(),
	)
}

func binary(event, doc string, op expr.Op) bind.Func {
	return bind.Binary(event, doc, func(_ *bind.Call, a, b Operand) (Operand, error) {
		return Result(expr.Of(op, Node(a), Node(b))), nil
	})
}

// branch declares a comparison, which is always refused.
func branch(event, doc string) bind.Func {
	return bind.Binary(event, doc, func(_ *bind.Call, _, _ Operand) (bool, error) {
		return false, errors.New("the comparison " + noValue + remedy(event))
	})
}
