package fft

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// Convolver is a product with a multilevel Toeplitz matrix,
//
//	y[i] = Σ_j c[(i−j) mod N] x[j]      i < Out, j < In  (componentwise, on every axis)
//
// by transforms of shape N. There is no wrap-around if N >= In+Out−1 on each axis; with N == In == Out on an axis the
// product is circulant along it. A Convolver is immutable and safe for concurrent use.
type Convolver struct {
	shape, in, out []int
	last           realLine
	others         []line
	engine         engine
	// symbol is the spectrum of c divided by the size of N, in the order it is used: blocks of columns along axis 0.
	// For an even c (c[−k] = c[k]) it is real and Im is nil.
	symbol simd.Complex
	folded *folded        // it, in place of symbol, where c is even along every axis; nil: it is not known to be
	turns  parallel.Turns // of products with large arrays
}

// largeArrays is from how many numbers on intermediate arrays are there once at a time: a tenth of a gigabyte.
const largeArrays = 1 << 24

// NewConvolver plans the product for a symbol c given on the padded grid: len(symbol) is the product of shape,
// row-major, and lag −k is stored at N−k. Sizes in shape must be products of 2, 3 and 5, and at least those of in, the
// shape of x, and out, the shape of y. The symbol is not kept. The error may be the context's.
func NewConvolver(ctx context.Context, shape, in, out []int, symbol []float64) (*Convolver, error) {
	return newConvolver(ctx, simd.Best(), shape, in, out, symbol)
}

