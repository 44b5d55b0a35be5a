package linop

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// bidiagonal is A = Q B Pᵀ for a square A: the diagonal d of B and what is right of it,
// e, and the reflections of whose products Q and P consist.
type bidiagonal struct {
	d, e       []float64
	q, p       simd.Matrix // reflection j of Q in row j from column j on, that of P from column j+1 on
	tauQ, tauP []float64
}

// bidiagonalise reduces a square matrix, which is overwritten, in blocks of rows and
// columns (Dongarra, Sorensen & Hammarling 1989, as tridiagonalise): with V and U the
// reflections of a block, the matrix becomes A - Vᵀ Y - Xᵀ U.
func bidiagonalise(ctx context.Context, a simd.Matrix) (*bidiagonal, error) {
	n := a.Rows
	square := func(rows int) simd.Matrix { return simd.Dense(rows, n, make([]float64, rows*n)) }
	b := &bidiagonal{
		d: make([]float64, n), e: make([]float64, n), tauQ: make([]float64, n), tauP: make([]float64, n),
		q: square(n), p: square(n),
	}
	x, y := square(reflectorBlock), square(reflectorBlock)
	for from := 0; from < n; from += reflectorBlock {
		to := min(from+reflectorBlock, n)
		for j := from; j < to; j++ {
			if err := Stopped(ctx); err != nil {
				return nil, err
			}
			b.column(a, x, y, from, j)
			b.row(a, x, y, from, j)
		}
		k := to - from
		if to == n {
			break
		}
		rest := part(a, to, n, to, n)
		if err := gemm(ctx, vector.GemmParallel, -1, part(b.q, from, to, to, n).T(), part(y, 0, k, to, n), 1, rest); err != nil {
			return nil, err
		}
		if err := gemm(ctx, vector.GemmParallel, -1, part(x, 0, k, to, n).T(), part(b.p, from, to, to, n), 1, rest); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// column makes the reflection of column j, and what it does to the columns after it, y.
func (b *bidiagonal) column(a, x, y simd.Matrix, from, j int) {
	n, k := a.Rows, j-from
	v := row(b.q, j)[j:]
	for i := range v {
		v[i] = row(a, j+i)[j]
	}
	for q := range k {
		floats.AddScaled(v, -row(y, q)[j], row(b.q, from+q)[j:])
		floats.AddScaled(v, -row(b.p, from+q)[j], row(x, q)[j:])
	}
	b.d[j], b.tauQ[j] = reflect(v)
	out := row(y, k)
	clear(out)
	out = out[j+1:]
	if b.tauQ[j] == 0 || j == n-1 {
		return
	}
	parallel.Range(n-1-j, read*float64(n-j), func(lo, hi int) {
		for i, w := range v {
			floats.AddScaled(out[lo:hi], w, row(a, j+i)[j+1+lo:j+1+hi])
		}
	})
	for q := range k {
		floats.AddScaled(out, -vector.Dot(row(b.q, from+q)[j:], v), row(y, q)[j+1:])
		floats.AddScaled(out, -vector.Dot(row(x, q)[j:], v), row(b.p, from+q)[j+1:])
	}
	floats.Scale(b.tauQ[j], out)
}

// row makes the reflection of row j, and what it does to the rows after it, x.
func (b *bidiagonal) row(a, x, y simd.Matrix, from, j int) {
	n, k := a.Rows, j-from
	out := row(x, k)
	clear(out)
	if j == n-1 {
		return
	}
	u := row(b.p, j)[j+1:]
	copy(u, row(a, j)[j+1:])
	for q := range k + 1 {
		floats.AddScaled(u, -row(b.q, from+q)[j], row(y, q)[j+1:])
	}
	for q := range k {
		floats.AddScaled(u, -row(x, q)[j], row(b.p, from+q)[j+1:])
	}
	b.e[j], b.tauP[j] = reflect(u)
	out = out[j+1:]
	if b.tauP[j] == 0 {
		return
	}
	parallel.Range(n-1-j, read*float64(n-1-j), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = vector.Dot(row(a, j+1+i)[j+1:], u)
		}
	})
	for q := range k + 1 {
		floats.AddScaled(out, -vector.Dot(row(y, q)[j+1:], u), row(b.q, from+q)[j+1:])
	}
	for q := range k {
		floats.AddScaled(out, -vector.Dot(row(b.p, from+q)[j+1:], u), row(x, q)[j+1:])
	}
	floats.Scale(b.tauP[j], out)
}

// bases stores the transposes of Q and P.
func (b *bidiagonal) bases(ctx context.Context, q, p simd.Matrix) error {
	if err := product(ctx, q, b.q, b.tauQ); err != nil {
		return err
	}
	n := q.Rows
	clear(p.Data)
	p.Data[0] = 1
	return product(ctx, part(p, 1, n, 1, n), part(b.p, 0, n-1, 1, n), b.tauP[:n-1])
}
