package bessel

import "math"

// I returns the modified Bessel function of the first kind of order nu, |nu| ≤ MaxOrder, at
// x. Relative error below 1e-13 for |nu| <= 50. For x < 0 the order must be an integer.
func I(nu, x float64) float64 {
	if nu > maxRecurrence && nu <= MaxOrder && x > 0 && x < 2*nu*nu { // where exp(-x) alone may underflow
		return uniformI(nu, x, false)
	}
	if math.IsInf(x, 1) && math.Abs(nu) <= MaxOrder {
		return x
	}
	v := IScaled(nu, x)
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	half := math.Exp(math.Abs(x) / 2) // in two halves, so as not to overflow before it must
	return v * half * half
}

// IScaled returns exp(-|x|) I(nu, x), which does not overflow for large x.
func IScaled(nu, x float64) float64 {
	switch {
	case !(math.Abs(nu) <= MaxOrder) || math.IsNaN(x) || x < 0 && nu != math.Trunc(nu):
		return math.NaN()
	case x < 0:
		v := IScaled(nu, -x)
		if math.Mod(nu, 2) != 0 {
			v = -v
		}
		return v
	case nu < 0: // DLMF 10.27.2
		s, _ := sinCosPi(-nu)
		v := IScaled(-nu, x)
		if s == 0 {
			return v
		}
		return v + 2/math.Pi*s*mulExp(KScaled(nu, x), 2*x)
	case x == 0 && nu == 0:
		return 1
	case x == 0 || math.IsInf(x, 1):
		return 0
	case x > 50 && x > 2*nu*nu:
		return hankelI(nu, x)
	case nu > maxRecurrence:
		return uniformI(nu, x, true)
	}
	k0, k1 := KScaled(nu, x), KScaled(nu+1, x)
	if math.IsInf(k1, 1) {
		return smallI(nu, x)
	}
	return 1 / (x * (k1 + ratioI(nu, x)*k0)) // DLMF 10.28.2
}

// ratioI is I_{nu+1}(x)/I_nu(x) by its continued fraction (DLMF 10.33.1), whose terms are
// positive.
func ratioI(nu, x float64) float64 {
	d := x / (2 * (nu + 1))
	f, step := d, d
	d = 1
	for k := 1.0; k < 1e6; k++ { // Steed's summation of 1/(1 + a₁/(1 + a₂/…))
		a := x * x / (4 * (nu + k) * (nu + k + 1))
		d = 1 / (1 + a*d)
		step *= d - 1
		f += step
		if math.Abs(step) < 0x1p-54*f {
			break
		}
	}
	return f
}

// smallI is the first terms of the series, for x so small that K overflows.
func smallI(nu, x float64) float64 {
	lgamma, _ := math.Lgamma(nu + 1)
	y := x * x / 4
	return math.Exp(nu*math.Log(x/2)-lgamma-x) * (1 + y/(nu+1)*(1+y/(2*(nu+2))))
}

// hankelI is the expansion for large arguments (DLMF 10.40.1).
func hankelI(nu, x float64) float64 {
	sum, term, m := 1.0, 1.0, 4*nu*nu
	for k := range 60 {
		odd := float64(2*k + 1)
		term *= -(m - odd*odd) / (8 * float64(k+1) * x)
		sum += term
		if math.Abs(term) < 1e-17 {
			break
		}
	}
	return sum / (math.Sqrt(2*math.Pi) * math.Sqrt(x)) // two roots: 2πx may overflow
}

// uniformI is Debye's uniform expansion for large order (DLMF 10.41.3).
func uniformI(nu, x float64, scaled bool) float64 {
	z := x / nu
	w := math.Hypot(1, z)
	// η - z = 1/(w+z) + ln(z/(1+w)), without the cancellation of w and z.
	logarithm := math.Log(z / (1 + w))
	if z > 1 {
		logarithm = math.Log1p(-(1 + 1/(w+z)) / (1 + w))
	}
	exponent := nu * (w + logarithm)
	if scaled {
		exponent = nu * (1/(w+z) + logarithm)
	}
	half := math.Exp(exponent / 2) // in two halves, so as not to overflow before it must
	return half * (debye(-nu, 1/w) / math.Sqrt(2*math.Pi*nu*w)) * half
}
