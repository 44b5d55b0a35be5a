package fft

import "github.com/greenbench/workbench/internal/numeric/simd"

// realLine is the transform of real sequences of length n to their half = n/2+1 first coefficients. For even n it is
// a complex transform of length n/2 on x[2j] + i x[2j+1]; for odd n one of length n, at twice the cost.
type realLine struct {
	n, half int
	even    bool
	complex line
	// For even n and k <= n/4: exp(−2πi k/n), and the negated conjugate of it, at [2k] and [2k+1].
	unpack, pack []float64
}

func newRealLine(k simd.Kernels, n int) realLine {
	r := realLine{n: n, half: n/2 + 1, even: n%2 == 0}
	if !r.even {
		r.complex = newLine(k, n)
		return r
	}
	r.complex = newLine(k, n/2)
	for k := range n/4 + 1 {
		re, im := root(k, n)
		r.unpack = append(r.unpack, re, im)
		r.pack = append(r.pack, -re, im)
	}
	return r
}

// space is how many numbers each buffer of a batch of one needs.
func (r *realLine) space() int { return max(r.half, r.complex.n) }

// forward transforms rows of src: batch of them, stride apart, of which the first have numbers exist and the rest
// are zero. The result is one of the buffers of w, coefficient k of row b at [k*batch+b].
func (r *realLine) forward(batch int, src []float64, stride, have int, w *scratch) (result, spare simd.Complex) {
	k := r.complex.kernels
	if !r.even {
		k.Transpose(w.a.Re, batch, src, stride, batch, have)
		clear(w.a.Re[have*batch : r.n*batch])
		clear(w.a.Im[:r.n*batch])
		return r.complex.forward(batch, w.a, w.b)
	}
	// Row j of the complex batch is made of columns 2j and 2j+1; half of the last one may be missing.
	k.SplitColumns(w.a.Re, w.a.Im, batch, src, stride, batch, have)
	clear(w.a.Re[(have+1)/2*batch : r.complex.n*batch])
	clear(w.a.Im[have/2*batch : r.complex.n*batch])
	z, y := r.complex.forward(batch, w.a, w.b)

	// X_k = (Z_k + Z*_{h−k})/2 − i w^k (Z_k − Z*_{h−k})/2, h = n/2, and Z_h = Z_0.
	h := r.complex.n
	first, last := z.Slice(0, batch), z.Slice(h*batch, (h+1)*batch)
	for i := range batch {
		a, b := first.Re[i], first.Im[i]
		first.Re[i], last.Re[i] = a+b, a-b
		first.Im[i], last.Im[i] = 0, 0
	}
	k.Halves(z, h, batch, r.unpack, 0.5)
	return z, y
}

// inverse undoes forward, times n and scale: x holds the coefficients [k*batch+b], y is the other buffer. The first
// keep numbers of every row go to dst.
func (r *realLine) inverse(batch int, x, y simd.Complex, dst []float64, stride, keep int, scale float64) {
	k := r.complex.kernels
	if !r.even {
		r.completeOdd(batch, x, scale)
		z, _ := r.complex.inverse(batch, x, y)
		k.Transpose(dst, stride, z.Re, batch, keep, batch)
		return
	}
	h := r.complex.n
	first, last := x.Slice(0, batch), x.Slice(h*batch, (h+1)*batch)
	for i := range batch {
		a, b := scale*first.Re[i], scale*last.Re[i]
		first.Re[i], first.Im[i] = a+b, a-b
	}
	k.Halves(x, h, batch, r.pack, scale)
	z, _ := r.complex.inverse(batch, x, y)
	k.JoinColumns(dst, stride, z.Re, z.Im, batch, batch, keep)
}

// completeOdd scales the half spectrum and fills in the other half.
func (r *realLine) completeOdd(batch int, x simd.Complex, scale float64) {
	for i := range r.half * batch {
		x.Re[i] *= scale
		x.Im[i] *= scale
	}
	// The imaginary part of coefficient 0 belongs to no real sequence.
	clear(x.Im[:batch])
	for k := r.half; k < r.n; k++ {
		from, to := x.Slice((r.n-k)*batch, (r.n-k+1)*batch), x.Slice(k*batch, (k+1)*batch)
		for b := range batch {
			to.Re[b], to.Im[b] = from.Re[b], -from.Im[b]
		}
	}
}
