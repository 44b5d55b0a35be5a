package expr

import "math"

// blockStep computes one operation on a block, dst[i] from the arguments at i.
// At least one argument is a vector, of length len(dst).
func blockStep(v *value, dst []float64, arg *[3]Operand) {
	a, b := arg[0], arg[1]
	switch v.op.Arity() {
	case 1:
		unaryBlock(v, dst, a.Vector)
	case 2:
		switch {
		case b.Vector == nil:
			vectorScalar(v.op, dst, a.Vector, b.Scalar)
		case a.Vector == nil:
			scalarVector(v.op, dst, a.Scalar, b.Vector)
		default:
			vectorVector(v.op, dst, a.Vector, b.Vector)
		}
	case 3:
		whereBlock(dst, a, b, arg[2])
	}
}

func unaryBlock(v *value, dst, a []float64) {
	a = a[:len(dst)]
	switch v.op {
	case OpNeg:
		for i, x := range a {
			dst[i] = -x
		}
	case OpExp:
		for i, x := range a {
			dst[i] = math.Exp(x)
		}
	case OpSqrt:
		for i, x := range a {
			dst[i] = math.Sqrt(x)
		}
	case OpAbs:
		for i, x := range a {
			dst[i] = math.Abs(x)
		}
	case OpMatern:
		for i, x := range a {
			dst[i] = maternScalar(v, x)
		}
	default:
		for i, x := range a {
			dst[i] = apply(v.op, v.num, x, 0, 0)
		}
	}
}

func vectorVector(op Op, dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch op {
	case OpAdd:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case OpSub:
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	case OpMul:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	case OpDiv:
		for i := range dst {
			dst[i] = a[i] / b[i]
		}
	case OpMin:
		for i := range dst {
			dst[i] = min(a[i], b[i])
		}
	case OpMax:
		for i := range dst {
			dst[i] = max(a[i], b[i])
		}
	case OpLT:
		for i := range dst {
			dst[i] = indicator(a[i] < b[i])
		}
	case OpLE:
		for i := range dst {
			dst[i] = indicator(a[i] <= b[i])
		}
	default:
		for i := range dst {
			dst[i] = apply(op, 0, a[i], b[i], 0)
		}
	}
}

func vectorScalar(op Op, dst, a []float64, s float64) {
	a = a[:len(dst)]
	switch op {
	case OpAdd:
		for i, x := range a {
			dst[i] = x + s
		}
	case OpSub:
		for i, x := range a {
			dst[i] = x - s
		}
	case OpMul:
		for i, x := range a {
			dst[i] = x * s
		}
	case OpDiv:
		for i, x := range a {
			dst[i] = x / s
		}
	case OpPow:
		powBlock(dst, a, s)
	default:
		for i, x := range a {
			dst[i] = apply(op, 0, x, s, 0)
		}
	}
}

// powBlock computes a^s; small whole exponents are products, see pow.
func powBlock(dst, a []float64, s float64) {
	switch s {
	case 2:
		for i, x := range a {
			dst[i] = x * x
		}
	case 3:
		for i, x := range a {
			dst[i] = x * x * x
		}
	default:
		for i, x := range a {
			dst[i] = pow(x, s)
		}
	}
}

func scalarVector(op Op, dst []float64, s float64, b []float64) {
	b = b[:len(dst)]
	switch op {
	case OpAdd, OpMul, OpMin, OpMax:
		vectorScalar(op, dst, b, s)
	case OpSub:
		for i, x := range b {
			dst[i] = s - x
		}
	case OpDiv:
		for i, x := range b {
			dst[i] = s / x
		}
	default:
		for i, x := range b {
			dst[i] = apply(op, 0, s, x, 0)
		}
	}
}

// whereBlock picks a where cond is not zero, b elsewhere.
func whereBlock(dst []float64, cond, a, b Operand) {
	for i := range dst {
		pick := b
		if at(cond, i) != 0 {
			pick = a
		}
		dst[i] = at(pick, i)
	}
}

func at(o Operand, i int) float64 {
	if o.Vector == nil {
		return o.Scalar
	}
	return o.Vector[i]
}
