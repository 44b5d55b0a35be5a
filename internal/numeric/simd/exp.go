package simd

import "math"

// The exponential in plain Go: 2^(k/16) from a table, times a polynomial of degree 6 in what is left, with the
// coefficients of gen/exp.go. Adding magic rounds to a sixteenth and leaves it in the low bits.
const magic = 1.5 * (1 << 48)

// powers holds 2^(k/16).
var powers = [16]float64{
	0x1p+00, 0x1.0b5586cf9890fp+00, 0x1.172b83c7d517bp+00, 0x1.2387a6e756238p+00,
	0x1.306fe0a31b715p+00, 0x1.3dea64c123422p+00, 0x1.4bfdad5362a27p+00, 0x1.5ab07dd485429p+00,
	0x1.6a09e667f3bcdp+00, 0x1.7a11473eb0187p+00, 0x1.8ace5422aa0dbp+00, 0x1.9c49182a3f09p+00,
	0x1.ae89f995ad3adp+00, 0x1.c199bdd85529cp+00, 0x1.d5818dcfba487p+00, 0x1.ea4afa2a490dap+00,
}

// The coefficients of the polynomial for e^r, and ln 2 in two parts of which k/16 times the first is exact (fdlibm).
const (
	e1 = 1.0000000000000022
	e2 = 0.500000000000002
	e3 = 0.1666666666280299
	e4 = 0.04166666664251545
	e5 = 0.00833349713461337
	e6 = 0.0013889503221438978

	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// plainExp sets dst = e^a.
func plainExp(dst, a []float64) {
	dst = dst[:len(a)]
	for i, x := range a {
		if !(x > -708 && x < 709) {
			dst[i] = extremeExp(x)
			continue
		}
		k := x*math.Log2E + magic
		t := k - magic
		r := (x - t*ln2High) - t*ln2Low
		b := math.Float64bits(k)
		s := math.Float64frombits(math.Float64bits(powers[b&15]) + (b>>4)<<52)
		dst[i] = s + s*(r*(((((e6*r+e5)*r+e4)*r+e3)*r+e2)*r+e1))
	}
}

// extremeExp is e^x where the result is not a normal number, or nearly so. math.Exp will not do: it overflows from
// 709.4 on some machines.
func extremeExp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k := x*math.Log2E + magic
	t := k - magic
	r := (x - t*ln2High) - t*ln2Low
	s := powers[math.Float64bits(k)&15]
	return math.Ldexp(s+s*(r*(((((e6*r+e5)*r+e4)*r+e3)*r+e2)*r+e1)), int(math.Floor(t)))
}

// vanishing is where 2^−u is taken for 0.
const vanishing = 1021

// power returns 2^−u for 0 <= u < vanishing, NaN for NaN. It is short enough to be inlined.
func power(u float64) float64 {
	const (
		c1 = 0.6931471805599468
		c2 = 0.24022650695910167
		c3 = 0.055504108651954584
		c4 = 0.009618129102053528
		c5 = 0.0013333820232895462
		c6 = 0.0001540421172146931
	)
	k := magic - u
	r := (magic - k) - u
	b := math.Float64bits(k)
	s := math.Float64frombits(math.Float64bits(powers[b&15]) + b>>4<<52)
	return s + s*(r*(((((c6*r+c5)*r+c4)*r+c3)*r+c2)*r+c1))
}

// plainLog is math.Log, which does not know denormal numbers on every machine.
func plainLog(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}
