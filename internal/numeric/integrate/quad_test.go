package integrate_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/integrate"
)

// si is (Si(100π) - Si(10π))/π, with SciPy's sici.
const si = 0.009098637539166883

// classic are integrals with known values, from the collections on which programs for
// quadrature are compared (Kahaner 1971; QUADPACK; Bailey, Jeyabalan and Li 2005), in
// closed form.
var classic = []struct {
	name  string
	f     func(x float64) float64
	a, b  float64
	value float64
}{
	{"exp x", math.Exp, 0, 1, math.E - 1},
	{"step", func(x float64) float64 { return b2f(x >= 0.3) }, 0, 1, 0.7},
	{"sqrt x", math.Sqrt, 0, 1, 2.0 / 3},
	{"cosh mixed", func(x float64) float64 { return 23.0/25*math.Cosh(x) - math.Cos(x) }, -1, 1, 46.0/25*math.Sinh(1) - 2*math.Sin(1)},
	{"1/(x⁴+x²+0.9)", func(x float64) float64 { return 1 / (x*x*x*x + x*x + 0.9) }, -1, 1, 1.582232963729673},
	{"x sqrt x", func(x float64) float64 { return x * math.Sqrt(x) }, 0, 1, 0.4},
	{"1/sqrt x", func(x float64) float64 { return 1 / math.Sqrt(x) }, 0, 1, 2},
	{"1/sqrt(1-x)", func(x float64) float64 { return 1 / math.Sqrt(1-x) }, 0, 1, 2},
	{"1/(1+x⁴)", func(x float64) float64 { return 1 / (1 + x*x*x*x) }, 0, 1, (math.Pi + 2*math.Log(1+math.Sqrt2)) / (4 * math.Sqrt2)},
	{"2/(2+sin 10πx)", func(x float64) float64 { return 2 / (2 + math.Sin(10*math.Pi*x)) }, 0, 1, 2 / math.Sqrt(3)},
	{"1/(1+e^x)", func(x float64) float64 { return 1 / (1 + math.Exp(x)) }, 0, 1, 1 + math.Ln2 - math.Log(1+math.E)},
	{"x/(e^x-1)", func(x float64) float64 { return x / math.Expm1(x) }, 0, 1, 0.777504634112248},
	{"sin 100πx/πx", func(x float64) float64 { return math.Sin(100*math.Pi*x) / (math.Pi * x) }, 0.1, 1, si},
	{"narrow gauss", func(x float64) float64 { return math.Sqrt(50) * math.Exp(-50*math.Pi*x*x) }, 0, 10, 0.5},
	{"25 e^-25x", func(x float64) float64 { return 25 * math.Exp(-25*x) }, 0, 10, 1 - math.Exp(-250)},
	{"50/(π(2500x²+1))", func(x float64) float64 { return 50 / (math.Pi * (2500*x*x + 1)) }, 0, 10, math.Atan(500) / math.Pi},
	{"log x", math.Log, 0, 1, -1},
	{"log x / sqrt x", func(x float64) float64 { return math.Log(x) / math.Sqrt(x) }, 0, 1, -4},
	{"x^-0.9", func(x float64) float64 { return math.Pow(x, -0.9) }, 0, 1, 10},
	{"|x-1/3|^(1/3)", func(x float64) float64 { return math.Cbrt(math.Abs(x - 1.0/3)) }, 0, 1, 0.75 * (math.Pow(1.0/3, 4.0/3) + math.Pow(2.0/3, 4.0/3))},
	{"log log corner", func(x float64) float64 { return math.Log(x) * math.Log(1-x) }, 0, 1, 2 - math.Pi*math.Pi/6},
	{"gauss on the line", func(x float64) float64 { return math.Exp(-x * x) }, math.Inf(-1), math.Inf(1), math.Sqrt(math.Pi)},
	{"e^-x", func(x float64) float64 { return math.Exp(-x) }, 0, math.Inf(1), 1},
	{"1/(1+x²)", func(x float64) float64 { return 1 / (1 + x*x) }, math.Inf(-1), math.Inf(1), math.Pi},
	{"x^-1/2 e^-x", func(x float64) float64 { return math.Exp(-x) / math.Sqrt(x) }, 0, math.Inf(1), math.Sqrt(math.Pi)},
	{"x³/(e^x-1)", func(x float64) float64 { return x * x * x / math.Expm1(x) }, 0, math.Inf(1), math.Pow(math.Pi, 4) / 15},
	{"log x/(1+100x²)", func(x float64) float64 { return math.Log(x) / (1 + 100*x*x) }, 0, math.Inf(1), -math.Pi * math.Log(10) / 20},
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func lift(f func(x float64) float64) integrate.Func {
	return func(x float64) (float64, error) { return f(x), nil }
}

// TestClassicIntegrals: every value to 1e-10, and the error within its estimate.
func TestClassicIntegrals(t *testing.T) {
	for _, c := range classic {
		r, err := integrate.Quad(t.Context(), lift(c.f), c.a, c.b, integrate.Options{})
		off := math.Abs(r.Value - c.value)
		t.Logf("%-18s %5d calls, error %.1e, estimated %.1e", c.name, r.Calls, off, r.Bound)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if off > 1e-10*max(1, math.Abs(c.value)) || off > r.Bound+4e-16*math.Abs(c.value) {
			t.Errorf("%s: %.16g, want %.16g: error %.1e, estimated %.1e", c.name, r.Value, c.value, off, r.Bound)
		}
	}
}

// TestPeaksAreFound: three peaks, the last of which is a thousandth of the range wide: a
// point next to it is enough (Cranley and Patterson 1971).
func TestPeaksAreFound(t *testing.T) {
	c := func(a float64) float64 { return 1 / math.Pow(math.Cosh(a), 2) }
	r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 {
		return c(10*(x-0.2)) + math.Pow(c(100*(x-0.4)), 2) + math.Pow(c(1000*(x-0.6)), 3)
	}), 0, 1, integrate.Options{Points: []float64{0.599}})
	if err != nil || math.Abs(r.Value-0.210802735500549277) > 1e-10 {
		t.Errorf("%+v %v", r, err)
	}
}

