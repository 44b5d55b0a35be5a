package expr

import (
	"math"
	"sync"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Ops has loops for operations on whole blocks. It is the place where vector code
// plugs in.
type Ops interface {
	// Loop returns what computes op for operands of a shape, which is simd.Vectors for
	// all but + - * / and squares of differences. It returns no loop if it has none, as for every op it does not
	// know: the tape then has plain loops for vectors.
	Loop(op Op, shape simd.Shape) loop
}

// loop sets dst[i] to an operation of a[i], b[i], c[i] for all i, of as many of them as
// it takes; the function with so many arguments is set. Each is as long as dst, which
// may be one of them, but for those that are one number. Loops are safe for concurrent use.
type loop struct {
	unary   func(dst, a []float64)
	binary  func(dst, a, b []float64)
	ternary func(dst, a, b, c []float64)
}

func (l loop) found() bool { return l.unary != nil || l.binary != nil || l.ternary != nil }

// run calls the function that is set.
func (l loop) run(dst []float64, arg [3][]float64) {
	switch {
	case l.binary != nil:
		l.binary(dst, arg[0], arg[1])
	case l.unary != nil:
		l.unary(dst, arg[0])
	default:
		l.ternary(dst, arg[0], arg[1], arg[2])
	}
}

// vectorOps are the loops of package simd.
type vectorOps struct {
	simd.Kernels
	scratch *sync.Pool // of *[3][blockSize]float64
}

func newVectorOps(k simd.Kernels) vectorOps {
	return vectorOps{k, &sync.Pool{New: func() any { return new([3][blockSize]float64) }}}
}

func (o vectorOps) Loop(op Op, shape simd.Shape) loop {
	plain := o.Level() == simd.Plain
	switch op {
	case OpAdd:
		return loop{binary: o.Arithmetic(simd.Plus, shape)}
	case OpSub:
		return loop{binary: o.Arithmetic(simd.Minus, shape)}
	case OpMul:
		return loop{binary: o.Arithmetic(simd.Times, shape)}
	case OpDiv:
		return loop{binary: o.Arithmetic(simd.Over, shape)}
	case OpExp:
		return loop{unary: o.Exp}
	case OpMin:
		return loop{binary: o.Min}
	case OpMax:
		return loop{binary: o.Max}
	case OpLT:
		return loop{binary: func(dst, a, b []float64) { o.Greater(dst, b, a) }}
	case OpLE:
		return loop{binary: func(dst, a, b []float64) { o.GreaterOrEqual(dst, b, a) }}
	case OpWhere:
		return loop{ternary: o.Where}
	case opFMA:
		return loop{ternary: o.FMA}
	case opSquared:
		return loop{binary: o.Squared(shape)}
	case opAddSquared:
		return loop{ternary: o.AddSquared(shape)}
	case opDecay:
		return loop{ternary: o.Decay}
	case OpPow:
		if !plain {
			return loop{binary: o.power}
		}
	}
	if plain {
		return loop{} // the loops here have no calls
	}
	if f := o.rounding(op); f != nil {
		return loop{unary: f}
	}
	return loop{unary: o.function(op)}
}

// function are the functions that are accurate to 3 ulp, in vector code.
func (o vectorOps) function(op Op) func(dst, a []float64) {
	switch op {
	case OpLog:
		return o.Log
	case OpSin:
		return o.Sin
	case OpCos:
		return o.Cos
	case OpTan:
		return o.Tan
	case OpAsin:
		return o.Asin
	case OpAcos:
		return o.Acos
	case OpAtan:
		return o.Atan
	case OpSinh:
		return o.Sinh
	case OpCosh:
		return o.Cosh
	case OpTanh:
		return o.Tanh
	}
	return nil
}

// rounding are the operations of one instruction.
func (o vectorOps) rounding(op Op) func(dst, a []float64) {
	switch op {
	case OpNeg:
		return o.Neg
	case OpSqrt:
		return o.Sqrt
	case OpAbs:
		return o.Abs
	case OpFloor:
		return o.Floor
	case OpCeil:
		return o.Ceil
	}
	return nil
}

// modest bounds |y ln x| where x^y is e^(y ln x): the rounding of the logarithm, which
// grows with it, leaves the power within 3.5 ulp.
const modest = 2

// power is x^y by vector code where that is accurate, and by its definition elsewhere.
func (o vectorOps) power(dst, x, y []float64) {
	s := o.scratch.Get().(*[3][blockSize]float64)
	defer o.scratch.Put(s)
	l, t, p := s[0][:len(dst)], s[1][:len(dst)], s[2][:len(dst)]
	o.Log(l, x)
	o.Mul(t, l, y)
	o.Exp(p, t)
	o.Neg(t, t)
	o.FMA(l, l, y, t) // what rounding took from the exponent
	o.FMA(p, p, l, p)
	for i, v := range t {
		if !(math.Abs(v) <= modest) {
			p[i] = pow(x[i], y[i])
		}
	}
	copy(dst, p)
}

// plainLoop is a loop for the operation of every step.
func plainLoop(v *value) loop {
	return loop{ternary: func(dst, a, b, c []float64) { plainBlock(v, dst, a, b, c) }}
}

// plainBlock computes every operation: by loops without calls where Go
// has none to make, by the definition of the operation elsewhere.
func plainBlock(v *value, dst, a, b, c []float64) {
	switch v.op {
	case OpNeg, OpAbs, OpSqrt, OpFloor, OpCeil, OpSign:
		signLoops(v.op, dst, a)
	case OpLog, OpSin, OpCos, OpTan, OpAsin, OpAcos, OpAtan, OpSinh, OpCosh, OpTanh:
		f := unaryFunction(v.op)
		for i, x := range a[:len(dst)] {
			dst[i] = f(x)
		}
	case OpPow, OpMod, OpAtan2:
		f := binaryFunction(v.op)
		b := b[:len(dst)]
		for i, x := range a[:len(dst)] {
			dst[i] = f(x, b[i])
		}
	case opMaternScaled, opKScaled:
		v.table.get(v).Eval(dst, a)
	default:
		var x [3]float64
		arg := [3][]float64{a, b, c}
		for i := range dst {
			for k := range v.op.tapeArity() {
				x[k] = arg[k][i]
			}
			dst[i] = v.of(x[0], x[1], x[2])
		}
	}
}

// signLoops are the operations that the compiler makes single instructions of.
func signLoops(op Op, dst, a []float64) {
	a = a[:len(dst)]
	switch op {
	case OpNeg:
		for i, x := range a {
			dst[i] = -x
		}
	case OpAbs:
		for i, x := range a {
			dst[i] = math.Abs(x)
		}
	case OpSqrt:
		for i, x := range a {
			dst[i] = math.Sqrt(x)
		}
	case OpFloor:
		for i, x := range a {
			dst[i] = math.Floor(x)
		}
	case OpCeil:
		for i, x := range a {
			dst[i] = math.Ceil(x)
		}
	case OpSign:
		for i, x := range a {
			s := math.Copysign(1, x)
			if x == 0 || x != x { // seldom, so that the branch is foreseen
				s = x * 0
			}
			dst[i] = s
		}
	}
}

// unaryFunction and binaryFunction are the definitions of the operations that apply
// computes, without its way through all operations.
func unaryFunction(op Op) func(float64) float64 {
	switch op {
	case OpLog:
		return elementary.Log
	case OpSin:
		return math.Sin
	case OpCos:
		return math.Cos
	case OpTan:
		return math.Tan
	case OpAsin:
		return math.Asin
	case OpAcos:
		return math.Acos
	case OpAtan:
		return math.Atan
	case OpSinh:
		return math.Sinh
	case OpCosh:
		return math.Cosh
	}
	return math.Tanh
}

func binaryFunction(op Op) func(a, b float64) float64 {
	switch op {
	case OpPow:
		return pow
	case OpMod:
		return mod
	}
	return math.Atan2
}
