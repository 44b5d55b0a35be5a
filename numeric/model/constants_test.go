package model_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// The likelihood of data whose constant is made free afterwards is that of a fit whose constant is, by closed form: with
// white and other noise, and outputs that are missing.
func TestConstantsMadeFree(t *testing.T) {
	all := everything(t, 9, false, true)
	f, u := all.Fields[0], all.Outputs[0]
	for name, errors := range map[string]*dataset.Errors{"white": nil, "own": errorsOf(3, 9, u.Mesh.Size())} {
		d := testmain.Must(dataset.New(dataset.Spec{Input: f.Values, Output: u.Values, InputMesh: f.Mesh, OutputMesh: u.Mesh, Missing: true}))(t)
		d.Errors = errors
		s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: 1e-3, Rho: 2e-3, Tolerance: 1e-12, Intercept: fit.NoIntercept}
		e := testmain.Must(fit.Fit(t.Context(), s))(t)
		change := testmain.Must(model.Contrasts(t.Context(), e))(t)
		s.Intercept = fit.Flat
		want := *testmain.Must(fit.Fit(t.Context(), s))(t).Report.REML
		if got := *e.Report.REML + change; math.Abs(got-want) > 1e-7*math.Abs(want) || math.Abs(change) < .01 {
			t.Errorf("%s: %.12g, free from the start %.12g, penalised %.12g", name, got, want, *e.Report.REML)
		}
	}
}
