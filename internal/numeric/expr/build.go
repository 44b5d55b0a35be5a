package expr

import (
	"fmt"
	"math"
)

// Const is the number v.
func Const(v float64) *Node {
	if math.IsNaN(v) {
		v = math.NaN() // one pattern of bits, so that equal formulas hash alike
	}
	return newNode(Node{op: OpConst, value: v})
}

// Var is the variable in the given slot (from 0). Two variables with the same
// slot are the same whatever they are called. It panics on a negative slot.
func Var(slot int, name string) *Node {
	if slot < 0 {
		panic(fmt.Sprintf("expr: slot %d: must be at least 0", slot))
	}
	return newNode(Node{op: OpVar, slot: slot, name: name})
}

// make1 folds a number, or makes the node.
func make1(op Op, a *Node) *Node {
	if a.IsConst() {
		return Const(apply(op, 0, a.value, 0, 0))
	}
	return newNode(Node{op: op, args: [3]*Node{a}})
}

func make2(op Op, a, b *Node) *Node {
	if a.IsConst() && b.IsConst() {
		return Const(apply(op, 0, a.value, b.value, 0))
	}
	return newNode(Node{op: op, args: [3]*Node{a, b}})
}

// commute makes a node whose two arguments may change places.
func commute(op Op, a, b *Node) *Node {
	if !inOrder(op, a, b) {
		a, b = b, a
	}
	return make2(op, a, b)
}

// inOrder reports whether a comes before b in a sum or product: numbers first,
// then what is itself a sum or product, so that x + y + z prints that way.
func inOrder(op Op, a, b *Node) bool {
	if a.IsConst() != b.IsConst() {
		return a.IsConst()
	}
	if chainA, chainB := isChain(op, a), isChain(op, b); chainA != chainB {
		return chainA
	}
	return compare(a, b) <= 0
}

func isChain(op Op, n *Node) bool {
	switch op {
	case OpAdd, OpSub:
		return n.op == OpAdd || n.op == OpSub
	}
	return n.op == op
}

// Add is a + b.
func Add(a, b *Node) *Node {
	switch {
	case a.isConst(0):
		return b
	case b.isConst(0):
		return a
	}
	if m, ok := negative(b); ok {
		return Sub(a, m)
	}
	if m, ok := negative(a); ok {
		return Sub(b, m)
	}
	return commute(OpAdd, a, b)
}

// negative returns -n if n is written with a minus sign: -x, -2*x or -2/x.
// Numbers do not count.
func negative(n *Node) (*Node, bool) {
	switch {
	case n.op == OpNeg:
		return n.args[0], true
	case (n.op == OpMul || n.op == OpDiv) && n.args[0].IsConst() && n.args[0].value < 0:
		return Neg(n), true
	}
	return n, false
}

// Sub is a - b. Of a - b and b - a one is the node and the other its Neg, so
// that even functions of a difference come out equal; evaluators compute
// Neg of a difference as the other difference, so no rounding and no sign of
// zero depends on which.
func Sub(a, b *Node) *Node {
	switch {
	case a.IsConst() && b.IsConst():
		return Const(a.value - b.value)
	case Equal(a, b):
		return Const(0)
	case b.isConst(0):
		return a
	case a.isConst(0):
		return Neg(b)
	}
	if m, ok := negative(b); ok {
		return Add(a, m)
	}
	if m, ok := negative(a); ok {
		return Neg(Add(m, b))
	}
	switch {
	case b.IsConst():
		return Add(a, Const(-b.value))
	case a.IsConst():
		return newNode(Node{op: OpNeg, args: [3]*Node{Add(Const(-a.value), b)}})
	case !inOrder(OpSub, a, b):
		return newNode(Node{op: OpNeg, args: [3]*Node{newNode(Node{op: OpSub, args: [3]*Node{b, a}})}})
	}
	return newNode(Node{op: OpSub, args: [3]*Node{a, b}})
}

