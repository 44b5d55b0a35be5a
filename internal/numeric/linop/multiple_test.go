package linop_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Singular values that are all the same, as of rotations, come in pairs, as of complex numbers
// written as real ones, or in clusters, are found: rounding leaves entries beside the diagonal
// that no sweep makes smaller.
func TestMultipleSingularValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 600 {
		n, scale := 2+trial%11, math.Exp(9*r.NormFloat64())
		a, largest := mat.NewDense(n, n, nil), 0.0
		for i := range n {
			v := [...]float64{1, float64(1 + i/2), 1 + 1e-15*float64(r.IntN(40))}[trial%3]
			largest = max(largest, v*scale)
			a.Set(i, i, v*scale)
		}
		turn(r, a.Set, a.At, n)
		turn(r, func(i, j int, v float64) { a.Set(j, i, v) }, func(i, j int) float64 { return a.At(j, i) }, n)
		u, values, v, err := linop.SVD(t.Context(), a)
		if err != nil {
			t.Errorf("trial %d, %d rows: %v", trial, n, err)
			continue
		}
		var us, back mat.Dense
		us.Mul(u, mat.NewDiagDense(n, values))
		back.Mul(&us, v.T())
		back.Sub(&back, a)
		if e := mat.Norm(&back, 2); !(e <= 1e-14*float64(n)*largest) || math.Abs(values[0]-largest) > 1e-14*float64(n)*largest {
			t.Errorf("trial %d, %d rows: U diag(s) Vᵀ is off by %.2g of %.2g", trial, n, e/largest, values[0]/largest)
		}
	}
}

// turn rotates pairs of rows.
func turn(r *rand.Rand, set func(i, j int, v float64), at func(i, j int) float64, n int) {
	for range 3 * n {
		i, j := r.IntN(n), r.IntN(n)
		if i == j {
			continue
		}
		s, c := math.Sincos(7 * r.Float64())
		for k := range n {
			x, y := at(i, k), at(j, k)
			set(i, k, c*x-s*y)
			set(j, k, s*x+c*y)
		}
	}
}
