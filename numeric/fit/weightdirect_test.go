package fit_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Few samples, a rough kernel and a small λ: there GMRES takes more iterations
// than there are data. The estimate is solved for directly then, to rounding, and
// is that of the dense route; a limit of the user's is kept, and said.
func TestConstrainedFewSamples(t *testing.T) {
	d := noise(t, 2, interval(30), interval(30))
	spec := fit.Spec{
		Data: d, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.05}},
		Constraint: constraint.Symmetric{Names: []string{"x", "y"}}, Lambda: 1e-7,
	}
	got := mustFit(t, spec)
	if r := got.Report; !r.Converged || r.Residual > 1e-12 || !strings.Contains(r.Reason, "direct, with the matrix of 60 data") {
		t.Errorf("residual %.1e, reason %q: want a direct solve", r.Residual, r.Reason)
	}
	dense := spec
	dense.Dense = true
	want := mustFit(t, dense)
	a, b := got.Report, want.Report
	close8(t, "objective and parts", []float64{a.Objective, a.MSE, a.GreenNorm2, a.BiasNorm2}, []float64{b.Objective, b.MSE, b.GreenNorm2, b.BiasNorm2})
	fine := interval(41)
	g := testmain.Must(got.Green(ctx, fine, fine))(t)
	w := testmain.Must(want.Green(ctx, fine, fine))(t)
	close8(t, "G", g.RawMatrix().Data, w.RawMatrix().Data)

	spec.MaxIterations = 5
	limited := testmain.Must(fit.Fit(ctx, spec))(t)
	if r := limited.Report; r.Converged || r.Iterations != 5 || r.Residual < 1e-9 {
		t.Errorf("with 5 iterations at most: converged %t after %d, residual %.1e", r.Converged, r.Iterations, r.Residual)
	}
}
