package elementary

import "math"

// The mantissas of logarithms begin with these bits, near sqrt(1/2), so that 1 is in the middle of one of their 128
// intervals.
const fromBits = 0x3fe6b00000000000

// minNormal is the smallest normal number.
const minNormal = 0x1p-1022

// ln2High has 42 bits, so that a whole number of up to 11 bits times it is exact; ln2Low is the rest of ln 2.
const (
	ln2High = 0x1.62e42fefa38p-1
	ln2Low  = 0x1.ef35793c7673p-45
)

// Reciprocals of logarithms in two parts.
const (
	perLn10     = 0x1.bcb7b1526e50ep-2
	perLn10Rest = 0x1.95355baaafad3p-57
	perLn2      = 0x1.71547652b82fep+0
	perLn2Rest  = 0x1.777d0ffda0d24p-56
)

// Log returns the natural logarithm of x; special values are those of math.Log. The error is below 0.501 ulp.
func Log(x float64) float64 {
	if special, ok := logSpecial(x); ok {
		return special
	}
	high, _ := logParts(x)
	return high
}

// Log10 returns the decimal logarithm of x, which of a power of ten is whole. The error is below 0.501 ulp.
func Log10(x float64) float64 {
	if special, ok := logSpecial(x); ok {
		return special
	}
	high, low := logParts(x)
	return timesParts(high, low, perLn10, perLn10Rest)
}

// Log2 returns the binary logarithm of x. The error is below 0.501 ulp.
func Log2(x float64) float64 {
	if special, ok := logSpecial(x); ok {
		return special
	}
	high, low := logParts(x)
	return timesParts(high, low, perLn2, perLn2Rest)
}

// LogBase returns the logarithm of x to a base, ln x / ln base with one rounding: of 125 to base 5 it is 3. The error is
// below 0.501 ulp.
func LogBase(x, base float64) float64 {
	a, specialA := logSpecial(x)
	b, specialB := logSpecial(base)
	if specialA || specialB {
		if !specialA {
			a = Log(x)
		}
		if !specialB {
			b = Log(base)
		}
		return a / b
	}
	a, aLow := logParts(x)
	b, bLow := logParts(base)
	q := a / b
	if b == 0 || q == 0 {
		return q
	}
	rest := math.FMA(-q, b, a) + math.FMA(-q, bLow, aLow)
	return q + rest/b
}

// logSpecial is the logarithm of what is not positive and finite.
func logSpecial(x float64) (log float64, ok bool) {
	switch {
	case x > 0 && x <= math.MaxFloat64:
		return 0, false
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	}
	return x, true // +Inf, NaN
}

// timesParts is (a + aLow)(b + bLow), rounded.
func timesParts(a, aLow, b, bLow float64) float64 {
	p := float64(a * b)
	return p + (math.FMA(a, b, -p) + math.FMA(a, bLow, float64(aLow*b)))
}

// logParts returns log(x) of a positive and finite x, as high + low with |low| at most half an ulp of high and a relative
// error of about 2^-74.
//
// With x = 2^k m, 0.709 <= m < 1.418, and c near 1/m from the table, the reduced argument r = m c - 1 is exact: it is
// a multiple of 2^-60 and below 2^-7. Then
//
//	log x = k ln 2 - log c + r - r²/2 + r³/3 - r⁴ (1/4 - r/5 + …)
//
// of which all but the last term is added up with its rounding errors.
func logParts(x float64) (high, low float64) {
	b := math.Float64bits(x)
	shift := 0
	if x < minNormal {
		b, shift = math.Float64bits(x*0x1p54), 54
	}
	u := b - fromBits
	k := float64(int(int64(u)>>52) - shift)
	t := &logTable[u>>45&127]
	r := math.FMA(math.Float64frombits(b-u&^(1<<52-1)), t.inverse, -1)

	a := float64(k * ln2High) // exact
	s := a + t.high
	rest := t.high - (s - a)
	h := s + r
	back := h - s
	rest += (s - (h - back)) + (r - back)

	square := float64(r * r)
	half := float64(0.5 * square)
	g := h - half
	rest += (h - g) - half

	const third, thirdRest = 0x1.5555555555555p-2, 0x1.5555555555555p-56
	squareRest := math.FMA(r, r, -square)
	cube := float64(r * square)
	cubeRest := math.FMA(r, square, -cube) + float64(r*squareRest)
	c := float64(cube * third)
	f := g + c
	rest += (g - f) + c
	rest += math.FMA(cube, third, -c) + math.FMA(cube, thirdRest, float64(cubeRest*third))

	rest += math.FMA(-0.5, squareRest, math.FMA(k, ln2Low, t.low))
	tail := math.FMA(r, -1./10, 1./9)
	tail = math.FMA(r, tail, -1./8)
	tail = math.FMA(r, tail, 1./7)
	tail = math.FMA(r, tail, -1./6)
	tail = math.FMA(r, tail, 1./5)
	tail = math.FMA(r, tail, -1./4)
	rest = math.FMA(float64(square*square), tail, rest)

	high = f + rest
	return high, rest - (high - f)
}
