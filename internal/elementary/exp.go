package elementary

import "math"

// The parts of ln 2 / 128: a whole number of up to 18 bits times the first is exact.
const (
	stepHigh = 0x1.62e42fefcp-8
	stepLow  = -0x1.c610ca86c3899p-44
	perStep  = 0x1.71547652b82fep+7
)

// Beyond these the exponential is +Inf and 0.
const (
	expLargest  = 0x1.62e42fefa39efp+9
	expSmallest = -0x1.74910d52d3052p+9
)

// Exp returns e^x; special values are those of math.Exp. The error is below 0.501 ulp.
func Exp(x float64) float64 {
	if x != x {
		return x
	}
	return expParts(x, 0)
}

// expParts returns e^(x + low) for low far below x, with one rounding.
//
// With x = k ln 2 / 128 + r, |r| < 0.0028, it is 2^(k/128) from a table times e^r from its Taylor polynomial, where the
// table's value and its product with r are added up with their rounding errors.
func expParts(x, low float64) float64 {
	switch {
	case x > expLargest:
		return math.Inf(1)
	case x < expSmallest:
		return 0
	}
	const magic = 1.5 * (1 << 52)
	shifted := math.FMA(x, perStep, magic)
	n := shifted - magic
	exact := math.FMA(-n, stepHigh, x)
	r := math.FMA(-n, stepLow, exact) + low
	low += math.FMA(-n, stepLow, exact-r)

	p := math.FMA(r, 1./720, 1./120)
	p = math.FMA(r, p, 1./24)
	p = math.FMA(r, p, 1./6)
	p = math.FMA(r, p, 0.5)
	low = math.FMA(float64(r*r), p, low)

	k := int64(math.Float64bits(shifted)<<13) >> 13
	t := &expTable[k&127]
	product := float64(t.high * r)
	sum := t.high + product
	rest := product - (sum - t.high)
	rest += math.FMA(t.high, r, -product) + math.FMA(t.low, r, t.low)
	rest = math.FMA(t.high, low, rest)
	return scaled(sum, rest, k>>7)
}

// scaled is (high + low) 2^k, rounded once, for high in [1/2, 2).
func scaled(high, low float64, k int64) float64 {
	switch {
	case k > 1022: // the factor is no number
		return (high + low) * 0x1p1022 * math.Float64frombits(uint64(k-1022+1023)<<52)
	case k > -1022 || k == -1022 && high >= 1:
		return (high + low) * math.Float64frombits(uint64(k+1023)<<52)
	}
	// The sum with a number whose last place is the smallest denormal's is rounded where the result ends.
	last := math.Float64frombits(uint64(-1022-k+1023) << 52)
	sum := last + high
	rest := (last - sum) + high + low
	return (sum + rest - last) * 0x1p-1021 * math.Float64frombits(uint64(k+1021+1023)<<52)
}
