package linop

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Diagonals that fall by eight orders of magnitude to a group of nearly the same values are made diagonal, though for these no
// shift is seen beside the largest value: sweeps for one of them are sweeps for all. The singular values are those that
// the Frobenius norm and the determinant, which rotations keep, allow.
func TestGradedDiagonals(t *testing.T) {
	for _, c := range []struct{ n, group int }{{60, 20}, {200, 60}, {474, 150}, {474, 30}} {
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 7))
			d, e := make([]float64, c.n), make([]float64, c.n)
			square, det := 0.0, 0.0
			for i := range d {
				d[i] = math.Pow(10, -7.7*math.Min(1, float64(i)/float64(c.n-c.group))) * (1 - .05*rng.Float64())
				if i > 0 {
					e[i-1] = .1 * d[i] * rng.NormFloat64()
				}
			}
			for i := range d {
				square += d[i]*d[i] + e[i]*e[i]
				det += math.Log(math.Abs(d[i]))
			}
			eye := func() simd.Matrix { return simd.Dense(c.n, c.n, Identity(c.n).RawMatrix().Data) }
			it := &bidiagonalQR{ctx: t.Context(), d: d, e: e, left: eye(), right: eye()}
			if err := it.run(); err != nil {
				t.Errorf("%d rows, a group of %d: %v", c.n, c.group, err)
				continue
			}
			for _, v := range d {
				square, det = square-v*v, det-math.Log(math.Abs(v))
			}
			if !(math.Abs(square) <= 1e-12) || !(math.Abs(det) <= 1e-5) {
				t.Errorf("%d rows, a group of %d: squares are off by %g, the logarithm of the determinant by %g", c.n, c.group, square, det)
			}
		}
	}
}
