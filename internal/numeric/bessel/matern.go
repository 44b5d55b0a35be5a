package bessel

import "math"

// Matern returns the Matérn function of order nu > 0 at the scaled distance
// |d|: 2^(1-nu)/Gamma(nu) z^nu K_nu(z) with z = sqrt(2 nu) |d|.
//
// It is 1 at 0, exp(-|d|) for nu = 1/2, and exp(-d²/2) for nu = +Inf; NaN for
// nu <= 0. Relative error below 1e-13 while the value is a normal number.
//
// Cost: 25 ns for nu = 1/2, 3/2, 5/2, ...; 200 to 400 ns for others.
func Matern(nu, d float64) float64 {
	d = math.Abs(d)
	switch {
	case !(nu > 0) || math.IsNaN(d):
		return math.NaN()
	case d == 0:
		return 1
	case math.IsInf(d, 1):
		return 0
	case math.IsInf(nu, 1):
		return math.Exp(-d * d / 2)
	case nu > maxRecurrence:
		return maternUniform(nu, d)
	}
	z, low := scaledDistance(nu, d)
	switch {
	case z > underflow:
		return 0
	case z < 1e-150 && nu >= 0.5:
		return 1
	}
	if c, ok := HalfInteger(nu); ok {
		return mulExp(horner(c, z), z) * (1 - low)
	}
	return min(mulExp(maternScaled(nu, z), z)*(1-low), 1)
}

// scaledDistance returns z = sqrt(2 nu) d, and what its rounding left out: at
// large z the value is exp(-z) times something slow, and the rounding of z
// alone would cost z units in the last place.
func scaledDistance(nu, d float64) (z, low float64) {
	scale := math.Sqrt(2 * nu)
	scaleLow := math.FMA(-scale, scale, 2*nu) / (2 * scale)
	z = scale * d
	return z, math.FMA(scale, d, -z) + scaleLow*d
}

// underflow is where z^nu exp(-z) is below every double for nu up to
// maxRecurrence: 100 log(2000) - 2000 = -1240.
const underflow = 2000

// maxHalfInteger bounds the degree of the closed form.
const maxHalfInteger = 24

// HalfInteger returns the coefficients c of the closed form
// exp(-z) (c[0] + c[1] z + ...) of the Matérn function with nu = p + 1/2, in
// the variable z = sqrt(2 nu) d; ok is false for other orders
// (Rasmussen and Williams, eq. 4.16).
func HalfInteger(nu float64) (c []float64, ok bool) {
	p := int(nu)
	if nu-float64(p) != 0.5 || p > maxHalfInteger {
		return nil, false
	}
	// c[k] = 2^k p! (2p-k)! / ((2p)! k! (p-k)!), each from the one before.
	c = make([]float64, p+1)
	c[0] = 1
	for k := 1; k <= p; k++ {
		c[k] = c[k-1] * 2 * float64(p-k+1) / (float64(2*p-k+1) * float64(k))
	}
	return c, true
}

func horner(c []float64, x float64) float64 {
	s := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		s = s*x + c[i]
	}
	return s
}

// MaternScaled returns exp(z) f(z), f being the Matérn function of order nu in
// the variable z = sqrt(2 nu) |d|, for 0 < nu <= 100 and z >= 0: a function
// that does not underflow.
func MaternScaled(nu, z float64) float64 {
	switch {
	case z < 1e-150 && nu >= 0.5:
		return 1
	case z == 0:
		return 1
	}
	return maternScaled(nu, z)
}

// maternScaled computes f_nu(z) = 2^(1-nu)/Gamma(nu) z^nu K_nu(z), times
// exp(z), by
//
//	f_{nu+1} = f_nu + z²/(4 nu (nu-1)) f_{nu-1},
//
// the recurrence of K in a form where every term is positive and of moderate
// size.
func maternScaled(nu, z float64) float64 {
	steps := int(nu + 0.5)
	mu := nu - float64(steps)
	k0, k1 := pair(mu, z)
	if steps == 0 {
		return math.Exp2(1-nu) / math.Gamma(nu) * math.Pow(z, nu) * k0
	}
	// Orders mu+1 and mu+2.
	scale := math.Exp2(-mu) / math.Gamma(mu+1) * math.Pow(z, mu+1)
	f0 := scale * k1
	f1 := f0 + scale*z/(2*(mu+1))*k0
	for i := 1; i < steps; i++ {
		order := mu + float64(i+1)
		f0, f1 = f1, f1+z*z/(4*order*(order-1))*f0
	}
	return f0
}
