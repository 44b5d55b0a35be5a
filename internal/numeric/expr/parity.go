package expr

// parity says what a sign change of some variables does to a value.
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
	for m := range walk(n) {
		if flips(m) {
			found[m] = oddParity
			continue
		}
		var arg [3]parity
		for i, a := range m.Args() {
			arg[i] = found[a]
		}
		found[m] = parityRule(m, arg)
	}
	return found[n]
}

func parityRule(m *Node, arg [3]parity) parity {
	allEven, known := true, true
	for _, p := range arg[:m.op.arity()] {
		allEven = allEven && p == evenParity
		known = known && p != noParity
	}
	switch {
	case allEven:
		return evenParity
	case !known:
		return noParity
	}
	switch m.op {
	case OpAdd, OpSub:
		if arg[0] == arg[1] {
			return arg[0]
		}
	case OpWhere:
		if arg[0] == evenParity && arg[1] == arg[2] {
			return arg[1]
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
