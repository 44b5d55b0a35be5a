package inweights

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// tooMany is a problem with ten per cent of noise, of more values than there is a matrix for by default.
func tooMany(t *testing.T, c constraint.Constraint, k kernel.Kernel, flat bool) *Problem {
	t.Helper()
	return tooManyWith(t, 0, c, k, flat)
}

// tooManyWith is the same, of which so many values are missing.
func tooManyWith(t *testing.T, missing int, c constraint.Constraint, k kernel.Kernel, flat bool) *Problem {
	t.Helper()
	d, rng := smooth(t, 36, 34), rand.New(rand.NewPCG(3, 4))
	noise := 0.1 * floats.Norm(d.Output.Data, 2) / math.Sqrt(float64(len(d.Output.Data)))
	for i := range d.Output.Data {
		d.Output.Data[i] += noise * rng.NormFloat64()
	}
	for k := range missing {
		d.Output.Data[17*k] = math.NaN()
	}
	d.Missing = missing > 0
	s := &problem.Setting{Data: d, Kernel: k, Bias: k, Constraint: c, Flat: flat}
	w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if w.matrixRows() <= problem.ToReport().Alone {
		t.Fatalf("%d values", w.matrixRows())
	}
	if err := w.precondition(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return &Problem{Space: w, setting: s}
}

// The criteria from random vectors are those of the matrix, to four of their standard errors each and to 1.5 of them as a
// root mean square, under all kinds of constraints and with a free constant.
func TestCriteriaFromRandomVectors(t *testing.T) {
	const rounding = 1e-6 // nats, and degrees of freedom
	sum, count := 0.0, 0
	for what, p := range map[string]*Problem{
		"time-invariant, smooth":       tooMany(t, constraint.TimeInvariant{Input: "x", Output: "y"}, kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, false),
		"time-invariant, rough":        tooMany(t, constraint.TimeInvariant{Input: "x", Output: "y"}, kernel.Exponential{Lengthscale: kernel.Lengthscale{.02}}, true),
		"symmetric, of a short length": tooMany(t, constraint.Symmetric{Names: []string{"x", "y"}}, kernel.SE{Lengthscale: kernel.Lengthscale{.03}}, true),
		"values are missing":           tooManyWith(t, 70, constraint.Symmetric{Names: []string{"x", "y"}}, kernel.Exponential{Lengthscale: kernel.Lengthscale{.2}}, true),
	} {
		for _, at := range []problem.Penalty{problem.At(1e-7, 1e-6), problem.At(1e-5, 3e-7), problem.At(1e-3, 3e-3)} {
			x := testmain.Must(p.Exact(t.Context(), math.MaxInt))(t)
			want, err := x.At(t.Context(), at.Lambda, at.Rho)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Measure(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			for name, v := range map[string][3]float64{
				"REML": {got.REML, want.REML, got.REMLErr}, "df": {got.EffectiveDF, want.EffectiveDF, got.DFError},
			} {
				off := math.Abs(v[0]-v[1]) - rounding
				if !(off <= 4*v[2]) || !(v[2] <= 8) {
					t.Errorf("%s, λ = %g: %s %.4f ± %.4f, want %.4f", what, at.Lambda, name, v[0], v[2], v[1])
				}
				if off > 0 && v[2] > rounding {
					sum, count = sum+off*off/(v[2]*v[2]), count+1
				}
			}
		}
	}
	if root := math.Sqrt(sum / float64(count)); !(root <= 1.5) || count < 6 {
		t.Errorf("root mean square of %d errors: %.2f standard errors", count, root)
	}
}

// λ and ρ of a growing space are where REML is least, by the matrix: within half a nat, for which the space would
// have to know the determinant at all ratios if it compared values.
func TestRatioOfAGrowingSpace(t *testing.T) {
	for what, p := range map[string]*Problem{
		"smooth":               tooMany(t, constraint.TimeInvariant{Input: "x", Output: "y"}, kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, false),
		"symmetric":            tooMany(t, constraint.Symmetric{Names: []string{"x", "y"}}, kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, true),
		"rough, with constant": tooMany(t, constraint.TimeInvariant{Input: "x", Output: "y"}, kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}, true),
	} {
		q := p.setting.SearchFor(criteria.REML, p)
		ch, err := p.Along(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		x := testmain.Must(p.Exact(t.Context(), math.MaxInt))(t)
		at := func(lambda, ratio float64) float64 {
			v, err := x.At(t.Context(), lambda, ratio*lambda)
			if err != nil {
				t.Fatal(err)
			}
			return v.REML
		}
		ratio := ch.Penalty.At(ch.Lambda) / ch.Lambda
		got, least := at(ch.Lambda, ratio), math.Inf(1)
		for _, f := range []float64{.05, .2, .5, 1, 2, 5, 20} {
			for _, g := range []float64{.3, .6, .8, 1, 1.25, 1.6, 3} {
				least = min(least, at(ch.Lambda*g, ratio*f))
			}
		}
		if !(got <= least+.5) {
			t.Errorf("%s: REML %.3f at λ = %g, ρ/λ = %g, and %.3f nearby", what, got, ch.Lambda, ratio, least)
		}
	}
}

// A zero of a derivative is found from either side, and ends where there is none.
func TestZeroNear(t *testing.T) {
	for what, c := range map[string]struct {
		at, lo, hi, want float64
		f                func(x float64) float64
	}{
		"below":          {0, -6, 6, -2.2, func(x float64) float64 { return x + 2.2 }},
		"above":          {0, -6, 6, 1.7, func(x float64) float64 { return math.Expm1(x - 1.7) }},
		"steep":          {0, -6, 6, 1.7, func(x float64) float64 { return math.Expm1(9 * (x - 1.7)) }},
		"there":          {1, -6, 6, 1, func(x float64) float64 { return x - 1 }},
		"falls for ever": {0, -3, 2, 2, func(float64) float64 { return -1 }},
		"rises for ever": {0, -3, 2, -3, func(float64) float64 { return 1 }},
		"at an end":      {2, -3, 2, 2, func(float64) float64 { return -1 }},
		"beyond an end":  {1.8, -3, 2, 2, func(x float64) float64 { return x - 2.2 }},
	} {
		calls := 0
		got, err := zeroNear(c.at, c.lo, c.hi, func(x float64) (float64, error) {
			if calls++; x < c.lo || x > c.hi {
				t.Errorf("%s: asked for %g", what, x)
			}
			return c.f(x), nil
		})
		if err != nil || !(math.Abs(got-c.want) <= ratioTo) || calls > 30 {
			t.Errorf("%s: %g after %d looks, want %g; %v", what, got, calls, c.want, err)
		}
	}
}
