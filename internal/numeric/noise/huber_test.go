package noise_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
)

// Outputs are cut off at ten standard deviations from the median of the pairs, of which the median
// distance is 0.6745, in all units and wherever zero is.
func TestOutputsAreTamed(t *testing.T) {
	nan := math.NaN()
	const one = 2 / .6745 // the median distance from 3 of 1, 2, 3, 5 and what is far off is 2
	for _, unit := range []float64{1, 1e-9, 1e9} {
		for _, zero := range []float64{0, 1000, -1000} {
			v, want := array.New(6, 2), []float64{1, 1, 2, nan, 3, 3, 5, 5, 3 + 10*one, 3 - 10*one, nan, 4}
			for i, x := range []float64{1, 1, 2, nan, 3, 3, 5, 5, 500, -500, nan, 4} {
				v.Data[i], want[i] = unit*(x+zero), unit*(want[i]+zero)
			}
			got := testmain.Must(noise.Tamed(v))(t)
			for i, x := range got.Data {
				if !(math.Abs(x-want[i]) <= 1e-9*unit) && !(math.IsNaN(x) && math.IsNaN(want[i])) {
					t.Errorf("(x + %g) × %g: value %d is %g, want %g", zero, unit, i, x, want[i])
				}
			}
		}
	}
}

// What is too far off for a loss is named: where it is, how far apart the others are, here 1.5/0.6745, and the pair to leave out.
func TestWhatIsTooFarOff(t *testing.T) {
	v := array.New(4, 3)
	for i := range v.Data {
		v.Data[i] = float64(i / 3)
	}
	v.Data[2*3+1] = 1e36
	want := "output[3][2] is 1e+36, and those of the other pairs there are about 2.22 apart: too far off for a loss; mark it as missing, NaN, or leave pair 3 out"
	if _, err := noise.Tamed(v); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
