package expr

import "math"

// findRoots fills in what the whole formula tells: its roots, and a slot that
// does not occur.
func (d *differ) findRoots(n *Node) {
	evenPowers := map[*Node][]*Node{}
	for m := range walk(n) {
		switch {
		case m.op == OpVar:
			d.fresh = max(d.fresh, m.slot+1)
		case m.op == OpSqrt && nonnegative(m.args[0]):
			d.roots[m.args[0]], d.powers[m.args[0]] = m, 2
		case m.op == OpPow && m.args[1].IsConst() && isEven(m.args[1].value):
			evenPowers[m.args[0]] = append(evenPowers[m.args[0]], m)
		}
	}
	for m := range walk(n) {
		if m.op == OpAbs {
			for _, p := range evenPowers[m.args[0]] {
				d.roots[p], d.powers[p] = m, p.args[1].value
			}
		}
	}
}

// The gate of a formula says through what it depends on the variable: nil if
// it does not; the node sqrt(S) or |u| if it is a function of that alone (and
// of other variables); ungated if neither.
var ungated = newNode(Node{op: OpVar, name: "ungated"})

func (d *differ) gate(n *Node) *Node {
	if g, ok := d.gates[n]; ok {
		return g
	}
	var g *Node
	for _, a := range n.Args() {
		switch h := d.gate(a); {
		case g == nil:
			g = h
		case h != nil && h != g:
			g = ungated
		}
	}
	switch {
	case n.op == OpVar && n.slot == d.slot:
		g = ungated
	case n.op == OpMatern && g != nil && rootFactor(n.args[0]):
		g = ungated // a smooth function of S itself
	}
	if g == ungated {
		switch {
		case n.op == OpAbs || n.op == OpSqrt && d.roots[n.args[0]] == n:
			g = n
		case d.roots[n] != nil:
			g = d.roots[n]
		}
	}
	d.gates[n] = g
	return g
}

// radial is the derivative of n = f(r), r = sqrt(S) or r = |u| and S = u²:
// h(r) S' with h(r) = f'(r)/(2r). At r = 0 the quotient is replaced by its
// Taylor polynomial
//
//	h(r) = (f2 + f3 r/2 + f4 r²/6) / 2,  fk the k-th derivative of f at 0,
//
// so that h itself can be differentiated there: twice, if f3 and f4 exist.
func (d *differ) radial(n, root *Node) *Node {
	t := Var(d.fresh, "r")
	by := map[*Node]*Node{root: t}
	for s, r := range d.roots {
		if r == root {
			by[s] = Pow(t, Const(d.powers[s]))
		}
	}
	slope := diffNested(replace(n, by), d.fresh, d.depth+1)
	at := func(n, r *Node) *Node { return Substitute(n, map[int]*Node{d.fresh: r}) }
	h := Simplify(Div(slope, Mul(Const(2), t)))
	if !finite(at(h, Const(0))) {
		cusp := !Simplify(at(slope, Const(0))).isConst(0)
		if cusp && root.op == OpAbs {
			return Mul(Mul(at(slope, root), Sign(root.args[0])), d.diff(root.args[0]))
		}
		value := Const(0)
		if !cusp && d.depth == 0 { // roots inside of roots would cost 4^depth
			value = d.taylor(slope, t)
		}
		h = Where(LE(t, Const(0)), value, h)
	}
	if root.op == OpAbs {
		u := root.args[0]
		return Mul(Mul(at(h, root), Mul(Const(2), u)), d.diff(u))
	}
	return Mul(at(h, root), d.diff(root.args[0]))
}

// maxTaylor bounds the formulas whose higher derivatives at 0 are worked out.
const maxTaylor = 300

// taylor is the polynomial above, as far as the derivatives of f at 0 exist.
func (d *differ) taylor(slope, t *Node) *Node {
	sum, power := Const(0), Const(0.5)
	for _, c := range []float64{1, 2, 6} {
		slope = diffNested(slope, d.fresh, d.depth+1)
		fk := Substitute(slope, map[int]*Node{d.fresh: Const(0)})
		if !finite(fk) {
			break
		}
		sum = Add(sum, Mul(Div(power, Const(c)), fk))
		power = Mul(power, t)
		if Size(slope) > maxTaylor {
			break
		}
	}
	return sum
}

// finite reports whether no number in n is infinite or NaN, and none is divided
// by zero.
func finite(n *Node) bool {
	for m := range walk(n) {
		if m.IsConst() && (math.IsInf(m.value, 0) || math.IsNaN(m.value)) || m.op == OpDiv && m.args[1].isConst(0) {
			return false
		}
	}
	return true
}

// replace puts by[m] for every occurrence of the node m in n. Nodes of n must
// be shared (see share), because m is found by its handle.
func replace(n *Node, by map[*Node]*Node) *Node {
	done := map[*Node]*Node{}
	var visit func(m *Node) *Node
	visit = func(m *Node) *Node {
		if r, ok := by[m]; ok {
			return r
		}
		if r, ok := done[m]; ok {
			return r
		}
		r := m
		if m.op.arity() > 0 {
			var args [3]*Node
			same := true
			for i, a := range m.Args() {
				args[i] = visit(a)
				same = same && args[i] == a
			}
			if !same {
				r = build(m.op, m.value, args)
			}
		}
		done[m] = r
		return r
	}
	return visit(n)
}

// share returns n with equal parts made into one node, so that handles compare
// as formulas do.
func share(n *Node) *Node {
	canonical := map[uint64][]*Node{}
	done := map[*Node]*Node{}
	for m := range walk(n) {
		c := *m
		for i, a := range m.Args() {
			c.args[i] = done[a]
		}
		for _, k := range canonical[m.hash] {
			if sameStep(k, &c) {
				done[m] = k
				break
			}
		}
		if done[m] == nil {
			done[m] = &c
			canonical[m.hash] = append(canonical[m.hash], &c)
		}
	}
	return done[n]
}

// sameStep reports whether two nodes with shared arguments are equal.
func sameStep(a, b *Node) bool {
	return a.op == b.op && a.slot == b.slot && a.args == b.args &&
		math.Float64bits(a.value) == math.Float64bits(b.value)
}

// nonnegative reports whether n is provably at least 0 wherever it is a
// number.
func nonnegative(n *Node) bool {
	a, b := n.args[0], n.args[1]
	switch n.op {
	case OpConst:
		return n.value >= 0
	case OpAbs, OpExp, OpSqrt, OpCosh, OpAcos, OpLT, OpLE, OpMatern, OpBesselK:
		return true
	case OpPow:
		return b.IsConst() && isEven(b.value) || nonnegative(a)
	case OpAdd, OpMul, OpDiv, OpMin:
		return nonnegative(a) && nonnegative(b)
	case OpMax:
		return nonnegative(a) || nonnegative(b)
	case OpWhere:
		return nonnegative(b) && nonnegative(n.args[2])
	case OpFloor, OpCeil:
		return nonnegative(a)
	case OpMod:
		return nonnegative(b)
	}
	return false
}
