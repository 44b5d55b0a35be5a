package model_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Draws of predictions of a model have its bands, and intervals of new observations hold about
// their share of outputs with correlated noise, also of the estimate of one operator alone;
// those without that noise hold far fewer.
func TestIntervalsWithCorrelatedNoise(t *testing.T) {
	d, _ := noisy(t, 24, 10, .9, .3, 1)
	length := kernel.Lengthscale{.3}
	est := testmain.Must(model.Fit(t.Context(), model.Spec{
		Data: d, Kernels: map[string]kernel.Kernel{"f": kernel.Matern{Nu: 2.5, Lengthscale: length}}, Noise: noise.Choice{Kind: noise.Curves, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.5}}},
	}))(t)
	o := est.Outputs[0]
	fresh, _ := noisy(t, 60, 10, .9, .3, 2)
	const n = 3000
	two := testmain.Must(fresh.Select([]int{0, 1}))(t)
	draws := testmain.Must(o.Draw(t.Context(), two, mesh.Mesh{}, n, 5))(t)
	mean := testmain.Must(o.Predict(t.Context(), two, mesh.Mesh{}))(t)
	std := testmain.Must(o.PredictStd(t.Context(), two, mesh.Mesh{}))(t)
	for j, s := range std.RawMatrix().Data {
		sum := 0.0
		for i := range n {
			v := draws.At(i, j) - mean.RawMatrix().Data[j]
			sum += v * v / n
		}
		if math.Abs(sum/(s*s)-1) > 5*math.Sqrt(2./n) {
			t.Errorf("draws have the standard deviation %g at %d, the band %g", math.Sqrt(sum), j, s)
		}
	}
	alone := testmain.Must(est.Alone())(t)
	f := testmain.Must(fresh.Fields[0].Values.Matrix())(t)
	u := testmain.Must(o.Predict(t.Context(), fresh, mesh.Mesh{}))(t)
	all := testmain.Must(o.Intervals(t.Context(), fresh, mesh.Mesh{}, fit.Interval{Level: .95, Observation: true}))(t)
	same := testmain.Must(alone.Intervals(t.Context(), f, mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: .95, Observation: true}))(t)
	in, mute := 0, 0
	for i, v := range fresh.Outputs[0].Values.Data {
		off, half := math.Abs(v-u.RawMatrix().Data[i]), all.RawMatrix().Data[i]
		if off <= half {
			in++
		}
		if off <= 1.96*std.At(0, 0) {
			mute++
		}
		if got := same.RawMatrix().Data[i]; math.Abs(got-half) > 1e-6*half {
			t.Fatalf("half width %g of the estimate, %g of the model", got, half)
		}
	}
	share := float64(in) / float64(len(u.RawMatrix().Data))
	if share < .88 || share > .995 || mute >= in {
		t.Errorf("intervals of observations hold %g of them", share)
	}
}
