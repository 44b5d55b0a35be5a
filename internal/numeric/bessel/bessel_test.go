package bessel

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

// The reference itself reproduces published digits: K_0(1), K_1(1)
// (Abramowitz and Stegun, table 9.8) and K_{1/2}(x) = sqrt(pi/2x) e^-x.
func TestReference(t *testing.T) {
	for _, c := range []struct{ nu, x, want float64 }{
		{0, 1, 0.42102443824070833},
		{1, 1, 0.60190723019723457},
		{0.5, 3, math.Sqrt(math.Pi/6) * math.Exp(-3)},
	} {
		if e := relativeError(c.want, bigK(c.nu, c.x)); e > 3e-16 {
			t.Errorf("K(%g, %g): reference differs by %.1e", c.nu, c.x, e)
		}
	}
	if e := relativeError(math.Exp(-2), bigMatern(0.5, 2)); e > 3e-16 {
		t.Errorf("Matern(0.5, 2): reference differs by %.1e", e)
	}
}

// K agrees with its integral in high precision, relative error below 1e-13
// (the worst found is near 2e-15), over the range of orders and arguments.
func TestKAccuracy(t *testing.T) {
	worst := 0.0
	for _, nu := range []float64{0, 1e-9, 0.1, 0.49, 0.5, 0.5000001, 0.7, 1, 1.5, 2.3, 5, 10.2, 24.5, 33.3, 50} {
		for _, x := range []float64{1e-8, 1e-3, 0.1, 0.7, 1.9999, 2, 2.0001, 3.1, 10, 33, 100, 300, 700} {
			got, want := K(nu, x), bigK(nu, x)
			if f, _ := want.Float64(); math.IsInf(f, 1) {
				if !math.IsInf(got, 1) {
					t.Errorf("K(%g, %g) = %g, want overflow to +Inf", nu, x, got)
				}
				continue
			}
			e := relativeError(got, want)
			worst = max(worst, e)
			if e > 1e-13 {
				t.Errorf("K(%g, %g) = %g: relative error %.2e", nu, x, got, e)
			}
		}
	}
	t.Logf("worst relative error %.2e", worst)
}

// Matern agrees with its gamma mixture in high precision, relative error below
// 1e-13, on both sides of every change of method: half-integer, recurrence,
// uniform expansion.
func TestMaternAccuracy(t *testing.T) {
	testmain.Long(t)
	worst := 0.0
	for _, nu := range []float64{0.1, 0.3, 0.5, 0.77, 1, 2.5, 4.2, 24.5, 25.5, 50, 100, 100.1, 1000} {
		for _, d := range []float64{1e-8, 1e-3, 0.3, 1, 2, 3.3, 7, 30} {
			got, want := Matern(nu, d), bigMatern(nu, d)
			if f, _ := want.Float64(); f < 1e-300 {
				continue
			}
			e := relativeError(got, want)
			worst = max(worst, e)
			if e > 1e-13 {
				t.Errorf("Matern(%g, %g) = %g: relative error %.2e", nu, d, got, e)
			}
		}
	}
	t.Logf("worst relative error %.2e", worst)
}

// The Matérn function falls from 1 to 0, tends to exp(-d²/2) with growing nu,
// and underflows only where the value does.
func TestMaternLimits(t *testing.T) {
	for _, nu := range []float64{0.01, 0.5, 1, 2.5, 3.2, 60, 1e6, math.Inf(1)} {
		if got := Matern(nu, 0); got != 1 {
			t.Errorf("Matern(%g, 0) = %g", nu, got)
		}
		if got := Matern(nu, math.Inf(-1)); got != 0 {
			t.Errorf("Matern(%g, -Inf) = %g", nu, got)
		}
		if Matern(nu, -0.7) != Matern(nu, 0.7) {
			t.Errorf("Matern(%g, d) is not even", nu)
		}
		last := 1.0
		for d := 1e-9; d < 1e4; d *= 1.3 {
			v := Matern(nu, d)
			if !(v >= 0 && v <= last*(1+1e-15)) {
				t.Errorf("Matern(%g, %g) = %g after %g", nu, d, v, last)
			}
			last = v
		}
		if last != 0 && nu >= 0.5 {
			t.Errorf("Matern(%g, 1e4) = %g, want underflow to 0", nu, last)
		}
	}
	// The leading correction is of size d^4/nu.
	for _, d := range []float64{0.5, 1, 3} {
		if got, want := Matern(1e9, d), math.Exp(-d*d/2); math.Abs(got-want) > 1e-7*want {
			t.Errorf("Matern(1e9, %g) = %g, want %g", d, got, want)
		}
	}
	// exp(-z/2) is 0 in double precision long before z^24 exp(-z) is.
	if got := Matern(24.5, 110); relativeError(got, bigMatern(24.5, 110)) > 1e-13 {
		t.Errorf("Matern(24.5, 110) = %g", got)
	}
}

