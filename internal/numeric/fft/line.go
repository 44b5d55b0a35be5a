package fft

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// line is a complex transform of length n, applied to a batch of sequences: element j of sequence b is at
// [j*batch+b]. It is immutable.
type line struct {
	n       int
	kernels simd.Kernels
	stages  []stage
	single  *factored // for a batch of one, nil if n is small
}

// stage is one Stockham stage, see simd.Kernels.Stage.
type stage struct {
	radix, m int
	// twiddles holds exp(−2πi q j/(radix*m)), 0 < j < radix, at [2(q(radix−1)+j−1)] and the place after it.
	twiddles []float64
}

// newLine plans length n, a product of 2, 3 and 5.
func newLine(k simd.Kernels, n int) line {
	l := newStages(k, n)
	if n >= shortest {
		l.single = newFactored(k, n)
	}
	return l
}

func newStages(k simd.Kernels, n int) line {
	l := line{n: n, kernels: k}
	for rest := n; rest > 1; {
		r := nextRadix(rest)
		l.stages = append(l.stages, newStage(r, rest/r))
		rest /= r
	}
	return l
}

// nextRadix picks 4 as long as it divides: it costs the fewest operations per point.
func nextRadix(n int) int {
	for _, r := range []int{4, 5, 3} {
		if n%r == 0 {
			return r
		}
	}
	return 2
}

func newStage(radix, m int) stage {
	st := stage{radix: radix, m: m, twiddles: make([]float64, 0, 2*m*(radix-1))}
	for q := range m {
		for j := 1; j < radix; j++ {
			re, im := root(q*j, radix*m)
			st.twiddles = append(st.twiddles, re, im)
		}
	}
	return st
}

// root returns exp(−2πi k/n) for k >= 0, each part to the last bit or so: the angle is reduced to an eighth of a turn
// in integers.
func root(k, n int) (re, im float64) {
	k %= n
	// Turns in units of 1/(8n): the octant and what is left of it are exact.
	octant, rest := 8*k/n, 8*k%n
	if octant&1 == 1 {
		rest = n - rest
	}
	s, c := math.Sincos(math.Pi / 4 * float64(rest) / float64(n))
	if octant&1 == 1 {
		s, c = c, s
	}
	switch octant / 2 {
	case 0:
		return c, -s
	case 1:
		return -s, -c
	case 2:
		return -c, s
	}
	return s, c
}

// forward transforms the batch in x with y as the second buffer, both of n*batch numbers or more, and returns the one
// that holds the result and the other.
func (l *line) forward(batch int, x, y simd.Complex) (result, spare simd.Complex) {
	if batch == 1 && l.single != nil {
		return l.single.forward(x, y)
	}
	s := batch
	for i := range l.stages {
		st := &l.stages[i]
		l.kernels.Stage(st.radix, y, x, st.m, s, st.twiddles)
		s *= st.radix
		x, y = y, x
	}
	return x, y
}

// inverse is n times the inverse of forward.
func (l *line) inverse(batch int, x, y simd.Complex) (result, spare simd.Complex) {
	x, y = l.forward(batch, x.Swapped(), y.Swapped())
	return x.Swapped(), y.Swapped()
}
