package linop

import (
	"context"
	"errors"
	"fmt"
	"math"

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
	e, values, err := eigen(ctx, a, true)
	if err != nil {
		return nil, nil, err
	}
	vectors = new(mat.Dense)
	e.VectorsTo(vectors)
	return values, vectors, nil
}

// Eigenvalues returns the eigenvalues of the symmetric part of a matrix, increasing.
// O(n³).
func Eigenvalues(ctx context.Context, a mat.Matrix) ([]float64, error) {
	_, values, err := eigen(ctx, a, false)
	return values, err
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

func eigen(ctx context.Context, a mat.Matrix, vectors bool) (e *mat.EigenSym, values []float64, err error) {
	if err := Stopped(ctx); err != nil {
		return nil, nil, err
	}
	s := Symmetric(a)
	n := s.SymmetricDim()
	unit := unitOf(s.RawSymmetric().Data)
	if unit != 1 {
		s.ScaleSym(1/unit, s)
	}
	e = &mat.EigenSym{}
	if !e.Factorize(s, vectors) {
		return nil, nil, fmt.Errorf("eigenvalues of a %d × %d matrix could not be computed", n, n)
	}
	values = e.Values(nil)
	if unit != 1 {
		for i := range values {
			values[i] *= unit
		}
	}
	return e, values, nil
}

// unitOf is what a matrix has to be divided by so that squares of its entries are
// numbers: a power of two, 1 for all but enormous and tiny ones. The decomposition
// itself scales by powers too, but ends in a panic for tiny matrices.
func unitOf(entries []float64) float64 {
	largest := 0.0
	for _, v := range entries {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return 1
	}
	_, power := math.Frexp(largest)
	if power > -300 && power < 300 {
		return 1
	}
	return math.Ldexp(1, min(max(power, -1021), 1023))
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
