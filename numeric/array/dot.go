package array

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/greenbench/workbench/numeric/internal/simd"
)

// Dot returns the matrix product of vectors and matrices: the sum over the last
// axis of a and the first of b. Two vectors give shape {1}. It is the exact
// IEEE product: NaN and Inf reach the result even against a zero.
func Dot(ctx context.Context, a, b *Array) (*Array, error) {
	if a.Rank() > 2 || b.Rank() > 2 {
		return nil, fmt.Errorf("shapes %s and %s: dot wants vectors and matrices", ShapeString(a.Shape), ShapeString(b.Shape))
	}
	m, n := 1, 1
	var shape []int
	if a.Rank() == 2 {
		m = a.Shape[0]
		shape = append(shape, m)
	}
	if b.Rank() == 2 {
		n = b.Shape[1]
		shape = append(shape, n)
	}
	if len(shape) == 0 {
		shape = []int{1}
	}
	k := a.Shape[a.Rank()-1]
	if k != b.Shape[0] {
		return nil, fmt.Errorf("shapes %s and %s: dot wants the last length of the first (%d) equal to the first of the second (%d)",
			ShapeString(a.Shape), ShapeString(b.Shape), k, b.Shape[0])
	}
	out, err := Full(ctx, 0, shape...)
	if err != nil {
		return nil, err
	}
	switch {
	case out.Size() == 0 || k == 0: // zeros
	case allFinite(ctx, a.Data) && allFinite(ctx, b.Data):
		err = dotTiles(ctx, out.Data, a.Data, b.Data, m, k, n)
	default:
		// The plain loop: NaN and Inf as the definition has them.
		err = dotPlain(ctx, out.Data, a.Data, b.Data, m, k, n)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// tile is the edge of the blocks that are multiplied at once, some 10 ms of work.
// It is a multiple of the blocks of the vector code, so that every sum is added up
// in the same order as without tiles.
const tile = 512

// vector holds the inner loops for this machine.
var vector = simd.Best()

// dotTiles adds the m × k by k × n product of finite numbers to dst.
func dotTiles(ctx context.Context, dst, a, b []float64, m, k, n int) error {
	for i := 0; i < m; i += tile {
		for j := 0; j < n; j += tile {
			for l := 0; l < k; l += tile {
				if ctx.Err() != nil {
					return stopped(ctx)
				}
				rows, inner, columns := min(tile, m-i), min(tile, k-l), min(tile, n-j)
				vector.GemmParallel(1, part(a, k, i, l, rows, inner), part(b, n, l, j, inner, columns), 1, part(dst, n, i, j, rows, columns))
			}
		}
	}
	return nil
}

// part is a block of a matrix whose rows have a given length.
func part(data []float64, length, row, column, rows, columns int) simd.Matrix {
	from := row*length + column
	return simd.Matrix{Rows: rows, Cols: columns, RowStride: length, ColStride: 1, Data: data[from : from+(rows-1)*length+columns]}
}

// dotPlain adds the m × k by k × n product to dst, by definition.
func dotPlain(ctx context.Context, dst, a, b []float64, m, k, n int) error {
	done := 0
	for i := range m {
		row := dst[i*n : (i+1)*n]
		for l := range k {
			if done += n; done >= tile*tile {
				if done = 0; ctx.Err() != nil {
					return stopped(ctx)
				}
			}
			for j := range row {
				row[j] += a[i*k+l] * b[l*n+j]
			}
		}
	}
	return nil
}

func stopped(ctx context.Context) error { return fmt.Errorf("dot stopped: %w", context.Cause(ctx)) }

func allFinite(ctx context.Context, x []float64) bool {
	var strange atomic.Bool
	_ = share(ctx, len(x), 0.5, func(lo, hi int) {
		for _, v := range x[lo:hi] {
			// v-v is 0 for a finite number and NaN for the others.
			if v-v != 0 {
				strange.Store(true)
				return
			}
		}
	})
	return !strange.Load()
}
