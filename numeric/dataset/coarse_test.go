package dataset_test

import (
	"math"
	"testing"

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
		c, err := d.Coarser(3)
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
