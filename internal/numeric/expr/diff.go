package expr

import "math"

// Diff returns the derivative of n with respect to the variable in slot,
// simplified. It is exact where n is differentiable. Where it is not:
//
//   - the derivative of |u| at u = 0 is 0, that of a step (floor, ceil, sign,
//     lt, le) is 0 everywhere, and a condition of where is taken as constant;
//   - min and max follow the argument they pick;
//   - sqrt(u) has derivative 0 where u is 0;
//   - x^y with a power strictly between 0 and 1 has derivative 0 at x = 0, and
//     the derivative with respect to the exponent is 0 there.
//
// A function of |u|, or of sqrt(S) with S a sum of squares, which is what a
// radial kernel is, gets the derivatives at 0 that it has, to fourth order: the
// second derivative of (1+r) exp(-r) at r = 0 is -1 in every direction,
// although the root has none.
//
// Poles (1/x, log) stay poles.
func Diff(n *Node, slot int) *Node { return diffNested(n, slot, 0) }

// diffNested differentiates a formula that arose in the differentiation of
// another one, depth levels up.
func diffNested(n *Node, slot, depth int) *Node {
	n = share(Simplify(n))
	d := differ{
		slot: slot, fresh: slot + 1, depth: depth,
		done: map[*Node]*Node{}, gates: map[*Node]*Node{},
		roots: map[*Node]*Node{}, powers: map[*Node]float64{},
	}
	d.findRoots(n)
	return Simplify(d.diff(n))
}

// differ computes the derivatives of all parts of one formula.
type differ struct {
	slot  int
	fresh int // a slot that does not occur
	depth int
	done  map[*Node]*Node
	gates map[*Node]*Node
	// roots leads from S to sqrt(S), for S that cannot be negative, and from
	// even powers of u to |u|; powers tells which power of the root the key is.
	roots  map[*Node]*Node
	powers map[*Node]float64
}

func (d *differ) diff(n *Node) *Node {
	if r, ok := d.done[n]; ok {
		return r
	}
	var r *Node
	switch g := d.gate(n); {
	case g == nil:
		r = Const(0)
	case g == ungated || d.roots[n] == g && n == g.args[0]:
		r = d.rule(n)
	default:
		r = d.radial(n, g)
	}
	d.done[n] = r
	return r
}

// rule is the chain rule for the operation of n.
func (d *differ) rule(n *Node) *Node {
	a, b := n.args[0], n.args[1]
	switch n.op {
	case OpVar:
		return Const(1)
	case OpAdd:
		return Add(d.diff(a), d.diff(b))
	case OpSub:
		return Sub(d.diff(a), d.diff(b))
	case OpMul:
		return Add(Mul(d.diff(a), b), Mul(a, d.diff(b)))
	case OpDiv:
		return Div(Sub(d.diff(a), Mul(n, d.diff(b))), b)
	case OpNeg:
		return Neg(d.diff(a))
	case OpPow:
		return d.power(n, a, b)
	case OpAtan2:
		return Div(Sub(Mul(b, d.diff(a)), Mul(a, d.diff(b))), Add(square(a), square(b)))
	case OpMod:
		return Sub(d.diff(a), Mul(Floor(Div(a, b)), d.diff(b)))
	case OpMin:
		return Where(LE(a, b), d.diff(a), d.diff(b))
	case OpMax:
		return Where(LE(b, a), d.diff(a), d.diff(b))
	case OpWhere:
		return Where(a, d.diff(b), d.diff(n.args[2]))
	case OpFloor, OpCeil, OpSign, OpLT, OpLE:
		return Const(0)
	case OpMatern:
		return d.matern(n.value, a)
	}
	return Mul(d.outer(n, a), d.diff(a))
}

