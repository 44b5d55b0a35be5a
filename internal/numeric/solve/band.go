package solve

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// band holds a banded matrix while it is factored and afterwards: row by row, each
// from left numbers before the diagonal on. Seen with a stride of width-1 the rows
// are those of an ordinary matrix, so any rectangle that stays within the stored
// band is a simd.Matrix. There is room for a rectangle of panel columns, or rows,
// to reach over the edge of the band; what is stored there stays zero.
type band struct {
	n, lower, upper int // nonzeros after factoring: -lower … upper from the diagonal
	panel           int // columns factored together
	left, width     int
	data            []float64
}

// shortSteps is how many short steps of a loop are made between looks at the context.
const shortSteps = 1 << 14

// largestBand is the number of float64s a factorisation may take, 8 GiB.
const largestBand = 1 << 30

// A narrow band has too few numbers in a block for the matrix product to pay.
const (
	narrowBand = 24
	widePanel  = 32
)

// newBand stores a in the given order with room for upper+fill numbers above the
// diagonal. With upper and fill 0 only the lower triangle is stored.
func newBand(ctx context.Context, a *linop.Sparse, order []int, lower, upper, fill int) (*band, error) {
	n, _ := a.Dims()
	b := &band{n: n, lower: lower, upper: upper + fill, panel: widePanel}
	if lower+upper < narrowBand {
		b.panel = 1
	}
	b.left = lower + b.panel - 1
	b.width = b.left + 1
	if b.upper > 0 {
		b.width += b.upper + b.panel - 1
	}
	if size := float64(n) * float64(b.width); size > largestBand {
		return nil, fmt.Errorf("%d unknowns with neighbours %d apart need %.1f GiB, more than the %d allowed; use fewer points",
			n, max(lower, upper), size*8/(1<<30), largestBand*8/(1<<30))
	}
	if err := dense.CheckSize(fmt.Sprintf("the factor of %d unknowns with neighbours %d apart", n, max(lower, upper)), float64(n)*float64(b.width)); err != nil {
		return nil, err
	}
	b.data = make([]float64, n*b.width+1)
	place := make([]int, n)
	for k := range place {
		place[k] = k
	}
	for k, i := range order {
		place[i] = k
	}
	perCheck := max(1, shortSteps/b.width) // each row may take fresh memory
	for i := range n {
		if i%perCheck == 0 && ctx.Err() != nil {
			return nil, linop.Stopped(ctx)
		}
		cols, vals := a.Row(i)
		for k, j := range cols {
			if p, q := place[i], place[j]; b.upper > 0 || q <= p {
				b.data[b.index(p, q)] = vals[k]
			}
		}
	}
	return b, nil
}

func (b *band) index(i, j int) int { return i*(b.width-1) + j + b.left }

// row returns entries (i, from) … (i, to-1).
func (b *band) row(i, from, to int) []float64 {
	k := b.index(i, from)
	return b.data[k : k+to-from]
}

// block is the rectangle of the given size from (i, j) on.
func (b *band) block(i, j, rows, cols int) simd.Matrix {
	m := simd.Matrix{Rows: rows, Cols: cols, RowStride: b.width - 1, ColStride: 1}
	if rows > 0 && cols > 0 {
		m.Data = b.data[b.index(i, j):]
	}
	return m
}

// products multiplies blocks. vector chooses loops that are faster for a single
// column than the matrix product, which rounds in another order.
type products struct {
	kernels simd.Kernels
	vector  bool
}

// subtract sets c = c - a·b.
func (p products) subtract(a, b, c simd.Matrix) {
	switch {
	case c.Rows == 0 || c.Cols == 0 || a.Cols == 0:
	case p.vector && c.Cols == 1 && c.RowStride == 1 && a.ColStride == 1:
		for i := range c.Rows {
			c.Data[i] -= floats.Dot(a.Data[i*a.RowStride:][:a.Cols], b.Data[:a.Cols])
		}
	case p.vector && c.Cols == 1 && c.RowStride == 1:
		for i, v := range b.Data[:a.Cols] {
			floats.AddScaled(c.Data[:c.Rows], -v, a.Data[i*a.ColStride:][:c.Rows])
		}
	case a.Cols > 1:
		p.kernels.Gemm(-1, a, b, 1, c)
	case b.ColStride == 1:
		for i := range c.Rows {
			if v := a.Data[i*a.RowStride]; v != 0 {
				floats.AddScaled(rowOf(c, i), -v, b.Data[:c.Cols])
			}
		}
	default:
		for i := range c.Rows {
			v := a.Data[i*a.RowStride]
			for j, row := 0, rowOf(c, i); j < len(row); j++ {
				row[j] -= v * b.Data[j*b.ColStride]
			}
		}
	}
}
