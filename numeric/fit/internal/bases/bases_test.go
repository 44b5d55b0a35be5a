package bases

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The basis of each output axis is orthonormal and makes the weighted kernel of that axis diagonal, also where the axis is symmetric about
// its middle, with the lengthscale of its own coordinate; the roots of the weights are in what the kernel is seen by.
func TestBasesOfAxesAreEigenvectors(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 3, "x"))
	y := testmain.Must(mesh.Product(mesh.Must(mesh.Trapezoid([]float64{0, .1, .4, 1}, "u")), mesh.Must(mesh.Gauss(0, 2, 5, "v"))))(t)
	lengths := []float64{.3, .7, .2}
	v, scaled, err := OfOutput(t.Context(), kernel.SE{Lengthscale: lengths}, lattice.Space(x, y), lattice.Centre(x, y), y)
	if err != nil || len(v) != 2 || len(scaled) != 2 {
		t.Fatalf("%d and %d axes, %v", len(v), len(scaled), err)
	}
	for k, a := range y.Axes() {
		n := a.Size()
		form := mat.NewDense(n, n, nil)
		for i, p := range a.Coordinates {
			for j, q := range a.Coordinates {
				d := (p - q) / lengths[1+k]
				form.Set(i, j, math.Sqrt(a.Weights[i]*a.Weights[j])*math.Exp(-d*d/2))
			}
		}
		var turned, unit mat.Dense
		turned.Product(v[k].T(), form, v[k])
		unit.Mul(v[k].T(), v[k])
		for i := range n {
			for j := range n {
				if want := map[bool]float64{true: 1}[i == j]; math.Abs(unit.At(i, j)-want) > 1e-13 || i != j && math.Abs(turned.At(i, j)) > 1e-13 {
					t.Errorf("axis %d: entry %d, %d is %g of the basis, %g of the kernel", k, i, j, unit.At(i, j), turned.At(i, j))
				}
				if want := math.Sqrt(a.Weights[i]) * v[k].At(i, j); math.Abs(scaled[k].At(i, j)-want) > 1e-15 {
					t.Errorf("axis %d: entry %d, %d with the weights is %g, want %g", k, i, j, scaled[k].At(i, j), want)
				}
			}
		}
	}
}
