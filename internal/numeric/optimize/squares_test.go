package optimize_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/optimize"
)

type squaresProblem struct {
	name string
	n    int
	f    func(x, r []float64)
	x0   []float64
	cost []float64 // sums of squares at minima
}

// squaresProblems are least squares problems of Moré, Garbow and Hillstrom 1981, with the
// sums they give.
func squaresProblems() []squaresProblem {
	bard := []float64{0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39}
	ky := []float64{0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246}
	ku := []float64{4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625}
	meyer := []float64{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872}
	return []squaresProblem{
		{"Rosenbrock", 2, func(x, r []float64) { r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0] }, []float64{-1.2, 1}, []float64{0}},
		{"Freudenstein and Roth", 2, func(x, r []float64) {
			r[0] = -13 + x[0] + ((5-x[1])*x[1]-2)*x[1]
			r[1] = -29 + x[0] + ((x[1]+1)*x[1]-14)*x[1]
		}, []float64{0.5, -2}, []float64{0, 48.9842}},
		{"Powell badly scaled", 2, func(x, r []float64) {
			r[0], r[1] = 1e4*x[0]*x[1]-1, math.Exp(-x[0])+math.Exp(-x[1])-1.0001
		}, []float64{0, 1}, []float64{0}},
		{"Brown badly scaled", 3, func(x, r []float64) { r[0], r[1], r[2] = x[0]-1e6, x[1]-2e-6, x[0]*x[1]-2 }, []float64{1, 1}, []float64{0}},
		{"Jennrich and Sampson", 10, func(x, r []float64) {
			for i := range r {
				k := float64(i + 1)
				r[i] = 2 + 2*k - (math.Exp(k*x[0]) + math.Exp(k*x[1]))
			}
		}, []float64{0.3, 0.4}, []float64{124.362}},
		{"Bard", 15, func(x, r []float64) {
			for i, y := range bard {
				u, v := float64(i+1), float64(15-i)
				r[i] = y - (x[0] + u/(v*x[1]+min(u, v)*x[2]))
			}
		}, []float64{1, 1, 1}, []float64{8.21487e-3}},
		{"Kowalik and Osborne", 11, func(x, r []float64) {
			for i, y := range ky {
				u := ku[i]
				r[i] = y - x[0]*(u*u+u*x[1])/(u*u+u*x[2]+x[3])
			}
		}, []float64{0.25, 0.39, 0.415, 0.39}, []float64{3.07505e-4}},
		{"Meyer", 16, func(x, r []float64) {
			for i, y := range meyer {
				r[i] = x[0]*math.Exp(x[1]/(45+5*float64(i+1)+x[2])) - y
			}
		}, []float64{0.02, 4000, 250}, []float64{87.9458}},
		{"Powell singular", 4, func(x, r []float64) {
			r[0], r[1] = x[0]+10*x[1], math.Sqrt(5)*(x[2]-x[3])
			r[2], r[3] = (x[1]-2*x[2])*(x[1]-2*x[2]), math.Sqrt(10)*(x[0]-x[3])*(x[0]-x[3])
		}, []float64{3, -1, 0, 1}, []float64{0}},
		{"Box", 10, func(x, r []float64) {
			for i := range r {
				t := float64(i+1) / 10
				r[i] = math.Exp(-t*x[0]) - math.Exp(-t*x[1]) - x[2]*(math.Exp(-t)-math.Exp(-10*t))
			}
		}, []float64{0, 10, 20}, []float64{0}},
		{"Brown and Dennis", 20, func(x, r []float64) {
			for i := range r {
				t := float64(i+1) / 5
				a, b := x[0]+t*x[1]-math.Exp(t), x[2]+x[3]*math.Sin(t)-math.Cos(t)
				r[i] = a*a + b*b
			}
		}, []float64{25, 5, -5, -1}, []float64{85822.2}},
	}
}

func TestLeastSquares(t *testing.T) {
	for _, p := range squaresProblems() {
		f := optimize.Residuals{N: p.n, F: func(x, r []float64) error { p.f(x, r); return nil }}
		fit, err := optimize.LeastSquares(t.Context(), f, p.x0, optimize.Options{})
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		ok := false
		for _, c := range p.cost {
			ok = ok || math.Abs(2*fit.Cost-c) <= 1e-5*c+1e-14
		}
		t.Logf("%-22s %.6g, %d calls, %d iterations, x %v: %s", p.name, 2*fit.Cost, fit.Calls, fit.Iterations, fit.X, fit.Message)
		if !ok || !fit.Converged {
			t.Errorf("%s: %.8g (%s), want one of %v", p.name, 2*fit.Cost, fit.Message, p.cost)
		}
	}
}

