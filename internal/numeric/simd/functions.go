package simd

import (
	"math"

	"github.com/greenbench/workbench/internal/elementary"
)

// Tan sets dst = tan a within 3 ulp, as Sin beyond 2^30. About 1.5 ns per element with AVX-512.
func (k Kernels) Tan(dst, a []float64) { k.within(circularBound, k.tan, math.Tan, dst, a) }

// hyperbolicBound is up to where e^a and e^−a are normal numbers.
const hyperbolicBound = 708

// Sinh sets dst = sinh a within 2 ulp.
func (k Kernels) Sinh(dst, a []float64) { k.within(hyperbolicBound, k.sinh, elementary.Sinh, dst, a) }

// Cosh sets dst = cosh a within 2 ulp.
func (k Kernels) Cosh(dst, a []float64) { k.within(hyperbolicBound, k.cosh, elementary.Cosh, dst, a) }

// Tanh sets dst = tanh a within 2 ulp.
func (k Kernels) Tanh(dst, a []float64) { apply1(k.tanh, dst, a) }

// Atan sets dst = atan a within 2 ulp.
func (k Kernels) Atan(dst, a []float64) { apply1(k.atan, dst, a) }

// RoundEven sets dst to the integer nearest to a, the even one of two.
func (k Kernels) RoundEven(dst, a []float64) { apply1(k.roundEven, dst, a) }

// Asin sets dst = asin a = atan(a/√(1−a²)) within 3 ulp.
func (k Kernels) Asin(dst, a []float64) {
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		one, s, t := oneEach[:len(dst)], room[0][:len(dst)], room[1][:len(dst)]
		k.sub(s, one, a)
		k.add(t, one, a)
		k.mul(s, s, t)
		k.sqrt(s, s)
		k.div(s, a, s)
		k.atan(dst, s)
	})
}

// Acos sets dst = acos a = 2 atan √((1−a)/(1+a)) within 3 ulp.
func (k Kernels) Acos(dst, a []float64) {
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		one, s, t := oneEach[:len(dst)], room[0][:len(dst)], room[1][:len(dst)]
		k.sub(s, one, a)
		k.add(t, one, a)
		k.div(s, s, t)
		k.sqrt(s, s)
		k.atan(s, s)
		k.add(dst, s, s)
	})
}

// Log10 sets dst = log a to base 10 within 0.51 ulp, so that powers of ten have whole ones.
func (k Kernels) Log10(dst, a []float64) {
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		kept := room[0][:len(dst)]
		copy(kept, a)
		k.log10(dst, a)
		if k.beyond(dst, math.MaxFloat64) { // not a normal positive number
			for i, v := range dst {
				if v != v {
					dst[i] = elementary.Log10(kept[i])
				}
			}
		}
	})
}

// Pow sets dst = a^b within 0.6 ulp, so that powers which are numbers are exact; special values are those of
// [elementary.Pow]. About 8 ns per element with AVX-512.
func (k Kernels) Pow(dst, a, b []float64) {
	b = b[:len(dst)]
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		x1, y1, b1 := room[0][:len(dst)], room[1][:len(dst)], b[:len(dst)]
		k.abs(x1, a)
		k.pow(y1, x1, b1)
		for i, base := range a {
			switch p := y1[i]; {
			case p != p:
				y1[i] = elementary.Pow(base, b1[i])
			case base < 0:
				y1[i] = ofNegative(p, b1[i])
			}
		}
		copy(dst, y1)
		b = b[len(dst):]
	})
}

// ThreeHalves sets dst = a^1.5 within 0.501 ulp, the same bits at every level: a times its root, with what rounding
// takes from both added. Special values are those of [elementary.Pow]. About a third of the time of Pow.
func (k Kernels) ThreeHalves(dst, a []float64) {
	const sure = 0x1p-900 // smaller ones lose the last digits of what rounding takes
	k.blockwise(dst, a, func(dst, a []float64, room *room) {
		root, rest, y, low := room[0][:len(dst)], room[1][:len(dst)], room[2][:len(dst)], room[3][:len(dst)]
		k.sqrt(root, a)
		k.neg(rest, root)
		k.fma(rest, rest, root, a) // a − root²
		k.add(y, root, root)
		k.div(rest, rest, y) // what is missing of the root
		k.mul(rest, a, rest)
		k.mul(y, a, root)
		k.neg(low, y)
		k.fma(low, a, root, low) // what is missing of the product
		k.add(low, low, rest)
		k.add(y, y, low)
		for i, v := range y {
			if !(v > sure && v <= math.MaxFloat64) {
				y[i] = elementary.Pow(a[i], 1.5)
			}
		}
		copy(dst, y)
	})
}

// ofNegative is (−a)^b of p = a^b, for a > 0.
func ofNegative(p, b float64) float64 {
	switch n := int64(b); {
	case math.Abs(b) >= 1<<53: // even
		return p
	case float64(n) != b:
		return math.NaN()
	case n&1 != 0:
		return -p
	}
	return p
}

// few is how many elements functions of several steps take at once.
const few = 1024

var oneEach = func() (one [few]float64) {
	for i := range one {
		one[i] = 1
	}
	return one
}()

// room is for what is between the steps: arrays of a function would be on the heap, new for each block.
type room [4][few]float64

func (k Kernels) blockwise(dst, a []float64, f func(dst, a []float64, room *room)) {
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	if buf.room == nil {
		buf.room = new(room)
	}
	a = a[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), few)
		f(dst[:n], a[:n], buf.room)
		dst, a = dst[n:], a[n:]
	}
}
