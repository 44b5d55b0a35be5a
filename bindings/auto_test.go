package bindings_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/fit"
)

// The call that a report prints makes the same fit: the same kernel and λ, and the same
// objective within the certificates of both.
func TestCallMakesTheSameFit(t *testing.T) {
	h := newHost(t)
	if _, err := h.Eval(t.Context(), "setup", `d = pde.poisson{mesh = mesh.uniform(0, 1, 16)}:sample{n = 12, input = {kernel = kernel.se{lengthscale = .1}, scale = 10}}:noise{level = .1} weights = array.linspace(1, 2, 12)`); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		`green.fit{data = d}`,
		`green.fit{data = d, kernel = "auto", bias = false}`,
		`green.fit{data = d, kernel = {kernel.se{lengthscale = .2}, kernel.matern{}}}`,
		`green.fit{data = d, kernel = {kernel.se{lengthscale = .2}, kernel.se{lengthscale = .4}}, constraint = {constraint.symmetric{"x", "y"}}, rho = 1e-3}`,
		`green.fit{data = d, kernel = kernel.se{lengthscale = .2}, criterion = "gcv"}`,
		`green.fit{data = d, kernel = kernel.se{lengthscale = .2}, weights = weights, noise = "auto"}`,
	} {
		first := value[*fit.Estimate](t, h, call)
		again := value[*fit.Estimate](t, h, first.Report.Call)
		a, b := first.Report, again.Report
		if first.Kernel.String() != again.Kernel.String() || a.Lambda != b.Lambda || a.Rho != b.Rho {
			t.Errorf("%s\n%s\nmakes %s, %g, %g, not %s, %g, %g", call, a.Call, again.Kernel, b.Lambda, b.Rho, first.Kernel, a.Lambda, a.Rho)
		}
		if d := math.Abs(a.Objective - b.Objective); d > a.Gap+b.Gap+1e-12*a.Objective {
			t.Errorf("%s: objectives %.15g and %.15g, gaps %.2g and %.2g", a.Call, a.Objective, b.Objective, a.Gap, b.Gap)
		}
		if b.Call != "" {
			t.Errorf("nothing was chosen, but the report says %s", b.Call)
		}
	}
}

// The call of noise that is found to be of the same variance for all values says so, as of white noise by lengths of the output says
// nothing; of other noise no call is written.
func TestCallSaysTheNoiseFound(t *testing.T) {
	h := newHost(t)
	if _, err := h.Eval(t.Context(), "setup", `d = pde.poisson{mesh = mesh.uniform(0, 1, 16)}:sample{n = 60, input = {kernel = kernel.se{lengthscale = .1}, scale = 10}}:noise{level = .3} weights = array.ones(60)`); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", ", weights = weights"} {
		call := `green.fit{data = d, kernel = kernel.se{lengthscale = .2}, noise = "auto"` + more + `}`
		first := value[*fit.Estimate](t, h, call)
		if !strings.HasSuffix(first.Report.Call, more+", noise = array.ones(16)}") {
			t.Fatalf("%s says %s\n%s", call, first.Report.Call, first.Report.Reason)
		}
		again := value[*fit.Estimate](t, h, first.Report.Call)
		if a, b := first.Weights.RawMatrix().Data, again.Weights.RawMatrix().Data; !floats.EqualApprox(a, b, 1e-6*floats.Norm(a, math.Inf(1))) {
			t.Errorf("%s makes another estimate", first.Report.Call)
		}
	}
	if e := value[*fit.Estimate](t, h, `green.fit{data = d, kernel = kernel.se{lengthscale = .2}, noise = "diagonal"}`); e.Report.Call != "" {
		t.Errorf("noise that varies: %s", e.Report.Call)
	}
}
