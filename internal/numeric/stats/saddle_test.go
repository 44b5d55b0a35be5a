package stats_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/stats"
)

func distribution(t *testing.T, name string, a, b float64) stats.Distribution {
	t.Helper()
	d, err := stats.New(name, a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestProbabilitiesOfLargeNumbers: values of mpmath with 40 digits; beside millions, logarithms of
// gamma functions leave few.
func TestProbabilitiesOfLargeNumbers(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b, x float64
		want    float64
	}{
		{"poisson", 1e5, 0, 1e5, 0.0012615652097053005},
		{"poisson", 1e5, 0, 99000, 8.401271933936813e-06},
		{"poisson", 1e10, 0, 1e10, 3.989422803981082e-06},
		{"binomial", 1e7, 0.3, 3e6, 0.0002752963192402077},
		{"binomial", 1e9, 0.5, 5e8, 2.5231325213895214e-05},
		{"gamma", 1e8, 1, 1e8, 3.989422800689808e-05},
		{"chi2", 1e6, 0, 1e6, 0.0002820947447580834},
	} {
		if got := distribution(t, c.name, c.a, c.b).Density(c.x); math.Abs(got-c.want) > 1e-13*c.want {
			t.Errorf("%s(%g, %g) at %g: %.17g, want %.17g", c.name, c.a, c.b, c.x, got, c.want)
		}
	}
	for _, n := range []float64{1, 2, 14, 15, 16, 40, 1e3} { // small and large ones agree with products
		d := distribution(t, "binomial", n, 0.3)
		sum, p := 0.0, math.Pow(0.7, n)
		for k := 0.0; k <= min(n, 40); k++ {
			if got := d.Density(k); math.Abs(got-p) > 1e-12*p {
				t.Errorf("binomial of %g at %g: %g, want %g", n, k, got, p)
			}
			sum += d.Density(k)
			p *= (n - k) / (k + 1) * 0.3 / 0.7
		}
		if n <= 40 && math.Abs(sum-1) > 1e-13 {
			t.Errorf("binomial of %g: the probabilities sum to %g", n, sum)
		}
		q := math.Exp(-n)
		for k := 0.0; k <= 60 && q > 0; k++ {
			if got := distribution(t, "poisson", n, 0).Density(k); math.Abs(got-q) > 1e-12*q {
				t.Errorf("poisson of %g at %g: %g, want %g", n, k, got, q)
			}
			q *= n / (k + 1)
		}
	}
}

// TestQuantilesOfTails: a quantile of the tail at k is k, whatever rounding did to the tail.
func TestQuantilesOfTails(t *testing.T) {
	for _, d := range []stats.Distribution{
		distribution(t, "binomial", 5, 0.5), distribution(t, "binomial", 41, 0.5), distribution(t, "binomial", 1000, 0.01),
		distribution(t, "poisson", 3, 0), distribution(t, "poisson", 400, 0),
	} {
		for k := 0.0; k < 40; k++ {
			if lower, upper := d.Tails(k); lower > 0 && upper > 1e-3 && d.Quantile(lower) != k {
				t.Errorf("mean %g: quantile(cdf(%g)) = %g", d.Mean, k, d.Quantile(lower))
			}
		}
	}
	if q := distribution(t, "binomial", 5, 0.5).Quantile(0.5); q != 2 {
		t.Errorf("the median of 5 coins is %g, want 2", q)
	}
	if q := distribution(t, "poisson", 3, 0).Quantile(math.Exp(-3)); q != 0 {
		t.Errorf("poisson: %g, want 0", q)
	}
}

// TestFarTailsOfStudent: of 1 degree of freedom it is Cauchy's, 1/(π |x|); of few ones a power, too.
func TestFarTailsOfStudent(t *testing.T) {
	cauchy := distribution(t, "t", 1, 0)
	for _, x := range []float64{1e50, 1e99, 1e101, 1e154, 1e155, 1e200, 1e300} {
		want := 1 / math.Pi / x
		if lower, _ := cauchy.Tails(-x); math.Abs(lower-want) > 1e-13*want {
			t.Errorf("tail below -%g: %g, want %g", x, lower, want)
		}
		if got := cauchy.Quantile(want); math.Abs(got+x) > 1e-12*x {
			t.Errorf("quantile of %g: %g, want %g", want, got, -x)
		}
	}
	for _, n := range []float64{0.1, 0.5, 2, 3} {
		d := distribution(t, "t", n, 0)
		for _, x := range []float64{1e90, 1e99, 1e101, 1e110} {
			p, _ := d.Tails(-x)
			if got := d.Quantile(p); p > 1e-290 && math.Abs(got+x) > 1e-11*x {
				t.Errorf("%g degrees: quantile(cdf(-%g)) = %g", n, x, got)
			}
		}
	}
	for _, n := range []float64{1e7, 1e9, 1e11, 1e13, 1e15, 1e17, 1e19, 1e21, 1e100, 1e300} {
		for _, x := range []float64{0.1, 1, 2, 5, 8} { // the normal distribution, and the next term of its expansion
			want := math.Erfc(x/math.Sqrt2)/2 + math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)*(x*x*x+x)/4/n
			if lower, _ := distribution(t, "t", n, 0).Tails(-x); math.Abs(lower-want) > 1e-8*want/n*1e7+1e-12*want {
				t.Errorf("%g degrees, below %g: %g, want %g", n, -x, lower, want)
			}
		}
	}
}

// TestFarKolmogorov: for the largest distances the probability is that of few arrangements, or a closed form.
func TestFarKolmogorov(t *testing.T) {
	series := func(n int, step, from float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = from + step*float64(i)
		}
		return x
	}
	for _, n := range []int{2, 5, 20, 100, 400} { // apart: 2 of C(2n, n) arrangements
		r, err := stats.KolmogorovSmirnov2(series(n, 1, 0), series(n, 1, 1e6))
		want := math.Log(2)
		for k := 1; k <= n; k++ {
			want += math.Log(float64(k)) - math.Log(float64(n+k))
		}
		if err != nil || math.Abs(math.Log(r.P)-want) > 1e-10*float64(n) {
			t.Errorf("%d and %d apart: %g, want e^%g (%v)", n, n, r.P, want, err)
		}
	}
	for _, n := range []int{2, 5, 20, 100} { // all in [0, 0.01): beyond 0.99 is (1/100)^n on each side
		r, err := stats.KolmogorovSmirnov(series(n, 0, 0.01), distribution(t, "uniform", 0, 1))
		if want := 2 * math.Pow(0.01, float64(n)); err != nil || math.Abs(r.P-want) > 1e-9*want {
			t.Errorf("%d at 0.01: %g, want %g (%v)", n, r.P, want, err)
		}
	}
}

// TestTestsRefuse what is no sample: negative counts, and values whose squares are no numbers.
func TestTestsRefuse(t *testing.T) {
	if r, err := stats.ChiSquare([]float64{-1, 5}, []float64{2, 2}, 0); err == nil {
		t.Errorf("negative counts: %+v", r)
	}
	for _, unit := range []float64{1e-200, 1e200} {
		x, y := []float64{unit, 2 * unit, 3 * unit}, []float64{unit, 2 * unit, 4 * unit}
		if r, err := stats.TMean(x, 0); err == nil {
			t.Errorf("%g: %+v", unit, r)
		}
		if r, err := stats.TMeans(x, y, false); err == nil {
			t.Errorf("%g: %+v", unit, r)
		}
	}
}
