package fft

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// folded is the symbol of a c that is even along each axis by itself: so is its spectrum, of which the frequencies
// 0 … N/2 of every axis are all there is. That is 1/2ᵈ⁻¹ of a half spectrum.
type folded struct {
	n      int       // size along axis 0
	values []float64 // over the size of N; row-major
	rows   []int     // where the row of values begins that a row of the middle axes' indices has, for index 0 of axis 0
	stride int       // between indices of axis 0
}

// NewEvenConvolver plans the product of arrays of one size, at least two axes, for a c that is even along each axis by
// itself: lags has c at the lags 0 … reach−1 along each, row-major; it is zero beyond. It takes a small part of the memory
// that NewConvolver does for the same c. The error may be the context's.
func NewEvenConvolver(ctx context.Context, shape, size, reach []int, lags []float64) (*Convolver, error) {
	return newEvenConvolver(ctx, simd.Best(), shape, size, reach, lags)
}

func newEvenConvolver(ctx context.Context, k simd.Kernels, shape, size, reach []int, lags []float64) (*Convolver, error) {
	plan, err := newReal(k, shape)
	if err != nil {
		return nil, err
	}
	c, err := planConvolver(plan, size, size)
	if err != nil {
		return nil, err
	}
	if len(shape) < 2 {
		return nil, fmt.Errorf("shape %v: needs at least two axes", shape)
	}
	if len(reach) != len(shape) || len(lags) != product(reach) {
		return nil, fmt.Errorf("%d lags: a reach of %v has %d", len(lags), reach, product(reach))
	}
	for i, n := range shape {
		if least := size[i] + reach[i] - 1; reach[i] < 1 || reach[i] > size[i] || n < least {
			return nil, fmt.Errorf("shape %v: axis %d must be at least %d for %d elements and 1 to as many lags, of which there are %d", shape, i, least, size[i], reach[i])
		}
	}
	c.folded = &folded{n: shape[0], values: lags, rows: foldedRows(shape), stride: EvenSymbolSize(shape) / (shape[0]/2 + 1)}
	for axis := len(shape) - 1; axis >= 0; axis-- {
		if c.folded.values, err = c.cosines(ctx, k, shape[axis], reach[axis], c.folded.values); err != nil {
			return nil, err
		}
	}
	scale := 1 / float64(plan.Size())
	for i := range c.folded.values {
		c.folded.values[i] *= scale
	}
	return c, nil
}

// EvenSymbolSize is how many numbers the symbol of NewEvenConvolver has.
func EvenSymbolSize(shape []int) int {
	size := 1
	for _, n := range shape {
		size *= n/2 + 1
	}
	return size
}

// cosines returns Σ_l c_l cos(2πkl/n) over the positive and negative lags of the last axis, which has size lags, for
// k = 0 … n/2; that axis becomes the first.
func (c *Convolver) cosines(ctx context.Context, k simd.Kernels, n, size int, lags []float64) ([]float64, error) {
	line := newRealLine(k, n)
	count := len(lags) / size
	out, err := parallel.Zeros(ctx, count*line.half)
	if err != nil {
		return nil, err
	}
	width := blockWidth(n)
	e := c.engine
	e.ctx = ctx
	e.forSize(count*n).each((count+width-1)/width, func(item int, w *scratch) {
		first := item * width
		batch := min(width, count-first)
		z, _ := line.forward(batch, lags[first*size:], size, size, w)
		for k := range line.half {
			to, from := out[k*count+first:][:batch], z.Re[k*batch:][:batch]
			for b, v := range from {
				to[b] = 2*v - lags[(first+b)*size]
			}
		}
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	return out, nil
}

// foldedRows lists, for every index of the middle axes, where its row begins.
func foldedRows(shape []int) []int {
	d := len(shape)
	rows, half := []int{0}, shape[d-1]/2+1
	for _, n := range shape[1 : d-1] {
		next := make([]int, 0, len(rows)*n)
		for _, r := range rows {
			for k := range n {
				next = append(next, r*(n/2+1)+min(k, n-k))
			}
		}
		rows = next
	}
	for i := range rows {
		rows[i] *= half
	}
	return rows
}

// gather stores the symbol of width columns of spectra along axis 0, from column first on, in dst: [index][column].
// half is how many columns have the same indices of the middle axes.
func (f *folded) gather(dst []float64, first, width, half int) {
	for at := 0; at < width; {
		row, column := (first+at)/half, (first+at)%half
		run := min(width-at, half-column)
		from := f.rows[row] + column
		for k := range f.n/2 + 1 {
			copy(dst[k*width+at:][:run], f.values[k*f.stride+from:])
		}
		at += run
	}
	for k := f.n/2 + 1; k < f.n; k++ {
		copy(dst[k*width:][:width], dst[(f.n-k)*width:])
	}
}
