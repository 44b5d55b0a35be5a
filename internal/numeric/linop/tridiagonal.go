package linop

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// reflectorBlock is how many reflections are applied together.
const reflectorBlock = 32

// tridiagonal is A = Q T Qᵀ: the diagonal d and the neighbours e of T, and the
// reflections whose product Q is.
type tridiagonal struct {
	d, e []float64
	a    simd.Matrix // reflection j in row j, from column j+1 on
	tau  []float64
}

// tridiagonalise reduces a symmetric matrix, which is overwritten, in blocks of columns
// (Dongarra, Sorensen & Hammarling 1989, J. Comput. Appl. Math. 27): within a block the
// matrix is left as it was, and what it would have become is taken into account. Half
// of the 4n³/3 operations are matrix products, the other half read the matrix.
func tridiagonalise(ctx context.Context, a simd.Matrix) (*tridiagonal, error) {
	n := a.Rows
	t := &tridiagonal{d: make([]float64, n), e: make([]float64, n), a: a, tau: make([]float64, n)}
	both := simd.Dense(2*reflectorBlock, n, make([]float64, 2*reflectorBlock*n)) // V, then W
	for from := 0; from < n; from += reflectorBlock {
		to := min(from+reflectorBlock, n)
		for j := from; j < to; j++ {
			if err := Stopped(ctx); err != nil {
				return nil, err
			}
			t.column(both, from, j)
		}
		// A - Vᵀ W - Wᵀ V
		k := to - from
		v, w := part(both, 0, k, to, n), part(both, k, 2*k, to, n)
		if k < reflectorBlock {
			break // nothing is left
		}
		swapped := simd.Dense(2*k, n-to, make([]float64, 2*k*(n-to)))
		for i := range k {
			copy(row(swapped, i), row(w, i))
			copy(row(swapped, k+i), row(v, i))
		}
		if err := gemm(ctx, vector.GemmParallel, -1, part(both, 0, 2*k, to, n).T(), swapped, 1, part(a, to, n, to, n)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// column makes the reflection for column j of the block that begins at from.
func (t *tridiagonal) column(both simd.Matrix, from, j int) {
	n, p, half := t.a.Rows, j-from, reflectorBlock
	c := row(t.a, j)[j:]
	for q := range p {
		v, w := row(both, q)[j:], row(both, half+q)[j:]
		floats.AddScaled(c, -v[0], w)
		floats.AddScaled(c, -w[0], v)
	}
	t.d[j] = c[0]
	if j == n-1 {
		return
	}
	v := c[1:]
	t.e[j], t.tau[j] = reflect(v)
	keepV, w := row(both, p), row(both, half+p)
	clear(keepV[:j+1])
	clear(w[:j+1])
	copy(keepV[j+1:], v)
	w = w[j+1:]
	if t.tau[j] == 0 {
		clear(w)
		return
	}
	parallel.Range(n-1-j, read*float64(n-1-j), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w[i] = vector.Dot(row(t.a, j+1+i)[j+1:], v)
		}
	})
	for q := range p {
		vq, wq := row(both, q)[j+1:], row(both, half+q)[j+1:]
		byW, byV := vector.Dot(wq, v), vector.Dot(vq, v)
		floats.AddScaled(w, -byW, vq)
		floats.AddScaled(w, -byV, wq)
	}
	floats.Scale(t.tau[j], w)
	floats.AddScaled(w, -t.tau[j]/2*vector.Dot(w, v), v)
}

// back replaces z, with eigenvectors of T in its rows, by those of A.
func (t *tridiagonal) back(ctx context.Context, z simd.Matrix) error {
	n := t.a.Rows
	for from := (n - 2) / reflectorBlock * reflectorBlock; from >= 0; from -= reflectorBlock {
		to := min(from+reflectorBlock, n-1)
		v := part(t.a, from, to, from+1, n)
		for j := from; j < to; j++ {
			clear(row(v, j-from)[:j-from])
		}
		h := newReflectors(v, t.tau[from:to])
		if err := h.fromRight(ctx, part(z, 0, n, from+1, n), true); err != nil {
			return err
		}
	}
	return nil
}
