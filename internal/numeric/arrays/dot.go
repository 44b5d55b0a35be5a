package arrays

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/array"
)

// Dot returns the matrix product of vectors and matrices: the sum over the last
// axis of a and the first of b. Two vectors give shape {1}. It is the exact
// IEEE product: NaN and Inf reach the result even against a zero.
func Dot(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	if a.Rank() > 2 || b.Rank() > 2 {
		return nil, fmt.Errorf("shapes %s and %s: dot wants vectors and matrices", dense.ShapeString(a.Shape), dense.ShapeString(b.Shape))
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
			dense.ShapeString(a.Shape), dense.ShapeString(b.Shape), k, b.Shape[0])
	}
	out, err := Full(ctx, 0, shape...)
	if err != nil {
		return nil, err
	}
	switch {
	case out.Size() == 0 || k == 0: // zeros
	case n == 1:
		err = dotRows(ctx, out.Data, a.Data, b.Data, k)
	case m == 1:
		err = dotColumns(ctx, out.Data, a.Data, b.Data)
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

// dotRows sets dst to the products of the rows of a matrix, of length k, and a
// vector; long ones are added up in parts, pairwise.
func dotRows(ctx context.Context, dst, a, b []float64, k int) error {
	return share(ctx, len(dst), 0.5*float64(k)+5, func(lo, hi int) {
		if k <= large {
			vector.DotRows(dst[lo:hi], a[lo*k:hi*k], b)
			return
		}
		for i := lo; i < hi; i++ {
			dst[i] = dotVectors(ctx, a[i*k:(i+1)*k], b)
		}
	})
}

func dotVectors(ctx context.Context, a, b []float64) float64 {
	if len(a) <= large {
		return vector.Dot(a, b)
	}
	parts := make([]float64, (len(a)+large-1)/large)
	_ = share(ctx, len(parts), 0.5*large, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			from, to := p*large, min((p+1)*large, len(a))
			parts[p] = vector.Dot(a[from:to], b[from:to])
		}
	})
	return sum(parts)
}

// dotColumns adds the product of a vector and a matrix to dst. The matrix is cut
// into bands of rows and those into columns, the same for any number of processors:
// each part is read once, four rows at a time, and the bands are added up in their order.
func dotColumns(ctx context.Context, dst, a, b []float64) error {
	n := len(dst)
	width := min(n, 4096)
	height := max(256, 1<<18/width)
	groups, bands := (n+width-1)/width, (len(a)+height-1)/height
	sums := dst
	if bands > 1 {
		sums = make([]float64, bands*n)
	}
	err := share(ctx, bands*groups, 0.5*float64(min(len(a), height)*width)+5, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			first, from := p/groups*height, p%groups*width
			to := min(from+width, n)
			part := sums[p/groups*n+from : p/groups*n+to]
			addBand(part, a[first:min(first+height, len(a))], b[first*n+from:], n)
		}
	})
	for k := range bands {
		if bands > 1 {
			vector.Add(dst, dst, sums[k*n:(k+1)*n])
		}
	}
	return err
}

// addBand adds rows, each a step after the last, times the numbers of a to dst.
func addBand(dst, a, rows []float64, step int) {
	l := 0
	for ; l+4 <= len(a); l += 4 {
		vector.AddRows(dst, a[l:l+4], rows[l*step:], step)
	}
	for ; l < len(a); l++ {
		for j, v := range rows[l*step : l*step+len(dst)] {
			dst[j] += a[l] * v
		}
	}
}

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