// TestQuadUnits: other units of x and of f give the same digits.
func TestQuadUnits(t *testing.T) {
	for _, c := range classic {
		for _, unit := range []float64{1e-9, 1e9} {
			r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return unit * unit * c.f(x/unit) }), c.a*unit, c.b*unit, integrate.Options{})
			want := c.value * unit * unit * unit
			if err != nil || math.Abs(r.Value-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s in units of %g: %g, want %g (%v)", c.name, unit, r.Value, want, err)
			}
		}
	}
}

// TestBothSidesCount: over the whole line, in whatever unit, both sides of 0 are integrated,
// though one is far smaller than the other before it comes to its peak.
func TestBothSidesCount(t *testing.T) {
	for k := -90.0; k <= 90; k += 15 {
		unit, inf := math.Pow(10, k), math.Inf(1)
		r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return 1 / (1 + x/unit*(x/unit)) }), -inf, inf, integrate.Options{})
		if err != nil || math.Abs(r.Value-math.Pi*unit) > 1e-9*unit {
			t.Errorf("in units of %g: %g, want %g (%v)", unit, r.Value, math.Pi*unit, err)
		}
	}
}

// TestQuadSaysWhereItFails: what has no integral, or is not known well enough, is an error.
func TestQuadSaysWhereItFails(t *testing.T) {
	var not *integrate.NotReached
	for name, f := range map[string]func(x float64) float64{
		"1/x ":        func(x float64) float64 { return 1 / x },
		"1/|x-0.3|":   func(x float64) float64 { return 1 / math.Abs(x-0.3) },
		"noise":       func(x float64) float64 { return math.Mod(1e7*math.Sin(1e5*x), 1) },
		"x^-1.01":     func(x float64) float64 { return math.Pow(x, -1.01) },
		"sin(1/x)/x²": func(x float64) float64 { return math.Sin(1/x) / (x * x) },
	} {
		if r, err := integrate.Quad(t.Context(), lift(f), 0, 1, integrate.Options{}); !errors.As(err, &not) {
			t.Errorf("%s: %+v, %v: want an error", name, r, err)
		}
	}
	for name, f := range map[string]func(x float64) float64{
		"constant": func(float64) float64 { return 1 },
		"1/x":      func(x float64) float64 { return 1 / (1 + x) },
		"sin x":    math.Sin,
		"zero":     func(x float64) float64 { return math.Exp(-(x - 1e6) * (x - 1e6)) },
	} {
		if r, err := integrate.Quad(t.Context(), lift(f), 0, math.Inf(1), integrate.Options{}); err == nil {
			t.Errorf("%s to infinity: %+v: want an error", name, r)
		}
	}
	r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return math.Exp(-(x - 1e6) * (x - 1e6)) }), math.Inf(-1), math.Inf(1),
		integrate.Options{Points: []float64{1e6}})
	if err != nil || math.Abs(r.Value-math.Sqrt(math.Pi)) > 1e-9 {
		t.Errorf("a peak with a point there: %+v, %v", r, err)
	}
	fails := errors.New("no")
	if _, err := integrate.Quad(t.Context(), func(float64) (float64, error) { return 0, fails }, 0, 1, integrate.Options{}); !errors.Is(err, fails) {
		t.Errorf("an error of the function became %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := integrate.Quad(stopped, lift(math.Exp), 0, 1, integrate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestRulesAreExact: 21 points of Kronrod integrate polynomials of degree 31, so that one
// interval is enough.
func TestRulesAreExact(t *testing.T) {
	r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return 20 * math.Pow(x, 19) }), 0, 1, integrate.Options{})
	if err != nil || r.Calls != 251 || math.Abs(r.Value-1) > 1e-15 {
		t.Errorf("x¹⁹: %+v %v", r, err)
	}
}

