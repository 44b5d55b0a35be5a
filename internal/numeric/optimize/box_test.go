package optimize_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/optimize"
)

// TestBoxesInAnyUnits: bowls in boxes that cut their minima off, each variable in a unit of its
// own, have the minimum that going to the best place along one variable after the other ends at.
func TestBoxesInAnyUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 11))
	for k := range 300 {
		n := 2 + k%3
		a, c, unit := make([]float64, n*n), make([]float64, n), make([]float64, n)
		low, high, start := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			c[i], unit[i] = rng.NormFloat64(), math.Pow(10, float64(rng.IntN(13)-6))
			low[i], high[i], start[i] = -0.5*unit[i], 0.7*unit[i], 0.1*unit[i]
			for j := range i {
				a[i*n+j] = 0.3 * rng.NormFloat64()
				a[j*n+i] = a[i*n+j]
			}
			a[i*n+i] = 3 + rng.Float64()
		}
		f := func(z []float64) float64 {
			sum := 0.0
			for i := range n {
				for j := range n {
					sum += (z[i]/unit[i] - c[i]) * a[i*n+j] * (z[j]/unit[j] - c[j])
				}
			}
			return sum
		}
		best := append([]float64(nil), start...)
		for range 300 {
			for i := range n {
				slope := 0.0
				for j := range n {
					if j != i {
						slope += a[i*n+j] * (best[j]/unit[j] - c[j])
					}
				}
				best[i] = min(max((c[i]-slope/a[i*n+i])*unit[i], low[i]), high[i])
			}
		}
		for _, method := range []string{optimize.LBFGS, optimize.NelderMead} {
			m, err := optimize.Minimize(t.Context(), optimize.Objective{F: func(z []float64) (float64, error) { return f(z), nil }}, start,
				optimize.Options{Method: method, Lower: low, Upper: high})
			if err != nil || !m.Converged || m.F > f(best)*(1+1e-8)+1e-12 {
				t.Errorf("bowl %d by %s: %+v, %v, want %g at %g", k, method, m, err, f(best), best)
			}
		}
	}
}

// TestFlatSimplex: a bowl for which the bounds press the simplex flat beside the minimum, which
// lies inside the box, in several units.
func TestFlatSimplex(t *testing.T) {
	for _, unit := range [][2]float64{{1e9, 1e6}, {1, 1}, {1e-9, 1}, {1, 1e6}, {1, 1e-6}} {
		f := func(z []float64) (float64, error) {
			a, b := z[0]/unit[0]-0.507175, z[1]/unit[1]+0.468824
			return (1+0.734003*0.734003)*a*a + (1+1.7361*1.7361)*b*b - 1.2*a*b*math.Tanh(0.739036), nil
		}
		m, err := optimize.Minimize(t.Context(), optimize.Objective{F: f}, []float64{0.1 * unit[0], 0.1 * unit[1]}, optimize.Options{
			Method: optimize.NelderMead, Lower: []float64{-0.5 * unit[0], -0.5 * unit[1]}, Upper: []float64{0.7 * unit[0], 0.7 * unit[1]},
		})
		if err != nil || !m.Converged || m.F > 1e-10 {
			t.Errorf("in units of %g: %+v, %v", unit, m, err)
		}
	}
}
