package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Of every problem the objective is least at the weights of the fit, its gradient is that
// of its values, and an estimate made from weights reports the value at them.
func TestObjective(t *testing.T) {
	times := mesh.Must(mesh.Uniform(0, 1, 8, ""))
	causal := constraint.List{constraint.Causal{Input: "x", Output: "y"}, constraint.TimeInvariant{Input: "x", Output: "y"}}
	d := pairs(t, interval(9), 7, 0.05, 3)
	for name, s := range map[string]fit.Spec{
		"plain":          {Data: d, Lambda: 1e-3},
		"chosen, flat":   {Data: d},
		"no bias":        {Data: d, Lambda: 1e-3, NoBias: true},
		"symmetric":      {Data: d, Lambda: 1e-3, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
		"time-invariant": {Data: noise(t, 6, times, times), Lambda: 1e-2, Rho: 1e-3, Constraint: causal},
		"missing":        {Data: holes(t, d), Lambda: 1e-3},
		"prior":          {Data: d, Lambda: 1e-3, Prior: mustFit(t, fit.Spec{Data: pairs(t, interval(9), 5, 0.05, 4), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}, Lambda: 1e-3})},
	} {
		s.Kernel = kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
		e := mustFit(t, s)
		o, err := e.Objective(ctx)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		green, bias := o.Sizes()
		w := make([]float64, green+bias)
		rng := rand.New(rand.NewPCG(5, 0))
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		value, slope, least := o.Value(ctx, w), o.Gradient(ctx, w), e.Report.Objective
		if !(value >= least-e.Report.Gap) {
			t.Errorf("%s: %g is below the minimum %g", name, value, least)
		}
		// With lags the weights of the quadrature are averaged over the images of a point.
		if at := o.Value(ctx, paperWeights(e, o)); !(math.Abs(at-least) <= 1e-9*least) && name != "time-invariant" {
			t.Errorf("%s: %.12g at the weights of the fit, which has %.12g", name, at, least)
		}
		made, err := o.Estimate(ctx, w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r := made.Report; !(math.Abs(r.Objective-value) <= 1e-10*value) || !(r.Objective-r.Gap <= least*(1+1e-12)) {
			t.Errorf("%s: the estimate has the objective %.15g and the gap %.3g; the value is %.15g, the minimum %.15g", name, r.Objective, r.Gap, value, least)
		}
		if none, err := o.Estimate(ctx, make([]float64, len(w))); err != nil || !(math.Abs(none.Report.Residual-1) <= 1e-14) {
			t.Errorf("%s: without weights nothing is solved, and the residual is %g (%v)", name, none.Report.Residual, err)
		}
		// The functional is quadratic, of which central differences are exact but for rounding.
		for range 5 {
			step := make([]float64, len(w))
			for i := range step {
				step[i] = rng.NormFloat64()
			}
			up, down := append([]float64(nil), w...), append([]float64(nil), w...)
			floats.Add(up, step)
			floats.Sub(down, step)
			want := (o.Value(ctx, up) - o.Value(ctx, down)) / 2
			if got := floats.Dot(slope, step); !(math.Abs(got-want) <= 1e-11*(value+math.Abs(want))*float64(len(w))) {
				t.Errorf("%s: slope %.15g, differences %.15g", name, got, want)
			}
		}
	}
}

// paperWeights are those of an estimate as its objective takes them: without the weights of
// the quadrature.
func paperWeights(e *fit.Estimate, o *fit.Objective) []float64 {
	_, _, x, y := o.GreenKernel()
	var w []float64
	for i, dx := range x.Weights() {
		for k, dy := range y.Weights() {
			w = append(w, e.Weights.At(i, k)/(dx*dy))
		}
	}
	if e.BiasWeights != nil {
		for k, dy := range e.OutputMesh.Weights() {
			w = append(w, e.BiasWeights[k]/dy)
		}
	}
	return w
}
