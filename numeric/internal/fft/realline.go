package fft

// realLine is the transform of real sequences of length n to their half = n/2+1 first coefficients. For even n it is
// a complex transform of length n/2 on x[2j] + i x[2j+1]; for odd n one of length n, at twice the cost.
type realLine struct {
	n, half int
	even    bool
	complex line
	// wr and wi hold exp(−2πi k/n), k <= n/4, for even n.
	wr, wi []float64
}

func newRealLine(n int) realLine {
	r := realLine{n: n, half: n/2 + 1, even: n%2 == 0}
	if !r.even {
		r.complex = newLine(n)
		return r
	}
	r.complex = newLine(n / 2)
	r.wr, r.wi = make([]float64, n/4+1), make([]float64, n/4+1)
	for k := range r.wr {
		r.wr[k], r.wi[k] = root(k, n)
	}
	return r
}

// space is how many numbers each buffer of a batch of one needs.
func (r *realLine) space() int { return max(r.half, r.complex.n) }

// forward transforms rows of src: batch of them, stride apart, of which the first have numbers exist and the rest
// are zero. The result is one of the buffers of w, coefficient k of row b at [k*batch+b].
func (r *realLine) forward(batch int, src []float64, stride, have int, w *scratch) (result, spare pair) {
	if !r.even {
		transpose(w.a.re, batch, src, stride, batch, have)
		clear(w.a.re[have*batch : r.n*batch])
		clear(w.a.im[:r.n*batch])
		return r.complex.forward(batch, w.a, w.b)
	}
	split(w.a, src, stride, batch, have)
	full := (have + 1) / 2
	clear(w.a.re[full*batch : r.complex.n*batch])
	clear(w.a.im[full*batch : r.complex.n*batch])
	z, y := r.complex.forward(batch, w.a, w.b)
	r.unpack(batch, z)
	return z, y
}

// inverse undoes forward, times n: x holds the coefficients [k*batch+b], y is the other buffer. The first keep
// numbers of every row, times scale, go to dst.
func (r *realLine) inverse(batch int, x, y pair, dst []float64, stride, keep int, scale float64) {
	if !r.even {
		for k := r.half; k < r.n; k++ {
			re, im := row(x.re, r.n-k, batch), row(x.im, r.n-k, batch)
			tr, ti := row(x.re, k, batch), row(x.im, k, batch)
			for b := range batch {
				tr[b], ti[b] = re[b], -im[b]
			}
		}
		// The imaginary part of coefficient 0 belongs to no real sequence.
		clear(x.im[:batch])
		z, _ := r.complex.inverse(batch, x, y)
		transposeScaled(dst, stride, z.re, batch, keep, batch, scale)
		return
	}
	r.pack(batch, x)
	z, _ := r.complex.inverse(batch, x, y)
	join(dst, stride, z, batch, keep, scale)
}

// unpack turns, in place, Z = FFT(x_even + i x_odd) into the coefficients of x:
// X_k = (Z_k + Z*_{h−k})/2 − i w^k (Z_k − Z*_{h−k})/2, h = n/2.
func (r *realLine) unpack(batch int, z pair) {
	h := r.n / 2
	a, c := row(z.re, 0, batch), row(z.im, 0, batch)
	b, d := row(z.re, h, batch), row(z.im, h, batch)
	for i := range batch {
		a[i], b[i] = a[i]+c[i], a[i]-c[i]
		c[i], d[i] = 0, 0
	}
	for k := 1; k <= h-k; k++ {
		wr, wi := 0.5*r.wr[k], 0.5*r.wi[k]
		a, c := row(z.re, k, batch), row(z.im, k, batch)
		b, d := row(z.re, h-k, batch), row(z.im, h-k, batch)
		for i := range batch {
			er, ei := 0.5*(a[i]+b[i]), 0.5*(c[i]-d[i])
			pr, pi := a[i]-b[i], c[i]+d[i]
			or, oi := pr*wi+pi*wr, pi*wi-pr*wr
			a[i], c[i] = er+or, ei+oi
			b[i], d[i] = er-or, oi-ei
		}
	}
}

// pack undoes unpack, times 2.
func (r *realLine) pack(batch int, z pair) {
	h := r.n / 2
	a, c := row(z.re, 0, batch), row(z.im, 0, batch)
	b := row(z.re, h, batch)
	for i := range batch {
		a[i], c[i] = a[i]+b[i], a[i]-b[i]
	}
	for k := 1; k <= h-k; k++ {
		wr, wi := r.wr[k], r.wi[k]
		a, c := row(z.re, k, batch), row(z.im, k, batch)
		b, d := row(z.re, h-k, batch), row(z.im, h-k, batch)
		for i := range batch {
			er, ei := a[i]+b[i], c[i]-d[i]
			pr, pi := a[i]-b[i], c[i]+d[i]
			or, oi := pr*wi-pi*wr, pr*wr+pi*wi
			a[i], c[i] = er+or, ei+oi
			b[i], d[i] = er-or, oi-ei
		}
	}
}
