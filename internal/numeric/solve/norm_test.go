package solve

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// Norms are those of gonum, for numbers whose squares are too large or too small, too.
func TestNorm2(t *testing.T) {
	for _, scale := range []float64{0, 1e-320, 1e-200, 1e-140, 1, 1e140, 1e200} {
		x := make([]float64, 1001)
		for i := range x {
			x[i] = scale * math.Sin(float64(i))
		}
		if got, want := norm2(x), floats.Norm(x, 2); !(math.Abs(got-want) <= 1e-14*want) {
			t.Errorf("scale %g: %g, want %g", scale, got, want)
		}
	}
	if v := norm2([]float64{1, math.NaN()}); !math.IsNaN(v) {
		t.Errorf("norm of what is no number is %g", v)
	}
	if v := norm2([]float64{1, math.Inf(-1)}); !math.IsInf(v, 1) {
		t.Errorf("norm of what is infinite is %g", v)
	}
}
