package prepare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Outputs of coarser data are some of the old ones; inputs have the same integrals with
// functions that are linear between the points that are left, on uniform, periodic and
// other axes, whether or not the number of points fits.
func TestCoarserDataKeepIntegrals(t *testing.T) {
	two, err := mesh.Product(mesh.Must(mesh.Uniform(0, 2, 12, "x")), mesh.Must(mesh.Uniform(1, 2, 9, "s")))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []mesh.Mesh{
		mesh.Must(mesh.Uniform(-1, 3, 13, "x")), mesh.Must(mesh.Uniform(0, 1, 12, "x")), mesh.Must(mesh.Gauss(0, 1, 11, "x")),
		mesh.Must(mesh.Periodic(0, 1, 12, "x")), two, mesh.Must(mesh.Scattered([]float64{0, .3, .9}, 1, nil, "x")),
	} {
		y := mesh.Must(mesh.Uniform(0, 1, 10, "y"))
		in, out := array.New(2, x.Size()), array.New(2, y.Size())
		for i := range in.Data {
			in.Data[i] = math.Sin(float64(i * i))
		}
		for i := range out.Data {
			out.Data[i] = float64(i)
		}
		d, err := dataset.New(dataset.Spec{Input: in, Output: out, InputMesh: x, OutputMesh: y})
		if err != nil {
			t.Fatal(err)
		}
		c, err := prepare.Coarser(d, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Output.Data; len(got) != 8 || got[1] != 3 || got[4] != 10 {
			t.Errorf("outputs %v: must be every third", got)
		}
		linear := func(p []float64) float64 {
			v := 2 + p[0]
			if len(p) > 1 {
				v *= 3 - p[1]
			}
			return v
		}
		if x.Axes()[0].Period > 0 {
			linear = func([]float64) float64 { return 1 }
		}
		integral := func(d *dataset.Dataset, row int) float64 {
			m, sum := d.InputMesh, 0.0
			p := make([]float64, m.Dim())
			for j, w := range m.Weights() {
				m.Point(p, j)
				sum += w * d.Input.Data[row*m.Size()+j] * linear(p)
			}
			return sum
		}
		for row := range 2 {
			if got, want := integral(c, row), integral(d, row); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s to %s: integral %.14g, must be %.14g", x, c.InputMesh, got, want)
			}
		}
	}
}

// Points that no pair has any more are left out, and nothing else.
func TestCurvesWithoutUnusedPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 6))
	d, err := dataset.NewCurves(dataset.CurvesSpec{Input: polynomials(rng, 9, 1, 1), Output: polynomials(rng, 9, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	some, err := d.Select([]int{2, 7})
	if err != nil {
		t.Fatal(err)
	}
	few, err := prepare.WithoutUnused(some)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.InputCurve(2).Points) + len(d.InputCurve(7).Points) - 2; few.InputMesh.Size() != n { // 0 and 1 are points of both
		t.Errorf("%d points, want %d", few.InputMesh.Size(), n)
	}
	for i, of := range []int{2, 7} {
		if a, b := few.OutputCurve(i), d.OutputCurve(of); !slices.Equal(a.Points, b.Points) || !slices.Equal(a.Values, b.Values) {
			t.Errorf("output %d has changed", of+1)
		}
		m, all := few.InputMesh.Size(), d.InputMesh.Size()
		got, want := floats.Dot(few.InputMesh.Weights(), few.Input.Data[i*m:(i+1)*m]), floats.Dot(d.InputMesh.Weights(), d.Input.Data[of*all:(of+1)*all])
		if math.Abs(got-want) > 1e-14 {
			t.Errorf("integral %g, want %g", got, want)
		}
	}
}
