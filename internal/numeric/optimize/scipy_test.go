package optimize_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/optimize"
	"github.com/greenbench/workbench/internal/testmain"
)

// byScipy minimizes a function that also has its gradient: the least value and whether it says
// to have converged.
const byScipy = `
import scipy.optimize
def minimum(method, x0, bounds):
    if method == "L-BFGS":
        r = scipy.optimize.minimize(lambda x: (lambda v: (v[0], v[1:]))(ours(*x)), x0, jac=True, method="L-BFGS-B", bounds=bounds,
            options=dict(ftol=1e-16, gtol=1e-12, maxiter=20000, maxfun=10**6))
    else:
        r = scipy.optimize.minimize(lambda x: ours(*x)[0], x0, method="Nelder-Mead", bounds=bounds,
            options=dict(xatol=1e-9, fatol=1e-15, adaptive=True, maxiter=30000, maxfev=12000))
    return [r.fun, r.success, r.nfev]
`

// TestMinimizeAsSciPy: the problems of Moré, Garbow and Hillstrom, from the same points, and in
// boxes around them that cut most minima off, come to values as low as SciPy's L-BFGS-B and
// adaptive Nelder-Mead find for the very same functions.
func TestMinimizeAsSciPy(t *testing.T) {
	testmain.Long(t)
	python := testmain.SciPy(t, byScipy)
	solved := map[string][4]int{}
	for _, method := range []string{optimize.LBFGS, optimize.NelderMead} {
		for _, boxed := range []bool{false, true} {
			for _, p := range moreGarbowHillstrom {
				o := optimize.Options{Method: method, MaxIterations: 30000}
				bounds := "None"
				const many = 4 // variables from which on neither simplex has come to its end in a box
				if boxed && method == optimize.NelderMead && len(p.x0) > many {
					continue
				}
				if boxed {
					for _, x := range p.x0 {
						o.Lower, o.Upper = append(o.Lower, x-0.4*max(1, math.Abs(x))), append(o.Upper, x+0.3*max(1, math.Abs(x)))
					}
					bounds = fmt.Sprintf("list(zip(%s, %s))", testmain.List(o.Lower), testmain.List(o.Upper))
				}
				m, err := optimize.Minimize(t.Context(), objective(p.f), p.x0, o)
				if err != nil {
					t.Fatalf("%s by %s: %v", p.name, method, err)
				}
				ours := func(x []float64) []float64 {
					g := make([]float64, len(x)+1)
					g[0] = p.f.Func(x)
					if method == optimize.LBFGS {
						p.f.Grad(g[1:], x)
					}
					return g
				}
				theirs := python.Call(ours, fmt.Sprintf("minimum(%q, %s, %s)", method, testmain.List(p.x0), bounds))
				f0 := p.f.Func(p.x0)
				small := 1e-9 * max(1e-5, min(1, f0))
				t.Logf("%-22s %-12s box %-5v ours %.9g (%v, %d calls), SciPy's %.9g (%v, %.0f calls)", p.name, method, boxed, m.F, m.Converged, m.Calls, theirs[0], theirs[1] == 1, theirs[2])
				kind := fmt.Sprintf("%s, box %v", method, boxed)
				n := solved[kind]
				n[0]++
				switch tolerance := 1e-5*math.Abs(theirs[0]) + small; {
				case method == optimize.NelderMead && p.name == "Brown badly scaled": // TestMoreGarbowHillstrom says why
				case m.F > theirs[0]+tolerance || !m.Converged:
					t.Errorf("%s by %s, box %v: %.10g (%s), SciPy has %.10g", p.name, method, boxed, m.F, m.Message, theirs[0])
				case m.F < theirs[0]-tolerance:
					n[1]++
				}
				n[2] += m.Calls
				n[3] += int(theirs[2])
				solved[kind] = n
			}
		}
	}
	for kind, n := range solved {
		t.Logf("%s: %d problems, lower than SciPy's in %d; %d calls, SciPy %d", kind, n[0], n[1], n[2], n[3])
	}
}
