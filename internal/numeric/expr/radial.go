package expr

import "math"

// Radial is a formula that depends on pairs of coordinates through one scaled
// squared distance only:
//
//	n = Profile(t),  t = Σ_i ((p_i - q_i) / Scales[i])²
//
// Profile has t in slot 0 and no other variable.
type Radial struct {
	Scales  []float64
	Profile *Node
}

// FindRadial detects the radial form of n in the coordinate pairs {p_i, q_i}.
// n must use no other slots: bind parameters first. It is structural; the
// common factor of the scales is as n has it, so exp(-(x-u)²/(2 l²)) has scale
// 1 and profile exp(-t/(2 l²)).
func FindRadial(n *Node, pairs [][2]int) (r Radial, ok bool) {
	lag, ok := lagForm(n, pairs)
	if !ok || len(pairs) == 0 {
		return Radial{}, false
	}
	if len(pairs) == 1 {
		return radialInOne(lag, pairs[0][0])
	}
	d := radialFinder{slots: map[int]int{}}
	for i, p := range pairs {
		d.slots[p[0]] = i
	}
	for m := range walk(lag) {
		if w, _, ok := d.quadratic(m); ok {
			return d.substitute(lag, w)
		}
	}
	return Radial{}, false
}

// lagForm returns n as a function of the differences p_i - q_i, which take the
// slots p_i; ok if n is stationary in all pairs and uses nothing else.
func lagForm(n *Node, pairs [][2]int) (lag *Node, ok bool) {
	n = Simplify(n)
	known := map[int]bool{}
	origin := map[int]*Node{}
	for _, p := range pairs {
		if !DifferenceOnly(n, p[0], p[1]) {
			return nil, false
		}
		known[p[0]], known[p[1]] = true, true
		origin[p[1]] = Const(0)
	}
	for _, s := range Slots(n) {
		if !known[s] {
			return nil, false
		}
	}
	return Simplify(Substitute(n, origin)), true
}

// radialInOne: an even function of one difference d is a function of
// sqrt(d²).
func radialInOne(lag *Node, slot int) (Radial, bool) {
	if parityOf(lag, func(m *Node) bool { return m.op == OpVar && m.slot == slot }) != evenParity {
		return Radial{}, false
	}
	profile := Substitute(lag, map[int]*Node{slot: Sqrt(Var(0, "t"))})
	return Radial{Scales: []float64{1}, Profile: Simplify(profile)}, true
}

// radialFinder looks for one quadratic form in all coordinates.
type radialFinder struct {
	slots map[int]int // slot of a difference to its index
}

// quadratic splits a sum n = Σ w_i d_i² + rest, where every coordinate has a
// weight and all have the same sign; ok is false otherwise.
func (d *radialFinder) quadratic(n *Node) (weights []float64, rest *Node, ok bool) {
	if n.op != OpAdd && n.op != OpSub && n.op != OpNeg {
		return nil, nil, false
	}
	weights, rest = make([]float64, len(d.slots)), Const(0)
	var visit func(m *Node, sign float64)
	visit = func(m *Node, sign float64) {
		switch m.op {
		case OpAdd:
			visit(m.args[0], sign)
			visit(m.args[1], sign)
			return
		case OpSub:
			visit(m.args[0], sign)
			visit(m.args[1], -sign)
			return
		case OpNeg:
			visit(m.args[0], -sign)
			return
		}
		t := splitTerm(m)
		if b := t.body; b.op == OpPow && b.args[1].isConst(2) && b.args[0].op == OpVar {
			weights[d.slots[b.args[0].slot]] += sign * t.num / t.den
			return
		}
		rest = Add(rest, Mul(Const(sign), m))
	}
	visit(n, 1)
	for _, w := range weights {
		if !(w*weights[0] > 0) {
			return nil, nil, false
		}
	}
	return weights, rest, true
}

// substitute writes t for the quadratic form with the given weights, wherever
// a multiple of it occurs.
func (d *radialFinder) substitute(lag *Node, weights []float64) (Radial, bool) {
	t := Var(fresh(lag), "t")
	done := map[*Node]*Node{}
	var visit func(m *Node) *Node
	visit = func(m *Node) *Node {
		if r, ok := done[m]; ok {
			return r
		}
		var r *Node
		if w, rest, ok := d.quadratic(m); ok && proportional(w, weights) {
			r = Add(visit(rest), Mul(Const(w[0]/math.Abs(weights[0])), t))
		} else if m.op.arity() == 0 {
			r = m
		} else {
			var args [3]*Node
			for i, a := range m.Args() {
				args[i] = visit(a)
			}
			r = build(m.op, m.value, args)
		}
		done[m] = r
		return r
	}
	profile := visit(lag)
	for _, s := range Slots(profile) {
		if s != t.slot {
			return Radial{}, false
		}
	}
	scales := make([]float64, len(weights))
	for i, w := range weights {
		scales[i] = 1 / math.Sqrt(math.Abs(w))
	}
	profile = Substitute(profile, map[int]*Node{t.slot: Var(0, "t")})
	return Radial{Scales: scales, Profile: Simplify(profile)}, true
}

// proportional reports whether a is a multiple of b, to rounding.
func proportional(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]*b[0]-b[i]*a[0]) > 4e-16*math.Abs(a[i]*b[0]) {
			return false
		}
	}
	return true
}