// TestLeastSquaresInBounds: the minimum of Rosenbrock's function with x <= 0.5, and of a line
// whose slope may not be negative, both by calculus.
func TestLeastSquaresInBounds(t *testing.T) {
	inf := math.Inf(1)
	rosenbrock := squaresProblems()[0]
	f := optimize.Residuals{N: 2, F: func(x, r []float64) error { rosenbrock.f(x, r); return nil }}
	fit, err := optimize.LeastSquares(t.Context(), f, []float64{-1.2, 1}, optimize.Options{Lower: []float64{-inf, -inf}, Upper: []float64{0.5, inf}})
	if err != nil || !fit.Converged || fit.X[0] != 0.5 || math.Abs(fit.X[1]-0.25) > 1e-7 {
		t.Errorf("%+v %v", fit, err)
	}
	f = optimize.Residuals{N: 3, F: func(x, r []float64) error {
		for i := range r {
			r[i] = x[0] + x[1]*float64(i) - float64(5-i)
		}
		return nil
	}}
	fit, err = optimize.LeastSquares(t.Context(), f, []float64{1, 1}, optimize.Options{Lower: []float64{-inf, 0}, Upper: []float64{inf, inf}})
	if err != nil || !fit.Converged || fit.X[1] != 0 || math.Abs(fit.X[0]-4) > 1e-7 {
		t.Errorf("%+v %v", fit, err)
	}
}

// TestSolve: systems with known zeros, and one that has none.
func TestSolve(t *testing.T) {
	for _, unit := range []float64{1e-9, 1, 1e9} {
		circle := optimize.Residuals{N: 2, F: func(x, r []float64) error {
			a, b := x[0]/unit, x[1]/unit
			r[0], r[1] = a*a+b*b-4, a*b-1
			return nil
		}}
		fit, err := optimize.Solve(t.Context(), circle, []float64{2 * unit, 0})
		if want := math.Sqrt(2 + math.Sqrt(3)); err != nil || math.Abs(fit.X[0]/unit-want) > 1e-12 || math.Abs(fit.X[1]/unit-1/want) > 1e-12 {
			t.Errorf("%+v %v, want %g", fit, err, want)
		}
	}
	none := optimize.Residuals{N: 1, F: func(x, r []float64) error { r[0] = x[0]*x[0] + 1; return nil }}
	if _, err := optimize.Solve(t.Context(), none, []float64{3}); err == nil || !strings.Contains(err.Error(), "no zero found") {
		t.Errorf("x² + 1: %v", err)
	}
	fails := errors.New("no")
	if _, err := optimize.Solve(t.Context(), optimize.Residuals{N: 1, F: func(_, _ []float64) error { return fails }}, []float64{3}); !errors.Is(err, fails) {
		t.Errorf("an error became %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := optimize.Solve(stopped, none, []float64{3}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestSolveFromFar: however large f is at the start, what is returned is a zero, and where there
// is none that is said; in any units of x and f.
func TestSolveFromFar(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(x float64) float64
		zero []float64
	}{
		{"x² + 1", func(x float64) float64 { return x*x + 1 }, nil},
		{"exp(x) + 1", func(x float64) float64 { return math.Exp(x) + 1 }, nil},
		{"1/x", func(x float64) float64 { return 1 / x }, nil},
		{"cosh", math.Cosh, nil},
		{"exp(x) - 2", func(x float64) float64 { return math.Exp(x) - 2 }, []float64{math.Ln2}},
		{"x²", func(x float64) float64 { return x * x }, []float64{0}},
		{"(x - 1)³", func(x float64) float64 { return (x - 1) * (x - 1) * (x - 1) }, []float64{1}},
		{"x³ - x - 5", func(x float64) float64 { return x*x*x - x - 5 }, []float64{1.904160859134921}},
		{"twice 1 and 2, as a sum", func(x float64) float64 { return ((x-6)*x+13)*x*x - 12*x + 4 }, []float64{1, 2}},
	} {
		for _, start := range []float64{-30, -2.5, 3, 50} {
			for _, unit := range []float64{1e-9, 1, 1e9} {
				f := optimize.Residuals{N: 1, F: func(x, r []float64) error { r[0] = unit * unit * c.f(x[0]/unit); return nil }}
				fit, err := optimize.Solve(t.Context(), f, []float64{start * unit})
				if c.zero == nil {
					if err == nil {
						t.Errorf("%s from %g in units of %g: zero at %g", c.name, start, unit, fit.X)
					}
					continue
				}
				if err != nil {
					continue // said so
				}
				x := fit.X[0] / unit
				if !slices.ContainsFunc(c.zero, func(z float64) bool { return math.Abs(x-z) < 1e-4 }) {
					t.Errorf("%s from %g in units of %g: %g, want one of %g", c.name, start, unit, x, c.zero)
				}
			}
		}
	}
	steep := optimize.Residuals{N: 1, F: func(x, r []float64) error { r[0] = math.Exp(x[0]) - 2; return nil }}
	if fit, err := optimize.Solve(t.Context(), steep, []float64{50}); err != nil || math.Abs(fit.X[0]-math.Ln2) > 1e-12 {
		t.Errorf("exp(x) - 2 from 50: %+v %v", fit, err)
	}
}
