package linop

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Symmetric returns the symmetric part (A + Aᵀ)/2 of a square matrix: of one that is
// symmetric but for rounding.
func Symmetric(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

// Eigen returns the eigenvalues of the symmetric part of a matrix, increasing, and
// its eigenvectors in columns. O(n³). The error is the context's, or says that the
// matrix is not finite.
func Eigen(ctx context.Context, a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	e, err := eigen(ctx, a, true)
	if err != nil {
		return nil, nil, err
	}
	vectors = new(mat.Dense)
	e.VectorsTo(vectors)
	return e.Values(nil), vectors, nil
}

// Eigenvalues returns the eigenvalues of the symmetric part of a matrix, increasing.
// O(n³).
func Eigenvalues(ctx context.Context, a mat.Matrix) ([]float64, error) {
	e, err := eigen(ctx, a, false)
	if err != nil {
		return nil, err
	}
	return e.Values(nil), nil
}

// SmallEigenvalues returns the eigenvalues of a square matrix, in no order. It is for
// matrices of up to MostSmall rows, and refuses larger ones: it cannot be stopped.
// ok is false where they could not be computed.
func SmallEigenvalues(a mat.Matrix) (values []complex128, ok bool) {
	if n, _ := a.Dims(); n > MostSmall {
		panic(fmt.Sprintf("linop: eigenvalues of a general matrix of %d rows, at most %d", n, MostSmall))
	}
	var e mat.Eigen
	if !e.Factorize(a, mat.EigenNone) {
		return nil, false
	}
	return e.Values(nil), true
}

// MostSmall bounds the matrices of SmallEigenvalues: some hundredths of a second.
const MostSmall = 128

func eigen(ctx context.Context, a mat.Matrix, vectors bool) (*mat.EigenSym, error) {
	if err := Stopped(ctx); err != nil {
		return nil, err
	}
	n, _ := a.Dims()
	e := &mat.EigenSym{}
	if !e.Factorize(Symmetric(a), vectors) {
		return nil, fmt.Errorf("eigenvalues of a %d × %d matrix could not be computed", n, n)
	}
	return e, nil
}

// ErrNotPositive says that a matrix to be factored is not positive definite.
var ErrNotPositive = errors.New("the matrix is not positive definite")

// Cholesky factors a symmetric positive definite matrix, of which the upper triangle
// is read. n³/3 operations. The error is the context's, or ErrNotPositive.
func Cholesky(ctx context.Context, a *mat.SymDense) (*mat.Cholesky, error) {
	if err := Stopped(ctx); err != nil {
		return nil, err
	}
	c := &mat.Cholesky{}
	if !c.Factorize(a) {
		return nil, ErrNotPositive
	}
	return c, nil
}

// Stopped is the error of a context that has ended, with its cause; nil for others.
func Stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stopped: %w", context.Cause(ctx))
}
