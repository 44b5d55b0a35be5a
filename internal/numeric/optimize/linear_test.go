package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/optimize"
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

// TestLinearUnits: units of variables and of conditions, each its own, and of the objective do
// not change what is found: random programs as they are, and in units from 1e-9 to 1e9.
func TestLinearUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 1123))
	unit := func() float64 { return math.Pow(10, float64(rng.IntN(19)-9)) }
	for k := range 200 {
		n, m := 1+rng.IntN(6), 1+rng.IntN(8)
		p, q := optimize.Program{C: make([]float64, n)}, optimize.Program{C: make([]float64, n)}
		columns, cost := make([]float64, n), unit()
		for j := range columns {
			columns[j] = unit()
			p.C[j] = rng.NormFloat64()
			q.C[j] = p.C[j] * columns[j] * cost
		}
		for range m {
			row, scaled, right, r := make([]float64, n), make([]float64, n), 3*rng.NormFloat64(), unit()
			for j := range row {
				row[j] = math.Round(3 * rng.NormFloat64())
				scaled[j] = row[j] * columns[j] * r
			}
			if rng.IntN(5) == 0 {
				p.Equal, p.EqualBound, q.Equal, q.EqualBound = append(p.Equal, row), append(p.EqualBound, right), append(q.Equal, scaled), append(q.EqualBound, right*r)
			} else {
				p.Upper, p.UpperBound, q.Upper, q.UpperBound = append(p.Upper, row), append(p.UpperBound, right), append(q.Upper, scaled), append(q.UpperBound, right*r)
			}
		}
		_, want, err := optimize.Linear(t.Context(), p)
		_, got, scaledErr := optimize.Linear(t.Context(), q)
		if !errors.Is(scaledErr, err) || err == nil && math.Abs(got/cost-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("program %d: %.10g, %v; in other units %.10g, %v", k, want, err, got/cost, scaledErr)
		}
	}
}
