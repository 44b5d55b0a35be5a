package linop

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// ErrNotPositive says that a matrix to be factored is not positive definite.
var ErrNotPositive = errors.New("the matrix is not positive definite")

const (
	factorBlock = 64  // rows that are eliminated together
	factorStrip = 256 // rows of what is left that are updated together
)

// Cholesky factors a symmetric positive definite matrix, of which the upper triangle
// is read. n³/3 operations, most of them in matrix products, and memory for two such
// matrices. The error is the context's, or ErrNotPositive.
func Cholesky(ctx context.Context, a *mat.SymDense) (*mat.Cholesky, error) {
	n := a.SymmetricDim()
	data, err := parallel.Zeros(ctx, n*n)
	if err != nil {
		return nil, err
	}
	u := mat.NewTriDense(n, mat.Upper, data)
	from := upper(a)
	m := simd.Matrix{Rows: n, Cols: n, RowStride: u.RawTriangular().Stride, ColStride: 1, Data: u.RawTriangular().Data}
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, Stopped(ctx)
		}
		copy(row(m, i)[i:], row(from, i)[i:n])
	}
	if err := factor(ctx, m); err != nil {
		return nil, err
	}
	return FromFactor(u), nil
}

// LowerFactor returns L of A = L Lᵀ with zeros above its diagonal, in the memory of A, which
// is lost. Only the upper triangle of A is read; work and errors are those of [Cholesky],
// without the condition number.
func LowerFactor(ctx context.Context, a *mat.SymDense) (*mat.Dense, error) {
	m := upper(a)
	if err := factor(ctx, m); err != nil {
		return nil, err
	}
	turnOver(m)
	l := new(mat.Dense)
	l.SetRawMatrix(blas64.General{Rows: m.Rows, Cols: m.Cols, Stride: m.RowStride, Data: m.Data})
	return l, Stopped(ctx)
}

// turnOver transposes an upper triangle, and leaves zeros there: block by block, so that both stay in cache.
func turnOver(m simd.Matrix) {
	n := m.Rows
	for top := 0; top < n; top += factorBlock {
		bottom := min(top+factorBlock, n)
		for i := top; i < bottom; i++ {
			for j := i + 1; j < bottom; j++ {
				row(m, j)[i] = row(m, i)[j]
			}
		}
		for left := bottom; left < n; left += factorBlock {
			vector.Transpose(m.Data[left*m.RowStride+top:], m.RowStride, m.Data[top*m.RowStride+left:], m.RowStride, bottom-top, min(factorBlock, n-left))
		}
		for i := top; i < bottom; i++ {
			clear(row(m, i)[i+1:])
		}
	}
}

// upper is the memory of a symmetric matrix, of which the upper triangle counts.
func upper(a *mat.SymDense) simd.Matrix {
	raw := a.RawSymmetric()
	if raw.Uplo != blas.Upper {
		panic("linop: gonum holds the upper triangle")
	}
	return simd.Matrix{Rows: raw.N, Cols: raw.N, RowStride: raw.Stride, ColStride: 1, Data: raw.Data}
}

// factor makes U of A = UᵀU of the upper triangle of A; what is below the diagonal is lost.
func factor(ctx context.Context, m simd.Matrix) error {
	n := m.Rows
	for from := 0; from < n; from += factorBlock {
		to := min(from+factorBlock, n)
		if err := eliminate(m, from, to); err != nil {
			return err
		}
		for lo := to; lo < n; lo += factorStrip {
			hi := min(lo+factorStrip, n)
			if err := gemm(ctx, vector.GemmParallel, -1, part(m, from, to, lo, hi).T(), part(m, from, to, lo, n), 1, part(m, lo, hi, lo, n)); err != nil {
				return err
			}
		}
		if err := Stopped(ctx); err != nil {
			return err
		}
	}
	return nil
}

