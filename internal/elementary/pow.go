package elementary

import "math"

// Pow returns x^y with an error below 0.501 ulp: the nearest number to the exact power, but where that is within a
// thousandth of the middle between two. Special values are those of math.Pow, which is far less accurate, by 10^6 ulp
// where y is large, and slower.
func Pow(x, y float64) float64 {
	switch y {
	case 2:
		return x * x
	case 1:
		return x
	case 0.5:
		if x > 0 {
			return math.Sqrt(x)
		}
	case -1:
		return 1 / x
	}
	if math.Abs(y) <= maxProduct && y == math.Trunc(y) {
		if p, ok := powWhole(x, int(y)); ok {
			return p
		}
	}
	if !(x > 0 && x <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64) {
		return powSpecial(x, y)
	}
	return powPositive(x, y)
}

// powPositive is x^y for x positive and both finite.
func powPositive(x, y float64) float64 {
	high, low := logParts(x)
	p := float64(y * high)
	return expParts(p, math.FMA(y, high, -p)+float64(y*low))
}

// maxProduct is the largest exponent for which products are faster than logarithms.
const maxProduct = 128

// powWhole is x^n by repeated squaring with the rounding errors of the products, whose squares, below 2^-90, it neglects.
// Where the result is so large or so small that the parts might leave the range of numbers it is not ok.
func powWhole(x float64, n int) (power float64, ok bool) {
	high, low := 1.0, 0.0
	factor, rest := x, 0.0
	for k := max(n, -n); ; {
		if k&1 == 1 {
			p := float64(high * factor)
			low = math.FMA(high, rest, math.FMA(low, factor, math.FMA(high, factor, -p)))
			high = p
		}
		if k >>= 1; k == 0 {
			break
		}
		p := float64(factor * factor)
		rest = math.FMA(2*factor, rest, math.FMA(factor, factor, -p))
		factor = p
	}
	power = high + low
	if n < 0 {
		q := 1 / high
		power = math.FMA(q, math.FMA(-q, high, 1)-float64(q*low), q)
	}
	size := math.Abs(high)
	return power, size > 0x1p-900 && size < 0x1p900
}

// powSpecial is x^y where x is not positive and finite, or y is not finite (C99, F.9.4.4).
func powSpecial(x, y float64) float64 {
	odd := isOdd(y)
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case math.IsInf(y, 0):
		if x == -1 {
			return 1
		}
		if (math.Abs(x) > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	case x == 0 || math.IsInf(x, 0):
		size := math.Inf(1)
		if (x == 0) == (y > 0) {
			size = 0
		}
		if odd {
			return math.Copysign(size, x)
		}
		return size
	case odd:
		return -powPositive(-x, y)
	case y == math.Trunc(y):
		return powPositive(-x, y)
	}
	return math.NaN()
}

// isOdd reports whether y is an odd whole number.
func isOdd(y float64) bool {
	return y == math.Trunc(y) && math.Abs(y) < 1<<53 && int64(y)&1 == 1
}