// TestNQuad: volumes of balls, and an integral over a triangle, in closed form.
func TestNQuad(t *testing.T) {
	one := func([]float64) (float64, error) { return 1, nil }
	chord := func(outer []float64) (float64, float64, error) {
		s := 1.0
		for _, x := range outer {
			s -= x * x
		}
		s = math.Sqrt(max(0, s))
		return -s, s, nil
	}
	r, err := integrate.NQuad(t.Context(), one, []integrate.Range{chord, integrate.Between(-1, 1)}, integrate.Options{})
	if err != nil || math.Abs(r.Value-math.Pi) > 1e-8 {
		t.Errorf("circle: %+v %v", r, err)
	}
	r, err = integrate.NQuad(t.Context(), func(x []float64) (float64, error) { return x[0] * math.Exp(x[1]), nil },
		[]integrate.Range{func(outer []float64) (float64, float64, error) { return 0, outer[0], nil }, integrate.Between(0, 1)}, integrate.Options{})
	if want := (math.E - 2) / 2; err != nil || math.Abs(r.Value-want) > 1e-12 {
		t.Errorf("triangle: %+v %v, want %g", r, err, want)
	}
}

// A line cuts a square in two, of which one is integrated: at the lines where it meets a corner, too, the
// integrals inside see what ends between an end of their range and the points of the rule.
func TestNQuadOfHalfASquare(t *testing.T) {
	square := []integrate.Range{integrate.Between(0, 1), integrate.Between(0, 1)}
	for _, c := range []float64{0.3, 0.77, 1, 1.01, 1.3} {
		r, err := integrate.NQuad(t.Context(), func(x []float64) (float64, error) {
			if x[0]+x[1] > c {
				return 1, nil
			}
			return 0, nil
		}, square, integrate.Options{Rel: 1e-6})
		want := 1 - c*c/2
		if c > 1 {
			want = (2 - c) * (2 - c) / 2
		}
		if err != nil || math.Abs(r.Value-want) > 1e-6*want || r.Bound > 1e-6*want {
			t.Errorf("above the line x + y = %g: %+v, want %g (%v)", c, r, want, err)
		}
	}
}

// TestSamples: the rules are exact for the polynomials that they are made for, on points
// that are not equally spaced and run either way.
func TestSamples(t *testing.T) {
	for _, x := range [][]float64{{0, 1}, {0, 0.5, 2}, {3, 2.5, 1, 0}, {-1, 0, 0.1, 0.4, 2}, {0, 1, 2, 3, 4, 5}} {
		line, parabola := make([]float64, len(x)), make([]float64, len(x))
		for i, v := range x {
			line[i], parabola[i] = 2*v+1, 3*v*v-2*v+1
		}
		exact := func(v float64) float64 { return v*v + v }
		cube := func(v float64) float64 { return v*v*v - v*v + v }
		got, err := integrate.CumulativeTrapezoid(integrate.Samples{Y: line, X: x})
		for i := range got {
			if want := exact(x[i]) - exact(x[0]); err != nil || math.Abs(got[i]-want) > 1e-13 {
				t.Errorf("trapezoid on %v: %v at %d, want %g", x, got, i, want)
			}
		}
		if len(x) < 3 {
			continue
		}
		got, err = integrate.CumulativeSimpson(integrate.Samples{Y: parabola, X: x})
		for i := range got {
			if want := cube(x[i]) - cube(x[0]); err != nil || math.Abs(got[i]-want) > 1e-13 {
				t.Errorf("simpson on %v: %v at %d, want %g", x, got, i, want)
			}
		}
		whole, err := integrate.Simpson(integrate.Samples{Y: parabola, X: x})
		if want := cube(x[len(x)-1]) - cube(x[0]); err != nil || math.Abs(whole-want) > 1e-13 {
			t.Errorf("simpson on %v: %v, want %g", x, whole, want)
		}
	}
	if _, err := integrate.Trapezoid(integrate.Samples{Y: []float64{1, 2, 3}, X: []float64{0, 1, 1}}); err == nil {
		t.Error("points that stand still were taken")
	}
}

