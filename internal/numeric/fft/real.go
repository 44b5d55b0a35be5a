package fft

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Real is a plan for the transform of real row-major arrays of one shape (n_0, …, n_{d−1}) to the half spectrum
// (n_0, …, n_{d−2}, n_{d−1}/2+1); the other half follows from X_{−k} = conj X_k. It is immutable and safe for
// concurrent use.
type Real struct {
	shape  []int
	last   realLine
	others []line // axes 0 … d−2
	engine engine
}

// NewReal plans arrays of the given shape. Every size must be a product of 2, 3 and 5; an odd last size costs
// twice an even one.
func NewReal(shape ...int) (*Real, error) { return newReal(simd.Best(), shape) }

func newReal(k simd.Kernels, shape []int) (*Real, error) {
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	r := &Real{shape: append([]int(nil), shape...)}
	d := len(shape)
	r.last = newRealLine(k, shape[d-1])
	space := r.last.space() * blockWidth(r.last.space())
	for _, n := range shape[:d-1] {
		r.others = append(r.others, newLine(k, n))
		space = max(space, n*blockWidth(n))
	}
	r.engine = newEngine(space)
	return r, nil
}

// WithContext returns the same plan, of which the results are of no use once ctx has ended.
func (r *Real) WithContext(ctx context.Context) *Real {
	c := *r
	c.engine.ctx = ctx
	return &c
}

// Shape returns the shape of the real array.
func (r *Real) Shape() []int { return append([]int(nil), r.shape...) }

// Size is the number of elements of the real array.
func (r *Real) Size() int { return product(r.shape) }

// SpectrumShape returns the shape of the spectrum: Shape with n/2+1 for the last size n.
func (r *Real) SpectrumShape() []int {
	s := r.Shape()
	s[len(s)-1] = r.last.half
	return s
}

// SpectrumSize is the number of complex elements of the spectrum.
func (r *Real) SpectrumSize() int { return r.lines() * r.last.half }

// lines is the number of rows along the last axis.
func (r *Real) lines() int { return product(r.shape[:len(r.shape)-1]) }

// Forward computes the spectrum of src, len(src) == Size(), into re and im, both of length SpectrumSize().
// Cost: about 5 N log2 N / 2 operations for N elements; with AVX-512 1.5 ns per element while the array is in the
// cache, 5 for 100 x 100 x 400; in plain Go four times as much.
func (r *Real) Forward(re, im, src []float64) {
	r.check(re, im, src)
	spec, e := simd.Complex{Re: re, Im: im}, r.engine.forSize(r.Size())
	p, axis := r.rows(), len(r.others)
	if axis < 2 {
		p.forward(e, spec, src)
	} else {
		axis--
		both := r.planes()
		both.forward(e, spec, src)
	}
	for axis--; axis >= 0; axis-- {
		c := r.columns(axis)
		c.run(e, spec, spec)
	}
}

// Inverse computes the real array with the given spectrum, so that Inverse after Forward is the identity. It reads
// re and im and leaves them as they are. Imaginary parts which a real array cannot have are ignored.
func (r *Real) Inverse(dst, re, im []float64) {
	r.check(re, im, dst)
	spec, e := simd.Complex{Re: re, Im: im}, r.engine.forSize(r.Size())
	scale := 1 / float64(r.Size())
	last := len(r.others) // the first axis of those done together at the end
	if last >= 2 {
		last--
	}
	if last > 0 {
		to := e.arrays.take(e.ctx, len(re))
		defer e.arrays.give(to)
		for axis := range last {
			c := r.columns(axis)
			c.inverse = true
			c.run(e, *to, spec)
			spec = *to
		}
	}
	if last == len(r.others) {
		p := r.rows()
		p.inverse(e, dst, spec, scale)
		return
	}
	p := r.planes()
	p.columns.inverse = true
	p.inverse(e, dst, spec, scale)
}

func (r *Real) rows() rows {
	return rows{line: &r.last, count: r.lines(), in: r.last.n, out: r.last.n, width: rowWidth(r.last.space(), r.lines())}
}

// planes is the passes along the last two of at least three axes.
func (r *Real) planes() planes {
	p := planes{rows: r.rows(), columns: r.columns(len(r.others) - 1)}
	p.count = p.columns.outer
	p.rows.count, p.columns.outer = p.columns.in, 1
	return p
}

func (r *Real) columns(axis int) columns {
	l := &r.others[axis]
	return columns{
		line: l, in: l.n, out: l.n, width: blockWidth(l.n),
		outer: product(r.shape[:axis]), inner: product(r.shape[axis+1:len(r.shape)-1]) * r.last.half,
	}
}

func (r *Real) check(re, im, x []float64) {
	if len(x) != r.Size() || len(re) != r.SpectrumSize() || len(im) != len(re) {
		panic(fmt.Sprintf("fft: lengths %d, %d, %d for shape %v: want %d, %d, %d",
			len(x), len(re), len(im), r.shape, r.Size(), r.SpectrumSize(), r.SpectrumSize()))
	}
}
