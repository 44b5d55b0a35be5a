package ode_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/ode"
	"github.com/greenbench/workbench/internal/testmain"
)

const byScipy = `
import scipy.integrate
def last(method, end, y0, rtol, atol):
    r = scipy.integrate.solve_ivp(lambda t, y: ours(t, *y), (0, end), y0, method=method, rtol=rtol, atol=atol)
    return r.y[:, -1]
`

// TestAsSciPy: at the same tolerances the errors at the end are at most three times those of
// SciPy's method of the same name, and so are the calls, those for Jacobians with them: of the
// set of Hull and others by RK45 and DOP853, and of the two stiff problems by Radau.
func TestAsSciPy(t *testing.T) {
	testmain.Long(t)
	python := testmain.SciPy(t, byScipy)
	compare := func(p problem, method string, rel float64, want, scale []float64) {
		atol := make([]float64, len(scale))
		for i, v := range scale {
			atol[i] = rel / 1000 * v
		}
		s := solve(t, p, ode.Options{Method: method, Rel: rel, Abs: atol})
		f := func(x []float64) []float64 {
			d := make([]float64, len(x)-1)
			p.f(x[0], x[1:], d)
			return d
		}
		theirs := python.Call(f, fmt.Sprintf("last(%q, %g, %s, %g, %s)", method, p.end, testmain.List(p.y0), rel, testmain.List(atol)))
		off := func(y []float64) (worst float64) {
			for i, v := range want {
				worst = max(worst, math.Abs(y[i]-v)/scale[i])
			}
			return worst
		}
		ours, other := off(last(s)), off(theirs)
		t.Logf("%-11s %-5s %.0e: error / tolerance %8.2f, SciPy's %8.2f; calls %6d, SciPy's %6d: %.2f", p.name, method, rel, ours/rel, other/rel, s.Calls, python.Called, float64(s.Calls)/float64(python.Called))
		if ours > 2*other && ours > rel {
			t.Errorf("%s by %s at %g: the error is %.1e, SciPy's %.1e", p.name, method, rel, ours, other)
		}
		if s.Calls > 3*python.Called {
			t.Errorf("%s by %s at %g: %d calls, SciPy has %d", p.name, method, rel, s.Calls, python.Called)
		}
	}
	for _, p := range detest() {
		ref, scale := reference(t, p)
		for _, rel := range []float64{1e-3, 1e-6, 1e-9} {
			compare(p, ode.RK45, rel, last(ref), scale)
			if rel < 1e-3 { // in a few steps of order 8 errors are a matter of luck
				compare(p, ode.DOP853, rel, last(ref), scale)
			}
		}
	}
	for _, rel := range []float64{1e-3, 1e-6, 1e-9} {
		compare(problem{"Robertson", robertson, unit(3), 1e11}, ode.Radau, rel,
			[]float64{0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}, []float64{0.1, 3.6e-6, 0.1}) // TestStiffStays says why
		compare(problem{"van der Pol", vanDerPol, []float64{2, 0}, 2000}, ode.Radau, rel,
			[]float64{0.1706167732170483e1, -0.8928097010247975e-3}, []float64{2, 1300})
	}
}
