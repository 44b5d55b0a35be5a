package optimize_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/optimize"
	"github.com/greenbench/workbench/internal/testmain"
)

// curves are models as people fit them: parameters, how many of the last carry the unit of y
// besides the first, and the ends of x.
var curves = []struct {
	name   string
	f      func(x float64, p []float64) float64
	p      []float64
	linear int
	a, b   float64
}{
	{"line", func(x float64, p []float64) float64 { return p[0] + p[1]*x }, []float64{2, -0.3}, 1, -3, 5},
	{"exponential", func(x float64, p []float64) float64 { return p[0] * math.Exp(p[1]*x) }, []float64{1.5, 0.7}, 0, 0, 3},
	{"decay and offset", func(x float64, p []float64) float64 { return p[0]*math.Exp(-p[1]*x) + p[2] }, []float64{4, 1.3, 0.5}, 1, 0, 4},
	{"peak", func(x float64, p []float64) float64 { return p[0] * math.Exp(-(x-p[1])*(x-p[1])/2/p[2]/p[2]) }, []float64{3, 1.2, 0.8}, 0, -2, 4},
	{"logistic", func(x float64, p []float64) float64 { return p[0] / (1 + math.Exp(-p[1]*(x-p[2]))) }, []float64{5, 2, 0.7}, 0, -3, 4},
	{"Michaelis and Menten", func(x float64, p []float64) float64 { return p[0] * x / (p[1] + x) }, []float64{2.5, 0.6}, 0, 0.05, 5},
	{"power", func(x float64, p []float64) float64 { return p[0] * math.Pow(x, p[1]) }, []float64{2, 1.7}, 0, 0.1, 4},
	{"Lorentzian", func(x float64, p []float64) float64 { return p[0] / (1 + (x-p[1])*(x-p[1])/p[2]/p[2]) }, []float64{2, 0.4, 0.5}, 0, -3, 3},
}

// TestCurvesAsSciPy: curves with y in units from 1e-9 to 1e9, started from parameters that are
// good, a third off, three times off, and all 1, come to sums as low as those of SciPy's MINPACK
// but for a few that end in another valley; and where a search says that it has converged, the
// residuals are orthogonal to the derivatives.
func TestCurvesAsSciPy(t *testing.T) {
	testmain.Long(t)
	python := testmain.SciPy(t, `
import scipy.optimize, numpy, warnings
warnings.simplefilter("ignore")
def fit(x0):
    f = lambda p: numpy.array(ours(*p))
    r = scipy.optimize.leastsq(f, x0, full_output=True, xtol=1e-14, ftol=1e-14, gtol=0, maxfev=20000)
    return [float(numpy.sum(f(r[0])**2))]
`)
	random := rand.New(rand.NewPCG(20261123, 1))
	tried, higher := 0, 0
	for _, c := range curves {
		for _, unit := range []float64{1e-9, 1, 1e9} {
			const n = 25
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = c.a + (c.b-c.a)*float64(i)/(n-1)
				y[i] = unit * (c.f(x[i], c.p) + 0.02*random.NormFloat64())
			}
			model := func(p []float64) []float64 {
				r := make([]float64, n)
				for i := range r {
					r[i] = c.f(x[i], p) - y[i]
				}
				return r
			}
			f := optimize.Residuals{N: n, F: func(p, r []float64) error { copy(r, model(p)); return nil }}
			for _, off := range []float64{1.01, 1.33, 3, 0} {
				p0 := make([]float64, len(c.p))
				for k := range p0 {
					switch p0[k] = c.p[k] * off; {
					case off == 0:
						p0[k] = 1
					case k == 0 || k >= len(p0)-c.linear:
						p0[k] *= unit
					}
				}
				name := fmt.Sprintf("%s, unit %g, start %g", c.name, unit, off)
				fit, err := optimize.LeastSquares(t.Context(), f, p0, optimize.Options{})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				tried++
				if theirs := python.Call(model, fmt.Sprintf("fit(%s)", testmain.List(p0))); 2*fit.Cost > theirs[0]*(1+1e-6) {
					higher++
					t.Logf("%s: %.6g at %.4g (%v: %s), SciPy %.6g", name, 2*fit.Cost, fit.X, fit.Converged, fit.Message, theirs[0])
				}
				if a := angle(fit); fit.Converged && a > 1e-3 {
					t.Errorf("%s: the cosine with a derivative is %.2g (%s)", name, a, fit.Message)
				}
			}
		}
	}
	if t.Logf("%d fits, %d in another valley than SciPy's", tried, higher); higher > tried/20 {
		t.Error("more than one in 20")
	}
}

// angle is the largest cosine between the residuals and a column of the Jacobian.
func angle(fit *optimize.Fit) float64 {
	most, n := 0.0, len(fit.X)
	for j := range n {
		g, a, b := 0.0, 0.0, 0.0
		for i, r := range fit.Residuals {
			d := fit.Jacobian[i*n+j]
			g, a, b = g+r*d, math.Hypot(a, d), math.Hypot(b, r)
		}
		if g != 0 {
			most = max(most, math.Abs(g)/a/b)
		}
	}
	return most
}

// TestUndetermined: what has run away to where the curve does not change, variables that f has
// no use for or of which only the product counts, and derivatives that are wrong, are told, and
// an exponential in whatever unit is found from the start that people leave to the program.
func TestUndetermined(t *testing.T) {
	at := []float64{0, 1, 2, 3}
	search := func(x0 []float64, f func(x float64, p []float64) float64, y ...float64) (*optimize.Fit, []int) {
		r := optimize.Residuals{N: len(y), F: func(p, r []float64) error {
			for i := range r {
				r[i] = f(at[i], p) - y[i]
			}
			return nil
		}}
		fit, err := optimize.LeastSquares(t.Context(), r, x0, optimize.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, undetermined, err := fit.Covariance(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return fit, undetermined
	}
	exponential := curves[1].f
	for _, unit := range []float64{1e-9, 1e-3, 1, 1e3, 1e9} {
		fit, undetermined := search([]float64{1, 1}, exponential, unit, 2*unit, 4*unit)
		if !fit.Converged || undetermined != nil || math.Abs(fit.X[0]/unit-1) > 1e-9 || math.Abs(fit.X[1]-math.Ln2) > 1e-9 {
			t.Errorf("unit %g: %v, %v", unit, fit, undetermined)
		}
	}
	for _, c := range []struct {
		name         string
		x0           []float64
		f            func(x float64, p []float64) float64
		converged    bool
		undetermined []int
	}{
		{"run away", []float64{1, -1e4}, exponential, false, []int{1}},
		{"of no use", []float64{1, 1}, func(x float64, p []float64) float64 { return p[0] * x }, false, []int{1}},
		{"a product", []float64{1, 1, 1}, func(x float64, p []float64) float64 { return p[0]*p[1]*x + p[2] }, true, []int{0, 1}},
	} {
		fit, undetermined := search(c.x0, c.f, 1, 2, 4, 9)
		if fit.Converged != c.converged || !slices.Equal(undetermined, c.undetermined) {
			t.Errorf("%s: %+v, undetermined %v", c.name, fit, undetermined)
		}
	}
	wrong := optimize.Residuals{N: 2, F: func(x, r []float64) error { r[0], r[1] = x[0]-1, x[0]+1; return nil }, Jacobian: func(_, j []float64) error { j[0], j[1] = -1, -1.5; return nil }}
	if fit, err := optimize.LeastSquares(t.Context(), wrong, []float64{3}, optimize.Options{}); err != nil || fit.Converged {
		t.Errorf("wrong derivatives: %+v, %v", fit, err)
	}
}
