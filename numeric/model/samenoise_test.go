package model_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// A model of one field whose noise has random curves is that of pairs, and as likely as the likeliest of these; white noise, which is
// curves of no size, is not likelier. Of curves and of white noise, with a loud value, and where there are no curves at all.
func TestRandomCurvesAsOfPairs(t *testing.T) {
	side := kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}
	k := kernel.Tensor{Input: side, Output: side}
	for seed := range uint64(6 / testmain.Stride(3)) {
		for _, c := range []struct{ coefficient, white float64 }{{.9, .1}, {0, 0}} {
			table, _ := noisy(t, 24, 7, c.coefficient, .3, seed)
			rng, u := rand.New(rand.NewPCG(seed, 9)), &table.Outputs[0]
			for i := range u.Values.Data {
				u.Values.Data[i] += c.white * .01 * rng.NormFloat64()
			}
			u.Values.Data[2*7+2] += .1
			f := table.Fields[0]
			d := testmain.Must(dataset.New(dataset.Spec{Input: f.Values, Output: u.Values, InputMesh: f.Mesh, OutputMesh: u.Mesh}))(t)
			for _, curve := range []kernel.Kernel{kernel.Exponential{Lengthscale: ell(.3)}, kernel.Matern{Nu: 1.5, Lengthscale: ell(.2)}} {
				reml := func(n noise.Choice) float64 {
					e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: table, Kernels: map[string]kernel.Kernel{"f": k}, Noise: n}))(t)
					r := e.Outputs[0].Report
					if n.Kind == noise.Curves && (r.NoiseOpen || strings.Contains(r.Advice, "leave-one-out")) { // of which leaving samples out and their degrees of freedom say nothing
						t.Errorf("seed %d, %v, %v: noise open %v, %s", seed, c, curve, r.NoiseOpen, r.Advice)
					}
					return *r.REML
				}
				curves := noise.Choice{Kind: noise.Curves, Kernel: curve}
				pairs := *testmain.Must(noise.Fit(t.Context(), fit.Spec{Data: d, Kernel: k}, curves))(t).Report.REML
				if got, white := reml(curves), reml(noise.Choice{}); !(got < pairs+.1) || !(got < white+.01) || math.IsNaN(pairs) {
					t.Errorf("seed %d, %v, %v: REML %.4f, of pairs %.4f, of white noise %.4f", seed, c, curve, got, pairs, white)
				}
			}
		}
	}
}