// eliminate turns rows from … to-1 into those of the factor.
func eliminate(m simd.Matrix, from, to int) error {
	for k := from; k < to; k++ {
		pivot := row(m, k)[k]
		if !(pivot > 0 && pivot <= math.MaxFloat64) {
			return ErrNotPositive
		}
		own := row(m, k)[k:to]
		floats.Scale(1/math.Sqrt(pivot), own)
		own[0] = math.Sqrt(pivot)
		for i := k + 1; i < to; i++ {
			floats.AddScaled(row(m, i)[i:to], -own[i-k], own[i-k:])
		}
	}
	parallel.Range(m.Cols-to, read*float64((to-from)*(to-from)), func(lo, hi int) {
		for i := from; i < to; i++ {
			x := row(m, i)[to+lo : to+hi]
			for k := from; k < i; k++ {
				floats.AddScaled(x, -row(m, k)[i], row(m, k)[to+lo:to+hi])
			}
			floats.Scale(1/row(m, i)[i], x)
		}
	})
	return nil
}

// FromFactor is the matrix UᵀU whose factor U is known.
func FromFactor(u *mat.TriDense) *mat.Cholesky {
	c := &mat.Cholesky{}
	c.SetFromU(u)
	return c
}

// ForwardSolve replaces B by U⁻ᵀ B, for the factor U of a matrix UᵀU: n² operations for each
// column, in matrix products. So the squared length of a column b is then ⟨b, (UᵀU)⁻¹ b⟩. The
// error is the context's.
func ForwardSolve(ctx context.Context, c *mat.Cholesky, b *mat.Dense) error {
	raw := c.RawU().(mat.RawTriangular).RawTriangular()
	u, x := simd.Matrix{Rows: raw.N, Cols: raw.N, RowStride: raw.Stride, ColStride: 1, Data: raw.Data}, strided(b)
	for from := 0; from < raw.N; from += factorBlock {
		to := min(from+factorBlock, raw.N)
		if err := gemm(ctx, vector.GemmParallel, -1, part(u, 0, from, from, to).T(), part(x, 0, from, 0, x.Cols), 1, part(x, from, to, 0, x.Cols)); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			for k := from; k < i; k++ {
				floats.AddScaled(row(x, i), -row(u, k)[i], row(x, k))
			}
			floats.Scale(1/row(u, i)[i], row(x, i))
		}
	}
	return Stopped(ctx)
}

// SolveOne replaces x by (UᵀU)⁻¹ x, for the factor U of a matrix UᵀU: 2n² operations, while the
// factor is read twice.
func SolveOne(c *mat.Cholesky, x []float64) {
	u, v := c.RawU().(mat.RawTriangular).RawTriangular(), blas64.Vector{N: len(x), Inc: 1, Data: x}
	blas64.Trsv(blas.Trans, u, v)
	blas64.Trsv(blas.NoTrans, u, v)
}

// SolveOneLower replaces x by (L Lᵀ)⁻¹ x, for a lower triangle L: 2n² operations, while L is read twice.
func SolveOneLower(l *mat.TriDense, x []float64) {
	raw, v := l.RawTriangular(), blas64.Vector{N: len(x), Inc: 1, Data: x}
	blas64.Trsv(blas.NoTrans, raw, v)
	blas64.Trsv(blas.Trans, raw, v)
}

// SolveLower replaces B by L⁻¹ B, or by L⁻ᵀ B, for a lower triangle L: n² operations for each column.
// Unlike gonum's, it does not ask for the condition of L, which takes as long as many columns.
func SolveLower(l *mat.TriDense, transposed bool, b *mat.Dense) {
	blas64.Trsm(blas.Left, turned(transposed), 1, l.RawTriangular(), b.RawMatrix())
}

// TimesLower replaces B by L B, or by Lᵀ B, for a lower triangle L.
func TimesLower(l *mat.TriDense, transposed bool, b *mat.Dense) {
	blas64.Trmm(blas.Left, turned(transposed), 1, l.RawTriangular(), b.RawMatrix())
}

func turned(yes bool) blas.Transpose {
	if yes {
		return blas.Trans
	}
	return blas.NoTrans
}

// InverseFactor is U⁻ᵀ, for the factor U of a matrix UᵀU of n rows: n³ operations, in matrix products.
// The error is the context's.
func InverseFactor(ctx context.Context, factor *mat.Cholesky) (*mat.Dense, error) {
	x := Identity(factor.SymmetricDim())
	return x, ForwardSolve(ctx, factor, x)
}