func newConvolver(ctx context.Context, k simd.Kernels, shape, in, out []int, symbol []float64) (*Convolver, error) {
	plan, err := newReal(k, shape)
	if err != nil {
		return nil, err
	}
	c, err := planConvolver(plan, in, out)
	if err != nil {
		return nil, err
	}
	if len(symbol) != plan.Size() {
		return nil, fmt.Errorf("symbol of %d elements: shape %v has %d", len(symbol), shape, plan.Size())
	}
	if c.setSymbol(ctx, plan.WithContext(ctx), symbol); ctx.Err() != nil {
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	return c, nil
}

// planConvolver is a Convolver without its symbol.
func planConvolver(plan *Real, in, out []int) (*Convolver, error) {
	if len(in) != len(plan.shape) || len(out) != len(plan.shape) {
		return nil, fmt.Errorf("shapes in %v, out %v: must have %d axes as shape %v", in, out, len(plan.shape), plan.shape)
	}
	for i, n := range plan.shape {
		if in[i] < 1 || in[i] > n || out[i] < 1 || out[i] > n {
			return nil, fmt.Errorf("shapes in %v, out %v: axis %d must be between 1 and %d", in, out, i, n)
		}
	}
	return &Convolver{
		shape: plan.shape, in: append([]int(nil), in...), out: append([]int(nil), out...),
		last: plan.last, others: plan.others, engine: plan.engine, turns: parallel.NewTurns(),
	}, nil
}

// setSymbol transforms the symbol and stores it block by block in the order Apply multiplies by it.
func (c *Convolver) setSymbol(ctx context.Context, plan *Real, symbol []float64) {
	re, err := parallel.Zeros(ctx, plan.SpectrumSize())
	if err != nil {
		return
	}
	im, err := parallel.Zeros(ctx, plan.SpectrumSize())
	if err != nil {
		return
	}
	plan.Forward(re, im, symbol)
	scale := 1 / float64(plan.Size())
	for i := range re {
		if i%(1<<20) == 0 && ctx.Err() != nil {
			return
		}
		re[i] *= scale
		im[i] *= scale
	}
	real := even(ctx, symbol, c.shape)
	if len(c.others) > 0 {
		p := c.firstAxis()
		order := func(x []float64) []float64 {
			y, err := parallel.Zeros(ctx, len(x))
			at := 0
			for first := 0; first < p.inner && err == nil && ctx.Err() == nil; first += p.width {
				width := min(p.width, p.inner-first)
				for k := range p.line.n {
					at += copy(y[at:], x[k*p.inner+first:][:width])
				}
			}
			return y
		}
		re = order(re)
		if !real {
			im = order(im)
		}
	}
	c.symbol = simd.Complex{Re: re}
	if !real {
		c.symbol.Im = im
	}
}

// even tells whether x[−k] == x[k] for every index k, componentwise modulo the shape.
func even(ctx context.Context, x []float64, shape []int) bool {
	k := make([]int, len(shape))
	for i := range x {
		if i%(1<<20) == 0 && ctx.Err() != nil {
			return false
		}
		mirror := 0
		for a, n := range shape {
			mirror *= n
			if k[a] > 0 {
				mirror += n - k[a]
			}
		}
		if x[i] != x[mirror] {
			return false
		}
		for a := len(k) - 1; a >= 0; a-- {
			if k[a]++; k[a] < shape[a] {
				break
			}
			k[a] = 0
		}
	}
	return true
}

// WithContext returns the same product, of which the results are of no use once ctx has ended.
func (c *Convolver) WithContext(ctx context.Context) *Convolver {
	d := *c
	d.engine.ctx = ctx
	return &d
}

// In is the number of elements of x, Out that of y.
func (c *Convolver) In() int { return product(c.in) }

// Out is the number of elements of y.
func (c *Convolver) Out() int { return product(c.out) }

// Even tells whether the symbol is even, which makes the product symmetric when In and Out agree.
func (c *Convolver) Even() bool { return c.folded != nil || c.symbol.Im == nil }

// Apply computes dst = C src: len(src) is In(), len(dst) is Out(), or the same multiple of both for several arrays one
// after the other. dst may be src. Cost: two real transforms of the padded array, of which padding to twice the size
// saves 1/4 (two axes) or 5/12 (three). 0.065 ms for 100 x 100, 14 ms for 50 x 50 x 197 on one core with AVX-512.
func (c *Convolver) Apply(dst, src []float64) { c.apply(dst, src, c.in, c.out, false) }

// ApplyTransposed computes dst = Cᵀ src: len(src) is Out(), len(dst) is In(), or multiples as in Apply.
func (c *Convolver) ApplyTransposed(dst, src []float64) { c.apply(dst, src, c.out, c.in, true) }

func (c *Convolver) apply(dst, src []float64, in, out []int, transposed bool) {
	sizeIn, sizeOut := product(in), product(out)
	count := len(src) / sizeIn
	if len(src) != count*sizeIn || len(dst) != count*sizeOut {
		panic(fmt.Sprintf("fft: lengths %d and %d: want equal multiples of %d and %d", len(src), len(dst), sizeIn, sizeOut))
	}
	if len(c.others) == 0 {
		c.applyRows(dst, src, in[0], out[0], transposed)
		return
	}
	for i := range count {
		c.applyOne(dst[i*sizeOut:][:sizeOut], src[i*sizeIn:][:sizeIn], in, out, transposed)
	}
}

// applyRows is the product for one axis, a batch of arrays at a time.
func (c *Convolver) applyRows(dst, src []float64, in, out int, transposed bool) {
	count := len(src) / in
	width := rowWidth(c.last.space(), count)
	c.engine.forSize(count*c.shape[0]).each((count+width-1)/width, func(item int, w *scratch) {
		first := item * width
		batch := min(width, count-first)
		z, spare := c.last.forward(batch, src[first*in:], in, in, w)
		c.multiplyRows(batch, z, transposed)
		c.last.inverse(batch, z, spare, dst[first*out:], out, out, 1)
	})
}

// multiplyRows is the product of a batch of spectra of one axis with the symbol, or with its conjugate.
func (c *Convolver) multiplyRows(batch int, z simd.Complex, conjugate bool) {
	n := c.last.half
	if batch == 1 {
		multiply(c.last.complex.kernels, z.Slice(0, n), c.symbol, conjugate)
		return
	}
	for k, sr := range c.symbol.Re {
		re, im := z.Re[k*batch:][:batch], z.Im[k*batch:][:batch]
		si := 0.0
		if c.symbol.Im != nil {
			si = c.symbol.Im[k]
		}
		if conjugate {
			si = -si
		}
		for i, a := range re {
			b := im[i]
			re[i], im[i] = a*sr-b*si, a*si+b*sr
		}
	}
}

// multiply sets z = z·symbol or z·conj symbol; Im is nil in a real symbol.
func multiply(k simd.Kernels, z, symbol simd.Complex, conjugate bool) {
	switch {
	case symbol.Im == nil:
		k.Mul(z.Re, z.Re, symbol.Re)
		k.Mul(z.Im, z.Im, symbol.Re)
	case conjugate:
		k.MultiplyComplex(z.Swapped(), symbol)
	default:
		k.MultiplyComplex(z, symbol)
	}
}

// applyOne is the product for two axes and more. Rows first; then the middle axes grow from in to the padded size, from
// the last, which is done together with the rows, to the second; axis 0 is transformed, multiplied and transformed
// back block by block; and back. All but axis 0 is done for one index of it after the other, of four axes and more, so
// that only one array is of padded size.
func (c *Convolver) applyOne(dst, src []float64, in, out []int, transposed bool) {
	e := c.engine.forSize(product(c.shape))
	inner := product(c.shape[1:len(c.shape)-1]) * c.last.half
	size := max(in[0], out[0]) * inner
	if 4*size > largeArrays {
		end, ok := c.turns.Take(e.ctx)
		defer end()
		if !ok {
			return
		}
	}
	x := e.arrays.take(e.ctx, size)
	defer e.arrays.give(x)
	if len(x.Re) < size { // the context has ended
		return
	}
	switch len(c.shape) {
	case 2:
		r := c.rows(in, out)
		r.count = in[0]
		r.forward(e, *x, src)
	case 3:
		p := c.planes(in, out, false)
		p.count = in[0]
		p.forward(e, *x, src)
	default:
		each := product(in[1:])
		e.slabwise(in[0], func(e *engine, i int) {
			c.grow(e, x.Slice(i*inner, (i+1)*inner), src[i*each:][:each], in)
		})
	}

	p := c.firstAxis()
	p.in, p.out, p.between = in[0], out[0], c.between(transposed)
	p.run(e, *x, *x)

	switch len(c.shape) {
	case 2:
		r := c.rows(in, out)
		r.count = out[0]
		r.inverse(e, dst, *x, 1)
	case 3:
		p := c.planes(out, out, true)
		p.count = out[0]
		p.inverse(e, dst, *x, 1)
	default:
		each := product(out[1:])
		e.slabwise(out[0], func(e *engine, i int) {
			c.shrink(e, dst[i*each:][:each], x.Slice(i*inner, (i+1)*inner), out)
		})
	}
}

// grow transforms src, of sizes in but for axis 0, along all axes but that, to the padded sizes.
func (c *Convolver) grow(e *engine, to simd.Complex, src []float64, in []int) {
	x, y := c.slabs(e, in)
	defer e.slabs.give(x)
	defer e.slabs.give(y)
	p := c.planes(in, in, false)
	p.count = product(in[1 : len(in)-2])
	p.forward(e, *x, src)
	for axis := len(in) - 3; axis >= 1; axis-- {
		into := *y
		if axis == 1 {
			into = to
		}
		p := c.columns(axis, in)
		p.in, p.out = in[axis], c.shape[axis]
		p.outer /= in[0]
		p.run(e, into, *x)
		x, y = y, x
	}
}

// shrink undoes grow, to the sizes out.
func (c *Convolver) shrink(e *engine, dst []float64, from simd.Complex, out []int) {
	x, y := c.slabs(e, out)
	defer e.slabs.give(x)
	defer e.slabs.give(y)
	for axis := 1; axis <= len(out)-3; axis++ {
		p := c.columns(axis, out)
		p.in, p.out, p.inverse = c.shape[axis], out[axis], true
		p.outer /= out[0]
		p.run(e, *x, from)
		from = *x
		x, y = y, x
	}
	p := c.planes(out, out, true)
	p.count = product(out[1 : len(out)-2])
	p.inverse(e, dst, from, 1)
}

// slabs are two arrays for one index of axis 0, with the sizes of logical along axis 1; the second is for more than four
// axes.
func (c *Convolver) slabs(e *engine, logical []int) (x, y *simd.Complex) {
	size := logical[1] * product(c.shape[2:len(c.shape)-1]) * c.last.half
	if len(c.shape) == 4 {
		return e.slabs.take(e.ctx, size), new(simd.Complex)
	}
	return e.slabs.take(e.ctx, size), e.slabs.take(e.ctx, size)
}

// rows is the pass along the last axis.
func (c *Convolver) rows(in, out []int) rows {
	d := len(c.shape)
	return rows{line: &c.last, in: in[d-1], out: out[d-1], width: blockWidth(c.last.space())}
}

// planes is the passes along the last two of at least three axes, whose sizes are those of logical; inverse: back to it.
func (c *Convolver) planes(in, out []int, inverse bool) planes {
	axis := len(c.shape) - 2
	p := planes{rows: c.rows(in, out), columns: c.columns(axis, in)}
	p.rows.count, p.columns.outer, p.columns.inverse = in[axis], 1, inverse
	p.columns.in, p.columns.out = in[axis], c.shape[axis]
	if inverse {
		p.columns.in, p.columns.out = c.shape[axis], in[axis]
	}
	return p
}

// columns is the pass along a middle axis, where the axes before it have the sizes of logical and those after it
// are padded.
func (c *Convolver) columns(axis int, logical []int) columns {
	l := &c.others[axis]
	return columns{
		line: l, width: blockWidth(l.n),
		outer: product(logical[:axis]), inner: product(c.shape[axis+1:len(c.shape)-1]) * c.last.half,
	}
}

func (c *Convolver) firstAxis() columns { return c.columns(0, nil) }

// between returns the product of a block of spectrum columns with the symbol, or with its conjugate.
func (c *Convolver) between(conjugate bool) func(block, width int, z, spare simd.Complex) {
	p := c.firstAxis()
	if c.folded != nil {
		return func(block, width int, z, spare simd.Complex) {
			c.folded.gather(spare.Re, block*p.width, width, c.last.half)
			n := width * p.line.n
			multiply(p.line.kernels, z.Slice(0, n), simd.Complex{Re: spare.Re[:n]}, false)
		}
	}
	return func(block, width int, z, _ simd.Complex) {
		at, n := block*p.width*p.line.n, width*p.line.n
		symbol := simd.Complex{Re: c.symbol.Re[at:][:n]}
		if c.symbol.Im != nil {
			symbol.Im = c.symbol.Im[at:][:n]
		}
		multiply(p.line.kernels, z.Slice(0, n), symbol, conjugate)
	}
}
