package special

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/elementary"
)

// LogBeta returns ln B(a, b), a > 0 and b > 0. It keeps its digits where the logarithms of
// the gamma functions are large and cancel (Didonato and Morris 1992, ACM TOMS 18).
func LogBeta(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	switch {
	case !(a > 0) || math.IsNaN(b):
		return math.NaN()
	case math.IsInf(b, 1):
		return math.Inf(-1)
	case a >= stirlingFrom:
		h := a / b
		rest := stirlingRest(a) + stirlingRest(b) - stirlingRest(a+b)
		return -0.5*math.Log(b) + 0.5*math.Log(2*math.Pi) + rest + (a-0.5)*math.Log(h/(1+h)) - b*math.Log1p(h)
	case b >= stirlingFrom:
		rest := stirlingRest(b) - stirlingRest(a+b)
		return LogGamma(a) + rest - (b+(a-0.5))*math.Log1p(a/b) - a*(math.Log(b)-1)
	case a < 1e-150:
		return math.Log1p(a/b) - elementary.Log(a) // Γ(a) Γ(b)/Γ(a+b) → (a+b)/(a b)
	}
	return math.Log(math.Gamma(a) / math.Gamma(a+b) * math.Gamma(b))
}

// Beta returns B(a, b) = Γ(a) Γ(b)/Γ(a+b).
func Beta(a, b float64) float64 {
	switch {
	case a > 0 && b > 0 && max(a, b) >= stirlingFrom:
		return math.Exp(LogBeta(a, b))
	case a > 0 && b > 0:
		return math.Gamma(a) / math.Gamma(a+b) * math.Gamma(b)
	}
	return mathext.Beta(a, b)
}

// BetaInc returns the regularised incomplete beta function I_x(a, b) and its complement,
// for a > 0, b > 0 and x in [0, 1], by the continued fraction DLMF 8.17.22.
func BetaInc(a, b, x float64) (p, q float64) {
	switch {
	case !(a > 0) || !(b > 0) || !(x >= 0 && x <= 1) || math.IsInf(a, 1) || math.IsInf(b, 1):
		return math.NaN(), math.NaN()
	case x == 0:
		return 0, 1
	case x == 1:
		return 1, 0
	}
	density := betaDensity(a, b, x)
	left := x <= (a+1)/(a+b+2)
	switch {
	case math.IsNaN(density):
		return density, density
	case density == 0 && left:
		return 0, 1
	case density == 0:
		return 1, 0
	case left:
		p = density * betaFraction(a, b, x, 1-x)
		return p, 1 - p
	}
	q = density * betaFraction(b, a, 1-x, x)
	switch {
	case !(q > 0.99 && b <= 1):
	case x < 0.9999:
		return density / a * math.Pow(1-x, -b) * betaSeries(a, b, x), q
	case 4*b < min(a, 2):
		return -math.Expm1(logUpperBeta(a, b, 1-x)), q
	}
	return 1 - q, q
}

// betaSeries is DLMF 8.17.7, whose terms are positive for b ≤ 1:
// I_x(a, b) = x^a/(a B(a, b)) F(a, 1-b; a+1; x).
func betaSeries(a, b, x float64) float64 {
	sum, term := 1.0, 1.0
	for n := 1.0; n < 1e6; n++ {
		term *= (n - b) / n * x
		step := term * a / (a + n)
		if sum += step; step < sum*0x1p-54 {
			break
		}
	}
	return sum
}

// logUpperBeta is the logarithm of 1 - I_x(a, b) = I_y(b, a) for a small y = 1 - x, b < a/4 and b ≤ ½, where it is next to
// nothing: of DLMF 8.17.7, y^b/(b B(a, b)) F(b, 1-a; b+1; y), each factor is 1 and something that is proportional to b.
func logUpperBeta(a, b, y float64) float64 {
	sum, term := 0.0, 1.0
	for n := 1.0; n < 1e4; n++ {
		term *= (n - a) / n * y
		step := term * b / (b + n)
		if sum += step; math.Abs(step) <= math.Abs(sum)*0x1p-56 {
			break
		}
	}
	return b*math.Log(y) + logGammaRise(a, b) - logGamma2(b) + math.Log1p(b) + math.Log1p(sum)
}

// logGammaRise is ln Γ(a+b)/Γ(a) for 0 < b < a/4, by Taylor's series in b, whose coefficients are ψ(a) and (-1)^k ζ(k, a)/k.
func logGammaRise(a, b float64) float64 {
	sum, power := b*Digamma(a), b
	for k := 2.0; k < 60; k++ {
		power *= -b
		step := power * mathext.Zeta(k, a) / k
		if sum -= step; math.Abs(step) <= math.Abs(sum)*0x1p-56 {
			break
		}
	}
	return sum
}

// betaDensity is x^a (1-x)^b / B(a, b).
func betaDensity(a, b, x float64) float64 {
	if min(a, b) < stirlingFrom {
		return math.Exp(a*math.Log(x) + b*math.Log1p(-x) - LogBeta(a, b))
	}
	// The exponents cancel against the beta function: only the distance from the mean
	// a/(a+b) is left.
	d := b*x - a*(1-x)
	rest := stirlingRest(a) + stirlingRest(b) - stirlingRest(a+b)
	return math.Sqrt(a/(2*math.Pi)*(b/(a+b))) * math.Exp(-a*relativeExcess(d, a, (a+b)*x)-b*relativeExcess(-d, b, (a+b)*(1-x))-rest)
}

// betaFraction is the continued fraction of DiDonato and Morris (Algorithm 708, BFRAC) for x and
// y = 1 - x: that of Lentz in steps of two, in which the distance from the mean does not cancel, however
// small x or y is.
func betaFraction(a, b, x, y float64) float64 {
	distance := a - (a+b)*x
	if y < x {
		distance = (a+b)*y - b
	}
	c, c0, c1 := 1+distance, b/a, 1+1/a
	p, s := 1.0, a+1
	before, below, above, last := 0.0, 1.0, 1.0, c/c1
	r := c1 / c
	for n := 1.0; n < 1e6; n++ {
		t, w, e := n/a, n*(b-n)*x, a/s
		alpha := p * (p + c0) * e * e * (w * x)
		e = (1 + t) / (c1 + t + t)
		beta := n + w/s + e*(c+n*(1+y))
		p, s = 1+t, s+2
		before, above = above, alpha*before+beta*above
		below, last = last, alpha*below+beta*last
		old := r
		if r = above / last; !(math.Abs(r-old) > 0x1p-52*math.Abs(r)) {
			break
		}
		before, below, above, last = before/last, below/last, r, 1
	}
	return r
}

// BetaIncInv returns the x at which I_x(a, b) = p.
func BetaIncInv(a, b, p float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || !(p >= 0 && p <= 1) || math.IsInf(a, 1) || math.IsInf(b, 1):
		return math.NaN()
	case p == 0 || p == 1:
		return p
	}
	// In t = ln x/(1-x) both ends are far away and keep their digits.
	t := invert(math.Log(a/b), func(t float64) (value, slope float64) {
		x, y := 1/(1+math.Exp(-t)), 1/(1+math.Exp(t))
		low, high := BetaInc(a, b, x)
		if x > 0.5 {
			high, low = BetaInc(b, a, y)
		}
		slope = betaDensity(a, b, x)
		if x > 0.5 {
			slope = betaDensity(b, a, y)
		}
		if p < 0.75 {
			return logRatio(low, p, false, slope)
		}
		return flip(logRatio(high, p, true, slope))
	})
	return 1 / (1 + math.Exp(-t))
}
