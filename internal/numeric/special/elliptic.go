package special

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// EllipticK returns the complete elliptic integral K(m) of the parameter m = k² ≤ 1, by the
// arithmetic-geometric mean (DLMF 19.8.5).
func EllipticK(m float64) float64 {
	switch {
	case !(m <= 1):
		return math.NaN()
	case m == 1:
		return math.Inf(1)
	case math.IsInf(m, -1):
		return 0
	}
	a, g := 1.0, math.Sqrt(1-m)
	for math.Abs(a-g) > 0x1p-26*a { // the next mean has twice the digits
		a, g = (a+g)/2, math.Sqrt(a)*math.Sqrt(g)
	}
	return math.Pi / (a + g)
}

// EllipticE returns the complete elliptic integral E(m) of the parameter m = k² ≤ 1; a
// negative parameter becomes one in (0, 1) (DLMF 19.7.2).
func EllipticE(m float64) float64 {
	switch {
	case !(m <= 1):
		return math.NaN()
	case math.IsInf(m, -1):
		return math.Inf(1)
	case m < 0:
		return math.Sqrt(1-m) * mathext.CompleteE(m/(m-1))
	}
	return mathext.CompleteE(m)
}
