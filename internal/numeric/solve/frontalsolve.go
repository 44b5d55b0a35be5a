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
}

func (f *frontal) newWorkspace(cols int) *workspace {
	return &workspace{kernels: f.kernels, cols: cols, values: make([]float64, f.largest*cols)}
}

func (w *workspace) row(i int) []float64 { return w.values[i*w.cols:][:w.cols] }

// forward solves with the columns of L of a front.
func (w *workspace) forward(q *factoredFront, x simd.Matrix) {
	own := rowsOf(x, q.first, q.pivots)
	for i, p := range q.swaps {
		exchange(own, i, int(p))
	}
	k, s := q.pivots, q.size()
	copy(w.values, own.Data[:k*w.cols])
	clear(w.values[k*w.cols : s*w.cols])
	for from := 0; from < k; from += four {
		to := min(from+four, k)
		data, rows := q.columnsOfL(from, to)
		for p := from; p < to; p++ {
			w.subtract(p, p+1, to, data[(p-from)*rows+p+1-from:])
		}
		w.subtractAll(from, to, to, s, data[to-from:], rows)
	}
	copy(own.Data, w.values[:k*w.cols])
	for i, p := range q.border {
		floats.Add(rowOf(x, int(p)), w.row(k+i))
	}
}

// backward solves with the rows of U of a front.
func (w *workspace) backward(q *factoredFront, x simd.Matrix) {
	own, k, s := rowsOf(x, q.first, q.pivots), q.pivots, q.size()
	copy(w.values, own.Data[:k*w.cols])
	for i, p := range q.border {
		copy(w.row(k+i), rowOf(x, int(p)))
	}
	for from := k; from < s; from += four {
		w.subtractAll(from, min(from+four, s), 0, k, q.upper[(from-k)*k:], k)
	}
	for to := k; to > 0; to -= four {
		from := max(0, to-four)
		data, rows := q.columnsOfU(from, to)
		for p := to - 1; p >= from; p-- {
			u := data[(p-from)*rows:]
			floats.Scale(1/u[p], w.row(p))
			w.subtract(p, from, p, u[from:])
		}
		w.subtractAll(from, to, 0, from, data, rows)
	}
	copy(own.Data, w.values[:k*w.cols])
}

// subtract takes a[i-from] times row p from rows i, from <= i < to.
func (w *workspace) subtract(p, from, to int, a []float64) {
	if w.cols > 1 {
		for i := from; i < to; i++ {
			floats.AddScaled(w.row(i), -a[i-from], w.row(p))
		}
		return
	}
	v, x := w.values[p], w.values[from:to]
	for i, u := range a[:len(x)] {
		x[i] -= v * u
	}
}

// subtractAll takes from rows i, from <= i < to, the rows begin to end-1, of which there are four at most, times the numbers
// i-from of as many rows of a.
func (w *workspace) subtractAll(begin, end, from, to int, a []float64, stride int) {
	switch {
	case from == to:
		return
	case end-begin < four:
		for p := begin; p < end; p++ {
			w.subtract(p, from, to, a[(p-begin)*stride:])
		}
		return
	}
	var factors [four]float64
	if w.cols == 1 {
		for i, v := range w.values[begin:end] {
			factors[i] = -v
		}
		w.kernels.AddRows(w.values[from:to], factors[:], a, stride)
		return
	}
	for i := range to - from {
		for r := range factors {
			factors[r] = -a[r*stride+i]
		}
		w.kernels.AddRows(w.row(from+i), factors[:], w.values[begin*w.cols:], w.cols)
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
		for from, to := 0, (k-1)%four+1; from < k; from, to = to, to+four {
			data, rows := q.columnsOfU(from, to)
			for i := from; i < to; i++ {
				u := data[(i-from)*rows:]
				own[i] = (own[i] - f.kernels.Dot(u[:i], own)) / u[i]
			}
		}
		for i, p := range q.border {
			x[p] -= f.kernels.Dot(q.columnOfBorder(i), own)
		}
	}
	for n := len(f.fronts) - 1; n >= 0; n-- {
		q := &f.fronts[n]
		if n%256 == 0 && ctx.Err() != nil {
			return linop.Stopped(ctx)
		}
		own, k, s := x[q.first:][:q.pivots], q.pivots, q.size()
		w := work[:s]
		copy(w, own)
		for i, p := range q.border {
			w[k+i] = x[p]
		}
		for from := (k - 1) / four * four; from >= 0; from -= four {
			data, rows := q.columnsOfL(from, min(from+four, k))
			for i := min(from+four, k) - 1; i >= from; i-- {
				w[i] -= f.kernels.Dot(data[(i-from)*rows+i+1-from:][:s-i-1], w[i+1:])
			}
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
