package linop

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// SVD returns the thin singular value decomposition A = U diag(values) Vᵀ of an
// r × c matrix: U of r × min(r, c), values in decreasing order, V of c × min(r, c), both
// with orthonormal columns. The longer side is reduced by QR, the rest made bidiagonal
// and that iterated on (Golub & Reinsch 1970, Numer. Math. 14; Demmel & Kahan 1990, SIAM
// J. Sci. Stat. Comput. 11). About 4 r c² + 20 c³ operations for r ≥ c, and memory for
// two matrices r × c and four c × c. The error is the context's, or says that the matrix
// is not finite.
func SVD(ctx context.Context, a mat.Matrix) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	r, c := a.Dims()
	if r < c {
		v, values, u, err = SVD(ctx, a.T())
		return u, values, v, err
	}
	work, err := copyOf(ctx, strided(a))
	if err != nil {
		return nil, nil, nil, err
	}
	data, largest := work.RawMatrix().Data, 0.0
	for i, x := range data {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return nil, nil, nil, fmt.Errorf("singular values of a %d × %d matrix: entry %d, %d is %g", r, c, i/c+1, i%c+1, x)
		}
		largest = max(largest, math.Abs(x))
	}
	unit := scaleToUnit(data, largest)
	if err := Stopped(ctx); err != nil {
		return nil, nil, nil, err
	}
	var q *mat.Dense
	if r > c {
		if q, work, err = QR(ctx, work); err != nil {
			return nil, nil, nil, err
		}
	}
	u, values, v, err = squareSVD(ctx, work)
	if err != nil {
		return nil, nil, nil, err
	}
	floats.Scale(unit, values)
	if q == nil {
		return u, values, v, nil
	}
	full := mat.NewDense(r, c, nil)
	return full, values, v, MulContext(ctx, full, q, u)
}

// copyOf ends with the context.
func copyOf(ctx context.Context, a simd.Matrix) (*mat.Dense, error) {
	data, err := parallel.Zeros(ctx, a.Rows*a.Cols)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(a.Rows, a.Cols, data)
	if a.ColStride != 1 {
		return out, transpose(ctx, strided(out), a.T())
	}
	for i := range a.Rows {
		if i%256 == 0 && ctx.Err() != nil {
			break
		}
		copy(out.RawRowView(i), row(a, i))
	}
	return out, Stopped(ctx)
}

// squareSVD is SVD for a square matrix in the unit of its entries, which is overwritten.
func squareSVD(ctx context.Context, a *mat.Dense) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	b, err := bidiagonalise(ctx, strided(a))
	if err != nil {
		return nil, nil, nil, err
	}
	n := len(b.d)
	left, right := simd.Dense(n, n, make([]float64, n*n)), simd.Dense(n, n, make([]float64, n*n))
	if err := b.bases(ctx, left, right); err != nil {
		return nil, nil, nil, err
	}
	it := &bidiagonalQR{ctx: ctx, d: b.d, e: b.e, left: left, right: right}
	if err := it.run(); err != nil {
		return nil, nil, nil, err
	}
	for i, s := range b.d {
		if s < 0 {
			b.d[i] = -s
			floats.Scale(-1, row(right, i))
		}
	}
	negative := append([]float64(nil), b.d...)
	floats.Scale(-1, negative)
	place := places(negative)
	values = make([]float64, n)
	for i, p := range place { // the reflections are used up
		values[p] = b.d[i]
		copy(row(b.q, p), row(left, i))
		copy(row(b.p, p), row(right, i))
	}
	u, v = mat.NewDense(n, n, left.Data), mat.NewDense(n, n, right.Data)
	if err := transpose(ctx, left, b.q); err != nil {
		return nil, nil, nil, err
	}
	return u, values, v, transpose(ctx, right, b.p)
}

// Rank counts the singular values, in decreasing order, above tolerance times the
// largest.
func Rank(values []float64, tolerance float64) int {
	rank := 0
	for rank < len(values) && values[rank] > tolerance*values[0] {
		rank++
	}
	return rank
}

// LeastSquares returns V diag(1/values) Uᵀ b for the factors of an SVD, of which as many
// columns are taken as there are values: the least-squares solution of least norm.
func LeastSquares(ctx context.Context, u *mat.Dense, values []float64, v, b *mat.Dense) (*mat.Dense, error) {
	r, _ := u.Dims()
	n, _ := v.Dims()
	_, cols := b.Dims()
	x, rank := mat.NewDense(n, cols, nil), len(values)
	if rank == 0 {
		return x, nil
	}
	c := mat.NewDense(rank, cols, nil)
	if err := MulContext(ctx, c, u.Slice(0, r, 0, rank).T(), b); err != nil {
		return nil, err
	}
	for i, s := range values {
		if inverse := 1 / s; inverse <= math.MaxFloat64 {
			floats.Scale(inverse, c.RawRowView(i))
			continue
		}
		for j, v := range c.RawRowView(i) {
			c.Set(i, j, v/s)
		}
	}
	return x, MulContext(ctx, x, v.Slice(0, n, 0, rank), c)
}