// TestPeaksThatWereSeenAreKept: where one point of a panel has met a narrow peak, the halves do
// not lose it, though none of their own points comes near; the peak stands on the first cut,
// so that it is in both.
func TestPeaksThatWereSeenAreKept(t *testing.T) {
	for _, width := range []float64{1e-2, 1e-3, 1e-4, 1e-6, 1e-9} {
		for _, at := range []float64{0, 0.148874338981631210884826001129720 * 2} { // the middle, and a Kronrod point of [-2, 2]
			r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return math.Exp(-math.Pow((x-at)/width, 2)) }), -2, 2, integrate.Options{})
			exact := max(1e-10, 1e-15*at/width) // of which x itself keeps
			if want := width * math.Sqrt(math.Pi); err != nil || math.Abs(r.Value-want) > exact*want {
				t.Errorf("width %g at %g: %g, want %g (%v)", width, at, r.Value, want, err)
			}
		}
	}
}

// TestPeaksOnNothingAreFound: a narrow peak where f is 0 otherwise is found wherever it is,
// and 0 is 0.
func TestPeaksOnNothingAreFound(t *testing.T) {
	for _, size := range []float64{1, 100, 1e-9} {
		for _, width := range []float64{1e-2, 1e-3, 1e-4} {
			for _, at := range []float64{0.0123, 0.3, 0.37, 0.5001, 0.77777, 0.93} {
				r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return math.Exp(-math.Pow((x/size-at)/width, 2)) }), 0, size, integrate.Options{})
				want := size * width * math.Sqrt(math.Pi) * (1 + math.Erf(at/width)) / 2
				if err != nil || math.Abs(r.Value-want) > 1e-9*want {
					t.Errorf("width %g at %g of %g: %g, want %g (%v)", width, at, size, r.Value, want, err)
				}
			}
		}
	}
	if r, err := integrate.Quad(t.Context(), lift(func(float64) float64 { return 0 }), 0, 1, integrate.Options{}); err != nil || r.Value != 0 || r.Calls > 451 {
		t.Errorf("0: %+v, %v", r, err)
	}
}

// A narrow peak, or a gap, on top of something else is found wherever it is, in any units:
// the integral is that of both, from closed forms.
func TestPeaksOnSomethingAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	bases := []struct {
		f, integral func(x float64) float64
	}{
		{func(float64) float64 { return 1 }, func(x float64) float64 { return x }},
		{math.Exp, math.Exp},
		{func(x float64) float64 { return math.Cos(3 * x) }, func(x float64) float64 { return math.Sin(3*x) / 3 }},
		{func(x float64) float64 { return 1 / (1 + x*x) }, math.Atan},
		{math.Sqrt, func(x float64) float64 { return x * math.Sqrt(x) * 2 / 3 }},
	}
	for range 300 {
		base := bases[rng.IntN(len(bases))]
		sd, height := 1e-3*math.Pow(30, rng.Float64()), math.Copysign(math.Pow(10, 4*rng.Float64()-3), rng.Float64()-0.5)
		at := 0.02 + 0.96*rng.Float64()
		unit := math.Pow(10, float64(rng.IntN(19)-9))
		f := func(x float64) float64 {
			x /= unit
			return base.f(x) + height*math.Exp(-(x-at)*(x-at)/(2*sd*sd))
		}
		want := base.integral(1) - base.integral(0) +
			height*sd*math.Sqrt(math.Pi/2)*(math.Erf((1-at)/(sd*math.Sqrt2))+math.Erf(at/(sd*math.Sqrt2)))
		r, err := integrate.Quad(t.Context(), lift(f), 0, unit, integrate.Options{})
		if err != nil || math.Abs(r.Value/unit-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("peak of height %.3g and width %.3g at %.4g, unit %g: %.12g, want %.12g; %d calls, %v", height, sd, at, unit, r.Value/unit, want, r.Calls, err)
		}
	}
}

