package bessel

import "math"

// MaxOrder is the largest order of J, Y and I: recurrences take a step for each unit of it.
const MaxOrder = 1e6

// hankelFrom is the argument from which Hankel's asymptotic expansions have all digits for
// orders in [-3/2, 3/2]: the smallest term is about exp(-2x).
const hankelFrom = 25

// JY returns the Bessel functions J_nu(x) and Y_nu(x) of the first and second kind, of real
// order |nu| ≤ MaxOrder. Errors are about 1e-15 of √(J² + Y²) in the region where they
// oscillate, |x| > |nu|, and of each function elsewhere, times a slowly growing function of
// nu. For x < 0 the order must be an integer, and Y is NaN.
//
//	Y(nu, 0) = -Inf, J(nu, ±Inf) = Y(nu, Inf) = 0
//
// Method: Temme's series, Steed's continued fraction or Hankel's expansion give the functions
// at an order in [-1/2, 1/2]; Y is recurred upwards, and so is J as far as nu = x, above which
// the ratio J_{nu+1}/J_nu by its continued fraction and the Wronskian give it (Temme 1976, J.
// Comput. Phys. 21; Barnett, Feng, Steed and Goldfarb 1974, Comput. Phys. Commun. 8).
func JY(nu, x float64) (j, y float64) {
	whole := nu == math.Trunc(nu)
	switch {
	case !(math.Abs(nu) <= MaxOrder) || math.IsNaN(x) || x < 0 && !whole:
		return math.NaN(), math.NaN()
	case x < 0:
		j, _ = JY(nu, -x)
		if math.Mod(nu, 2) != 0 {
			j = -j
		}
		return j, math.NaN()
	case nu < 0:
		j, y = JY(-nu, x)
		s, c := sinCosPi(-nu)
		return plus(c, j, -s, y), plus(s, j, c, y) // DLMF 10.4.6
	case x == 0 && nu == 0:
		return 1, math.Inf(-1)
	case x == 0:
		return 0, math.Inf(-1)
	case math.IsInf(x, 1):
		return 0, 0
	}
	if x < 1e-20 { // the first term of the series, where 1/x may overflow
		_, y = recurred(nu, x)
		lgamma, _ := math.Lgamma(nu + 1)
		return math.Exp(nu*math.Log(x/2) - lgamma), y
	}
	return recurred(nu, x)
}

// recurred is JY for nu ≥ 0 and 0 < x < ∞.
func recurred(nu, x float64) (j, y float64) {
	steps := math.Round(nu)
	mu := nu - steps
	j0, j1, y0, y1 := pairJY(mu, x)
	upwards := nu <= x || steps == 0
	for i := range int(steps) {
		factor := 2 * (mu + float64(i+1)) / x
		y0, y1 = y1, factor*y1-y0
		if math.IsInf(y1, 0) || math.IsNaN(y1) {
			y1 = math.Inf(-1)
		}
		if upwards {
			j0, j1 = j1, factor*j1-j0
		}
	}
	if upwards {
		return j0, y0
	}
	if math.IsInf(y0, 0) {
		return 0, y0
	}
	r, _ := ratioJ(nu, x)
	return 2 / (math.Pi * x) / (r*y0 - y1), y0
}

// plus is a x + b y, without what an infinite y would make of b = 0.
func plus(a, x, b, y float64) float64 {
	switch {
	case a == 0:
		return b * y
	case b == 0:
		return a * x
	}
	return a*x + b*y
}

