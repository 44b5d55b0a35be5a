package dense_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// Least, greatest and norm are those that sorting and careful addition find, of any size and in any place.
func TestExtent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 23; n++ {
		for _, size := range []float64{1, 1e-200, 1e-310, 1e200, 1e307, 0} {
			x, norm := make([]float64, n), 0.0
			for i := range x {
				x[i] = size * rng.NormFloat64()
				norm = math.Hypot(norm, x[i])
			}
			least, greatest, got := dense.Extent(x)
			if least != slices.Min(x) || greatest != slices.Max(x) {
				t.Errorf("%v: from %g to %g", x, least, greatest)
			}
			if math.Abs(got-norm) > 1e-12*norm {
				t.Errorf("%v: norm %g, want %g", x, got, norm)
			}
		}
	}
}
