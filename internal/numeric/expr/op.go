package expr

import (
	"math"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// Op says what a node does with its arguments.
type Op uint8

// The operations. GT(a, b) is LT(b, a) and GE(a, b) is LE(b, a), so the tape
// knows only two comparisons.
const (
	OpConst Op = iota
	OpVar
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpNeg
	OpPow
	OpExp
	OpLog
	OpSqrt
	OpAbs
	OpSign
	OpSin
	OpCos
	OpTan
	OpAsin
	OpAcos
	OpAtan
	OpAtan2
	OpSinh
	OpCosh
	OpTanh
	OpFloor
	OpCeil
	OpMod
	OpMin
	OpMax
	OpWhere
	OpLT
	OpLE
	OpMatern
	OpBesselK
	opCount
)

// opInfo is what the package knows about an operation.
type opInfo struct {
	name  string // in String and in JSON
	arity int
	infix bool
}

var opTable = [opCount]opInfo{
	OpConst:   {"const", 0, false},
	OpVar:     {"var", 0, false},
	OpAdd:     {"+", 2, true},
	OpSub:     {"-", 2, true},
	OpMul:     {"*", 2, true},
	OpDiv:     {"/", 2, true},
	OpNeg:     {"neg", 1, false},
	OpPow:     {"^", 2, true},
	OpExp:     {"exp", 1, false},
	OpLog:     {"log", 1, false},
	OpSqrt:    {"sqrt", 1, false},
	OpAbs:     {"abs", 1, false},
	OpSign:    {"sign", 1, false},
	OpSin:     {"sin", 1, false},
	OpCos:     {"cos", 1, false},
	OpTan:     {"tan", 1, false},
	OpAsin:    {"asin", 1, false},
	OpAcos:    {"acos", 1, false},
	OpAtan:    {"atan", 1, false},
	OpAtan2:   {"atan2", 2, false},
	OpSinh:    {"sinh", 1, false},
	OpCosh:    {"cosh", 1, false},
	OpTanh:    {"tanh", 1, false},
	OpFloor:   {"floor", 1, false},
	OpCeil:    {"ceil", 1, false},
	OpMod:     {"%", 2, true},
	OpMin:     {"min", 2, false},
	OpMax:     {"max", 2, false},
	OpWhere:   {"where", 3, false},
	OpLT:      {"lt", 2, false},
	OpLE:      {"le", 2, false},
	OpMatern:  {"matern", 1, false},
	OpBesselK: {"besselk", 1, false},
}

// String returns the name of the operation as it appears in formulas.
func (op Op) String() string { return opTable[op].name }

// arity returns how many argument nodes the operation takes. The order nu of
// OpMatern and OpBesselK is a number in the node, not an argument.
func (op Op) arity() int { return opTable[op].arity }

// apply computes one operation on numbers. It is the definition of every
// operation: the interpreter and constant folding call it, and tests compare
// the tape with it.
func apply(op Op, nu, a, b, c float64) float64 {
	switch op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpDiv:
		return a / b
	case OpNeg:
		return -a
	case OpPow:
		return pow(a, b)
	case OpSqrt:
		return math.Sqrt(a)
	case OpAbs:
		return math.Abs(a)
	case OpSign:
		return sign(a)
	case OpFloor:
		return math.Floor(a)
	case OpCeil:
		return math.Ceil(a)
	case OpMod:
		return mod(a, b)
	case OpMin:
		return min(a, b)
	case OpMax:
		return max(a, b)
	case OpWhere:
		return where(a, b, c)
	case OpLT:
		return indicator(a < b)
	case OpLE:
		return indicator(a <= b)
	}
	return applyTranscendental(op, nu, a, b)
}

func applyTranscendental(op Op, nu, a, b float64) float64 {
	switch op {
	case OpExp:
		return elementary.Exp(a)
	case OpLog:
		return elementary.Log(a)
	case OpSin:
		return math.Sin(a)
	case OpCos:
		return math.Cos(a)
	case OpTan:
		return math.Tan(a)
	case OpAsin:
		return math.Asin(a)
	case OpAcos:
		return math.Acos(a)
	case OpAtan:
		return math.Atan(a)
	case OpAtan2:
		return math.Atan2(a, b)
	case OpSinh:
		return math.Sinh(a)
	case OpCosh:
		return math.Cosh(a)
	case OpTanh:
		return math.Tanh(a)
	case OpMatern:
		return bessel.Matern(nu, a)
	case OpBesselK:
		return bessel.K(nu, math.Abs(a))
	}
	panic("expr: operation " + op.String() + " has no value")
}

// maxProduct is the largest exponent that is computed as a product.
const maxProduct = 16

// isProduct reports whether x^y is computed by products: y is a multiple of
// 1/2 and not large.
func isProduct(y float64) bool { return isWhole(2*y) && math.Abs(y) <= maxProduct }

// pow is x^y: a product for y = 0, ±1, ±2, ..., a product times a root for
// y = ±1/2, ±3/2, ..., and elementary.Pow otherwise.
func pow(x, y float64) float64 {
	switch {
	case !isProduct(y):
		return elementary.Pow(x, y)
	case y < 0:
		return 1 / pow(x, -y)
	}
	n := int(y)
	if float64(n) == y {
		return powInt(x, n)
	}
	if n == 0 {
		return math.Sqrt(x)
	}
	return powInt(x, n) * math.Sqrt(x)
}

// powInt is x^n, n >= 0, by repeated squaring, with the same order of products
// everywhere so that all evaluators agree to the bit.
func powInt(x float64, n int) float64 {
	switch n {
	case 0:
		return 1
	case 1:
		return x
	case 2:
		return x * x
	case 3:
		return x * x * x
	}
	half := powInt(x, n/2)
	if n%2 == 1 {
		return half * half * x
	}
	return half * half
}

// mod is the remainder a - floor(a/b) b of a division, with the sign of b.
func mod(a, b float64) float64 {
	r := elementary.Remainder(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// sign is -1, 0 or 1, and NaN for NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x * 0
}

// where picks a unless the condition is zero.
func where(cond, a, b float64) float64 {
	if cond != 0 {
		return a
	}
	return b
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
