package solve

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// bandCholesky is A = L Lᵀ within the band, factored panel by panel (as LAPACK's
// dpbtrf does): L takes the place of the lower triangle.
type bandCholesky struct {
	*band
	products
}

func (f *bandCholesky) factor(ctx context.Context) error {
	tile := make([]float64, f.panel*f.panel)
	for j := 0; j < f.n; j += f.panel {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
		cols := min(f.panel, f.n-j)
		end := min(f.n, j+cols+f.lower)
		if err := f.factorPanel(j, cols, end); err != nil {
			return err
		}
		for c := j + cols; c < end; c += f.panel {
			f.update(j, cols, c, end, tile)
		}
	}
	return nil
}

// factorPanel computes columns j … j+cols-1 of L, row by row.
func (f *bandCholesky) factorPanel(j, cols, end int) error {
	for i := j; i < end; i++ {
		first := max(j, i-f.lower)
		row := f.row(i, first, min(i+1, j+cols))
		for k := range row {
			c := first + k
			from := max(first, c-f.lower)
			other := f.row(c, from, c+1)
			s := row[k] - floats.Dot(row[from-first:k], other[:c-from])
			if c < i {
				row[k] = s / other[c-from]
				continue
			}
			if !(s > 0) {
				return fmt.Errorf("pivot %d of %d is %.3g: %w", i+1, f.n, s, ErrNotPositive)
			}
			row[k] = math.Sqrt(s)
		}
	}
	return nil
}

// update subtracts the panel's part from the lower triangle in the columns from c
// on, as many as a panel has. The tile on the diagonal goes through scratch memory,
// for there is no room above the diagonal.
func (f *bandCholesky) update(j, cols, c, end int, tile []float64) {
	width := min(f.panel, end-c)
	l := f.block(c, j, width, cols)
	t := simd.Dense(width, width, tile[:width*width])
	clear(t.Data)
	f.subtract(l, l.T(), t)
	for i := range width {
		floats.Add(f.row(c+i, c, c+i+1), t.Data[i*width:][:i+1])
	}
	below := c + width
	f.subtract(f.block(below, j, end-below, cols), l.T(), f.block(below, c, end-below, width))
}

func (f *bandCholesky) solve(ctx context.Context, x simd.Matrix) error {
	for j := 0; j < f.n; j += f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
		}
		cols := min(f.panel, f.n-j)
		for i := j; i < j+cols; i++ {
			from := max(j, i-f.lower)
			for k, l := range f.row(i, from, i) {
				floats.AddScaled(rowOf(x, i), -l, rowOf(x, from+k))
			}
			floats.Scale(1/f.data[f.index(i, i)], rowOf(x, i))
		}
		rest := min(f.n, j+cols+f.lower) - j - cols
		f.subtract(f.block(j+cols, j, rest, cols), rowsOf(x, j, cols), rowsOf(x, j+cols, rest))
	}
	for j := (f.n - 1) / f.panel * f.panel; j >= 0; j -= f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
		}
		cols := min(f.panel, f.n-j)
		rest := min(f.n, j+cols+f.lower) - j - cols
		if cols > 1 {
			f.subtract(f.block(j+cols, j, rest, cols).T(), rowsOf(x, j+cols, rest), rowsOf(x, j, cols))
		} else {
			for i := j + 1; i <= j+rest; i++ {
				floats.AddScaled(rowOf(x, j), -f.data[f.index(i, j)], rowOf(x, i))
			}
		}
		for i := j + cols - 1; i >= j; i-- {
			floats.Scale(1/f.data[f.index(i, i)], rowOf(x, i))
			from := max(j, i-f.lower)
			for k, l := range f.row(i, from, i) {
				floats.AddScaled(rowOf(x, from+k), -l, rowOf(x, i))
			}
		}
	}
	return nil
}

func (f *bandCholesky) forVectors() factor {
	v := *f
	v.vector = true
	return &v
}

func (f *bandCholesky) solveTransposed(ctx context.Context, x simd.Matrix) error {
	return f.solve(ctx, x)
}
