package linop

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// SVD returns the thin singular value decomposition A = U diag(values) Vᵀ of an
// r × c matrix: U of r × min(r, c), values in decreasing order, V of c × min(r, c).
// O(r c min(r, c)). The error is the context's, or says that the matrix is not finite.
func SVD(ctx context.Context, a mat.Matrix) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	if err := Stopped(ctx); err != nil {
		return nil, nil, nil, err
	}
	r, c := a.Dims()
	var d mat.SVD
	if !d.Factorize(a, mat.SVDThin) {
		return nil, nil, nil, fmt.Errorf("singular values of a %d × %d matrix could not be computed", r, c)
	}
	u, v = new(mat.Dense), new(mat.Dense)
	d.UTo(u)
	d.VTo(v)
	return u, d.Values(nil), v, nil
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
		row := c.RawRowView(i)
		for j := range row {
			row[j] /= s
		}
	}
	return x, MulContext(ctx, x, v.Slice(0, n, 0, rank), c)
}

// QR returns the thin factors A = Q R of an r × c matrix, r ≥ c: Q of r × c with
// orthonormal columns, R upper triangular. a is overwritten. 4 r c² operations.
func QR(ctx context.Context, a *mat.Dense) (q, r *mat.Dense, err error) {
	if err := Stopped(ctx); err != nil {
		return nil, nil, err
	}
	_, c := a.Dims()
	tau, raw := make([]float64, c), a.RawMatrix()
	work := make([]float64, 1)
	lapack64.Geqrf(raw, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(raw, tau, work, len(work))
	r = mat.NewDense(c, c, nil)
	for i := range c {
		copy(r.RawRowView(i)[i:], a.RawRowView(i)[i:])
	}
	work = work[:1]
	lapack64.Orgqr(raw, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Orgqr(raw, tau, work, len(work))
	return a, r, nil
}

// LUFactors are the factors of a square matrix.
type LUFactors struct{ lu mat.LU }

// LU factors a square matrix. 2n³/3 operations. The error is the context's; that the
// matrix is singular is said by Condition.
func LU(ctx context.Context, a mat.Matrix) (*LUFactors, error) {
	if err := Stopped(ctx); err != nil {
		return nil, err
	}
	f := &LUFactors{}
	f.lu.Factorize(a)
	return f, nil
}

// Condition estimates the condition number in the norm of the largest row sum; it is
// infinite for a matrix that is exactly singular.
func (f *LUFactors) Condition() float64 { return f.lu.Cond() }

// Det returns the determinant.
func (f *LUFactors) Det() float64 { return f.lu.Det() }

// Solve returns the solution of A X = B, of no use where the condition number is above
// 1e16.
func (f *LUFactors) Solve(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	if err := Stopped(ctx); err != nil {
		return nil, err
	}
	x := new(mat.Dense)
	var bad mat.Condition
	if err := f.lu.SolveTo(x, false, b); err != nil && !errors.As(err, &bad) {
		return nil, err
	}
	return x, nil
}
