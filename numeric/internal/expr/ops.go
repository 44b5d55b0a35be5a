package expr

import (
	"math"
	"sync"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/numeric/internal/simd"
)

// Ops computes operations on whole blocks for a tape. It is the place where
// vector code plugs in.
type Ops interface {
	// Block sets dst[i] to op of a[i], b[i], c[i] for all i, taking as many of
	// them as op has arguments, each as long as dst, and reports whether it
	// did; if not, as for every op it does not know, the tape runs a plain
	// loop. dst may be one of the arguments. It must be safe for concurrent use.
	Block(op Op, dst, a, b, c []float64) bool
}

// vectorOps are the loops of package simd.
type vectorOps struct {
	simd.Kernels
	scratch *sync.Pool // of *[3][blockSize]float64
}

func newVectorOps(k simd.Kernels) vectorOps {
	return vectorOps{k, &sync.Pool{New: func() any { return new([3][blockSize]float64) }}}
}

func (o vectorOps) Block(op Op, dst, a, b, c []float64) bool {
	if o.Level() == simd.Plain && op.tapeArity() == 1 && op != OpExp {
		return false // the loops here have no calls
	}
	switch op {
	case OpAdd:
		o.Add(dst, a, b)
	case OpSub:
		o.Sub(dst, a, b)
	case OpMul:
		o.Mul(dst, a, b)
	case OpDiv:
		o.Div(dst, a, b)
	case OpNeg:
		o.Neg(dst, a)
	case OpExp:
		o.Exp(dst, a)
	case OpSqrt:
		o.Sqrt(dst, a)
	case OpAbs:
		o.Abs(dst, a)
	case OpFloor:
		o.Floor(dst, a)
	case OpCeil:
		o.Ceil(dst, a)
	case OpMin:
		o.Min(dst, a, b)
	case OpMax:
		o.Max(dst, a, b)
	case OpLT:
		o.Greater(dst, b, a)
	case OpLE:
		o.GreaterOrEqual(dst, b, a)
	case OpWhere:
		o.Where(dst, a, b, c)
	case opFMA:
		o.FMA(dst, a, b, c)
	case OpPow:
		return o.power(dst, a, b)
	default:
		return false
	}
	return true
}

// modest bounds |y ln x| where x^y is e^(y ln x): the rounding of the logarithm, which
// grows with it, leaves the power within 3.5 ulp.
const modest = 2

// power is x^y by vector code where that is accurate, and by its definition elsewhere.
func (o vectorOps) power(dst, x, y []float64) bool {
	if o.Level() == simd.Plain || len(dst) > blockSize {
		return false
	}
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
	return true
}

// plainBlock is Ops.Block for every operation: loops without calls where Go
// has none to make, the definition of the operation elsewhere.
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
	case opFMA:
		for i := range dst {
			dst[i] = math.FMA(a[i], b[i], c[i])
		}
	default:
		var x [3]float64
		arg := [3][]float64{a, b, c}
		for i := range dst {
			for k := range v.op.arity() {
				x[k] = arg[k][i]
			}
			dst[i] = apply(v.op, v.num, x[0], x[1], x[2])
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
