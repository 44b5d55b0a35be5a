package special

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/elementary"
)

// stirlingFrom is where Stirling's series with its terms below has all digits.
const stirlingFrom = 10

// stirling are B_{2k}/(2k(2k-1)) of Stirling's series (DLMF 5.11.1).
var stirling = [...]float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
}

// stirlingRest is ln Γ(x) - (x-½) ln x + x - ½ ln 2π for x ≥ stirlingFrom.
func stirlingRest(x float64) float64 {
	sum, y := 0.0, 1/(x*x)
	for k := len(stirling) - 1; k >= 0; k-- {
		sum = sum*y + stirling[k]
	}
	return sum / x
}

// logExcess is x - ln(1+x) for |x| < 0.3, where it cancels.
func logExcess(x float64) float64 {
	// With r = x/(2+x), ln(1+x) = 2 (r + r³/3 + …) and x = 2r/(1-r).
	r := x / (2 + x)
	s, sum := r*r, 0.0
	for k := 39.0; k >= 3; k -= 2 {
		sum = sum*s + 1/k
	}
	return r*x - 2*r*s*sum
}

// LogGamma returns ln |Γ(x)|, to rounding also near its zeros 1 and 2.
func LogGamma(x float64) float64 {
	switch {
	case x > 0.5 && x < 1.5:
		return logGamma2(x-1) - math.Log1p(x-1)
	case x >= 1.5 && x < 2.5:
		return logGamma2(x - 2)
	case x != 0 && math.Abs(x) < 0x1p-60: // 1/x to rounding; math.Log is wrong for numbers below 2^-1022
		return -elementary.Log(math.Abs(x))
	}
	y, _ := math.Lgamma(x)
	return y
}

// logGamma2 is ln Γ(2+z), |z| ≤ ½ (DLMF 5.7.3): (1-γ) z + Σ (-1)^n (ζ(n) - 1) z^n/n.
func logGamma2(z float64) float64 {
	const oneMinusEuler = 0.42278433509846713939348790991759757
	sum := 0.0
	for k := len(zetaMinusOne) - 1; k >= 0; k-- {
		n := float64(k + 2)
		sum = zetaMinusOne[k]/n - z*sum
	}
	return z * (oneMinusEuler + z*sum)
}

// zetaMinusOne are ζ(n) - 1 for n ≥ 2.
var zetaMinusOne = func() (c [28]float64) {
	for k := range c {
		c[k] = mathext.Zeta(float64(k+2), 2)
	}
	return c
}()

// relativeExcess is d/a - ln(x/a) for d = x - a.
func relativeExcess(d, a, x float64) float64 {
	if r := d / a; math.Abs(r) < 0.3 {
		return logExcess(r)
	}
	return d/a - math.Log(x/a)
}

// digammaRoot is the positive zero of ψ, in two parts.
const (
	digammaRoot     = 1.4616321449683622
	digammaRootRest = 9.549995429965697e-17
)

// Digamma returns ψ(x) = Γ'(x)/Γ(x); NaN at the poles 0, -1, -2, …
func Digamma(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, -1) || x <= 0 && x == math.Trunc(x):
		return math.NaN()
	case x < 0: // DLMF 5.5.4
		_, f := math.Modf(x)
		return Digamma(1-x) - math.Pi/math.Tan(math.Pi*f)
	case math.Abs(x-digammaRoot) < 0.25:
		return nearDigammaRoot(x - digammaRoot - digammaRootRest)
	}
	sum := 0.0
	for ; x < stirlingFrom; x++ {
		sum -= 1 / x
	}
	y, series := 1/(x*x), 0.0
	for k := len(stirling) - 1; k >= 0; k-- { // the derivative of Stirling's series
		series = series*y + stirling[k]*float64(2*k+1)
	}
	return sum + math.Log(x) - 0.5/x - series*y
}

// nearDigammaRoot is Taylor's series of ψ about its zero: ψ^(n)(c)/n! is
// (-1)^(n+1) ζ(n+1, c).
func nearDigammaRoot(d float64) float64 {
	sum := 0.0
	for k := len(digammaTaylor) - 1; k >= 0; k-- {
		sum = (sum + digammaTaylor[k]) * d
	}
	return sum
}

var digammaTaylor = func() (c [30]float64) {
	for k := range c {
		c[k] = mathext.Zeta(float64(k+2), digammaRoot)
		if k%2 == 1 {
			c[k] = -c[k]
		}
	}
	return c
}()

