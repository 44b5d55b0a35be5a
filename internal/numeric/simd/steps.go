package simd

import "math"

// What kernels of two points are made of, in one step where there would be several: between steps numbers go to memory
// and back. The results have the bits of the operations one after the other.

// Squared returns the loop that sets dst[i] = (a[i] − b[i])², for operands as those of [Kernels.Arithmetic].
func (k Kernels) Squared(s Shape) func(dst, a, b []float64) {
	switch s {
	case NumberFirst:
		return k.fromSquared
	case NumberSecond:
		return swapped(k.fromSquared)
	}
	return k.squared
}

// AddSquared returns the loop that sets dst[i] = (a[i] − b[i])² + c[i], of which the difference is rounded and the rest,
// at once. The shape is that of a and b; c is as long as dst.
func (k Kernels) AddSquared(s Shape) func(dst, a, b, c []float64) {
	switch s {
	case NumberFirst:
		return k.fromAddSquared
	case NumberSecond:
		return func(dst, a, b, c []float64) { k.fromAddSquared(dst, b, a, c) }
	}
	return k.addSquared
}

// Decay sets dst = c·e^(−a·b), with what Mul, Neg, Exp and Mul give.
func (k Kernels) Decay(dst, a, b, c []float64) { apply3(k.decay, dst, a, b, c) }

func plainSquared(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		d := a[i] - b[i]
		dst[i] = d * d
	}
}

func plainFromSquared(dst, a, b []float64) {
	number, b := a[0], b[:len(dst)]
	for i, v := range b {
		d := number - v
		dst[i] = d * d
	}
}

func plainAddSquared(dst, a, b, c []float64) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		d := a[i] - b[i]
		dst[i] = math.FMA(d, d, c[i])
	}
}

func plainFromAddSquared(dst, a, b, c []float64) {
	number, b, c := a[0], b[:len(dst)], c[:len(dst)]
	for i, v := range b {
		d := number - v
		dst[i] = math.FMA(d, d, c[i])
	}
}

// plainDecay takes few elements at once, for dst may be c.
func plainDecay(dst, a, b, c []float64) {
	var power [64]float64
	for len(dst) > 0 {
		n := min(len(dst), len(power))
		for i, v := range a[:n] {
			power[i] = -(v * b[i])
		}
		plainExp(power[:n], power[:n])
		plainMul(dst[:n], power[:n], c)
		dst, a, b, c = dst[n:], a[n:], b[n:], c[n:]
	}
}
