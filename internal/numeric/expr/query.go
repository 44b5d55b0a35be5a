package expr

import (
	"fmt"
	"slices"
)

// Slots returns the slots that occur in n, increasing.
func Slots(n *Node) []int {
	var slots []int
	for m := range walk(n) {
		if m.op == OpVar {
			slots = append(slots, m.slot)
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// Size returns the number of distinct nodes of n.
func Size(n *Node) int {
	count := 0
	for range walk(n) {
		count++
	}
	return count
}

// walk yields every distinct node of n once, arguments before the nodes that
// use them.
func walk(roots ...*Node) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		seen := map[*Node]bool{}
		var visit func(n *Node) bool
		visit = func(n *Node) bool {
			if seen[n] {
				return true
			}
			seen[n] = true
			for _, a := range n.Args() {
				if !visit(a) {
					return false
				}
			}
			return yield(n)
		}
		for _, n := range roots {
			if !visit(n) {
				return
			}
		}
	}
}

// Substitute replaces every variable whose slot is a key of by, all at once,
// and simplifies locally on the way: each node is made anew from its arguments.
// What a replacement brings in is not replaced again.
func Substitute(n *Node, by map[int]*Node) *Node {
	done := map[*Node]*Node{}
	for m := range walk(n) {
		if m.op == OpVar {
			done[m] = m
			if s, ok := by[m.slot]; ok {
				done[m] = s
			}
			continue
		}
		var args [3]*Node
		same := true
		for i, a := range m.Args() {
			args[i] = done[a]
			same = same && args[i] == a
		}
		done[m] = m
		if !same {
			done[m] = build(m.op, m.value, args)
		}
	}
	return done[n]
}

// Of applies an operation to its arguments. It panics where their number is not that of the
// operation, and on those that a number or an order makes.
func Of(op Op, args ...*Node) *Node {
	if op == OpMatern || op == OpBesselK || len(args) != op.arity() || len(args) == 0 {
		panic(fmt.Sprintf("expr: %s of %d arguments", op, len(args)))
	}
	var a [3]*Node
	copy(a[:], args)
	return build(op, 0, a)
}

// build calls the constructor of op.
func build(op Op, nu float64, a [3]*Node) *Node {
	switch op {
	case OpAdd:
		return Add(a[0], a[1])
	case OpSub:
		return Sub(a[0], a[1])
	case OpMul:
		return Mul(a[0], a[1])
	case OpDiv:
		return Div(a[0], a[1])
	case OpPow:
		return Pow(a[0], a[1])
	case OpAtan2:
		return Atan2(a[0], a[1])
	case OpMod:
		return Mod(a[0], a[1])
	case OpMin:
		return Min(a[0], a[1])
	case OpMax:
		return Max(a[0], a[1])
	case OpWhere:
		return Where(a[0], a[1], a[2])
	case OpLT:
		return LT(a[0], a[1])
	case OpLE:
		return LE(a[0], a[1])
	case OpMatern:
		return Matern(nu, a[0])
	case OpBesselK:
		return besselK(nu, a[0])
	}
	return build1(op, a[0])
}

func build1(op Op, a *Node) *Node {
	switch op {
	case OpNeg:
		return Neg(a)
	case OpExp:
		return Exp(a)
	case OpLog:
		return Log(a)
	case OpSqrt:
		return Sqrt(a)
	case OpAbs:
		return Abs(a)
	case OpSign:
		return Sign(a)
	case OpSin:
		return Sin(a)
	case OpCos:
		return Cos(a)
	case OpTan:
		return Tan(a)
	case OpAsin:
		return Asin(a)
	case OpAcos:
		return Acos(a)
	case OpAtan:
		return Atan(a)
	case OpSinh:
		return Sinh(a)
	case OpCosh:
		return Cosh(a)
	case OpTanh:
		return Tanh(a)
	case OpFloor:
		return Floor(a)
	case OpCeil:
		return Ceil(a)
	}
	panic("expr: operation " + op.String() + " has no constructor")
}
