package linop

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// read is what a number in an inner product takes, in nanoseconds, half of it in cache.
const read = 0.3

// negligible is what a vector counts as zero below in matrices whose largest entry is
// about one: its square underflows.
const negligible = 1e-150

// reflect overwrites x by v, v[0] = 1, with (I - tau v vᵀ) x = beta e_1 (Golub & Van Loan
// 2013, algorithm 5.1.1).
func reflect(x []float64) (beta, tau float64) {
	alpha, rest := x[0], x[1:]
	x[0] = 1
	size := math.Sqrt(vector.Dot(rest, rest))
	if size < negligible {
		clear(rest)
		return alpha, 0
	}
	beta = -math.Copysign(math.Hypot(alpha, size), alpha)
	floats.Scale(1/(alpha-beta), rest)
	return beta, (beta - alpha) / beta
}

// reflectors are a product of reflections H_1 H_2 … H_k = I - Vᵀ T V, v_i in the rows of
// V, T upper triangular (Schreiber & Van Loan 1989, SIAM J. Sci. Stat. Comput. 10).
type reflectors struct {
	v simd.Matrix // k × n
	t simd.Matrix // k × k
}

func newReflectors(v simd.Matrix, tau []float64) reflectors {
	k := len(tau)
	t, g := make([]float64, k*k), make([]float64, k*k)
	vector.Gemm(1, v, v.T(), 0, simd.Dense(k, k, g))
	for i, ti := range tau {
		t[i*k+i] = ti
		for r := range i { // column i of T: -tau T (V v_i)
			sum := 0.0
			for q := r; q < i; q++ {
				sum += t[r*k+q] * g[q*k+i]
			}
			t[r*k+i] = -ti * sum
		}
	}
	return reflectors{v, simd.Dense(k, k, t)}
}

// fromRight replaces x, m × n, by x (H_1 … H_k), or by x (H_1 … H_k)ᵀ.
func (h reflectors) fromRight(ctx context.Context, x simd.Matrix, transpose bool) error {
	k, t := h.t.Rows, h.t
	if transpose {
		t = t.T()
	}
	xv, xvt := simd.Dense(x.Rows, k, make([]float64, x.Rows*k)), simd.Dense(x.Rows, k, make([]float64, x.Rows*k))
	if err := gemm(ctx, vector.GemmParallel, 1, x, h.v.T(), 0, xv); err != nil {
		return err
	}
	if err := gemm(ctx, vector.GemmParallel, 1, xv, t, 0, xvt); err != nil {
		return err
	}
	return gemm(ctx, vector.GemmParallel, -1, xvt, h.v, 1, x)
}

// row is row i of a matrix whose columns are next to each other.
func row(m simd.Matrix, i int) []float64 { return m.Data[i*m.RowStride:][:m.Cols] }