// sinCosPi returns sin and cos of πx, exact where x is a multiple of one half.
func sinCosPi(x float64) (s, c float64) {
	r := math.Mod(x, 2)
	n := math.Round(2 * r)
	s, c = math.Sincos(math.Pi * (r - n/2))
	switch int(n) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// ratioJ is J_{nu+1}(x)/J_nu(x) by its continued fraction (DLMF 10.10.1) and the method of
// Lentz, which takes about x - nu terms, or some tens; sign is that of J_nu, which changes
// with each negative denominator.
func ratioJ(nu, x float64) (ratio, sign float64) {
	if x < 1e-8 {
		return x / (2 * (nu + 1)), 1
	}
	const tiny = 1e-300
	f, c, d := tiny, tiny, 0.0
	step := 1.0
	sign = 1
	for k := 1.0; k < 1e7; k++ {
		b := 2 * (nu + k) / x
		if d = b + step*d; d == 0 {
			d = tiny
		}
		if c = b + step/c; c == 0 {
			c = tiny
		}
		if d = 1 / d; d < 0 {
			sign = -sign
		}
		f *= c * d
		step = -1
		if math.Abs(c*d-1) <= 0x1p-52 {
			break
		}
	}
	return f, sign
}

// pairJY returns J and Y of orders mu and mu+1, |mu| ≤ 1/2.
func pairJY(mu, x float64) (j0, j1, y0, y1 float64) {
	switch {
	case x < 2:
		y0, y1 = temmeY(mu, x)
		r, _ := ratioJ(mu, x)
		j0 = 2 / (math.Pi * x) / (r*y0 - y1)
		return j0, r * j0, y0, y1
	case x >= hankelFrom:
		j0, y0 = hankel(mu, x)
		j1, y1 = hankel(mu+1, x)
		return j0, j1, y0, y1
	}
	// With f = J'/J and p + iq = H'/H at mu, the Wronskian gives J (Numerical Recipes 6.7.8-10).
	p, q := steedJY(mu, x)
	r, sign := ratioJ(mu, x)
	f := mu/x - r
	gamma := (p - f) / q
	j0 = sign * math.Sqrt(2/(math.Pi*x)/((p-f)*gamma+q))
	y0 = j0 * gamma
	return j0, r * j0, y0, y0*(mu/x-p) - q*j0
}

// temmeY sums Temme's series for Y_mu and Y_{mu+1}, 0 < x < 2.
func temmeY(mu, x float64) (y0, y1 float64) {
	s := startTemme(mu, x)
	half := 1.0
	if math.Abs(mu) > 1e-8 {
		half = math.Sin(math.Pi*mu/2) / (math.Pi * mu / 2)
	}
	f := 2 / math.Pi * s.factor * s.f
	p := s.e / ((s.g2 - mu*s.g1) * math.Pi)
	q := 1 / (s.e * math.Pi * (s.g2 + mu*s.g1))
	r := math.Pi * mu / 2 * half * half * math.Pi
	c, d := 1.0, -x*x/4
	y0, y1 = f+r*q, p
	for i := 1.0; i < 100; i++ {
		f = (i*f + p + q) / (i*i - mu*mu)
		c *= d / i
		p /= i - mu
		q /= i + mu
		dy := c * (f + r*q)
		y0 += dy
		dy1 := c*p - i*dy
		y1 += dy1
		if math.Abs(dy) < 1e-17*math.Abs(y0) && math.Abs(dy1) < 1e-17*math.Abs(y1) {
			break
		}
	}
	return -y0, -2 / x * y1
}

// steedJY evaluates the continued fraction CF2 for p + iq = (J' + iY')/(J + iY), x ≥ 2.
func steedJY(mu, x float64) (p, q float64) {
	b := complex(2*x, 2)
	// Lentz for i/x · (¼-mu²)/(2(x+i) + ((3/2)²-mu²)/(2(x+2i) + …)).
	const tiny = 1e-300
	f, c, d := complex(tiny, 0), complex(tiny, 0), complex(0, 0)
	for k := 1.0; k < 10000; k++ {
		h := k - 0.5
		step := complex(h*h-mu*mu, 0)
		if d = b + step*d; d == 0 {
			d = tiny
		}
		if c = b + step/c; c == 0 {
			c = tiny
		}
		d = 1 / d
		delta := c * d
		f *= delta
		b += 2i
		if math.Abs(real(delta)-1)+math.Abs(imag(delta)) < 1e-16 {
			break
		}
	}
	f *= complex(0, 1/x)
	return real(f) - 0.5/x, imag(f) + 1
}

// hankel returns J and Y by their asymptotic expansions (DLMF 10.17.3-4).
func hankel(mu, x float64) (j, y float64) {
	p, q, term := 0.0, 0.0, 1.0
	m := 4 * mu * mu
	for k := range 60 {
		switch k & 3 {
		case 0:
			p += term
		case 1:
			q += term
		case 2:
			p -= term
		case 3:
			q -= term
		}
		odd := float64(2*k + 1)
		next := term * (m - odd*odd) / (8 * float64(k+1) * x)
		if math.Abs(next) < 1e-18 {
			break
		}
		term = next
	}
	// cos(x - φ) of a large x by that of x, which is reduced exactly.
	s, c := math.Sincos(x)
	sp, cp := sinCosPi(mu/2 + 0.25)
	cosine, sine := c*cp+s*sp, s*cp-c*sp
	scale := math.Sqrt(2 / (math.Pi * x))
	return scale * (p*cosine - q*sine), scale * (p*sine + q*cosine)
}
