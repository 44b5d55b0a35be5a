package kernels

import (
	"math"
	"slices"
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

// Points of a union are those of its parts, after the number of the part and before zeros for coordinates that others have,
// with their own weights; names are as many as coordinates.
func TestUnionsOfMeshes(t *testing.T) {
	line := mesh.Must(mesh.Trapezoid([]float64{1, 2, 4}, "x"))
	plane, err := mesh.Product(mesh.Must(mesh.Trapezoid([]float64{5, 7}, "x")), mesh.Must(mesh.Trapezoid([]float64{6, 9}, "y")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		parts   []mesh.Mesh
		points  [][]float64
		weights []float64
	}{
		{[]mesh.Mesh{line}, [][]float64{{0, 1}, {0, 2}, {0, 4}}, []float64{.5, 1.5, 1}},
		{
			[]mesh.Mesh{line, plane},
			[][]float64{{0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {1, 5, 6}, {1, 5, 9}, {1, 7, 6}, {1, 7, 9}},
			[]float64{.5, 1.5, 1, 1.5, 1.5, 1.5, 1.5},
		},
	} {
		k := DirectSum{Output: line}
		for _, m := range c.parts {
			k.Parts = append(k.Parts, Summand{On: m})
		}
		union, err := k.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		d := len(c.points[0])
		if union.Size() != len(c.points) || union.Dim() != d || len(union.Names()) != d || union.Names()[0] != PartName {
			t.Fatalf("%d points of %d coordinates %v, want %d of %d", union.Size(), union.Dim(), union.Names(), len(c.points), d)
		}
		for i, want := range c.points {
			at := make([]float64, d)
			if union.Point(at, i); !slices.Equal(at, want) || !(math.Abs(union.Weights()[i]-c.weights[i]) <= 1e-14) {
				t.Errorf("point %d is %v of weight %g, want %v of %g", i, at, union.Weights()[i], want, c.weights[i])
			}
		}
	}
}
