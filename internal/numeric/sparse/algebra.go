package sparse

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Add returns alpha A + beta B.
func Add(alpha float64, a *Matrix, beta float64, b *Matrix) (*Matrix, error) {
	if a.rows != b.rows || a.cols != b.cols {
		return nil, fmt.Errorf("the sum of a %d × %d and a %d × %d matrix: must be of one shape", a.rows, a.cols, b.rows, b.cols)
	}
	if err := checkShape(a.rows, a.cols, float64(len(a.val)+len(b.val))); err != nil {
		return nil, err
	}
	m := &Matrix{rows: a.rows, cols: a.cols, start: make([]int, 1, a.rows+1)}
	for i := range a.rows {
		p, q := a.start[i], b.start[i]
		for p < a.start[i+1] || q < b.start[i+1] {
			fromA := p < a.start[i+1] && (q == b.start[i+1] || a.col[p] <= b.col[q])
			fromB := q < b.start[i+1] && (p == a.start[i+1] || b.col[q] <= a.col[p])
			v, j := 0.0, 0
			if fromA {
				v, j = alpha*a.val[p], a.col[p]
				p++
			}
			if fromB {
				v, j = v+beta*b.val[q], b.col[q]
				q++
			}
			m.col, m.val = append(m.col, j), append(m.val, v)
		}
		m.start = append(m.start, len(m.col))
	}
	return m, nil
}

// Scale returns alpha A.
func (m *Matrix) Scale(alpha float64) *Matrix {
	out := *m
	out.val = slices.Clone(m.val)
	floats.Scale(alpha, out.val)
	return &out
}

// Mul returns the product A B (Gustavson 1978, ACM TOMS 4): as many multiplications as there
// are pairs of entries that meet.
func Mul(ctx context.Context, a, b *Matrix) (*Matrix, error) {
	if a.cols != b.rows {
		return nil, fmt.Errorf("the product of a %d × %d and a %d × %d matrix: columns and rows must be as many", a.rows, a.cols, b.rows, b.cols)
	}
	m := &Matrix{rows: a.rows, cols: b.cols, start: make([]int, 1, a.rows+1)}
	sum, seen := make([]float64, b.cols), make([]int, b.cols)
	room := 0
	for i := range a.rows {
		if i%256 == 0 {
			if err := linop.Stopped(ctx); err != nil {
				return nil, err
			}
		}
		from := len(m.col)
		for p := a.start[i]; p < a.start[i+1]; p++ {
			k := a.col[p]
			for q := b.start[k]; q < b.start[k+1]; q++ {
				j := b.col[q]
				if seen[j] != i+1 {
					seen[j], sum[j] = i+1, 0
					m.col = append(m.col, j)
				}
				sum[j] += a.val[p] * b.val[q]
			}
		}
		if len(m.col) > room {
			room = 2 * len(m.col)
			if err := checkShape(m.rows, m.cols, float64(room)); err != nil {
				return nil, err
			}
		}
		slices.Sort(m.col[from:])
		for _, j := range m.col[from:] {
			m.val = append(m.val, sum[j])
		}
		m.start = append(m.start, len(m.col))
	}
	return m, nil
}

// MulDense returns A X.
func (m *Matrix) MulDense(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	rows, cols := x.Dims()
	if rows != m.cols {
		return nil, fmt.Errorf("the product of a %d × %d matrix with %d numbers: must be %d", m.rows, m.cols, rows, m.cols)
	}
	if err := dense.CheckMatrix("the product", 1, m.rows, cols); err != nil {
		return nil, err
	}
	out := mat.NewDense(m.rows, cols, nil)
	if cols == 1 && x.RawMatrix().Stride == 1 {
		m.Apply(ctx, out.RawMatrix().Data, x.RawMatrix().Data)
		return out, linop.Stopped(ctx)
	}
	for i := range m.rows {
		if i%256 == 0 && ctx.Err() != nil {
			break
		}
		row := out.RawRowView(i)
		for p := m.start[i]; p < m.start[i+1]; p++ {
			floats.AddScaled(row, m.val[p], x.RawRowView(m.col[p]))
		}
	}
	return out, linop.Stopped(ctx)
}

// Apply stores A x in dst.
func (m *Matrix) Apply(_ context.Context, dst, x []float64) {
	for i := range m.rows {
		sum := 0.0
		for p := m.start[i]; p < m.start[i+1]; p++ {
			sum += m.val[p] * x[m.col[p]]
		}
		dst[i] = sum
	}
}

// ApplyTranspose stores Aᵀ x in dst.
func (m *Matrix) ApplyTranspose(_ context.Context, dst, x []float64) {
	clear(dst)
	for i := range m.rows {
		for p := m.start[i]; p < m.start[i+1]; p++ {
			dst[m.col[p]] += m.val[p] * x[i]
		}
	}
}

// Divide returns A/alpha.
func (m *Matrix) Divide(alpha float64) *Matrix {
	out := *m
	out.val = slices.Clone(m.val)
	for k := range out.val {
		out.val[k] /= alpha
	}
	return &out
}
