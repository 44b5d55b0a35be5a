package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// contaminated are standard normal numbers of which a part is off by so much, to either side.
func contaminated(count int, part, by float64, seed uint64) (r, left []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range count {
		v := rng.NormFloat64()
		if rng.Float64() < part {
			v += by * float64(2*rng.IntN(2)-1)
		}
		r, left = append(r, v), append(left, 1)
	}
	return r, left
}

// Outliers are told from normal noise: sigma is that of the rest, and where nothing is wrong all weights are one. A mean with their loss has, by the
// variance of an M-estimator, mean ψ² over (mean ψ′)², 1 of clean numbers, and of 5 % that are off by five standard deviations 1.112 of that,
// where Huber's has 1.053 and 1.257, by integrals over the densities.
func TestOutliersOfNormalNumbers(t *testing.T) {
	const count = 200000
	for _, c := range []struct{ part, by, begin, sigma, efficiency float64 }{
		{0, 0, 1, 1, 1}, {0, 0, 1.2, 1, 1}, {.05, 5, 1.06, 1, 1.112}, {.05, 5, .9, 1, 1.112}, {.1, 5, 1.15, 1, 1.209}, {.05, 1e6, 1.06, 1, 1 / .95},
	} {
		r, left := contaminated(count, c.part, c.by, 7)
		o := outliersOf(r, left, c.begin)
		if !(math.Abs(o.sigma/c.sigma-1) <= .03) {
			t.Errorf("%.2g off by %g: sigma %.4g", c.part, c.by, o.sigma)
		}
		var squares, slopes float64
		of := o.loss().Of
		for _, v := range r {
			_, w, slope := of(v)
			squares, slopes = squares+w*w*v*v/count, slopes+slope/count
		}
		if got := squares / (slopes * slopes); !(math.Abs(got-c.efficiency) <= .015) {
			t.Errorf("%.2g off by %g, from %g: a mean has %.4g of the variance of one of squares of clean numbers, want %.4g", c.part, c.by, c.begin, got, c.efficiency)
		}
	}
}

// What is known of each residual is its share of the noise: smaller ones of a fit that follows some values are no smaller noise. No
// residual, NaN, tells nothing.
func TestOutliersKnowWhatIsLeft(t *testing.T) {
	r, left := contaminated(20000, .05, 5, 3)
	want := outliersOf(r, left, 1.06)
	for i := range r {
		left[i] = .6
		r[i] *= math.Sqrt(left[i])
	}
	r, left = append(r, math.NaN()), append(left, 0)
	if got := outliersOf(r, left, 1.06); !(math.Abs(got.sigma/want.sigma-1) <= 1e-9) {
		t.Errorf("sigma %.4g, want %.4g", got.sigma, want.sigma)
	}
}

// The weight is the slope of the loss over twice the residual, the slope half its second derivative, at any size and in every unit; the weight is one
// in the middle, falls, and is positive.
func TestLossOfOutliers(t *testing.T) {
	for _, sigma := range []float64{1e-6, 1, 1e6} {
		of := outliers{sigma: sigma, odds: .01}.loss().Of
		last := math.Inf(1)
		for z := .05; z < 40; z += .05 {
			r, h := z*sigma, 1e-4*sigma
			before, wb, _ := of(r - h)
			_, w, slope := of(r)
			after, wa, _ := of(r + h)
			if first := (after - before) / (4 * h * r); !(math.Abs(first-w) <= 1e-6) {
				t.Errorf("σ %g, %g deviations: weight %.8g, by differences %.8g", sigma, z, w, first)
			}
			if second := (wa*(r+h) - wb*(r-h)) / (2 * h); !(math.Abs(second-slope) <= 1e-4) {
				t.Errorf("σ %g, %g deviations: slope %.6g, by differences %.6g", sigma, z, slope, second)
			}
			if !(w > 0 && w <= last && w <= 1) {
				t.Errorf("σ %g, %g deviations: weight %g after %g", sigma, z, w, last)
			}
			last = w
		}
		if _, w, _ := of(0); !(w > .98 && w <= 1) {
			t.Errorf("weight %g of no residual", w)
		}
		if _, w, _ := of(1e9 * sigma); !(math.Abs(w*1e9/leastPull-1) <= 1e-12) {
			t.Errorf("what is far off pulls as %g standard deviations", w*1e9)
		}
	}
}

// The report says how many values have no weight, and how far off these are.
func TestOutliersInWords(t *testing.T) {
	c := &Cut{outliers: outliers{sigma: 1, odds: 99 * math.Exp(-8)}}
	if got := c.outliers.right(4); !(math.Abs(got-worthless) <= 1e-12) {
		t.Errorf("at 4 deviations the weight is %g", got)
	}
	for _, w := range []struct {
		none, less int
		want       string
	}{
		{0, 0, "the loss is Huber's, then that of outliers: no value stands out; one beyond 4 standard deviations would have no weight"},
		{3, 2, "the loss is Huber's, then that of outliers: 3 of 80 values are beyond 4 standard deviations and have no weight, 2 more have less than half"},
	} {
		if got := c.sentence(w.none, w.less, 80); got != w.want {
			t.Errorf("%q, want %q", got, w.want)
		}
	}
}

// Penalties that are given are over the variance of the noise that is left.
func TestPenaltiesBesideCutNoise(t *testing.T) {
	c := &Cut{variance: .75}
	if lambda, rho := c.Beside(2, 0); lambda != 1.5 || rho != 0 {
		t.Errorf("λ = 2 is %g, and ρ that is not given %g", lambda, rho)
	}
}
