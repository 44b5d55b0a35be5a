package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The error that cross-validation reports is that of fits without every fifth pair at
// 5/4 of the λ it chose, and twice or half that λ is worse: without and with a
// constraint, with missing outputs, for fewer pairs than folds.
func TestCrossValidation(t *testing.T) {
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	noisy := coarse(t, load(t, "helmholtz", "u_noise20", 20))
	for name, s := range map[string]fit.Spec{
		"plain":       {Data: noisy},
		"symmetric":   {Data: noisy, Constraint: symmetric},
		"missing":     {Data: holes(t, noisy)},
		"three pairs": {Data: testmain.Must(noisy.Select([]int{0, 1, 2}))(t)},
	} {
		s.Kernel = kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
		s.Criterion = fit.CV
		e := mustFit(t, s)
		folds := min(5, s.Data.N())
		s.Intercept = fit.Flat
		at := func(factor float64) float64 {
			s.Rho = factor * e.Report.Rho * float64(folds) / float64(folds-1)
			return leftOut(t, s, folds, factor*e.Report.Lambda*float64(folds)/float64(folds-1))
		}
		chosen := at(1)
		if e.Report.Criterion != "cv" || !(math.Abs(chosen / *e.Report.CV - 1) <= 1e-6) {
			t.Errorf("%s: criterion %s, error %.8g, by fits without the pairs %.8g", name, e.Report.Criterion, *e.Report.CV, chosen)
		}
		if least := min(at(.5), at(2)); !(least >= chosen) {
			t.Errorf("%s: error %.6g at λ = %.3g, and %.6g at half or twice that", name, chosen, e.Report.Lambda, least)
		}
	}
	one := fit.Spec{Data: testmain.Must(noisy.Select([]int{0}))(t), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Criterion: fit.CV}
	if _, err := fit.Fit(ctx, one); err == nil || !strings.Contains(err.Error(), "needs at least 2; there is 1") {
		t.Errorf("one pair: %v", err)
	}
}

// coarse takes every fourth point of the meshes of a dataset.
func coarse(t *testing.T, d *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	var every []int
	for i := 0; i < d.InputMesh.Size(); i += 4 {
		every = append(every, i)
	}
	m := mesh.Must(mesh.Uniform(0, 1, len(every), ""))
	f := testmain.Must(arrays.Take(d.Input, 1, every))(t)
	u := testmain.Must(arrays.Take(d.Output, 1, every))(t)
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m}))(t)
}

// leftOut is the mean over all pairs of the squared error of fits without them.
func leftOut(t *testing.T, s fit.Spec, folds int, lambda float64) float64 {
	t.Helper()
	d, sum := s.Data, 0.0
	s.Lambda = lambda
	for k := range folds {
		var in []int
		for i := range d.N() {
			if i%folds != k {
				in = append(in, i)
			}
		}
		s.Data = testmain.Must(d.Select(in))(t)
		e := mustFit(t, s)
		f := testmain.Must(d.Input.Matrix())(t)
		u := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		for i := k; i < d.N(); i += folds {
			for j, w := range d.OutputMesh.Weights() {
				if v := d.Output.At(i, j) - u.At(i, j); !math.IsNaN(v) {
					sum += w * v * v
				}
			}
		}
	}
	return sum / float64(d.N())
}

// A λ that rounding swallows is refused for that reason, and the one that is suggested
// can be solved for; a kernel that is no kernel is refused for its own.
func TestLambdaLostInRounding(t *testing.T) {
	d := load(t, "helmholtz", "u", 100)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
	_, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: k, Lambda: 1e-17})
	if err == nil || !strings.Contains(err.Error(), "lambda 1e-17: is lost in rounding") || !strings.Contains(err.Error(), "about 1e-13") {
		t.Fatalf("got %v", err)
	}
	if e := mustFit(t, fit.Spec{Data: d, Kernel: k, Lambda: 1e-13}); !e.Report.Converged {
		t.Errorf("λ = 1e-13: residual %.1e", e.Report.Residual)
	}
}
