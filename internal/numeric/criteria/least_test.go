package criteria

import (
	"math"
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
