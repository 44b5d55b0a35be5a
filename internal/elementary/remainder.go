package elementary

import "math"

// exactQuotient bounds the quotients whose whole part a float64 holds.
const exactQuotient = 1 << 52

// Remainder is math.Mod(x, y), to the bit: the remainder of x/y with the sign of x.
func Remainder(x, y float64) float64 {
	q := x / y
	if !(math.Abs(q) < exactQuotient) || math.IsInf(y, 0) {
		return math.Mod(x, y)
	}
	// The remainder is a whole multiple of the last place of x or y, so that the one
	// rounding of FMA does nothing. The quotient may have been rounded up to the next
	// whole number; then the remainder has the other sign.
	r := math.FMA(-math.Trunc(q), y, x)
	switch {
	case r == 0:
		return math.Copysign(0, x)
	case math.Signbit(r) != math.Signbit(x):
		return r + math.Copysign(y, x)
	}
	return r
}
