package fft

import "math"

// line is a complex transform of length n, applied to a batch of sequences: element j of sequence b is at
// [j*batch+b]. It is immutable.
type line struct {
	n      int
	stages []stage
}

// stage is one Stockham pass, [radix][m][s] -> [m][radix][s] for an array of radix*m*s elements; s, the length of the
// inner loop, is the batch times the product of the radices already done.
type stage struct {
	radix, m int
	// wr and wi hold exp(−2πi q j/(radix*m)) at [q*(radix-1)+j-1], for q < m and 0 < j < radix.
	wr, wi []float64
}

// newLine plans length n, a product of 2, 3 and 5.
func newLine(n int) line {
	l := line{n: n}
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
	st := stage{radix: radix, m: m}
	st.wr = make([]float64, m*(radix-1))
	st.wi = make([]float64, m*(radix-1))
	for q := range m {
		for j := 1; j < radix; j++ {
			i := q*(radix-1) + j - 1
			st.wr[i], st.wi[i] = root(q*j, radix*m)
		}
	}
	return st
}

// root returns exp(−2πi k/n) for 0 <= k, each part to the last bit or so: the angle is reduced to an eighth of a turn
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

// pair is a complex array: equally long real and imaginary parts.
type pair struct{ re, im []float64 }

// swapped exchanges the parts: a forward transform between two swaps is the inverse one, not divided by n.
func (p pair) swapped() pair { return pair{p.im, p.re} }

// forward transforms the batch in x with y as the second buffer, both of n*batch numbers, and returns the one that
// holds the result and the other.
func (l *line) forward(batch int, x, y pair) (result, spare pair) {
	s := batch
	for i := range l.stages {
		st := &l.stages[i]
		st.run(x, y, s)
		s *= st.radix
		x, y = y, x
	}
	return x, y
}

// inverse is n times the inverse of forward.
func (l *line) inverse(batch int, x, y pair) (result, spare pair) {
	x, y = l.forward(batch, x.swapped(), y.swapped())
	return x.swapped(), y.swapped()
}

func (st *stage) run(x, y pair, s int) {
	xr, xi, yr, yi := x.re, x.im, y.re, y.im
	step := st.radix - 1
	for q := range st.m {
		wr, wi := st.wr[q*step:(q+1)*step], st.wi[q*step:(q+1)*step]
		switch {
		case st.radix == 4 && q == 0:
			radix4(xr, xi, yr, yi, st.m, s)
		case st.radix == 4:
			radix4Twiddle(xr, xi, yr, yi, q, st.m, s, wr, wi)
		case st.radix == 2 && q == 0:
			radix2(xr, xi, yr, yi, st.m, s)
		case st.radix == 2:
			radix2Twiddle(xr, xi, yr, yi, q, st.m, s, wr[0], wi[0])
		case st.radix == 3:
			radix3(xr, xi, yr, yi, q, st.m, s, wr, wi)
		default:
			radix5(xr, xi, yr, yi, q, st.m, s, wr, wi)
		}
	}
}