// TestLayersAreFound: what is much narrower than the range is found at its ends, at 0 and at the
// points given, on nothing and on something else; singular ends stay as exact as they were.
func TestLayersAreFound(t *testing.T) {
	bell := func(at, width float64) func(float64) float64 {
		return func(x float64) float64 { return math.Exp(-math.Pow((x-at)/width, 2)) }
	}
	root := math.Sqrt(math.Pi)
	for _, unit := range []float64{1, 1e-9, 1e9} {
		for _, width := range []float64{1e-3, 1e-5, 1e-7} {
			for _, c := range []struct {
				name       string
				f          func(float64) float64
				a, b, want float64
				points     []float64
			}{
				{"at the lower end", func(x float64) float64 { return math.Exp(-x / width) }, 0, 1, width, nil},
				{"at the upper end, on 1", func(x float64) float64 { return 1 + math.Exp((x-1)/width) }, -2, 1, 3 + width, nil},
				{"at 0", bell(0, width), -1, 2, width * root, nil},
				{"at a point", bell(0.3, width), 0, 1, width * root, []float64{0.3}},
				{"at two points", func(x float64) float64 { return bell(0.3, width)(x) + bell(0.8, width)(x) }, -1, 1, 2 * width * root, []float64{0.8, 0.3}},
				{"at a point of an infinite range", func(x float64) float64 { return bell(1, width)(x) + math.Exp(-x/width) }, 0, math.Inf(1), width * (root + 1), []float64{1}},
			} {
				points := make([]float64, len(c.points))
				for i, p := range c.points {
					points[i] = p * unit
				}
				r, err := integrate.Quad(t.Context(), lift(func(x float64) float64 { return c.f(x / unit) }), c.a*unit, c.b*unit, integrate.Options{Points: points})
				if exact := max(1e-9, 1e-15/width); err != nil || math.Abs(r.Value/unit-c.want) > exact*c.want {
					t.Errorf("width %g %s, unit %g: %g, want %g (%v)", width, c.name, unit, r.Value/unit, c.want, err)
				}
			}
		}
	}
}

// TestNQuadOfCommonIntegrals: what is 0 in one variable for some values of the other has an integral
// over the plane, and one that cancels is 0 but for rounding.
func TestNQuadOfCommonIntegrals(t *testing.T) {
	inf := math.Inf(1)
	line, symmetric := integrate.Between(-inf, inf), integrate.Between(-1, 1)
	for name, c := range map[string]struct {
		f      func(x []float64) float64
		ranges []integrate.Range
		want   float64
	}{
		"Gaussian":          {func(x []float64) float64 { return math.Exp(-x[0]*x[0] - x[1]*x[1]) }, []integrate.Range{line, line}, math.Pi},
		"Gaussian, shifted": {func(x []float64) float64 { return math.Exp(-math.Pow(x[0]-x[1], 2) - x[1]*x[1]) }, []integrate.Range{line, line}, math.Pi},
		"odd":               {func(x []float64) float64 { return x[0] * x[1] }, []integrate.Range{symmetric, symmetric}, 0},
		"odd inside":        {func(x []float64) float64 { return math.Pow(x[0], 3) * math.Exp(x[1]) }, []integrate.Range{symmetric, symmetric}, 0},
		"waves":             {func(x []float64) float64 { return math.Sin(x[0] + x[1]) }, []integrate.Range{integrate.Between(0, 2*math.Pi), symmetric}, 0},
	} {
		r, err := integrate.NQuad(t.Context(), func(x []float64) (float64, error) { return c.f(x), nil }, c.ranges, integrate.Options{})
		if err != nil || math.Abs(r.Value-c.want) > 1e-8*c.want+1e-14 {
			t.Errorf("%s: %+v, want %g (%v)", name, r, c.want, err)
		}
	}
	if r, err := integrate.NQuad(t.Context(), func([]float64) (float64, error) { return 0, nil }, []integrate.Range{line, line}, integrate.Options{}); err == nil {
		t.Errorf("0 over the plane: %+v: want an error", r)
	}
}
