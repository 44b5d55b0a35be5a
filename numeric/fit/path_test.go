package fit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Along a path the minimum at each λ is that of a fit of its own, and the
// objective falls with λ.
func TestPath(t *testing.T) {
	d := small(t, 20, 8, 5, gauss, interval)
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}
	reports := testmain.Must(fit.Path(ctx, fit.Spec{Data: d, Kernel: k}, []float64{1e-5, 1e-2, 1e-3}))(t)
	if len(reports) != 3 {
		t.Fatalf("%d reports", len(reports))
	}
	for i, r := range reports {
		want := mustFit(t, fit.Spec{Data: d, Kernel: k, Lambda: r.Lambda}).Report
		near(t, fmt.Sprintf("λ=%g", r.Lambda), []float64{r.Objective, r.MSE, *r.REML}, []float64{want.Objective, want.MSE, *want.REML})
		if i > 0 && !(r.Lambda < reports[i-1].Lambda && r.Objective < reports[i-1].Objective) {
			t.Errorf("λ %g then %g, objective %g then %g", reports[i-1].Lambda, r.Lambda, reports[i-1].Objective, r.Objective)
		}
	}
	if _, err := fit.Path(ctx, fit.Spec{Data: d, Kernel: k}, []float64{1, -1}); err == nil || !strings.Contains(err.Error(), "lambdas: -1: must be > 0") {
		t.Errorf("negative λ: %v", err)
	}
	for count, want := range map[int]string{0: "", 1: "landmarks 1: a path is made on all points", 9: "landmarks 9: a path is made on all points"} {
		_, err := fit.Path(ctx, fit.Spec{Data: d, Kernel: k, Landmarks: count}, []float64{1})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d landmarks: %v, want %q", count, err, want)
		}
	}
	if _, err := fit.Path(ctx, fit.Spec{Data: d, Kernel: k}, nil); err == nil || !strings.Contains(err.Error(), "at least one") {
		t.Errorf("no λ: %v", err)
	}
}

// With a prior, too; and a report of a path says all that one of a fit does.
func TestPathWithAPrior(t *testing.T) {
	d, k := small(t, 20, 8, 5, gauss, interval), kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}
	s := fit.Spec{Data: d, Kernel: k, Prior: mustFit(t, fit.Spec{Data: small(t, 5, 8, 5, gauss, interval), Kernel: k, Lambda: 1e-2})}
	reports := testmain.Must(fit.Path(ctx, s, []float64{1e-2, 1e-9}))(t)
	if len(reports) != 2 {
		t.Fatalf("%d reports", len(reports))
	}
	for _, r := range reports {
		s.Lambda = r.Lambda
		want := mustFit(t, s).Report
		near(t, fmt.Sprintf("λ=%g", r.Lambda), []float64{r.Objective, r.MSE, *r.Prior}, []float64{want.Objective, want.MSE, *want.Prior})
		if r.Advice != want.Advice {
			t.Errorf("λ=%g: advice %q along the path, %q alone", r.Lambda, r.Advice, want.Advice)
		}
	}
}

// Without noise and with independent inputs, least squares finds the matrix that
// made the outputs.
func TestNaiveRecoversAMatrix(t *testing.T) {
	m := interval(6)
	f := testmain.Must(randfield.Normal(1, 20, 6))(t)
	g := testmain.Must(randfield.Normal(2, 6, 6))(t)
	u := array.New(20, 6)
	for i := range 20 {
		for k := range 6 {
			for j, w := range m.Weights() {
				u.Data[i*6+k] += f.Data[i*6+j] * w * g.Data[j*6+k]
			}
		}
	}
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m}))(t)
	got := testmain.Must(fit.Naive(ctx, d))(t)
	near(t, "matrix", got.RawMatrix().Data, g.Data)
}
