package elementary

import (
	"math"
	"math/big"
	"sync"
)

// Bits of sqrt(1/2), and the smallest normal number.
const (
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	minNormal    = 0x1p-1022
)

// The two parts of ln 2; a whole number of up to 11 bits times the first is
// exact (fdlibm).
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Power returns x^y within 2 ulp; special values are those of math.Pow, which
// itself is slower by a factor of four and loses up to 100 ulp on results of
// extreme size.
func Power(x, y float64) float64 {
	if x >= minNormal && x <= math.MaxFloat64 {
		high, low := logParts(logTable(), x)
		p := y * high
		if math.Abs(p) < 708 {
			return expParts(p, math.FMA(y, high, -p)+y*low)
		}
	}
	return math.Pow(x, y)
}

// logEntry belongs to an interval of the mantissa: inverse has 8 bits and is
// near the reciprocal of the interval, high + low is -log(inverse).
type logEntry struct{ inverse, high, low float64 }

const logTableBits = 7

var logTable = sync.OnceValue(makeLogTable)

// makeLogTable covers [sqrt(1/2), sqrt(2)) in 128 intervals.
func makeLogTable() *[1 << logTableBits]logEntry {
	var table [1 << logTableBits]logEntry
	for i := range table {
		from := math.Float64frombits(sqrtHalfBits + uint64(i)<<(52-logTableBits))
		to := math.Float64frombits(sqrtHalfBits + uint64(i+1)<<(52-logTableBits))
		inverse := math.Round(256/(from+to)) / 128
		if from <= 1 && 1 < to {
			inverse = 1 // so that the logarithm of numbers near 1 keeps its digits
		}
		high, low := logSplit(inverse)
		table[i] = logEntry{inverse, -high, -low}
	}
	return &table
}

// logSplit returns log(v) in two parts, v near 1, from the series
// 2 atanh((v-1)/(v+1)).
func logSplit(v float64) (high, low float64) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(160).SetFloat64(x) }
	s := number(v - 1)
	s.Quo(s, number(v+1))
	square := number(0).Mul(s, s)
	sum, power := number(0), s
	for k := 1.0; k < 100; k += 2 {
		sum.Add(sum, number(0).Quo(power, number(k)))
		power = number(0).Mul(power, square)
	}
	sum.Mul(sum, number(2))
	high, _ = sum.Float64()
	low, _ = sum.Sub(sum, number(high)).Float64()
	return high, low
}

// logParts returns log(x), x positive and normal, in two parts with a relative
// error near 2^-65. The reduced argument r = m*inverse - 1 is exact: it is a
// multiple of 2^-60 (2^-59 for m >= 1) and below 2^-7.
func logParts(table *[1 << logTableBits]logEntry, x float64) (high, low float64) {
	const (
		c3 = 1. / 3
		c4 = -1. / 4
		c5 = 1. / 5
		c6 = -1. / 6
		c7 = 1. / 7
		c8 = -1. / 8
		c9 = 1. / 9
	)
	b := math.Float64bits(x)
	u := b - sqrtHalfBits
	e := int64(u) >> 52
	t := &table[u>>(52-logTableBits)&(1<<logTableBits-1)]
	r := math.FMA(math.Float64frombits(b-uint64(e)<<52), t.inverse, -1)
	k := float64(e)

	// k ln2 + table, then + r, then - r²/2, each sum with its error.
	a := k * ln2High
	s := a + t.high
	e1 := t.high - (s - a)
	h := s + r
	back := h - s
	e2 := (s - (h - back)) + (r - back)
	q := float64(0.5 * r * r) // rounded, not fused with the next line
	qLow := math.FMA(0.5*r, r, -q)
	g := h - q
	e3 := (h - g) - q
	r2 := r * r
	tail := r * r2 * (c3 + r*c4 + r2*(c5+r*c6+r2*(c7+r*c8+r2*c9)))
	return g, e1 + e2 + e3 + (k*ln2Low + t.low) - qLow + tail
}

// expParts returns exp(x + low) for |x| < 708 and low far below x: 2^(k/16)
// from a table times Taylor's polynomial of degree 7, r being below 0.022.
func expParts(x, low float64) float64 {
	const magic = 1.5 * (1 << 48)
	k := x*math.Log2E + magic
	t := k - magic
	r := (x - t*ln2High) - t*ln2Low + low
	b := math.Float64bits(k)
	s := math.Float64frombits(math.Float64bits(sixteenths[b&15]) + b>>4<<52)
	const (
		e3 = 1. / 6
		e4 = 1. / 24
		e5 = 1. / 120
		e6 = 1. / 720
		e7 = 1. / 5040
	)
	return s + s*(r+r*r*(0.5+r*(e3+r*(e4+r*(e5+r*(e6+r*e7))))))
}

// sixteenths holds 2^(k/16).
var sixteenths = [16]float64{
	0x1p+00, 0x1.0b5586cf9890fp+00, 0x1.172b83c7d517bp+00, 0x1.2387a6e756238p+00,
	0x1.306fe0a31b715p+00, 0x1.3dea64c123422p+00, 0x1.4bfdad5362a27p+00, 0x1.5ab07dd485429p+00,
	0x1.6a09e667f3bcdp+00, 0x1.7a11473eb0187p+00, 0x1.8ace5422aa0dbp+00, 0x1.9c49182a3f09p+00,
	0x1.ae89f995ad3adp+00, 0x1.c199bdd85529cp+00, 0x1.d5818dcfba487p+00, 0x1.ea4afa2a490dap+00,
}
