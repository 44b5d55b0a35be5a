package bessel

import "math"

// K returns the modified Bessel function of the second kind of order nu at x.
// It is even in nu. Relative error below 1e-13 for |nu| <= 50 and all x.
//
//	K(nu, 0) = +Inf, K(nu, +Inf) = 0, K(nu, x < 0) = NaN, K(NaN, x) = NaN
//
// Cost: about 300 ns for x < 10, half of it above, and 2 ns for each unit of nu.
func K(nu, x float64) float64 {
	k := KScaled(nu, x)
	if nu := math.Abs(nu); math.IsInf(k, 1) && nu > maxRecurrence && x > 0 && !math.IsInf(nu, 1) {
		return uniformK(nu, x) // exp(x) overflowed
	}
	if k == 0 || math.IsInf(k, 1) || math.IsNaN(k) {
		return k
	}
	return mulExp(k, x)
}

// KScaled returns exp(x) K(nu, x), which does not underflow for large x.
func KScaled(nu, x float64) float64 {
	nu = math.Abs(nu)
	switch {
	case math.IsNaN(nu) || math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0 || math.IsInf(nu, 1):
		return math.Inf(1)
	case math.IsInf(x, 1):
		return 0
	}
	steps := int(nu + 0.5)
	mu := nu - float64(steps)
	k0, k1 := pair(mu, x)
	for i := range steps {
		if math.IsInf(k1, 1) {
			return k1 // the order only grows from here
		}
		k0, k1 = k1, k0+2*(mu+float64(i+1))/x*k1
	}
	return k0
}

// uniformK is Debye's uniform expansion for large order (DLMF 10.41.4).
func uniformK(nu, x float64) float64 {
	z := x / nu
	w := math.Hypot(1, z)
	return mulExp(math.Sqrt(math.Pi/(2*nu*w))*debye(nu, 1/w), nu*(w+math.Log(z/(1+w))))
}

// mulExp returns k exp(-x). The exponential is taken in two halves, so that
// the product does not underflow before it must.
func mulExp(k, x float64) float64 {
	if x < 600 {
		return k * math.Exp(-x)
	}
	half := math.Exp(-x / 2)
	return k * half * half
}

// pair returns exp(x) K_mu(x) and exp(x) K_{mu+1}(x) for -1/2 <= mu <= 1/2 and
// x > 0.
func pair(mu, x float64) (k0, k1 float64) {
	if x < 2 {
		k0, k1 = temme(mu, x)
		e := math.Exp(x)
		return k0 * e, k1 * e
	}
	return steed(mu, x)
}

// reciprocalGamma are the coefficients a_k of 1/Gamma(1+x) = sum a_k x^k
// (Abramowitz and Stegun 6.1.34).
var reciprocalGamma = [...]float64{
	1.0000000000000000, 0.5772156649015329, -0.6558780715202538,
	-0.0420026350340952, 0.1665386113822915, -0.0421977345555443,
	-0.0096219715278770, 0.0072189432466630, -0.0011651675918591,
	-0.0002152416741149, 0.0001280502823882, -0.0000201348547807,
	-0.0000012504934821, 0.0000011330272320, -0.0000002056338417,
	0.0000000061160950, 0.0000000050020075, -0.0000000011812746,
	0.0000000001043427, 0.0000000000077823, -0.0000000000036968,
	0.0000000000005100, -0.0000000000000206, -0.0000000000000054,
	0.0000000000000014, 0,
}

// temmeGammas returns Temme's
//
//	g1 = (1/Gamma(1-mu) - 1/Gamma(1+mu)) / (2 mu),
//	g2 = (1/Gamma(1-mu) + 1/Gamma(1+mu)) / 2
//
// for |mu| <= 1/2, from the series: the quotient would cancel near mu = 0.
func temmeGammas(mu float64) (g1, g2 float64) {
	m2 := mu * mu
	for i := len(reciprocalGamma) - 2; i >= 0; i -= 2 {
		g2 = g2*m2 + reciprocalGamma[i]
		g1 = g1*m2 - reciprocalGamma[i+1]
	}
	return g1, g2
}

// A temmeStart is what Temme's series of K and Y begin with.
type temmeStart struct {
	f, e   float64 // without the factors of each: the first term, and (2/x)^mu
	g1, g2 float64
	factor float64 // pi mu / sin(pi mu)
}

func startTemme(mu, x float64) temmeStart {
	g1, g2 := temmeGammas(mu)
	logb := math.Log(2 / x)
	if x < 1e-300 { // the quotient overflows
		logb = 101*math.Ln2 - math.Log(x*0x1p100)
	}
	sigma, sinhc, factor := mu*logb, 1.0, 1.0
	if math.Abs(sigma) > 1e-8 {
		sinhc = math.Sinh(sigma) / sigma
	}
	if math.Abs(mu) > 1e-8 {
		factor = math.Pi * mu / math.Sin(math.Pi*mu)
	}
	return temmeStart{g1*math.Cosh(sigma) + g2*sinhc*logb, math.Exp(sigma), g1, g2, factor}
}

// temme sums Temme's series for K_mu(x) and K_{mu+1}(x), 0 < x < 2.
func temme(mu, x float64) (k0, k1 float64) {
	s := startTemme(mu, x)
	f := s.factor * s.f
	p := 0.5 * s.e / (s.g2 - mu*s.g1) // e/2 Gamma(1+mu)
	q := 0.5 / (s.e * (s.g2 + mu*s.g1))
	c, d := 1.0, x*x/4
	k0, k1 = f, p
	for i := 1.0; i < 100; i++ {
		f = (i*f + p + q) / (i*i - mu*mu)
		c *= d / i
		p /= i - mu
		q /= i + mu
		k0 += c * f
		dk := c * (p - i*f)
		k1 += dk
		if c*f < 1e-17*k0 && math.Abs(dk) < 1e-17*k1 {
			break
		}
	}
	return k0, 2 / x * k1
}

// steed evaluates the continued fraction CF2 for exp(x) K_mu(x) and
// exp(x) K_{mu+1}(x), x >= 2.
func steed(mu, x float64) (k0, k1 float64) {
	if x > 0x1p54 { // only the first term of DLMF 10.40.2 is not lost in rounding, and those of the fraction would overflow
		k0 = math.Sqrt(math.Pi / 2 / x)
		return k0, k0
	}
	b := 2 * (1 + x)
	d := 1 / b
	h, dh := d, d
	q1, q2 := 0.0, 1.0
	a1 := 0.25 - mu*mu
	q, c := a1, a1
	a := -a1
	s := 1 + q*dh
	for i := 2.0; i < 10000; i++ {
		a -= 2 * (i - 1)
		c = -a * c / i
		qnew := (q1 - b*q2) / a
		q1, q2 = q2, qnew
		q += c * qnew
		b += 2
		d = 1 / (b + a*d)
		dh *= b*d - 1
		h += dh
		ds := q * dh
		s += ds
		if math.Abs(ds) < 1e-17*math.Abs(s) {
			break
		}
	}
	k0 = math.Sqrt(math.Pi/(2*x)) / s
	k1 = k0 * (mu + x + 0.5 - a1*h) / x
	return k0, k1
}
