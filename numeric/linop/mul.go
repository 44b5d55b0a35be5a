package linop

import (
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/simd"
)

// vector holds the inner loops for this machine.
var vector = simd.Best()

// Mul stores a b in dst, which is sized if it is empty and must share no memory
// with a and b. It is gonum's Dense.Mul by vector code, several times as fast for
// dense matrices and their transposes, on all processors; the result does not
// depend on their number.
func Mul(dst *mat.Dense, a, b mat.Matrix) {
	r, inner := a.Dims()
	rows, c := b.Dims()
	if inner != rows {
		panic(mat.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(r, c)
	}
	workers := 1
	if r*c*inner > 1<<19 {
		workers = runtime.GOMAXPROCS(0)
	}
	vector.GemmParallel(workers, 1, strided(a), strided(b), 0, strided(dst))
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