// Neg is -a.
func Neg(a *Node) *Node {
	switch {
	case a.op == OpNeg:
		return a.args[0]
	case a.op == OpMul && a.args[0].IsConst():
		return Mul(Const(-a.args[0].value), a.args[1])
	case a.op == OpDiv && a.args[0].IsConst():
		return Div(Const(-a.args[0].value), a.args[1])
	}
	return make1(OpNeg, a)
}

// Mul is a * b.
func Mul(a, b *Node) *Node {
	if !inOrder(OpMul, a, b) {
		a, b = b, a
	}
	switch {
	case b.IsConst():
		return Const(a.value * b.value)
	case a.isConst(0):
		return Const(0)
	case a.isConst(1):
		return b
	case a.isConst(-1):
		return Neg(b)
	case a.IsConst() && b.op == OpNeg:
		return Mul(Const(-a.value), b.args[0])
	case a.op == OpNeg:
		return Neg(Mul(a.args[0], b))
	case b.op == OpNeg:
		return Neg(Mul(a, b.args[0]))
	case Equal(a, b):
		return Pow(a, Const(2))
	case isSquareOf(b, a):
		return Pow(a, Const(3))
	case isSquareOf(a, b):
		return Pow(b, Const(3))
	}
	return make2(OpMul, a, b)
}

func isSquareOf(square, base *Node) bool {
	return square.op == OpPow && square.args[1].isConst(2) && Equal(square.args[0], base)
}

// Div is a / b.
func Div(a, b *Node) *Node {
	switch {
	case a.IsConst() && b.IsConst():
		return Const(a.value / b.value)
	case a.isConst(0):
		return Const(0)
	case b.isConst(1):
		return a
	case b.IsConst() && b.value < 0:
		return Neg(Div(a, Const(-b.value)))
	case b.IsConst() && isPowerOfTwo(b.value):
		return Mul(Const(1/b.value), a)
	case a.IsConst() && b.op == OpNeg:
		return Div(Const(-a.value), b.args[0])
	case a.op == OpNeg:
		return Neg(Div(a.args[0], b))
	case b.op == OpNeg:
		return Neg(Div(a, b.args[0]))
	case Equal(a, b):
		return Const(1)
	}
	return make2(OpDiv, a, b)
}

// isPowerOfTwo reports whether dividing by v is exactly multiplying by 1/v.
func isPowerOfTwo(v float64) bool {
	fraction, exponent := math.Frexp(v)
	return fraction == 0.5 && exponent > -1000 && exponent < 1000
}

// Where is a where cond is not zero, b elsewhere. Both are evaluated, so that
// the branch not taken may be NaN or infinite without harm.
func Where(cond, a, b *Node) *Node {
	switch {
	case cond.IsConst() && cond.value != 0:
		return a
	case cond.IsConst():
		return b
	case Equal(a, b):
		return a
	}
	return newNode(Node{op: OpWhere, args: [3]*Node{cond, a, b}})
}

// LT is 1 where a < b, 0 elsewhere.
func LT(a, b *Node) *Node {
	if Equal(a, b) {
		return Const(0)
	}
	return make2(OpLT, a, b)
}

// LE is 1 where a <= b, 0 elsewhere.
func LE(a, b *Node) *Node {
	if Equal(a, b) {
		return Const(1)
	}
	return make2(OpLE, a, b)
}

// GT is 1 where a > b, 0 elsewhere.
func GT(a, b *Node) *Node { return LT(b, a) }

// GE is 1 where a >= b, 0 elsewhere.
func GE(a, b *Node) *Node { return LE(b, a) }

// Min is the smaller of a and b; NaN if either is.
func Min(a, b *Node) *Node {
	if Equal(a, b) {
		return a
	}
	return commute(OpMin, a, b)
}

// Max is the larger of a and b; NaN if either is.
func Max(a, b *Node) *Node {
	if Equal(a, b) {
		return a
	}
	return commute(OpMax, a, b)
}

// Mod is the remainder of a / b with the sign of b.
func Mod(a, b *Node) *Node { return make2(OpMod, a, b) }

// Atan2 is the angle of the point (x, y) against the x axis, in (-pi, pi].
func Atan2(y, x *Node) *Node { return make2(OpAtan2, y, x) }
