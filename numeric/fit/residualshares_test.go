package fit_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The share of its noise that a residual keeps is what a fit leaves of data that are zero but for that noise.
func TestResidualSharesAreThoseOfOneValue(t *testing.T) {
	const n = 5
	x := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	y := mesh.Must(mesh.Scattered([]float64{0, .3, .4, 1}, 1, []float64{1, 0, .5, 2}, "y"))
	same := mesh.Must(mesh.Uniform(0, 1, 4, "y"))
	weights := func(count int) []float64 {
		w := make([]float64, count)
		for i := range w {
			w[i] = math.Exp(math.Sin(float64(3 * i)))
		}
		return w
	}
	for name, c := range map[string]struct {
		y      mesh.Mesh
		s      fit.Spec
		errors *dataset.Errors
		holes  bool
	}{
		"white":     {y: y},
		"flat":      {y: y, s: fit.Spec{Intercept: fit.Flat}},
		"missing":   {y: y, s: fit.Spec{Intercept: fit.Flat}, holes: true},
		"no bias":   {y: y, s: fit.Spec{NoBias: true}, holes: true},
		"symmetric": {y: same, s: fit.Spec{Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}},
		"causal":    {y: same, s: fit.Spec{Constraint: constraint.Causal{Input: "x", Output: "y"}, Intercept: fit.Flat}, holes: true},
		"errors": {y: y, s: fit.Spec{Intercept: fit.Flat}, errors: &dataset.Errors{
			Pairs: weights(n), Points: weights(4), Values: &array.Array{Shape: []int{n, 4}, Data: weights(4 * n)},
		}, holes: true},
	} {
		d := *noise(t, n, x, c.y)
		d.Errors, d.Missing = c.errors, c.holes
		if c.holes {
			d.Output.Data[2], d.Output.Data[11] = math.NaN(), math.NaN()
		}
		s := c.s
		s.Data, s.Kernel, s.Lambda, s.Rho = &d, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, 1e-2, 1e-1
		r := testmain.Must(mustFit(t, s).Residuals(ctx))(t)
		got := r.Shares.RawMatrix().Data
		for i, v := range d.Output.Data {
			want, beside := 0.0, 0.0 // at the next point of the pair
			block, next := r.Block(ctx, i/4), i/4*4+(i+1)%4
			if w := c.y.Weights()[i%4]; w > 0 && !math.IsNaN(v) {
				one := d
				one.Output = d.Output.Copy()
				for j, v := range one.Output.Data {
					one.Output.Data[j] = 0 * v
				}
				one.Output.Data[i] = 1
				s.Data = &one
				e := testmain.Must(fit.Minimise(ctx, s))(t)
				in, _ := d.Matrices()
				u := testmain.Must(e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{}))(t).RawMatrix().Data
				want = 1 - u[i]
				if ratio := c.y.Weights()[next%4] / w; ratio > 0 && !math.IsNaN(d.Output.Data[next]) {
					if c.errors != nil {
						ratio *= c.errors.Points[next%4] / c.errors.Points[i%4] * c.errors.Values.Data[next] / c.errors.Values.Data[i]
					}
					beside = -u[next] * math.Sqrt(ratio)
				}
			}
			if !(math.Abs(got[i]-want) <= 1e-8) || !(math.Abs(block.At(i%4, i%4)-want) <= 1e-8) {
				t.Errorf("%s: value %d: %.10g and %.10g, by definition %.10g", name, i, got[i], block.At(i%4, i%4), want)
			}
			if off := block.At(next%4, i%4); !(math.Abs(off-beside) <= 1e-8) || !(math.Abs(off-block.At(i%4, next%4)) <= 1e-12) {
				t.Errorf("%s: value %d: %.10g beside it, by definition %.10g", name, i, off, beside)
			}
		}
	}
}
