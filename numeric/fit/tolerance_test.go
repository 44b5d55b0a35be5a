package fit_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Every route to an estimate has the same tolerance: the one that is asked for, or solve.DefaultTolerance. What is
// reported as converged has that residual, what has not is not, whatever solved for it: but for a direct solution of which rounding
// leaves more, where the objective is as near its minimum, by 3000 times the tolerance in the norm of G, as such a residual says.
func TestEveryRouteHasOneTolerance(t *testing.T) {
	rough := func(l float64) kernel.Kernel { return kernel.Exponential{Lengthscale: kernel.Lengthscale{l}} }
	line := small(t, 12, 14, 10, gauss, interval)
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	routes := map[string]fit.Spec{
		"separable":    {Data: line, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}},
		"rough":        {Data: line, Kernel: rough(.2)},
		"missing":      {Data: holes(t, line), Kernel: rough(.2)},
		"dense":        {Data: line, Kernel: rough(.2), Dense: true},
		"few samples":  {Data: noise(t, 2, interval(30), interval(30)), Kernel: rough(.05), Constraint: symmetric},
		"many samples": {Data: noise(t, 60, interval(12), interval(12)), Kernel: rough(.05), Constraint: symmetric},
	}
	for _, s := range systems(t) {
		routes["constrained: "+s.name] = fit.Spec{Data: s.d, Kernel: s.k, Constraint: s.c}
	}
	reached := 0
	for name, spec := range routes {
		for _, lambda := range []float64{1e-3, 1e-7} {
			for _, tolerance := range []float64{1e-14, 0, 1e-4} {
				spec.Lambda, spec.Tolerance = lambda, tolerance
				e, err := fit.Fit(ctx, spec)
				if err != nil {
					t.Fatal(fmt.Errorf("%s: %w", name, err))
				}
				want := tolerance
				if want == 0 {
					want = solve.DefaultTolerance
				}
				above := math.Inf(1)
				if _, text, ok := strings.Cut(e.Report.Reason, "of gmres reached"); ok {
					if _, text, ok = strings.Cut(text, "and the objective within "); ok {
						above = testmain.Must(strconv.ParseFloat(strings.Fields(text)[0], 64))(t)
					}
				}
				if r := e.Report; r.Converged != (r.Residual <= want || above <= 9e6*want*want) {
					t.Errorf("%s, λ=%g: residual %.3g at tolerance %g, converged %t: %s", name, lambda, r.Residual, want, r.Converged, r.Reason)
				}
				if e.Report.Converged {
					reached++
				}
			}
		}
	}
	if reached < len(routes)*4 { // at least two of the three tolerances are within reach of each
		t.Errorf("%d of %d fits converged", reached, 6*len(routes))
	}
}
