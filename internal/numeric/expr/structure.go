package expr

// Evidence says how a property of a formula is known.
type Evidence uint8

const (
	// Refuted: the property does not hold, or could not be established.
	Refuted Evidence = iota
	// Observed: it holds at random points, to rounding. A condition that is
	// rarely met may hide an exception.
	Observed
	// Proven: it follows from the form of the formula.
	Proven
)

// String returns "no", "observed" or "proven".
func (e Evidence) String() string {
	return [...]string{"no", "observed", "proven"}[e]
}

// Stationary reports whether n depends on the slots a and b through their
// difference only: proven by [DifferenceOnly] on the simplified formula, or
// observed under random common shifts.
func Stationary(n *Node, a, b int) Evidence {
	if DifferenceOnly(Simplify(n), a, b) {
		return Proven
	}
	shift := Var(fresh(n), "shift")
	shifted := Substitute(n, map[int]*Node{a: Add(Var(a, ""), shift), b: Add(Var(b, ""), shift)})
	return observe(n, shifted)
}

// DifferenceOnly reports whether the slots a and b occur in n only as the
// difference of the two variables, so that n is stationary in that coordinate.
// It is structural: true is a proof, false is not a refutation.
func DifferenceOnly(n *Node, a, b int) bool {
	l := linearizer{a: a, b: b, known: map[*Node]linear{}}
	return l.of(n).stationary()
}

// linear is a formula as coefficient a times one variable plus coefficient b
// times the other plus a rest; fixed means that the rest is not stationary.
type linear struct {
	a, b  float64
	fixed bool
}

func (l linear) stationary() bool { return !l.fixed && l.a == -l.b }

type linearizer struct {
	a, b  int
	known map[*Node]linear
}

func (l *linearizer) of(n *Node) linear {
	if f, ok := l.known[n]; ok {
		return f
	}
	f := l.combine(n)
	l.known[n] = f
	return f
}

func (l *linearizer) combine(n *Node) linear {
	var arg [3]linear
	fixed := false
	for i, m := range n.Args() {
		arg[i] = l.of(m)
		fixed = fixed || arg[i].fixed
	}
	f := linear{fixed: fixed}
	switch {
	case n.op == OpVar && n.slot == l.a:
		f.a = 1
	case n.op == OpVar && n.slot == l.b:
		f.b = 1
	case n.op == OpAdd:
		f.a, f.b = arg[0].a+arg[1].a, arg[0].b+arg[1].b
	case n.op == OpSub:
		f.a, f.b = arg[0].a-arg[1].a, arg[0].b-arg[1].b
	case n.op == OpNeg:
		f.a, f.b = -arg[0].a, -arg[0].b
	case n.op == OpMul && n.args[0].IsConst():
		f.a, f.b = n.args[0].value*arg[1].a, n.args[0].value*arg[1].b
	case n.op == OpDiv && n.args[1].IsConst():
		f.a, f.b = arg[0].a/n.args[1].value, arg[0].b/n.args[1].value
	default:
		for _, g := range arg[:n.op.arity()] {
			f.fixed = f.fixed || !g.stationary()
		}
	}
	return f
}

// EvenIn reports whether n is stationary in the coordinate pair (a, b), see
// [DifferenceOnly], and keeps its value when that difference changes sign.
// Structural: it follows signs through sums, products and functions.
func EvenIn(n *Node, a, b int) bool {
	if !DifferenceOnly(n, a, b) {
		return false
	}
	// A function of a - b is the same function of a alone, at b = 0.
	lag := Substitute(n, map[int]*Node{b: Const(0)})
	return parityOf(lag, func(m *Node) bool { return m.op == OpVar && m.slot == a }) == evenParity
}

// Symmetric reports whether n keeps its value when the two points change
// places, slot p[i] with slot q[i]: proven if the simplified formulas are the
// same or n is even in all differences together, else observed at random
// points.
func Symmetric(n *Node, p, q []int) Evidence {
	swap := map[int]*Node{}
	origin := map[int]*Node{}
	differences := true
	for i := range p {
		swap[p[i]], swap[q[i]] = Var(q[i], ""), Var(p[i], "")
		origin[q[i]] = Const(0)
		differences = differences && DifferenceOnly(n, p[i], q[i])
	}
	swapped := Substitute(n, swap)
	if Equal(n, swapped) || Equal(Simplify(n), Simplify(swapped)) {
		return Proven
	}
	if differences {
		lag := Substitute(n, origin)
		if parityOf(lag, func(m *Node) bool { return m.op == OpVar && origin[m.slot] == nil && swap[m.slot] != nil }) == evenParity {
			return Proven
		}
	}
	return observe(n, swapped)
}

// fresh returns a slot that n does not use.
func fresh(n *Node) int {
	next := 0
	for _, s := range Slots(n) {
		next = max(next, s+1)
	}
	return next
}
