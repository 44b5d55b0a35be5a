package kernels

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestTrace: the trace of a part is the sum over its diagonal, point by point.
func TestTrace(t *testing.T) {
	x := mesh.Must(mesh.Scattered([]float64{0.1, 0.2, 0.7, 0.9, 0.4, 0.3}, 2, []float64{1, 0.5, 2}, "a", "b"))
	line := mesh.Must(mesh.Uniform(0, 1, 5, "y"))
	plane, err := mesh.Product(line, mesh.Must(mesh.Uniform(-1, 2, 3, "z")))
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range []mesh.Mesh{line, plane} {
		checkTrace(t, x, y)
	}
}

func checkTrace(t *testing.T, x, y mesh.Mesh) {
	t.Helper()
	linear := kernel.Scaled{Factor: 3, Kernel: kernel.Product{Factors: []kernel.Kernel{OnCoordinate{Kernel: kernel.Linear{}, At: 0}, OnCoordinate{Kernel: kernel.Linear{}, At: 2}}}}
	for _, k := range []kernel.Kernel{linear, kernel.Tensor{Input: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Output: kernel.Linear{}}} {
		sum := DirectSum{Parts: []Summand{{Kernel: k, On: x}}, Output: y}
		f, err := Compile(k, sum.Space(0))
		if err != nil {
			t.Fatal(err)
		}
		want, at := 0.0, make([]float64, 2+y.Dim())
		for i, v := range x.Weights() {
			x.Point(at[:2], i)
			for j, w := range y.Weights() {
				y.Point(at[2:], j)
				want += v * w * f.At(at, at)
			}
		}
		got, err := sum.Trace(0)
		if err != nil || !(math.Abs(got-want) <= 1e-14*want) || want == 0 {
			t.Errorf("%s: %g, want %g: %v", k, got, want, err)
		}
	}
}
