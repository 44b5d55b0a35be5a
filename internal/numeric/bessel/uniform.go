package bessel

import "math"

// maxRecurrence is the order above which the uniform expansion is used.
const maxRecurrence = 100

// maternUniform is the Matérn function from Debye's uniform expansion of K for
// large order (Abramowitz and Stegun 9.7.8), with the powers and the Gamma
// function cancelled by hand. With s = sqrt(2/nu) d and w = sqrt(1+s²),
//
//	exp(-nu (w-1 - log((1+w)/2))) / sqrt(w) · Σ (-1)^k u_k(1/w)/nu^k / Σ (-1)^k u_k(1)/nu^k
//
// The last sum is Stirling's series for Gamma(nu), so the value at 0 is 1.
func maternUniform(nu, d float64) float64 {
	s2 := 2 / nu * d * d
	w := math.Sqrt(1 + s2)
	h := s2 / (1 + w) // w - 1
	exponent := nu * (h - math.Log1p(h/2))
	if math.IsInf(s2, 1) {
		return 0
	}
	ratio := debye(nu, 1/w) / debye(nu, 1)
	return mulExp(ratio/math.Sqrt(w), exponent)
}

// debyeTerms suffices for nu > maxRecurrence: u_9 < 200, so what is left out is
// below 1e-15.
const debyeTerms = 9

// debye returns Σ_{k<debyeTerms} (-1)^k u_k(t)/nu^k.
func debye(nu, t float64) float64 {
	sum, power := 0.0, 1.0
	for _, u := range debyePolynomials {
		sum += power * horner(u, t)
		power /= -nu
	}
	return sum
}

var debyePolynomials = makeDebyePolynomials()

// makeDebyePolynomials returns the coefficients of u_0, u_1, ... from
//
//	u_{k+1}(t) = t²(1-t²)/2 u_k'(t) + 1/8 ∫_0^t (1-5r²) u_k(r) dr
//
// (Abramowitz and Stegun 9.3.10).
func makeDebyePolynomials() [debyeTerms][]float64 {
	var u [debyeTerms][]float64
	u[0] = []float64{1}
	for k := 1; k < debyeTerms; k++ {
		next := make([]float64, 3*k+1)
		for i, c := range u[k-1] {
			p := float64(i)
			next[i+1] += c * (p/2 + 1/(8*(p+1)))
			next[i+3] -= c * (p/2 + 5/(8*(p+3)))
		}
		u[k] = next
	}
	return u
}
