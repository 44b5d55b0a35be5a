package expr

// DifferenceOnly reports whether the slots a and b occur in n only as the
// difference of the two variables, so that n is stationary in that coordinate.
// It is structural: true is a proof; a formula that is stationary in disguise,
// like exp(x)*exp(-y), may be reported as false.
func DifferenceOnly(n *Node, a, b int) bool {
	found := map[*Node]bool{}
	var free func(m *Node) bool // a or b occurs in m outside of the difference
	free = func(m *Node) bool {
		if v, ok := found[m]; ok {
			return v
		}
		v := false
		switch {
		case m.op == OpVar:
			v = m.slot == a || m.slot == b
		case isDifference(m, a, b):
		default:
			for _, arg := range m.Args() {
				v = v || free(arg)
			}
		}
		found[m] = v
		return v
	}
	return !free(n)
}

// isDifference reports whether m is Var(a) - Var(b) or Var(b) - Var(a), up to
// the Neg that Sub keeps outside.
func isDifference(m *Node, a, b int) bool {
	if m.op != OpSub || m.args[0].op != OpVar || m.args[1].op != OpVar {
		return false
	}
	s, t := m.args[0].slot, m.args[1].slot
	return s == a && t == b || s == b && t == a
}

// EvenIn reports whether n is stationary in the coordinate pair (a, b), see
// [DifferenceOnly], and keeps its value when that difference changes sign.
// Structural: it follows signs through sums, products and functions.
func EvenIn(n *Node, a, b int) bool {
	return DifferenceOnly(n, a, b) &&
		parityOf(n, func(m *Node) bool { return isDifference(m, a, b) }) == evenParity
}

// parity says what a sign change of the flipped quantity does to a value.
type parity uint8

const (
	noParity   parity = iota // anything
	evenParity               // keeps the value; also: does not occur
	oddParity                // changes the sign
)

// parityOf finds the parity of n under a sign change of every node for which
// flips is true.
func parityOf(n *Node, flips func(*Node) bool) parity {
	found := map[*Node]parity{}
	var visit func(m *Node) parity
	visit = func(m *Node) parity {
		if p, ok := found[m]; ok {
			return p
		}
		var p parity
		if flips(m) {
			p = oddParity
		} else {
			var arg [3]parity
			for i, a := range m.Args() {
				arg[i] = visit(a)
			}
			p = parityRule(m, arg)
		}
		found[m] = p
		return p
	}
	return visit(n)
}

func parityRule(m *Node, arg [3]parity) parity {
	allEven, known := true, true
	for _, p := range arg[:m.op.Arity()] {
		allEven = allEven && p == evenParity
		known = known && p != noParity
	}
	if allEven {
		return evenParity
	}
	if !known {
		return noParity
	}
	switch m.op {
	case OpAdd, OpSub, OpWhere:
		// A condition must keep its value, the two branches agree.
		if m.op == OpWhere && arg[0] != evenParity {
			return noParity
		}
		last := m.op.Arity() - 1
		if arg[last] == arg[last-1] {
			return arg[last]
		}
	case OpMul, OpDiv:
		if arg[0] == arg[1] {
			return evenParity
		}
		return oddParity
	case OpPow:
		if m.args[1].IsConst() && isEven(m.args[1].value) {
			return evenParity
		}
		if m.args[1].IsConst() && isEven(m.args[1].value-1) {
			return oddParity
		}
	case OpAbs, OpCos, OpCosh, OpMatern, OpBesselK:
		return evenParity
	case OpNeg, OpSign, OpSin, OpTan, OpAsin, OpAtan, OpSinh, OpTanh:
		return oddParity
	}
	return noParity
}
