package fit_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The λ and ρ that are chosen have a REML at least as low as those of a grid of numbers, in
// every unit of the inputs, with and without constraints, in the space of few data and of
// many.
func TestChosenLambdaBeatsAGrid(t *testing.T) {
	testmain.Long(t)
	for n, scales := range map[int][]float64{12: {1}, 30: {10, 1e5}} {
		m := mesh.Must(mesh.Uniform(0, 1, 16, "x"))
		clean := pairsOf(t, helmholtz(4, m), m, n, 3)
		noisy := testmain.Must(clean.Noise(.1, 5))(t)
		for _, scale := range scales {
			d := scaledInput(t, noisy, scale)
			for name, c := range map[string]constraint.Constraint{
				"none": nil, "symmetric": constraint.Symmetric{Names: []string{"x", "y"}}, "causal": constraint.Causal{Input: "x", Output: "y"},
			} {
				s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Constraint: c}
				e, err := fit.Fit(t.Context(), s)
				if err != nil {
					t.Fatalf("%s, %d pairs × %g: %v", name, n, scale, err)
				}
				best, at := math.Inf(1), 0.0
				for decade := -8.0; decade <= 2; decade += 2 {
					for _, ratio := range []float64{1e-3, 1, 1e3} {
						s.Lambda = scale * scale * math.Pow(10, decade)
						s.Rho, s.Intercept = ratio*math.Pow(10, decade), fit.Flat
						given, err := fit.Fit(t.Context(), s)
						if err != nil || given.Report.REML == nil {
							continue // lost in rounding
						}
						if v := *given.Report.REML; v < best {
							best, at = v, s.Lambda
						}
					}
				}
				if v := *e.Report.REML; !(v <= best+.1) {
					t.Errorf("%s, %d pairs × %g: chose lambda %.3g with reml %.3f, and %.3g has %.3f", name, n, scale, e.Report.Lambda, v, at, best)
				}
			}
		}
	}
}

func scaledInput(t *testing.T, d *dataset.Dataset, by float64) *dataset.Dataset {
	t.Helper()
	in := d.Input.Copy()
	for i := range in.Data {
		in.Data[i] *= by
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: in, Output: d.Output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh}))(t)
}