// GammaInc returns the regularised lower incomplete gamma function P(a, x) and its
// complement Q(a, x), for a > 0 and x ≥ 0.
func GammaInc(a, x float64) (p, q float64) {
	switch {
	case !(a > 0) || !(x >= 0) || math.IsInf(a, 1) && math.IsInf(x, 1):
		return math.NaN(), math.NaN()
	case x == 0 || math.IsInf(a, 1):
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	case a < stirlingFrom || a > 1e10:
		return mathext.GammaIncReg(a, x), mathext.GammaIncRegComp(a, x)
	}
	density := gammaDensity(a, x)
	if x < a+1 { // DLMF 8.7.1
		sum, term := 1/a, 1/a
		for n := a + 1; term > sum*0x1p-54; n++ {
			term *= x / n
			sum += term
		}
		p = density * sum
		return p, 1 - p
	}
	q = density / gammaFraction(a, x)
	return 1 - q, q
}

// gammaDensity is x^a e^-x/Γ(a) for a ≥ stirlingFrom, without the cancellation of its
// large factors.
func gammaDensity(a, x float64) float64 {
	return math.Exp(-a*relativeExcess(x-a, a, x)-stirlingRest(a)) * math.Sqrt(a/(2*math.Pi))
}

// gammaFraction is the continued fraction of DLMF 8.9.2 by the method of Lentz, x ≥ a+1.
func gammaFraction(a, x float64) float64 {
	b := x + 1 - a
	f, c, d := b, b, 0.0
	for n := 1.0; n < 1e7; n++ {
		step := -n * (n - a)
		b += 2
		d = 1 / (b + step*d)
		c = b + step/c
		f *= c * d
		if math.Abs(c*d-1) <= 0x1p-52 {
			break
		}
	}
	return f
}

// GammaIncInv returns the x at which P(a, x) = p, or, for upper, Q(a, x) = p.
func GammaIncInv(a, p float64, upper bool) float64 {
	zero, infinite := 0.0, 1.0
	if upper {
		zero, infinite = 1, 0
	}
	switch {
	case !(a > 0) || math.IsInf(a, 1) || !(p >= 0 && p <= 1):
		return math.NaN()
	case p == zero:
		return 0
	case p == infinite:
		return math.Inf(1)
	}
	lgamma, _ := math.Lgamma(a + 1)
	start := (math.Log(p) + lgamma) / a // the first term of the series
	if upper {
		start = (math.Log1p(-p) + lgamma) / a
	}
	if a > 1 {
		z := mathext.NormalQuantile(p)
		if upper {
			z = -z
		}
		s := 1 / (9 * a) // Wilson and Hilferty 1931
		if w := 1 - s + z*math.Sqrt(s); w > 0.2 {
			start = math.Log(a) + 3*math.Log(w)
		}
	}
	return math.Exp(invert(start, func(t float64) (value, slope float64) {
		x := math.Exp(t)
		low, high := GammaInc(a, x)
		slope = math.Exp(a*t - x - lgamma + math.Log(a))
		if a >= stirlingFrom {
			slope = gammaDensity(a, x)
		}
		if !upper && p < 0.75 || upper && p > 0.75 {
			return logRatio(low, p, upper, slope)
		}
		return flip(logRatio(high, p, !upper, slope))
	}))
}

// logRatio is ln(value/target) and its slope; target is 1-p for the complement.
func logRatio(value, p float64, complement bool, slope float64) (f, df float64) {
	if complement {
		return math.Log(value) - math.Log1p(-p), slope / value
	}
	return math.Log(value / p), slope / value
}

// flip makes an increasing function of the logarithm of a complement.
func flip(f, df float64) (float64, float64) { return -f, df }

// invert finds the zero of an increasing function by Newton's method, kept within a
// bracket that grows and shrinks.
func invert(t float64, f func(t float64) (value, slope float64)) float64 {
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		value, slope := f(t)
		switch {
		case math.IsNaN(value):
			return math.NaN()
		case value > 0:
			hi = t
		case value < 0:
			lo = t
		default:
			return t
		}
		next := t - value/slope
		if limit := 1 + math.Abs(t)/2; !(math.Abs(next-t) <= limit) {
			next = t - math.Copysign(limit, value)
		}
		if math.Abs(next-t) <= 0x1p-52*max(0.5, math.Abs(t)) {
			return next
		}
		if next <= lo || next >= hi {
			next = (lo + hi) / 2
		}
		t = next
	}
	return t
}
