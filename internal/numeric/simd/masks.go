package simd

import "math"

// A Comparison is one of two numbers.
type Comparison int

// The comparisons. Of NaN nothing holds but NotEqual.
const (
	Greater Comparison = iota
	GreaterOrEqual
	Equal
	NotEqual
	comparisons
)

type (
	truths  func(dst []bool, a, b []float64)
	bitwise func(dst, a, b []bool)
)

// Compare sets dst to where the comparison of a with b holds.
func (k Kernels) Compare(c Comparison, dst []bool, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for len(dst) > part {
		k.truths[c](dst[:part], a[:part], b[:part])
		dst, a, b = dst[part:], a[part:], b[part:]
	}
	k.truths[c](dst, a, b)
}

// And sets dst to where both hold.
func (k Kernels) And(dst, a, b []bool) { k.and(dst, a[:len(dst)], b[:len(dst)]) }

// Or sets dst to where one or both hold.
func (k Kernels) Or(dst, a, b []bool) { k.or(dst, a[:len(dst)], b[:len(dst)]) }

// Xor sets dst to where one holds and the other does not.
func (k Kernels) Xor(dst, a, b []bool) { k.xor(dst, a[:len(dst)], b[:len(dst)]) }

// lanes is how many running sums, and least and greatest numbers, there are side by side.
const lanes = 32

// Sum adds up numbers in the order of [plainSum], which has the same bits at every level: 32 running sums side by side,
// added in halves, and what is left.
func (k Kernels) Sum(a []float64) float64 {
	s, n := 0.0, len(a)&^(lanes-1)
	if n > 0 {
		s = k.sum(a[:n])
	}
	for _, v := range a[n:] {
		s += v
	}
	return s
}

// Extremum returns the least number, or the greatest: NaN if there is one, −0 before +0. There must be a number.
func (k Kernels) Extremum(greatest bool, a []float64) float64 {
	which, pick := 0, minimum
	if greatest {
		which, pick = 1, maximum
	}
	best := a[0]
	n := len(a) &^ (lanes - 1)
	if n > 0 {
		var some [8]float64
		for i := range some {
			some[i] = a[0]
		}
		if k.extremes[which](some[:], a[:n]) {
			return math.NaN()
		}
		for _, v := range some {
			best = pick(best, v)
		}
	}
	for _, v := range a[n:] {
		best = pick(best, v)
	}
	if best == 0 && n > 0 { // of either sign: the vectors do not tell
		for _, v := range a {
			best = pick(best, v)
		}
	}
	return best
}

var plainTruths = [comparisons]truths{
	Greater: func(dst []bool, a, b []float64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] > b[i]
		}
	},
	GreaterOrEqual: func(dst []bool, a, b []float64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] >= b[i]
		}
	},
	Equal: func(dst []bool, a, b []float64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] == b[i]
		}
	},
	NotEqual: func(dst []bool, a, b []float64) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] != b[i]
		}
	},
}

func plainAnd(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] && b[i]
	}
}

func plainOr(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] || b[i]
	}
}

func plainXor(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] != b[i]
	}
}

func plainSum(a []float64) float64 {
	var s [lanes]float64
	for ; len(a) >= lanes; a = a[lanes:] {
		for i, v := range a[:lanes] {
			s[i] += v
		}
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for i := range n {
			s[i] += s[n+i]
		}
	}
	return s[0]
}

func plainLeast(dst, a []float64) bool    { return plainExtreme(minimum, dst, a) }
func plainGreatest(dst, a []float64) bool { return plainExtreme(maximum, dst, a) }

func plainExtreme(pick func(x, y float64) float64, dst, a []float64) (unordered bool) {
	for i, v := range a {
		if v != v {
			return true
		}
		dst[i%8] = pick(dst[i%8], v)
	}
	return false
}

func plainPow(dst, _, _ []float64) {
	for i := range dst {
		dst[i] = math.NaN() // none is sure
	}
}

// math.Min and math.Max take an infinity before NaN.
func minimum(x, y float64) float64 { return min(x, y) }
func maximum(x, y float64) float64 { return max(x, y) }
