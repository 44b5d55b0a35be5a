package network

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestRidge: the normal equations are solved with their diagonal times 1 + λ, in whatever units the unknowns have; those of which
// there is nothing are zero.
func TestRidge(t *testing.T) {
	units, lambda := []float64{1, 1e6, 1e-6, 1}, 1e-3
	x := mat.NewDense(6, 4, nil)
	x.Apply(func(i, j int, _ float64) float64 {
		if j == 3 {
			return 0
		}
		return units[j] * math.Sin(float64(1+i*i+3*j))
	}, x)
	y := mat.NewDense(6, 2, nil)
	y.Apply(func(i, j int, _ float64) float64 { return math.Cos(float64(2*i + j)) }, y)
	ctx := t.Context()
	normal, right := linop.Product(ctx, x.T(), x), linop.Product(ctx, x.T(), y)
	p := &Propagator{}
	w := testmain.Must(p.ridge(ctx, normal, right, lambda))(t)
	var rest mat.Dense
	for i := range 3 {
		normal.Set(i, i, normal.At(i, i)*(1+lambda))
	}
	rest.Mul(normal, w)
	rest.Sub(&rest, right)
	for i := range 4 {
		for j := range 2 {
			if !(math.Abs(rest.At(i, j)) <= 1e-12*units[i]) || i == 3 && w.At(i, j) != 0 {
				t.Errorf("equation %d of %d is off by %g, the unknown %g", i, j, rest.At(i, j), w.At(i, j))
			}
		}
	}
	if p.Report.Unknowns != 8 || !(p.Report.Residual <= 1e-14) {
		t.Errorf("%d unknowns, to %g", p.Report.Unknowns, p.Report.Residual)
	}
}

// TestTimesOfRuns: steps go on beyond the times of the data, and may be fewer.
func TestTimesOfRuns(t *testing.T) {
	space, times := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Uniform(1, 2, 3, "t"))
	p := &Propagator{Space: space, Time: times}
	for steps, last := range map[int]float64{2: 2, 5: 3.5, 1: 1.5} {
		on := testmain.Must(p.Mesh(steps))(t)
		if a := on.Axes()[1]; on.Size() != 3*(steps+1) || a.Coordinates[0] != 1 || !(math.Abs(a.Coordinates[steps]-last) <= 1e-12) || a.Names[0] != "t" {
			t.Errorf("%d steps: times %v", steps, a.Coordinates)
		}
	}
}
