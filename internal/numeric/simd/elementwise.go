package simd

import "math"

// The elementwise methods set dst[i] for every i of dst; operands are as long as dst or longer, and may be dst itself.

// Add sets dst = a + b.
func (k Kernels) Add(dst, a, b []float64) { apply2(k.add, dst, a, b) }

// Sub sets dst = a − b.
func (k Kernels) Sub(dst, a, b []float64) { apply2(k.sub, dst, a, b) }

// Mul sets dst = a·b.
func (k Kernels) Mul(dst, a, b []float64) { apply2(k.mul, dst, a, b) }

// Div sets dst = a/b.
func (k Kernels) Div(dst, a, b []float64) { apply2(k.div, dst, a, b) }

// FMA sets dst = a·b + c, rounded once.
func (k Kernels) FMA(dst, a, b, c []float64) { apply3(k.fma, dst, a, b, c) }

// Neg sets dst = −a.
func (k Kernels) Neg(dst, a []float64) { apply1(k.neg, dst, a) }

// Abs sets dst = |a|.
func (k Kernels) Abs(dst, a []float64) { apply1(k.abs, dst, a) }

// Sqrt sets dst = √a, correctly rounded.
func (k Kernels) Sqrt(dst, a []float64) { apply1(k.sqrt, dst, a) }

// Floor sets dst to the greatest integer <= a.
func (k Kernels) Floor(dst, a []float64) { apply1(k.floor, dst, a) }

// Ceil sets dst to the least integer >= a.
func (k Kernels) Ceil(dst, a []float64) { apply1(k.ceil, dst, a) }

// Max sets dst = max(a, b) as Go does: NaN if either is NaN, and −0 < +0.
func (k Kernels) Max(dst, a, b []float64) { apply2(k.max, dst, a, b) }

// Min sets dst = min(a, b) as Go does: NaN if either is NaN, and −0 < +0.
func (k Kernels) Min(dst, a, b []float64) { apply2(k.min, dst, a, b) }

// Greater sets dst to 1 where a > b and to 0 elsewhere.
func (k Kernels) Greater(dst, a, b []float64) { apply2(k.greater, dst, a, b) }

// GreaterOrEqual sets dst to 1 where a >= b and to 0 elsewhere.
func (k Kernels) GreaterOrEqual(dst, a, b []float64) { apply2(k.greaterOrEqual, dst, a, b) }

// Where sets dst to a where c != 0 and to b elsewhere. NaN is not 0.
func (k Kernels) Where(dst, c, a, b []float64) { apply3(k.where, dst, c, a, b) }

// Exp sets dst = e^a within 2 ulp, special values included: denormal results, 0 and +Inf beyond the range, NaN.
// About 0.3 ns per element with AVX-512, 1 with AVX2, 4 without.
func (k Kernels) Exp(dst, a []float64) { apply1(k.exp, dst, a) }

// Log sets dst = ln a within 2 ulp: −Inf for zeros, NaN for negative numbers. About 1 ns per element with AVX-512.
func (k Kernels) Log(dst, a []float64) { apply1(k.log, dst, a) }

// Sin sets dst = sin a within 2 ulp for |a| <= 2^30, as math.Sin beyond. About 1 ns per element with AVX-512.
func (k Kernels) Sin(dst, a []float64) { k.within(circularBound, k.sin, math.Sin, dst, a) }

// Cos sets dst = cos a, as Sin.
func (k Kernels) Cos(dst, a []float64) { k.within(circularBound, k.cos, math.Cos, dst, a) }

// circularBound is how far vector code reduces arguments to an eighth of a turn.
const circularBound = 1 << 30

// within calls near, and mends the elements which are out of its reach by calling far.
func (k Kernels) within(bound float64, near unary, far func(float64) float64, dst, a []float64) {
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		if !k.beyond(a, bound) {
			near(dst, a)
			return
		}
		kept := room[0][:len(dst)]
		copy(kept, a)
		near(dst, a)
		for i, v := range kept {
			if !(math.Abs(v) <= bound) {
				dst[i] = far(v)
			}
		}
	})
}

// Dot returns Σ a[i]·b[i]; b is as long as a or longer.
func (k Kernels) Dot(a, b []float64) float64 {
	if len(a) == 0 {
		return 0
	}
	return k.dot(a, b[:len(a)])
}

// DotRows sets dst to the products of the rows of a matrix, which follow each other, and a vector: each is Dot of the
// row, to the bit. Rows that are read at once share the numbers of the vector.
func (k Kernels) DotRows(dst, a, b []float64) {
	if len(b) == 0 {
		clear(dst)
		return
	}
	rows := max(4, part/len(b)&^3)
	for a = a[:len(dst)*len(b)]; len(dst) > rows; dst, a = dst[rows:], a[rows*len(b):] {
		k.dotRows(dst[:rows], a, b)
	}
	k.dotRows(dst, a, b)
}

// AddRows adds to dst the sum of four rows, each a stride after the last, times the four numbers of a; it has the same
// bits at every level.
func (k Kernels) AddRows(dst, a, x []float64, stride int) {
	_, _ = a[3], x[:3*stride+len(dst)]
	for len(dst) > part {
		k.addFour(dst[:part], a, x, stride)
		dst, x = dst[part:], x[part:]
	}
	if len(dst) > 0 {
		k.addFour(dst, a, x, stride)
	}
}

// Rotation takes x to c x + s y and y to c y - s x.
type Rotation struct{ C, S float64 }

// TurnedColumns is how many columns Rotations takes: rows of them stay in registers.
const TurnedColumns = 32

// Rotations applies turn i to rows i and i+1, of TurnedColumns numbers each, for one i after the other.
func (k Kernels) Rotations(rows []float64, turns []Rotation) {
	if len(turns) > 0 {
		k.rotations(rows[:(len(turns)+1)*TurnedColumns], turns)
	}
}

// part is how many elements vector code gets in one call, which no operation makes last longer than 0.2 ms.
const part = 1 << 15

func apply1(f unary, dst, a []float64) {
	a = a[:len(dst)]
	for len(dst) > part {
		f(dst[:part], a[:part])
		dst, a = dst[part:], a[part:]
	}
	if len(dst) > 0 {
		f(dst, a)
	}
}

func apply2(f binary, dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for len(dst) > part {
		f(dst[:part], a[:part], b[:part])
		dst, a, b = dst[part:], a[part:], b[part:]
	}
	if len(dst) > 0 {
		f(dst, a, b)
	}
}

func apply3(f ternary, dst, a, b, c []float64) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for len(dst) > part {
		f(dst[:part], a[:part], b[:part], c[:part])
		dst, a, b, c = dst[part:], a[part:], b[part:], c[part:]
	}
	if len(dst) > 0 {
		f(dst, a, b, c)
	}
}
