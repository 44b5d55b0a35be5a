package solve

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// bandLU is P A = L U with partial pivoting, factored panel by panel (as LAPACK's
// dgbtrf does). Exchanges of rows are made within a panel and to its right, not to
// its left, so L stays in the band; a solve makes them panel by panel.
type bandLU struct {
	*band
	products
	pivots []int // row exchanged with row j
}

func (f *bandLU) factor(ctx context.Context) error {
	f.pivots = make([]int, f.n)
	for j := 0; j < f.n; j += f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
		cols := min(f.panel, f.n-j)
		if err := f.factorPanel(j, cols); err != nil {
			return err
		}
		rest, right := f.rest(j, cols), f.right(j, cols)
		u := f.block(j, j+cols, cols, right)
		f.solveLower(j, cols, u)
		f.subtract(f.block(j+cols, j, rest, cols), u, f.block(j+cols, j+cols, rest, right))
	}
	return nil
}

// rest is the number of rows below the panel that it reaches, right the number of
// columns.
func (f *bandLU) rest(j, cols int) int  { return min(f.n, j+cols+f.lower) - j - cols }
func (f *bandLU) right(j, cols int) int { return min(f.n, j+cols+f.upper) - j - cols }

func (f *bandLU) factorPanel(j, cols int) error {
	for c := j; c < j+cols; c++ {
		end := min(f.n, c+f.lower+1)
		p := c
		for i := c + 1; i < end; i++ {
			if math.Abs(f.data[f.index(i, c)]) > math.Abs(f.data[f.index(p, c)]) {
				p = i
			}
		}
		f.pivots[c] = p
		pivot := f.data[f.index(p, c)]
		if pivot == 0 || math.IsNaN(pivot) {
			return fmt.Errorf("pivot %d of %d is %g: %w", c+1, f.n, pivot, ErrSingular)
		}
		if p != c {
			to := min(f.n, c+f.upper+1)
			above, below := f.row(c, j, to), f.row(p, j, to)
			for k, v := range above {
				above[k], below[k] = below[k], v
			}
		}
		right := f.row(c, c+1, j+cols)
		for i := c + 1; i < end; i++ {
			l := f.data[f.index(i, c)] / pivot
			f.data[f.index(i, c)] = l
			if l != 0 {
				floats.AddScaled(f.row(i, c+1, j+cols), -l, right)
			}
		}
	}
	return nil
}

// chunk is how many rows of a triangle are solved one by one before the matrix
// product takes over.
const chunk = 8

// solveLower replaces the rows of x, those of the panel, by L⁻¹ x.
func (f *bandLU) solveLower(j, cols int, x simd.Matrix) {
	if x.Cols == 0 {
		return
	}
	for s := 0; s < cols; s += chunk {
		size := min(chunk, cols-s)
		for i := s; i < s+size; i++ {
			for k, l := range f.row(j+i, j+s, j+i) {
				if l != 0 {
					floats.AddScaled(rowOf(x, i), -l, rowOf(x, s+k))
				}
			}
		}
		below := s + size
		f.subtract(f.block(j+below, j+s, cols-below, size), rowsOf(x, s, size), rowsOf(x, below, cols-below))
	}
}

// solveUpper replaces the rows of x, those of the panel, by U⁻¹ x.
func (f *bandLU) solveUpper(j, cols int, x simd.Matrix) {
	for i := cols - 1; i >= 0; i-- {
		row := f.row(j+i, j+i, min(j+cols, j+i+f.upper+1))
		for k, u := range row[1:] {
			floats.AddScaled(rowOf(x, i), -u, rowOf(x, i+1+k))
		}
		floats.Scale(1/row[0], rowOf(x, i))
	}
}

func (f *bandLU) solve(ctx context.Context, x simd.Matrix) error {
	for j := 0; j < f.n; j += f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
		}
		cols, own := min(f.panel, f.n-j), rowsOf(x, j, min(f.panel, f.n-j))
		for c := j; c < j+cols; c++ {
			exchange(x, c, f.pivots[c])
		}
		f.solveLower(j, cols, own)
		rest := f.rest(j, cols)
		f.subtract(f.block(j+cols, j, rest, cols), own, rowsOf(x, j+cols, rest))
	}
	for j := (f.n - 1) / f.panel * f.panel; j >= 0; j -= f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
		}
		cols, own := min(f.panel, f.n-j), rowsOf(x, j, min(f.panel, f.n-j))
		if right := f.right(j, cols); cols > 1 {
			f.subtract(f.block(j, j+cols, cols, right), rowsOf(x, j+cols, right), own)
		} else {
			for k, u := range f.row(j, j+1, j+1+right) {
				floats.AddScaled(rowOf(x, j), -u, rowOf(x, j+1+k))
			}
		}
		f.solveUpper(j, cols, own)
	}
	return nil
}

// solveTransposed solves Uᵀ Lᵀ P x = b. It serves estimates, for one column or
// few, and goes row by row.
func (f *bandLU) solveTransposed(ctx context.Context, x simd.Matrix) error {
	for i := range f.n {
		u := f.row(i, i, min(f.n, i+f.upper+1))
		floats.Scale(1/u[0], rowOf(x, i))
		for k, v := range u[1:] {
			if v != 0 {
				floats.AddScaled(rowOf(x, i+1+k), -v, rowOf(x, i))
			}
		}
	}
	for j := (f.n - 1) / f.panel * f.panel; j >= 0; j -= f.panel {
		if ctx.Err() != nil {
			return fmt.Errorf("solve stopped: %w", context.Cause(ctx))
		}
		cols := min(f.panel, f.n-j)
		for i := j + cols + f.rest(j, cols) - 1; i > j; i-- {
			for k, l := range f.row(i, j, min(i, j+cols)) {
				if l != 0 {
					floats.AddScaled(rowOf(x, j+k), -l, rowOf(x, i))
				}
			}
		}
		for c := j + cols - 1; c >= j; c-- {
			exchange(x, c, f.pivots[c])
		}
	}
	return nil
}

func (f *bandLU) forVectors() factor {
	v := *f
	v.vector = true
	return &v
}
