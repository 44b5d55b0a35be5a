package fft

import "github.com/greenbench/workbench/internal/numeric/simd"

// factored is the transform of one sequence of n = a.n*b.n numbers, as a matrix of a.n rows: transforms of its columns,
// which are a batch, twiddle factors, a transposition, and transforms of the columns again (the four-step method:
// Bailey, J. Supercomputing 4, 1990). Vectors need batches; a single sequence by itself would leave them empty.
type factored struct {
	a, b     line
	twiddles simd.Complex // exp(−2πi jk/n) at [k*b.n+j]
}

// shortest is the length from which this is faster.
const shortest = 64

func newFactored(k simd.Kernels, n int) *factored {
	rows := 1
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			rows = d
		}
	}
	f := &factored{a: newStages(k, rows), b: newStages(k, n/rows)}
	for i := range n {
		re, im := root(i/f.b.n*(i%f.b.n), n)
		f.twiddles.Re, f.twiddles.Im = append(f.twiddles.Re, re), append(f.twiddles.Im, im)
	}
	return f
}

// forward transforms one line x, with y to work in; the result is in one of the two.
func (f *factored) forward(x, y simd.Complex) (result, spare simd.Complex) {
	a, b, k := f.a.n, f.b.n, f.a.kernels
	x, y = f.a.forward(b, x, y)
	k.MultiplyComplex(x.Slice(0, a*b), f.twiddles)
	k.Transpose(y.Re, a, x.Re, b, a, b)
	k.Transpose(y.Im, a, x.Im, b, a, b)
	return f.b.forward(a, y, x)
}
