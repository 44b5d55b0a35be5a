package expr

// Degree returns the total degree of n as a polynomial in the given slots; ok
// is false if n is not one by its form (other slots may occur anywhere).
func Degree(n *Node, slots []int) (degree int, ok bool) {
	in := map[int]bool{}
	for _, s := range slots {
		in[s] = true
	}
	known := map[*Node]int{}
	for m := range walk(Simplify(n)) {
		known[m] = degreeRule(m, in, known)
		degree = known[m]
	}
	return max(degree, 0), degree >= 0
}

// notPolynomial stands for the degree of everything else.
const notPolynomial = -1

func degreeRule(m *Node, in map[int]bool, known map[*Node]int) int {
	if m.op == OpVar && in[m.slot] {
		return 1
	}
	var d [3]int
	constant := true
	for i, a := range m.Args() {
		d[i] = known[a]
		if d[i] == notPolynomial {
			return notPolynomial
		}
		constant = constant && d[i] == 0
	}
	if constant {
		return 0
	}
	switch m.op {
	case OpAdd, OpSub:
		return max(d[0], d[1])
	case OpNeg:
		return d[0]
	case OpMul:
		return d[0] + d[1]
	case OpDiv:
		if d[1] == 0 {
			return d[0]
		}
	case OpPow:
		if e := m.args[1]; e.IsConst() && isWhole(e.value) && e.value > 0 && e.value < 1e6 {
			return d[0] * int(e.value)
		}
	}
	return notPolynomial
}
