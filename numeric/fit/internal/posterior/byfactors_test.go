package posterior

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What comes from the factors of a kernel is what products with it give: columns of the covariance of the data, covariances of
// values of G and of predictions with the directions of the data, and prior covariances of predictions, on the meshes of the
// data, scattered ones among them, and on others.
func TestFactorsAgreeWithProducts(t *testing.T) {
	ctx := t.Context()
	line, other := mesh.Must(mesh.Uniform(0, 1, 28, "x")), mesh.Must(mesh.Uniform(0, 1, 22, "y"))
	coarse := mesh.Must(mesh.Gauss(0, 1, 12, "x"))
	var points []float64
	for i := range 24 {
		points = append(points, math.Mod(float64(i)*.618, 1), math.Mod(float64(i)*.755, 1))
	}
	scattered := mesh.Must(mesh.Scattered(points, 2, nil, "a", "b"))
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}
	for name, c := range map[string]struct{ x, y, xs, ys mesh.Mesh }{
		"line":      {line, other, line, other},
		"coarse":    {line, other, coarse, other},
		"scattered": {scattered, scattered, scattered, scattered},
	} {
		for _, flat := range []bool{true, false} {
			s := spec{Data: smoothPairs(t, c.x, c.y, 9, false), Kernel: k, Lambda: 1e-6, Flat: flat}
			p := s.posterior(t)
			n, _ := p.a.Dims()
			agree := func(what string, got, want []float64) {
				t.Helper()
				if off := floats.Distance(got, want, math.Inf(1)); !(off <= 1e-10*floats.Norm(want, math.Inf(1))) {
					t.Errorf("%s, %s: off by %.2g of %.3g", name, what, off, floats.Norm(want, math.Inf(1)))
				}
			}
			column := p.columns()
			if column == nil && name == "scattered" {
				t.Fatalf("%s: no factors of the data", name)
			}
			for _, j := range []int{0, n / 2, n - 1} {
				if column == nil { // held otherwise
					break
				}
				unit, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
				unit[j] = 1
				p.a.Apply(ctx, want, unit)
				column(ctx, got, j)
				agree("column", got, want)
			}
			to := testmain.Must(gram.Cross(ctx, p.f, c.xs, c.ys, p.x, p.y))(t)
			weights := mat.NewDense(2, c.xs.Size(), nil)
			weights.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + j)) }, weights)
			for what, on := range map[string]targets{"values": {xs: c.xs, ys: c.ys}, "predictions": {xs: c.xs, ys: c.ys, weights: weights}} {
				bias := testmain.Must(p.biasBetween(ctx, on))(t)
				quick := testmain.Must(p.newFromFactors(ctx, to, on, bias))(t)
				if quick == nil && name == "scattered" {
					t.Fatalf("%s: no factors of the kernel", name)
				} else if quick == nil {
					continue
				}
				l := &leading{Directed: p.Regression.(problem.Directed)}
				for j := range n {
					l.at = append(l.at, j)
				}
				h := mat.NewDense(n, on.count()*c.ys.Size(), nil)
				if err := p.covariances(ctx, h, l, unfactored{to}, on, 0); err != nil {
					t.Fatal(err)
				}
				for _, j := range []int{0, n / 3, n - 1} {
					agree(what, quick.covariances(ctx, j).RawMatrix().Data, h.RawRowView(j))
				}
			}
			on := targets{xs: c.xs, ys: c.ys, weights: weights}
			row := testmain.Must(p.priorRows(ctx, on))(t)
			size := c.ys.Size()
			got := make([]float64, 2*size)
			prior := testmain.Must(p.priors(ctx, on))(t)
			for _, i := range []int{0, size / 2, 2*size - 1} {
				row(ctx, i, 0, 2, got)
				agree("prior", got[i:i+1], prior[i:i+1])
			}
		}
	}
}

// unfactored hides the factors of an operator.
type unfactored struct{ linop.Operator }
