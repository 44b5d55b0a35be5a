package invalues

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// A positive semidefinite matrix is U Uᵀ, with as many columns as its rank is, but for what is rounding of its largest entry.
func TestLowRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	of := func(n, rank int) *mat.Dense {
		var a mat.Dense
		b := mat.NewDense(n, rank, linop.Normal(rng, n*rank))
		a.Mul(b, b.T())
		return &a
	}
	for what, c := range map[string]struct {
		a    *mat.Dense
		rank int
	}{
		"full":           {of(5, 5), 5},
		"of one":         {mat.NewDense(3, 3, []float64{4, 2, 6, 2, 1, 3, 6, 3, 9}), 1},
		"diagonal":       {mat.NewDense(3, 3, []float64{0, 0, 0, 0, 2, 0, 0, 0, 3}), 2},
		"just told":      {mat.NewDense(2, 2, []float64{1e-15, 0, 0, 1}), 2},
		"rounding":       {mat.NewDense(2, 2, []float64{1, 0, 0, 1e-17}), 1},
		"large, just so": {mat.NewDense(2, 2, []float64{1e8, 0, 0, 1e-7}), 2},
		"nothing":        {mat.NewDense(2, 2, nil), 1},
	} {
		u := lowRank(c.a)
		n, _ := c.a.Dims()
		if rows, rank := u.Dims(); rows != n || rank != c.rank {
			t.Errorf("%s: %d × %d, want a rank of %d", what, rows, rank, c.rank)
		}
		var again mat.Dense
		again.Mul(u, u.T())
		if again.Sub(&again, c.a); !(mat.Norm(&again, 2) <= 1e-14*mat.Norm(c.a, 2)) {
			t.Errorf("%s: off by %g", what, mat.Norm(&again, 2))
		}
	}
}
