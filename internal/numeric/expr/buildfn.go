package expr

import "math"

// Pow is a^b. For whole b up to 16 in size it is a product, which a tape
// computes fast and to within |b|/2 roundings; for b half of an odd number it
// is a product times sqrt(a); otherwise it is within 2 ulp.
func Pow(a, b *Node) *Node {
	if !b.IsConst() {
		if a.isConst(1) {
			return a
		}
		return make2(OpPow, a, b)
	}
	n := b.value
	even, odd := isEven(n), isEven(n-1)
	switch {
	case a.IsConst():
		return Const(pow(a.value, n))
	case n == 0:
		return Const(1)
	case n == 1:
		return a
	case n == -1:
		return Div(Const(1), a)
	case n == 0.5:
		return Sqrt(a)
	}
	if even {
		return make2(OpPow, unsigned(a), b)
	}
	if m, ok := negative(a); ok && odd {
		return Neg(Pow(m, b))
	}
	return make2(OpPow, a, b)
}

// unsigned strips what an even function does not see: a sign or an abs.
func unsigned(a *Node) *Node {
	a, _ = negative(a)
	switch {
	case a.op == OpAbs:
		return a.args[0]
	case a.op == OpMul && a.args[0].IsConst() && a.args[1].op == OpAbs:
		return Mul(a.args[0], a.args[1].args[0])
	case a.op == OpDiv && a.args[1].IsConst() && a.args[0].op == OpAbs:
		return Div(a.args[0].args[0], a.args[1])
	}
	return a
}

// isEven reports whether n is an even whole number.
func isEven(n float64) bool { return math.Mod(n, 2) == 0 }

// Exp is e^a.
func Exp(a *Node) *Node { return make1(OpExp, a) }

// Log is the natural logarithm of a.
func Log(a *Node) *Node { return make1(OpLog, a) }

// Sqrt is the square root of a; the root of a square is an absolute value.
func Sqrt(a *Node) *Node {
	if a.op == OpPow && a.args[1].isConst(2) {
		return Abs(a.args[0])
	}
	return make1(OpSqrt, a)
}

// Abs is |a|.
func Abs(a *Node) *Node {
	a, _ = negative(a)
	switch a.op {
	case OpAbs, OpSqrt, OpExp, OpLT, OpLE, OpMatern, OpBesselK, OpCosh, OpAcos:
		return a
	case OpPow:
		if a.args[1].IsConst() && isEven(a.args[1].value) {
			return a
		}
	case OpMul:
		// |c x| = |c| |x|, so that scaled distances have one form.
		if a.args[0].IsConst() {
			return Mul(Const(math.Abs(a.args[0].value)), Abs(a.args[1]))
		}
	case OpDiv:
		if a.args[1].IsConst() || a.args[0].IsConst() {
			return Div(Abs(a.args[0]), Abs(a.args[1]))
		}
	}
	return make1(OpAbs, a)
}

// Sign is -1, 0 or 1 as a is negative, zero or positive.
func Sign(a *Node) *Node {
	return odd(OpSign, a)
}

// odd makes f(a) for a function with f(-a) = -f(a).
func odd(op Op, a *Node) *Node {
	if m, ok := negative(a); ok {
		return Neg(make1(op, m))
	}
	return make1(op, a)
}

// even makes f(a) for a function with f(-a) = f(a).
func even(op Op, a *Node) *Node {
	return make1(op, unsigned(a))
}

// Sin is the sine of a, in radians.
func Sin(a *Node) *Node { return odd(OpSin, a) }

// Cos is the cosine of a, in radians.
func Cos(a *Node) *Node { return even(OpCos, a) }

// Tan is the tangent of a, in radians.
func Tan(a *Node) *Node { return odd(OpTan, a) }

// Asin is the angle in [-pi/2, pi/2] whose sine is a.
func Asin(a *Node) *Node { return odd(OpAsin, a) }

// Acos is the angle in [0, pi] whose cosine is a.
func Acos(a *Node) *Node { return make1(OpAcos, a) }

// Atan is the angle in (-pi/2, pi/2) whose tangent is a.
func Atan(a *Node) *Node { return odd(OpAtan, a) }

// Sinh is the hyperbolic sine of a.
func Sinh(a *Node) *Node { return odd(OpSinh, a) }

// Cosh is the hyperbolic cosine of a.
func Cosh(a *Node) *Node { return even(OpCosh, a) }

// Tanh is the hyperbolic tangent of a.
func Tanh(a *Node) *Node { return odd(OpTanh, a) }

// Floor is the largest whole number not above a.
func Floor(a *Node) *Node { return make1(OpFloor, a) }

// Ceil is the smallest whole number not below a.
func Ceil(a *Node) *Node { return make1(OpCeil, a) }

// Matern is the Matérn function of order nu > 0 of the scaled distance |d|:
//
//	2^(1-nu)/Gamma(nu) z^nu K_nu(z),  z = sqrt(2 nu) |d|
//
// which is 1 at d = 0, exp(-|d|) for nu = 1/2 and tends to exp(-d²/2) as nu
// grows; nu may be +Inf. For nu not above 0 the value is NaN
// (Rasmussen and Williams, Gaussian Processes for Machine Learning, eq. 4.14).
func Matern(nu float64, d *Node) *Node { return ordered(OpMatern, nu, d) }

// besselK is the modified Bessel function of the second kind, of order nu, at
// |x|. It is +Inf at 0.
func besselK(nu float64, x *Node) *Node { return ordered(OpBesselK, math.Abs(nu), x) }

// ordered makes an even function with an order nu.
func ordered(op Op, nu float64, a *Node) *Node {
	a = unsigned(a)
	if a.IsConst() {
		return Const(apply(op, nu, a.value, 0, 0))
	}
	return newNode(Node{op: op, value: nu, args: [3]*Node{a}})
}
