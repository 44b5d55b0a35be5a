package expr

import "math"

// Interval holds the values of a variable or formula, from Lo to Hi.
type Interval struct{ Lo, Hi float64 }

// anything is what is known of a formula that nothing is known of.
var anything = Interval{math.Inf(-1), math.Inf(1)}

// slack is more than what rounding does to an operation, relative to its operands.
const slack = 0x1p-48

// Values returns the interval of some numbers, of which there is one at least; it is infinite if one is NaN.
func Values(v []float64) Interval { return hull(v...) }

// hull returns the interval from the least to the greatest of values, or anything if one is NaN.
func hull(values ...float64) Interval {
	i := Interval{values[0], values[0]}
	for _, v := range values {
		i.Lo, i.Hi = min(i.Lo, v), max(i.Hi, v)
	}
	if i.Lo != i.Lo || i.Hi != i.Hi {
		return anything
	}
	return i
}

// wider makes room for errors of the given size.
func (i Interval) wider(by float64) Interval { return hull(i.Lo-by, i.Hi+by) }

// rounded makes room for a relative error of both ends, which keep their signs.
func (i Interval) rounded() Interval {
	return hull(i.Lo-slack*math.Abs(i.Lo), i.Hi+slack*math.Abs(i.Hi))
}

// size is the greatest magnitude.
func (i Interval) size() float64 { return max(-i.Lo, i.Hi) }

// magnitude holds the absolute values.
func (i Interval) magnitude() Interval {
	if i.Lo <= 0 && i.Hi >= 0 {
		return Interval{0, i.size()}
	}
	return hull(math.Abs(i.Lo), math.Abs(i.Hi))
}

// image is that of a function that only increases, or only decreases.
func (i Interval) image(f func(float64) float64) Interval { return hull(f(i.Lo), f(i.Hi)).rounded() }

// corners is the image of an operation that is monotone in each of two operands.
func corners(i, j Interval, f func(x, y float64) float64) Interval {
	return hull(f(i.Lo, j.Lo), f(i.Lo, j.Hi), f(i.Hi, j.Lo), f(i.Hi, j.Hi)).rounded()
}

// bounds finds the intervals of formulas from those of the variables, by slot. Where a formula has a value that is a
// number, it is in its interval.
type bounds struct {
	slots []Interval
	known map[*Node]Interval
}

func (b *bounds) of(n *Node) Interval {
	i, ok := b.known[n]
	if !ok {
		i = b.rule(n)
		b.known[n] = i
	}
	return i
}

func (b *bounds) rule(n *Node) Interval {
	switch n.op {
	case OpConst:
		return hull(n.value)
	case OpVar:
		return b.slots[n.slot]
	}
	var arg [3]Interval
	for k, a := range n.Args() {
		arg[k] = b.of(a)
	}
	i, j := arg[0], arg[1]
	switch n.op {
	case OpAdd:
		sum := hull(i.Lo+j.Lo, i.Hi+j.Hi).wider(slack * (i.size() + j.size()))
		if i.Lo >= 0 && j.Lo >= 0 { // rounding keeps the sign
			sum.Lo = max(sum.Lo, 0)
		}
		return sum
	case OpSub:
		return hull(i.Lo-j.Hi, i.Hi-j.Lo).wider(slack * (i.size() + j.size()))
	case OpMul:
		if n.args[0] == n.args[1] {
			i, j = i.magnitude(), j.magnitude()
		}
		return corners(i, j, func(x, y float64) float64 { return x * y })
	case OpDiv:
		if j.Lo <= 0 && j.Hi >= 0 {
			return anything
		}
		return corners(i, j, func(x, y float64) float64 { return x / y })
	case OpPow:
		return power(i, j)
	case OpMin:
		return hull(min(i.Lo, j.Lo), min(i.Hi, j.Hi))
	case OpMax:
		return hull(max(i.Lo, j.Lo), max(i.Hi, j.Hi))
	case OpWhere:
		return hull(j.Lo, j.Hi, arg[2].Lo, arg[2].Hi)
	}
	return function(n.op, i)
}

// power holds x^y.
func power(i, j Interval) Interval {
	if j.Lo == j.Hi && isEven(j.Lo) {
		i = i.magnitude()
	}
	if !(i.Lo > 0 || i.Lo == 0 && j.Lo > 0) {
		return anything
	}
	return corners(i, j, pow)
}

// function holds the values of the functions of one argument.
func function(op Op, i Interval) Interval {
	switch op {
	case OpNeg:
		return hull(-i.Hi, -i.Lo)
	case OpAbs:
		return i.magnitude()
	case OpExp:
		return i.image(math.Exp)
	case OpSinh:
		return i.image(math.Sinh)
	case OpCosh:
		return i.magnitude().image(math.Cosh)
	case OpTanh:
		return i.image(math.Tanh)
	case OpAtan:
		return i.image(math.Atan)
	case OpFloor:
		return i.image(math.Floor)
	case OpCeil:
		return i.image(math.Ceil)
	case OpLog:
		if i.Lo > 0 {
			return hull(math.Log(i.Lo), math.Log(i.Hi)).wider(slack)
		}
	case OpSqrt:
		if i.Lo >= 0 {
			return i.image(math.Sqrt)
		}
	case OpSin, OpCos:
		return Interval{-1, 1}
	case OpLT, OpLE, OpMatern:
		return Interval{0, 1}
	case OpSign:
		return Interval{-1, 1}
	case OpBesselK:
		return Interval{0, math.Inf(1)}
	}
	return anything
}