// outer is f'(a) for n = f(a).
func (d *differ) outer(n, a *Node) *Node {
	one := Const(1)
	switch n.op {
	case OpExp:
		return n
	case OpLog:
		return Div(one, a)
	case OpSqrt:
		return Where(LE(n, Const(0)), Const(0), Div(Const(0.5), n))
	case OpAbs:
		return Sign(a)
	case OpSin:
		return Cos(a)
	case OpCos:
		return Neg(Sin(a))
	case OpTan:
		return Add(one, square(n))
	case OpAsin:
		return Div(one, Sqrt(Sub(one, square(a))))
	case OpAcos:
		return Div(Const(-1), Sqrt(Sub(one, square(a))))
	case OpAtan:
		return Div(one, Add(one, square(a)))
	case OpSinh:
		return Cosh(a)
	case OpCosh:
		return Sinh(a)
	case OpTanh:
		return Sub(one, square(n))
	case OpBesselK:
		slope := Mul(Const(-0.5), Add(besselK(n.value-1, a), besselK(n.value+1, a)))
		return Mul(slope, Sign(a))
	}
	panic("expr: operation " + n.op.String() + " has no derivative")
}

func square(n *Node) *Node { return Pow(n, Const(2)) }

// power is the derivative of n = a^b.
func (d *differ) power(n, a, b *Node) *Node {
	zero := LE(Abs(a), Const(0))
	byBase := Mul(b, Pow(a, Sub(b, Const(1))))
	if b.IsConst() {
		if b.value > 0 && b.value < 1 {
			byBase = Where(zero, Const(0), byBase)
		}
		return Mul(byBase, d.diff(a))
	}
	byExponent := Where(zero, Const(0), Mul(n, Log(a)))
	return Add(Mul(byBase, d.diff(a)), Mul(byExponent, d.diff(b)))
}

// matern is the derivative of Matern(nu, u), from d/dz z^nu K_nu = -z^nu K_{nu-1}
// (Abramowitz and Stegun 9.6.28). It is written with u u', half the derivative
// of u², which stays smooth where u is a root.
func (d *differ) matern(nu float64, u *Node) *Node {
	half := d.halfSquare(u)
	zero := Const(0)
	switch {
	case math.IsInf(nu, 1):
		return Mul(Matern(nu, u), Neg(half))
	case nu > 1:
		c := nu / (nu - 1)
		return Mul(Mul(Const(-c), half), Matern(nu-1, Mul(Const(math.Sqrt(c)), u)))
	case nu == 1:
		slope := Mul(Const(-2), besselK(0, Mul(Const(math.Sqrt2), u)))
		return Where(LE(Abs(u), zero), zero, Mul(slope, half))
	case nu == 0.5 && !rootFactor(u):
		return Mul(Neg(Matern(nu, u)), Mul(Sign(u), d.diff(u)))
	}
	// K_{nu-1} = K_{1-nu}, which is a Matérn function of order 1-nu.
	c := 2 * nu * math.Exp2(1-2*nu) * math.Gamma(1-nu) / math.Gamma(nu)
	z := Mul(Const(math.Sqrt(2*nu)), Abs(u))
	slope := Mul(Const(-c), Mul(Pow(z, Const(2*nu-2)), Matern(1-nu, Mul(Const(math.Sqrt(nu/(1-nu))), u))))
	return Where(LE(Abs(u), zero), zero, Mul(slope, half))
}

// halfSquare is u u'. If u has a root as a factor, then u² has none.
func (d *differ) halfSquare(u *Node) *Node {
	if rootFactor(u) {
		return Mul(Const(0.5), d.diff(share(Simplify(square(u)))))
	}
	return Mul(u, d.diff(u))
}

// rootFactor reports whether n is a product or quotient with a square root.
func rootFactor(n *Node) bool {
	switch n.op {
	case OpSqrt:
		return true
	case OpNeg:
		return rootFactor(n.args[0])
	case OpMul, OpDiv:
		return rootFactor(n.args[0]) || rootFactor(n.args[1])
	}
	return false
}
