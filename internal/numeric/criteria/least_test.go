package criteria

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A search goes down a grid of a step from the middle of a range to half a step beyond its ends at most, and stays where it
// is lowest.
func TestDownhillStaysInItsRange(t *testing.T) {
	for _, c := range []struct{ lo, hi, low, high float64 }{ // the grid's ends
		{0, 1.2, -.4, 1.6},
		{0, 1, .5, .5}, // half a step beyond is not within
		{0, 2, 0, 2},
		{-3, 2.4, -3.3, 2.7},
		{5, 5.5, 5.25, 5.25},
	} {
		for slope, want := range map[float64]float64{1: c.low, -1: c.high} {
			at, value, err := downhill(c.lo, c.hi, 1, 0, func(x float64) (float64, error) { return slope * x, nil })
			if err != nil || !(math.Abs(at-want) <= 1e-12) || value != slope*at {
				t.Errorf("from %g to %g, slope %g: %g of value %g, want %g", c.lo, c.hi, slope, at, value, want)
			}
		}
	}
	for _, middle := range []float64{-2.2, -.7, .1, 1.6} {
		at, _, err := downhill(-3, 3, 1, 0, func(x float64) (float64, error) { return (x - middle) * (x - middle), nil })
		if err != nil || at != math.Round(middle) {
			t.Errorf("the lowest place is %g, found %g", middle, at)
		}
	}
}

// The least value on a grid, and to a distance between the neighbours of the best point, is found wherever it is, at the ends
// as well, and what is not a number is larger than all.
func TestLeastOfAGrid(t *testing.T) {
	for _, middle := range []float64{-4, -3, -2.8, -1.3, 0, .49, 1.9, 2, 7} {
		calls, lowest, highest := 0, math.Inf(1), math.Inf(-1)
		f := func(x float64) (float64, error) {
			calls++
			lowest, highest = min(lowest, x), max(highest, x)
			if x == -1 {
				return math.NaN(), nil
			}
			return 1 + (x-middle)*(x-middle), nil
		}
		at, value, err := least(-3, 2, 1, 0, f)
		want := min(max(math.Round(middle), -3), 2)
		if middle == -1.3 {
			want = -2 // beside what is no number
		}
		if err != nil || at != want || value != 1+(at-middle)*(at-middle) || calls != 6 {
			t.Errorf("least at %g: %g of value %g after %d calls, want %g", middle, at, value, calls, want)
		}
		at, value, err = least(-3, 2, 1, 1e-4, f)
		if want = min(max(middle, -3), 2); err != nil || !(math.Abs(at-want) <= 1e-3) || value != 1+(at-middle)*(at-middle) {
			t.Errorf("least at %g: %g of value %g, want %g", middle, at, value, want)
		}
		if lowest != -3 || highest != 2 {
			t.Errorf("least at %g: looked at from %g to %g", middle, lowest, highest)
		}
	}
	if at, value, err := least(-3, 2, 1, 0, func(float64) (float64, error) { return math.NaN(), nil }); err != nil || at != 2 || !math.IsInf(value, 1) {
		t.Errorf("without numbers: %g, %g, %v", at, value, err)
	}
}

// Where the diagonal of a matrix is not that of its preconditioner, the logarithm of the determinant and the trace of the inverse
// are by their tangents: of a diagonal matrix right but for the square of what it is off by.
func TestTangentsOfDiagonals(t *testing.T) {
	d, off := []float64{4, .25, 9}, []float64{1e-4, -2e-4, 3e-4}
	diagonal := make([]float64, len(d))
	log, inverse := 0.0, 0.0
	for i, v := range d {
		diagonal[i] = v * (1 + off[i])
		log, inverse = log+math.Log(diagonal[i]), inverse+1/diagonal[i]
	}
	p := newProbing(nil, d, diagonal)
	p.logs.values, p.traces.values = []float64{0}, []float64{0}
	if got := p.logDet().value; !(math.Abs(got-log) <= 1e-6) {
		t.Errorf("log det %.10g, want %.10g", got, log)
	}
	if got := p.trace().value; !(math.Abs(got-inverse) <= 1e-6) {
		t.Errorf("trace %.10g, want %.10g", got, inverse)
	}
}

// The error of the mean of estimates by random signs is from how far each row's part scatters, and widened by how few eigenvalues
// it is that the chance is of: as many as the square of Σ b² over Σ b⁴, all vectors together, for each that scatters.
func TestErrorsOfSigns(t *testing.T) {
	var e signed
	each := [][]float64{{1, 4}, {3, 4}, {2, 1}}
	second, fourth := []float64{3, 5, 4}, []float64{2, 6, 1}
	for k, rows := range each {
		e.add(float64(10*k), slices.Clone(rows), second[k], fourth[k])
	}
	const squares = (1 + 1 + 0) + (1 + 1 + 4) // of {1, 3, 2} from 2, and of {4, 4, 1} from 3
	freedom := 2. * 12 * 12 / (3 * 9)
	want := math.Sqrt((freedom+4)/(freedom-2)) * math.Sqrt(2*squares/2./3)
	if got := e.mean(); got.value != 10 || !(math.Abs(got.err-want) <= 1e-12*want) {
		t.Errorf("%+v, want 10 ± %g", got, want)
	}
}

