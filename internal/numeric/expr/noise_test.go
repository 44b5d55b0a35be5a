package expr

import (
	"math"
	"math/rand/v2"
)

// noisy evaluates n with every operation disturbed by a relative error of
// size eps. The spread of a few such values measures how far rounding may move
// n at this point, so that a test need not guess a tolerance for formulas that
// cancel.
func noisy(n *Node, vars []float64, eps float64, r *rand.Rand) float64 {
	known := map[*Node]float64{}
	for m := range walk(n) {
		switch m.op {
		case OpConst:
			known[m] = m.value
			continue
		case OpVar:
			known[m] = vars[m.slot]
			continue
		}
		var x [3]float64
		for i, a := range m.Args() {
			x[i] = known[a]
		}
		size := eps
		switch m.op { // as Program promises
		case OpMatern:
			size *= 10 + math.Sqrt(2*min(m.value, 50))*math.Abs(x[0])
		case OpBesselK:
			size *= 10 + math.Abs(x[0])
		}
		known[m] = apply(m.op, m.value, x[0], x[1], x[2]) * (1 + size*r.NormFloat64())
	}
	return known[n]
}

// spread returns the largest distance of several noisy values from the value
// itself; +Inf if one of them is not finite.
func spread(n *Node, vars []float64, eps float64, r *rand.Rand) float64 {
	exact := Eval(n, vars)
	worst := math.Abs(exact) * eps
	for range 6 {
		d := math.Abs(noisy(n, vars, eps, r) - exact)
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst
}
