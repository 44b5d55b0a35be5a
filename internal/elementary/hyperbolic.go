package elementary

import "math"

// Sinh returns sinh x within 2 ulp, up to where the result is the largest number; math.Sinh overflows before.
func Sinh(x float64) float64 {
	if math.Abs(x) <= largeHyperbolic || x != x {
		return math.Sinh(x)
	}
	return math.Copysign(halfExp(math.Abs(x)), x)
}

// Cosh returns cosh x within 2 ulp, up to where the result is the largest number; math.Cosh overflows before.
func Cosh(x float64) float64 {
	if math.Abs(x) <= largeHyperbolic || x != x {
		return math.Cosh(x)
	}
	return halfExp(math.Abs(x))
}

// largeHyperbolic is from where on e^-x does not matter.
const largeHyperbolic = 40

// halfExp is e^x/2.
func halfExp(x float64) float64 { return expParts(x-ln2First, -ln2Second) }

// ln 2 in two parts, of which the first has 26 bits, so that it is taken off large numbers exactly.
const (
	ln2First  = 0x1.62e42fp-1
	ln2Second = math.Ln2 - ln2First
)

// Asin returns asin x within 2 ulp.
func Asin(x float64) float64 { return math.Atan(x / math.Sqrt((1-x)*(1+x))) }

// Acos returns acos x within 2 ulp, near 1 too, where math.Acos is a difference of numbers that are nearly equal.
func Acos(x float64) float64 { return 2 * math.Atan(math.Sqrt((1-x)/(1+x))) }
