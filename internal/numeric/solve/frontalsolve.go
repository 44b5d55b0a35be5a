package solve

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// solve replaces the columns of x by solutions. Those of one column are found by the same sums
// as those of many.
func (f *frontal) solve(ctx context.Context, x simd.Matrix) error {
	w := f.newWorkspace(x.Cols)
	for q := range f.fronts {
		if q%256 == 0 && ctx.Err() != nil {
			return linop.Stopped(ctx)
		}
		w.forward(&f.fronts[q], x)
	}
	for q := len(f.fronts) - 1; q >= 0; q-- {
		if q%256 == 0 && ctx.Err() != nil {
			return linop.Stopped(ctx)
		}
		w.backward(&f.fronts[q], x)
	}
	return nil
}

// workspace is room for the unknowns of a front, in some columns.
type workspace struct {
	kernels simd.Kernels
	cols    int
	values  []float64
	sums    []float64 // of a single column, in whole vectors
}

func (f *frontal) newWorkspace(cols int) *workspace {
	w := &workspace{kernels: f.kernels, cols: cols, values: make([]float64, f.largest*cols)}
	if cols == 1 {
		w.sums = make([]float64, f.largest+lanes)
	}
	return w
}

func (w *workspace) row(i int) []float64 { return w.values[i*w.cols:][:w.cols] }

// forward solves with the columns of L of a front.
func (w *workspace) forward(q *factoredFront, x simd.Matrix) {
	own := rowsOf(x, q.first, q.pivots)
	for i, p := range q.swaps {
		exchange(own, i, int(p))
	}
	k, s := q.pivots, q.size()
	width, _ := q.widths()
	copy(w.values, own.Data[:k*w.cols])
	clear(w.values[k*w.cols : s*w.cols])
	for from := 0; from < k; from += step {
		to := min(from+step, k)
		for p := from; p < to; p++ {
			l := q.lower[p*width:]
			if w.cols == 1 {
				floats.AddScaled(w.values[p+1:to], -w.values[p], l[p+1:to])
				continue
			}
			for i := p + 1; i < to; i++ {
				floats.AddScaled(w.row(i), -l[i], w.row(p))
			}
		}
		w.subtract(to, s, simd.Matrix{RowStride: width, ColStride: 1, Data: q.lower[from*width+to:]}, from, to, roundUp(s-to))
	}
	copy(own.Data, w.values[:k*w.cols])
	for i, p := range q.border {
		floats.Add(rowOf(x, int(p)), w.row(k+i))
	}
}

// backward solves with the rows of U of a front.
func (w *workspace) backward(q *factoredFront, x simd.Matrix) {
	own, k, s := rowsOf(x, q.first, q.pivots), q.pivots, q.size()
	_, width := q.widths()
	copy(w.values, own.Data[:k*w.cols])
	for i, p := range q.border {
		copy(w.row(k+i), rowOf(x, int(p)))
	}
	for from := (k - 1) / step * step; from >= 0; from -= step {
		to := min(from+step, k)
		w.subtract(from, to, simd.Matrix{RowStride: width, ColStride: 1, Data: q.upper[min(to*width+from, len(q.upper)):]}, to, s, roundUp(to-from))
		for p := to - 1; p >= from; p-- {
			u := q.upper[p*width:]
			floats.Scale(1/u[p], w.row(p))
			if w.cols == 1 {
				floats.AddScaled(w.values[from:p], -w.values[p], u[from:p])
				continue
			}
			for i := from; i < p; i++ {
				floats.AddScaled(w.row(i), -u[i], w.row(p))
			}
		}
	}
	copy(own.Data, w.values[:k*w.cols])
}

// subtract takes aᵀ times rows b … b2-1 from rows c … c2-1. For a single column the product is
// turned, with the same sums: a, whose rows have padding up to a width in whole vectors, is then
// read as it lies.
func (w *workspace) subtract(c, c2 int, a simd.Matrix, b, b2, padded int) {
	if c == c2 || b == b2 {
		return
	}
	a.Rows, a.Cols = b2-b, c2-c
	if w.cols > 1 {
		w.kernels.Gemm(-1, a.T(), simd.Dense(b2-b, w.cols, w.values[b*w.cols:]), 1, simd.Dense(c2-c, w.cols, w.values[c*w.cols:]))
		return
	}
	a.Cols = padded
	w.kernels.Gemm(1, simd.Dense(1, b2-b, w.values[b:]), a, 0, simd.Dense(1, padded, w.sums))
	for i, v := range w.sums[:c2-c] {
		w.values[c+i] -= v
	}
}

// solveTransposed solves Uᵀ Lᵀ P x = b for few columns, one by one.
func (f *frontal) solveTransposed(ctx context.Context, x simd.Matrix) error {
	column, work := make([]float64, x.Rows), make([]float64, f.largest)
	for c := range x.Cols {
		for i := range column {
			column[i] = x.Data[i*x.RowStride+c]
		}
		if err := f.transposed(ctx, column, work); err != nil {
			return err
		}
		for i, v := range column {
			x.Data[i*x.RowStride+c] = v
		}
	}
	return nil
}

func (f *frontal) transposed(ctx context.Context, x, work []float64) error {
	for n := range f.fronts {
		q := &f.fronts[n]
		if n%256 == 0 && ctx.Err() != nil {
			return linop.Stopped(ctx)
		}
		own, k := x[q.first:][:q.pivots], q.pivots
		_, upper := q.widths()
		for i := range own {
			u := q.upper[i*upper:]
			own[i] = (own[i] - f.kernels.Dot(u[:i], own)) / u[i]
		}
		for i, p := range q.border {
			x[p] -= f.kernels.Dot(q.upper[(k+i)*upper:][:k], own)
		}
	}
	for n := len(f.fronts) - 1; n >= 0; n-- {
		q := &f.fronts[n]
		if n%256 == 0 && ctx.Err() != nil {
			return linop.Stopped(ctx)
		}
		own, k, s := x[q.first:][:q.pivots], q.pivots, q.size()
		lower, _ := q.widths()
		w := work[:s]
		copy(w, own)
		for i, p := range q.border {
			w[k+i] = x[p]
		}
		for i := k - 1; i >= 0; i-- {
			w[i] -= f.kernels.Dot(q.lower[i*lower+i+1:][:s-i-1], w[i+1:])
		}
		copy(own, w)
		for i := k - 1; i >= 0; i-- {
			p := q.swaps[i]
			own[i], own[p] = own[p], own[i]
		}
	}
	return nil
}

// forVectors implements factor: solve has the loops for one column.
func (f *frontal) forVectors() factor { return f }
