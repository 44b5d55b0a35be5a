package sparse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/sorting"
)

// Which eigenvalues are wanted.
type Which int

// The ends of the spectrum, and what is next to a number.
const (
	Largest Which = iota
	Smallest
	Nearest
)

// mostDense is up to which size all eigenvalues are found at once.
const mostDense = 200

// Eigen returns k eigenvalues of a symmetric matrix, increasing, with orthonormal eigenvectors
// in columns: the largest, the smallest, or those nearest to sigma. Lanczos's method with
// thick restarts (Wu and Simon 2000, SIAM J. Matrix Anal. Appl. 22) is applied to the matrix
// for the largest, and to a factored shift of it for the others. As one vector sees each
// multiple eigenvalue once, the complement of what was found is searched too, until it has
// nothing better: a copy is missed with probability 0 but for rounding. ‖A v - λ v‖ is at
// most tolerance ‖A‖. The error is the context's, or says what did not converge.
func Eigen(ctx context.Context, a *Matrix, k int, which Which, sigma, tolerance float64) ([]float64, *mat.Dense, error) {
	if err := checkFactored(a); err != nil {
		return nil, nil, err
	}
	if !a.Symmetric(1e-10) {
		return nil, nil, errors.New("the matrix is not symmetric; A/2 + Aᵀ/2 is, if it should be")
	}
	if k < 1 || k > a.rows {
		return nil, nil, fmt.Errorf("%d eigenvalues of a %d × %d matrix: must be in 1 … %d", k, a.rows, a.rows, a.rows)
	}
	if a.largest() == 0 { // any vectors will do
		vectors := mat.NewDense(a.rows, k, nil)
		for i := range k {
			vectors.Set(i, i, 1)
		}
		return make([]float64, k), vectors, nil
	}
	if a.rows <= mostDense || 3*k > a.rows {
		return denseEigen(ctx, a, k, which, sigma)
	}
	l := &lanczos{n: a.rows, rng: rand.New(rand.NewPCG(1, uint64(a.rows)))}
	lowest, highest := a.bounds()
	norm := max(math.Abs(lowest), math.Abs(highest), math.SmallestNonzeroFloat64)
	l.tolerance = tolerance
	switch which {
	case Largest:
		l.apply = a.Apply
		l.value = func(theta float64) float64 { return theta }
	default:
		shift := sigma
		if which == Smallest { // all eigenvalues are above
			shift = lowest - 1e-3*(highest-lowest) - 1e-12*norm
			if lowest <= 0 && highest > 0 {
				if f, err := Cholesky(ctx, a); err == nil {
					shift = 0
					l.use(f, shift)
				} else if ctx.Err() != nil {
					return nil, nil, err
				}
			}
		}
		if l.apply == nil {
			if err := l.invert(ctx, a, shift, norm); err != nil {
				return nil, nil, err
			}
		}
	}
	l.near = which == Nearest
	count := k
	if l.moved {
		count = min(k+2, a.rows)
	}
	pairs, err := l.all(ctx, count)
	if err != nil {
		return nil, nil, err
	}
	if l.moved {
		sorting.By(pairs, func(p, q pair) int { return cmp.Compare(math.Abs(p.value-sigma), math.Abs(q.value-sigma)) })
		pairs = pairs[:k]
	}
	return finish(ctx, a, pairs, norm, max(tolerance, 1e-12))
}

// bounds are Gershgorin's of the eigenvalues of a symmetric matrix.
func (m *Matrix) bounds() (lowest, highest float64) {
	lowest, highest = math.Inf(1), math.Inf(-1)
	for i := range m.rows {
		centre, radius := 0.0, 0.0
		for p := m.start[i]; p < m.start[i+1]; p++ {
			if m.col[p] == i {
				centre = m.val[p]
			} else {
				radius += math.Abs(m.val[p])
			}
		}
		lowest, highest = min(lowest, centre-radius), max(highest, centre+radius)
	}
	return lowest, highest
}

// denseEigen is Eigen by all eigenvalues.
func denseEigen(ctx context.Context, a *Matrix, k int, which Which, sigma float64) ([]float64, *mat.Dense, error) {
	d, err := a.Dense()
	if err != nil {
		return nil, nil, err
	}
	values, vectors, err := linop.Eigen(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	from := 0
	switch which {
	case Largest:
		from = a.rows - k
	case Nearest:
		for from+k < a.rows && math.Abs(values[from+k]-sigma) < math.Abs(values[from]-sigma) {
			from++
		}
	}
	return values[from : from+k], mat.DenseCopyOf(vectors.Slice(0, a.rows, from, from+k)), nil
}

// finish orders the pairs by value, takes Rayleigh's quotients, and checks the residuals.
func finish(ctx context.Context, a *Matrix, pairs []pair, norm, tolerance float64) ([]float64, *mat.Dense, error) {
	w := make([]float64, a.rows)
	for q := range pairs {
		v := pairs[q].vector
		floats.Scale(1/floats.Norm(v, 2), v)
		a.Apply(ctx, w, v)
		pairs[q].value = floats.Dot(v, w)
		floats.AddScaled(w, -pairs[q].value, v)
		if r := floats.Norm(w, 2); !(r <= 100*tolerance*norm) {
			return nil, nil, fmt.Errorf("an eigenvalue near %g has the residual %.1e: it has not converged", pairs[q].value, r)
		}
	}
	sorting.By(pairs, func(p, q pair) int { return cmp.Compare(p.value, q.value) })
	values, vectors := make([]float64, len(pairs)), mat.NewDense(a.rows, len(pairs), nil)
	for q, p := range pairs {
		values[q] = p.value
		vectors.SetCol(q, p.vector)
	}
	return values, vectors, nil
}
