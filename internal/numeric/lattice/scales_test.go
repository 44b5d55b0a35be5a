package lattice

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The scale of a point and those of its images are the root of the mean of their weights, and lead back to each; where weights are the
// same but for rounding they are those roots.
func TestScalesAreMeansOverImages(t *testing.T) {
	at := []float64{0, .5, 1}
	for _, off := range []float64{0, 1e-14, 1e-10, 1e-3, .5} {
		weights := []float64{1, .7, 1 + off}
		x, y := mesh.Must(mesh.Scattered(at, 1, weights, "x")), mesh.Must(mesh.Scattered(at, 1, []float64{1, 1, 1}, "y"))
		l := testmain.Must(New(t.Context(), constraint.Flip{Names: []string{"x"}, About: .5}, x, y))(t)
		s, back := l.Scales()
		if (back == nil) != (off < 1e-12) {
			t.Errorf("weights that are off by %g: led back by %v", off, back)
		}
		for i := range s {
			own, mean := math.Sqrt(weights[i/3]), math.Sqrt((weights[i/3]+weights[2-i/3])/2)
			led := s[i]
			if back != nil {
				led *= back[i]
			}
			if !(math.Abs(s[i]-mean) <= 1e-13) || !(math.Abs(led-own) <= 1e-13) {
				t.Errorf("weights that are off by %g: point %d has %.15g, led back %.15g, want %.15g and %.15g", off, i, s[i], led, mean, own)
			}
		}
	}
}
