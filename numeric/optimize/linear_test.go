package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/numeric/optimize"
)

// TestLinear: programs whose solutions are known by hand; the cycling one is Beale's.
func TestLinear(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name  string
		p     optimize.Program
		value float64
		err   error
	}{
		{"corner", optimize.Program{C: []float64{-3, -5}, Upper: [][]float64{{1, 0}, {0, 2}, {3, 2}}, UpperBound: []float64{4, 12, 18}}, -36, nil},
		{"free", optimize.Program{C: []float64{-1, 4}, Upper: [][]float64{{-3, 1}, {1, 2}}, UpperBound: []float64{6, 4}, Low: []float64{-inf, -3}}, -22, nil},
		{"equal", optimize.Program{C: []float64{1, 2, 3}, Equal: [][]float64{{1, 1, 1}, {2, 2, 2}, {1, -1, 0}}, EqualBound: []float64{3, 6, 1}, High: []float64{1.5, inf, inf}}, 1.5 + 1 + 3, nil},
		{"only an upper bound", optimize.Program{C: []float64{-1}, Low: []float64{-inf}, High: []float64{7}}, -7, nil},
		{"Beale", optimize.Program{
			C: []float64{-0.75, 150, -0.02, 6}, Upper: [][]float64{{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}}, UpperBound: []float64{0, 0, 1},
		}, -0.05, nil},
		{"infeasible", optimize.Program{C: []float64{1}, Upper: [][]float64{{1}}, UpperBound: []float64{-1}}, 0, optimize.ErrInfeasible},
		{"unbounded", optimize.Program{C: []float64{-1, 0}, Upper: [][]float64{{0, 1}}, UpperBound: []float64{1}}, 0, optimize.ErrUnbounded},
	} {
		x, v, err := optimize.Linear(t.Context(), c.p)
		if !errors.Is(err, c.err) || math.Abs(v-c.value) > 1e-12 {
			t.Errorf("%s: %v %v %v, want %v", c.name, x, v, err, c.value)
		}
	}
}

// TestLinearIsOptimal: by duality. The solution of a random program fulfils the conditions,
// and the dual program, which bounds all of them, has the same value.
func TestLinearIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n, m := 1+rng.IntN(12), 1+rng.IntN(12)
		p := optimize.Program{C: make([]float64, n)}
		for j := range p.C {
			p.C[j] = rng.NormFloat64()
		}
		for range m {
			row := make([]float64, n)
			for j := range row {
				row[j] = math.Round(4 * rng.NormFloat64())
			}
			p.Upper, p.UpperBound = append(p.Upper, row), append(p.UpperBound, 3*rng.NormFloat64())
		}
		dual := optimize.Program{C: p.UpperBound, UpperBound: p.C}
		for j := range n {
			row := make([]float64, m)
			for i := range m {
				row[i] = -p.Upper[i][j]
			}
			dual.Upper = append(dual.Upper, row)
		}
		x, v, err := optimize.Linear(t.Context(), p)
		_, w, dualErr := optimize.Linear(t.Context(), dual)
		switch {
		case err == nil && dualErr == nil:
			if math.Abs(v+w) > 1e-8*(1+math.Abs(v)) {
				t.Errorf("primal %g, dual %g", v, -w)
			}
			for i, row := range p.Upper {
				sum := 0.0
				for j := range x {
					sum += row[j] * x[j]
				}
				if sum > p.UpperBound[i]+1e-9 {
					t.Errorf("condition %d: %g > %g", i, sum, p.UpperBound[i])
				}
			}
		case errors.Is(err, optimize.ErrUnbounded) && errors.Is(dualErr, optimize.ErrInfeasible),
			errors.Is(err, optimize.ErrInfeasible) && (errors.Is(dualErr, optimize.ErrUnbounded) || errors.Is(dualErr, optimize.ErrInfeasible)):
		default:
			t.Errorf("primal %v, dual %v", err, dualErr)
		}
	}
}
