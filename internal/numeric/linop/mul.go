package linop

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// vector holds the inner loops for this machine.
var vector = simd.Best()

// MulContext stores a b in dst, which is sized if it is empty and must share no memory
// with a and b. It is gonum's Dense.Mul by vector code, several times as fast for
// dense matrices and their transposes, on all processors; the result does not
// depend on their number. It ends with the context: what dst holds when there is an error
// is of no use.
func MulContext(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	r, inner := a.Dims()
	rows, c := b.Dims()
	if inner != rows {
		panic(mat.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(r, c)
	}
	return gemm(ctx, vector.GemmParallel, 1, strided(a), strided(b), 0, strided(dst))
}

// AddProduct adds a b to dst. The error is the context's.
func AddProduct(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	return gemm(ctx, vector.GemmParallel, 1, strided(a), strided(b), 1, strided(dst))
}

// Product is a b. Where the context has ended it is of no use, as what operators store is:
// [Stopped] tells.
func Product(ctx context.Context, a, b mat.Matrix) *mat.Dense {
	r, _ := a.Dims()
	_, c := b.Dims()
	out := mat.NewDense(r, c, nil)
	_ = MulContext(ctx, out, a, b)
	return out
}

// MulAlone is MulContext on one processor, for a dst that is sized.
func MulAlone(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	return gemm(ctx, vector.Gemm, 1, strided(a), strided(b), 0, strided(dst))
}

// AddMul adds the product a b to dst, on one processor. It ends early, with an error, when the context ends.
func AddMul(ctx context.Context, dst *mat.Dense, a, b mat.Matrix) error {
	return gemm(ctx, vector.Gemm, 1, strided(a), strided(b), 1, strided(dst))
}

// MulEach sets c = a b for n products of one size, each with a c of its own. They are shared out to
// the processors, where there are several; the results do not depend on their number. It ends
// with the context.
func MulEach(ctx context.Context, n int, product func(k int) (c *mat.Dense, a, b mat.Matrix)) error {
	if n == 1 {
		c, a, b := product(0)
		return MulContext(ctx, c, a, b)
	}
	if n == 0 {
		return nil
	}
	c, a, _ := product(0)
	rows, cols := c.Dims()
	_, inner := a.Dims()
	parallel.Range(n, vector.ProductTime(rows, inner, cols), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			c, a, b := product(k)
			if gemm(ctx, vector.Gemm, 1, strided(a), strided(b), 0, strided(c)) != nil {
				return
			}
		}
	})
	return Stopped(ctx)
}

// Scratch lends memory for as long as a product takes. It is safe for concurrent use; nil lends what is new.
type Scratch struct{ pool sync.Pool }

// Take returns n numbers, which may be any.
func (s *Scratch) Take(n int) []float64 {
	if s != nil {
		if p, ok := s.pool.Get().(*[]float64); ok && cap(*p) >= n {
			return (*p)[:n]
		}
	}
	return make([]float64, n)
}

// Give takes back what nobody uses any more.
func (s *Scratch) Give(lent ...[]float64) {
	for _, v := range lent {
		if s != nil && cap(v) > 0 {
			s.pool.Put(&v)
		}
	}
}

// mulPart is how many multiplications are done between two looks at the context: some
// hundredths of a second. mulStrip is the least number of rows and columns of a part,
// below which most of the time goes into arranging the factors.
const (
	mulPart  = 1 << 28
	mulStrip = 192
)

// gemm sets c = alpha a b + beta c by one of the products of package simd, and ends with
// the context.
func gemm(ctx context.Context, multiply func(alpha float64, a, b simd.Matrix, beta float64, c simd.Matrix), alpha float64, a, b simd.Matrix, beta float64, c simd.Matrix) error {
	rows := max(mulStrip, mulPart/max(1, c.Cols*a.Cols))
	cols := max(mulStrip, mulPart/max(1, min(c.Rows, rows)*a.Cols))
	for i := 0; i < c.Rows; i += rows {
		to := min(i+rows, c.Rows)
		for j := 0; j < c.Cols; j += cols {
			if err := Stopped(ctx); err != nil {
				return err
			}
			end := min(j+cols, c.Cols)
			multiply(alpha, part(a, i, to, 0, a.Cols), part(b, 0, b.Rows, j, end), beta, part(c, i, to, j, end))
		}
	}
	return nil
}

// part is the block of rows i … iEnd-1 and columns j … jEnd-1.
func part(m simd.Matrix, i, iEnd, j, jEnd int) simd.Matrix {
	m.Rows, m.Cols = iEnd-i, jEnd-j
	if m.Rows > 0 && m.Cols > 0 {
		m.Data = m.Data[i*m.RowStride+j*m.ColStride:]
	}
	return m
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