func TestSpecialValues(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{K(0, 0), inf},
		{K(2, 0), inf},
		{K(1, inf), 0},
		{K(1, -1), nan},
		{K(nan, 1), nan},
		{K(1, nan), nan},
		{K(-1.3, 2), K(1.3, 2)},
		{K(50, 1e-8), inf},
		{K(1, 800), 0},
		{K(inf, 1), inf},
		{K(0, 0x1p-1074), 1075*math.Ln2 - 0.57721566490153286}, // log(2/x) - gamma
		{I(0, inf), inf},
		{I(2.5, inf), inf},
		{I(0, 1.7e308), inf},
		{Matern(0, 1), nan},
		{Matern(-1, 1), nan},
		{Matern(nan, 1), nan},
		{Matern(1, nan), nan},
		{Matern(1, 5e-324), 1},
		{Matern(2.5, 1e300), 0},
		{Matern(1.2, 1e300), 0},
		{Matern(200, 1e300), 0},
	} {
		if !(c.got == c.want || math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func BenchmarkMatern(b *testing.B) {
	for _, nu := range []float64{0.5, 2.5, 1.2, 10.2} {
		b.Run("", func(b *testing.B) {
			for i := range b.N {
				sink = Matern(nu, float64(i&63)*0.1)
			}
		})
	}
}

var sink float64

// Where exp(x) K(nu, x) overflows and K does not, I and K have their Wronskian (DLMF 10.28.2);
// where K is too small for a number it is 0, not infinite.
func TestLargeOrders(t *testing.T) {
	for _, c := range [][2]float64{{2000, 1700}, {1500, 1300}, {-1500.25, 1300}, {800, 760}} {
		nu, x := c[0], c[1]
		up := math.Abs(nu) + 1
		if w := x * (I(math.Abs(nu), x)*K(up, x) + I(up, x)*K(nu, x)); !(math.Abs(w-1) < 1e-11) {
			t.Errorf("nu %g, x %g: x times the Wronskian is %.15g, want 1", nu, x, w)
		}
	}
	for _, nu := range []float64{1e4, 1e5, 1e6} {
		if k := K(nu, nu); k != 0 {
			t.Errorf("K(%g, %g) = %g, want 0", nu, nu, k)
		}
		if k := K(nu, 1); !math.IsInf(k, 1) {
			t.Errorf("K(%g, 1) = %g, want +Inf", nu, k)
		}
	}
}

// For large arguments exp(x) K is √(π/2x) and exp(-x) I is 1/√(2πx), up to the largest numbers, from where the
// next terms of DLMF 10.40.1 and 10.40.2, (4ν²-1)/8x, are lost in rounding.
func TestLargeArguments(t *testing.T) {
	for _, nu := range []float64{0, 1. / 3, 1, 2.5, 7, 20.25} {
		for e := 19.0; e <= 308; e += 7 {
			x := 1.7 * math.Pow(10, e)
			for name, v := range map[string][2]float64{
				"K": {KScaled(nu, x), math.Sqrt(math.Pi/2) / math.Sqrt(x)},
				"I": {IScaled(nu, x), 1 / (math.Sqrt(2*math.Pi) * math.Sqrt(x))},
			} {
				if !(math.Abs(v[0]-v[1]) <= 1e-14*v[1]) {
					t.Errorf("%s(%g, %g) scaled = %g, want %g", name, nu, x, v[0], v[1])
				}
			}
		}
	}
}
