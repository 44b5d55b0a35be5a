package expr

import (
	"math"
	"math/rand/v2"
)

const (
	observedPoints    = 96
	observedTolerance = 1e-9
)

// observe compares two formulas at random points: in the unit cube, around it,
// and far from it, the same points every time. Points where neither is finite
// do not count; a third of them must.
func observe(n, m *Node) Evidence {
	slots := max(fresh(n), fresh(m))
	r := rand.New(rand.NewPCG(1, 2))
	vars := make([]float64, slots)
	compared, largest := 0, 0.0
	for i := range observedPoints {
		for s := range vars {
			switch i % 3 {
			case 0:
				vars[s] = r.Float64()
			case 1:
				vars[s] = r.NormFloat64()
			case 2:
				vars[s] = 5 * r.NormFloat64()
			}
		}
		a, b := Eval(n, vars), Eval(m, vars)
		if isFinite(a) != isFinite(b) {
			return Refuted
		}
		if !isFinite(a) {
			continue
		}
		compared++
		largest = max(largest, math.Abs(a))
		if math.Abs(a-b) > observedTolerance*max(math.Abs(a), math.Abs(b), 1e-6*largest) {
			return Refuted
		}
	}
	if compared < observedPoints/3 {
		return Refuted
	}
	return Observed
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
