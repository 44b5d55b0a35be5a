// Package linalg factors and multiplies dense matrices of gonum: most of the work in matrix
// products by vector code, on all processors, and so that a context ends it. Factors of a
// matrix that is not finite are refused or not finite themselves.
package linalg

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// LU holds the factors of a square matrix, P A = L U with L of unit diagonal: Solve solves
// A X = B for all columns of B, Det is the determinant, and Condition the condition number in
// the 1-norm, infinite for a singular matrix and otherwise estimated from below.
type LU = linop.LUFactors

// NewLU factors a square matrix with partial pivoting, in 2n³/3 operations. The error is the
// context's; that the matrix is singular is said by Condition.
func NewLU(ctx context.Context, a mat.Matrix) (*LU, error) { return linop.LU(ctx, a) }

// Cholesky returns the lower triangular L of a symmetric positive definite matrix, A = L Lᵀ, of
// which the upper triangle is read, in n³/3 operations. L takes the memory of A. Others are
// refused.
func Cholesky(ctx context.Context, a *mat.SymDense) (*mat.Dense, error) {
	return linop.LowerFactor(ctx, a)
}

// Eigen returns the eigenvalues of the symmetric part of a matrix, increasing, and its
// eigenvectors in columns: orthonormal, with A V = V diag(values) to rounding of the largest
// eigenvalue. About 4n³ operations.
func Eigen(ctx context.Context, a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	return linop.Eigen(ctx, a)
}

// SVD returns the thin singular value decomposition A = U diag(values) Vᵀ of an r × c matrix:
// U of r × min(r, c), values in decreasing order, V of c × min(r, c), both with orthonormal
// columns. About 4 r c² + 20 c³ operations for r ≥ c.
func SVD(ctx context.Context, a mat.Matrix) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	return linop.SVD(ctx, a)
}

// Rank counts the singular values, in decreasing order, above tolerance times the largest.
func Rank(values []float64, tolerance float64) int { return linop.Rank(values, tolerance) }

// QR returns the thin factors A = Q R of an r × c matrix, r ≥ c: Q of r × c with orthonormal
// columns, R upper triangular. a is overwritten by Q. 4 r c² operations.
func QR(ctx context.Context, a *mat.Dense) (q, r *mat.Dense, err error) { return linop.QR(ctx, a) }

// LeastSquares returns V diag(1/values) Uᵀ b for the factors of an [SVD], of which as many
// columns are taken as there are values: the least-squares solution of least norm.
func LeastSquares(ctx context.Context, u *mat.Dense, values []float64, v, b *mat.Dense) (*mat.Dense, error) {
	return linop.LeastSquares(ctx, u, values, v, b)
}

// Mul stores a b in dst, which is sized if it is empty and must share no memory with a and b:
// gonum's Dense.Mul by vector code on all processors, whose number the result does not depend
// on. After an error what dst holds is of no use.
func Mul(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	return linop.MulContext(ctx, dst, a, b)
}