// A step of sizes is Newton's, in which nothing is longer than 3; damping shortens it, and where nothing is known of a size
// but its slope, it goes as far as it may.
func TestStepsOfSizes(t *testing.T) {
	p := parameters{count: 2}
	at := func(information, gradient []float64) *sized {
		return &sized{at: Sizes{0, 0}, gradient: gradient, information: mat.NewSymDense(2, information)}
	}
	near := func(what string, got, want []float64, tolerance float64) {
		t.Helper()
		if got == nil || !(floats.Distance(got, want, math.Inf(1)) <= tolerance) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	// 3 x + y = -g₁, x + 2 y = -g₂, but for a third of the gradient that keeps steps of little information short
	g := []float64{.003, -.004}
	near("little to gain", p.newton(at([]float64{3, 1, 1, 2}, g), 0), []float64{-(2*g[0] - g[1]) / 5, -(3*g[1] - g[0]) / 5}, 1e-5)
	near("of large slopes", p.newton(at([]float64{3, 1, 1, 2}, []float64{3, -6}), 0), []float64{-(4*3 + 6) / 15., (4*6 + 3) / 15.}, 1e-8)
	near("no information", p.newton(at([]float64{0, 0, 0, 0}, []float64{2e-3, -1e-3}), 1e-3), []float64{-3, 3}, .02)
	if step := p.newton(at([]float64{3, 1, 1, 2}, []float64{1e-7, -1e-7}), 0); step != nil {
		t.Errorf("where there is nothing to gain: %v", step)
	}
	before := math.Inf(1)
	for _, damping := range []float64{0, .1, 1, 10, 1e3} {
		step := p.newton(at([]float64{3, 1, 1, 2}, []float64{.3, -.4}), damping)
		if length := floats.Norm(step, 2); !(length < .95*before) || !(floats.Dot(step, []float64{.3, -.4}) < 0) {
			t.Errorf("damping %g: a step of %g after one of %g", damping, length, before)
		} else {
			before = length
		}
	}
	if !(math.Abs(before/(math.Hypot(.1, .2)*1e-3)-1) <= .1) { // each is its slope over a thousand times its information
		t.Errorf("damped to nothing the step has length %g", before)
	}
}

// The spread of sizes is the inverse of the information about them: of what nothing is known the standard deviation is 10.
func TestSpreadOfSizes(t *testing.T) {
	p := &posterior{free: parameters{count: 2}}
	for _, information := range [][]float64{{0, 0, 0, 0}, {4, 1, 1, 9}} {
		root, inverse, err := p.root(t.Context(), &sized{information: mat.NewSymDense(2, information)}, 2)
		if err != nil {
			t.Fatal(err)
		}
		var covariance, one, precision mat.Dense
		covariance.Mul(root, root.T())
		one.Mul(root, inverse)
		if err := precision.Inverse(&covariance); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			for j := range 2 {
				same := 0.0
				if i == j {
					same = 1
				}
				if want := information[2*i+j] + .01*same; !(math.Abs(precision.At(i, j)-want) <= 1e-12) || !(math.Abs(one.At(i, j)-same) <= 1e-12) {
					t.Errorf("information %v: precision %v, root times its inverse %v", information, precision, one)
				}
			}
		}
	}
}

// Eigenvectors of one ρ/λ serve others up to ten times as great, and down to 1e-8 of it; all without bias.
func TestReachOfEigenvectors(t *testing.T) {
	for _, c := range []struct {
		ratio float64
		want  bool
	}{{2, true}, {19, true}, {21, false}, {2.1e-8, true}, {1.9e-8, false}} {
		d := &Diagonalised{Ratio: 2, Bias: mat.NewDense(1, 1, nil)}
		if got := d.Reaches(c.ratio); got != c.want {
			t.Errorf("from 2 to %g: %t", c.ratio, got)
		}
		if d.Bias = nil; !d.Reaches(c.ratio) {
			t.Errorf("without bias from 2 to %g: false", c.ratio)
		}
	}
}

// A minimum is found to the distance, within the interval, wherever that is and in any unit: of a smooth function in half as
// many evaluations as golden sections take, and of others in hardly more.
func TestMinimumTakesParabolas(t *testing.T) {
	const half, to = 1.9, 1e-6
	golden := math.Log(2*half/to) / math.Log(math.Phi)
	for _, c := range []struct {
		name   string
		least  float64
		smooth bool
		f      func(x float64) float64
	}{
		{"logarithm", -1, true, func(x float64) float64 { return x - math.Log(x+2) }},
		{"cosh", .3, true, func(x float64) float64 { return math.Cosh(x - .3) }},
		{"exponential", math.Log(1.5) / 2, true, func(x float64) float64 { return math.Exp(2*x) - 3*x }},
		{"flat", .1, true, func(x float64) float64 { return math.Pow(x-.1, 4) }},
		{"wells", math.Pi / 5, true, func(x float64) float64 { return math.Cos(5*x) + (x-math.Pi/5)*(x-math.Pi/5)/2 }},
		{"kink", -.2, false, func(x float64) float64 { return math.Abs(x+.2) + x*x/4 }},
		{"lower end", -half, false, func(x float64) float64 { return x }},
		{"upper end", half, false, func(x float64) float64 { return -x }},
	} {
		for _, on := range []struct{ middle, unit float64 }{{0, 1}, {7, 1}, {-7, 1}, {.5, 1e-3}, {-20, 1e3}} {
			calls := 0.0
			x, _, err := minimum(on.middle-half*on.unit, on.middle+half*on.unit, to*on.unit, func(x float64) (float64, error) {
				calls++
				if x = (x - on.middle) / on.unit; !(math.Abs(x) < half) {
					t.Errorf("%s on %+v: looked at %g", c.name, on, x)
				}
				return c.f(x), nil
			})
			most := golden + 3
			if c.smooth {
				most = golden / 2
			}
			if x = (x - on.middle) / on.unit; err != nil || !(math.Abs(x-c.least) <= to) || calls > most {
				t.Errorf("%s on %+v: %g after %g evaluations, want %g after %.3g, %v", c.name, on, x, calls, c.least, most, err)
			}
		}
	}
}
