package linop

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/simd"
)

// vector holds the inner loops for this machine.
var vector = simd.Best()

// Mul stores a b in dst, which is sized if it is empty and must share no memory
// with a and b. It is gonum's Dense.Mul by vector code, several times as fast for
// dense matrices and their transposes, on all processors; the result does not
// depend on their number. For products that take longer than some hundredths of a
// second there is MulContext.
func Mul(dst *mat.Dense, a, b mat.Matrix) { _ = MulContext(context.Background(), dst, a, b) }

// mulPart is how many multiplications are done between two looks at the context: some
// hundredths of a second. mulStrip is the least number of rows or columns of a part,
// below which most of the time goes into arranging the factors.
const (
	mulPart  = 1 << 28
	mulStrip = 192
)

// MulContext is Mul that ends with the context: what dst holds when there is an error is
// of no use. The result is that of Mul, to the last bit.
func MulContext(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	r, inner := a.Dims()
	n, c := b.Dims()
	if inner != n {
		panic(mat.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(r, c)
	}
	left, right, out := strided(a), strided(b), strided(dst)
	rows := max(mulStrip, mulPart/max(1, c*inner))
	cols := max(mulStrip, mulPart/max(1, min(r, rows)*inner))
	for i := 0; i < r; i += rows {
		part := rowsOf(left, i, min(i+rows, r))
		for j := 0; j < c; j += cols {
			if err := Stopped(ctx); err != nil {
				return err
			}
			to := min(j+cols, c)
			vector.GemmParallel(1, part, rowsOf(right.T(), j, to).T(), 0, rowsOf(rowsOf(out, i, min(i+rows, r)).T(), j, to).T())
		}
	}
	return nil
}

// rowsOf returns rows lo … hi-1.
func rowsOf(m simd.Matrix, lo, hi int) simd.Matrix {
	m.Rows = hi - lo
	if m.Rows > 0 && m.Cols > 0 {
		m.Data = m.Data[lo*m.RowStride:]
	}
	return m
}

// AddMul is Mul that adds a b to dst, on one processor.
func AddMul(dst *mat.Dense, a, b mat.Matrix) {
	vector.Gemm(1, strided(a), strided(b), 1, strided(dst))
}

// strided views a dense matrix or a transpose of one; others are copied.
func strided(m mat.Matrix) simd.Matrix {
	switch m := m.(type) {
	case *mat.Dense:
		raw := m.RawMatrix()
		return simd.Matrix{Rows: raw.Rows, Cols: raw.Cols, RowStride: raw.Stride, ColStride: 1, Data: raw.Data}
	case mat.Transpose:
		return strided(m.Matrix).T()
	}
	return strided(mat.DenseCopyOf(m))
}
