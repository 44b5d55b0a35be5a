package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/sorting"
)

// A pair is an eigenvalue of what is iterated with, and its vector.
type pair struct {
	theta, value float64
	vector       []float64
}

// lanczos finds the eigenvalues of largest theta, or of largest |theta| where near.
type lanczos struct {
	n         int
	apply     func(ctx context.Context, dst, x []float64)
	value     func(theta float64) float64
	near      bool
	inverse   bool // apply is with the inverse of a shifted matrix
	moved     bool // the shift is not the number that was asked for
	tolerance float64
	rng       *rand.Rand
	failed    error
}

// use iterates with the inverse of A - shift.
func (l *lanczos) use(f *Factors, shift float64) {
	l.inverse = true
	l.apply = func(ctx context.Context, dst, x []float64) {
		if err := f.solveVector(ctx, dst, x); err != nil {
			l.failed = err
		}
	}
	l.value = func(theta float64) float64 { return shift + 1/theta }
}

// nearCondition is where a shift is so near to an eigenvalue that rounding in this one
// direction would drown the others.
const nearCondition = 1e9

// invert factors A - shift; a shift that is nearly an eigenvalue is moved.
func (l *lanczos) invert(ctx context.Context, a *Matrix, shift, norm float64) error {
	one, err := Diagonals(a.rows, a.rows, [][]float64{{1}}, []int{0})
	if err != nil {
		return err
	}
	var f *Factors
	for _, move := range []float64{0, 1e-6, -3e-6, 1e-5} {
		moved := shift + move*norm
		shifted, err := Add(1, a, -moved, one)
		if err != nil {
			return err
		}
		f, err = LU(ctx, shifted)
		switch {
		case err == nil && f.Condition < nearCondition:
			l.use(f, moved)
			l.moved = move != 0
			return nil
		case err != nil && !errors.Is(err, ErrSingular):
			return err
		}
	}
	return fmt.Errorf("the matrix shifted by %g: %w", -shift, ErrSingular)
}

func (l *lanczos) size(theta float64) float64 {
	if l.near {
		return math.Abs(theta)
	}
	return theta
}

// all finds k pairs, and looks for better ones among what is orthogonal to them.
func (l *lanczos) all(ctx context.Context, k int) ([]pair, error) {
	found, err := l.run(ctx, k, nil, math.Inf(-1))
	if err != nil {
		return nil, err
	}
	best := func(p, q pair) int {
		if l.size(p.theta) > l.size(q.theta) {
			return -1
		}
		return 1
	}
	for {
		sorting.By(found, best)
		worst := l.size(found[k-1].theta)
		better := worst + 1e-9*math.Abs(worst) + 1e-14*math.Abs(found[0].theta)
		extra, err := l.run(ctx, 1, found, better)
		if err != nil {
			return nil, err
		}
		if len(extra) == 0 || l.size(extra[0].theta) <= better {
			return found[:k], nil
		}
		found = append(found[:k-1], extra[0], found[k-1])
	}
}

// run finds k pairs orthogonal to those known. It gives up, with none, once it is clear that
// none is as large as enough.
func (l *lanczos) run(ctx context.Context, k int, known []pair, enough float64) ([]pair, error) {
	m := min(max(2*k+10, 30), l.n-len(known))
	if m < 1 {
		return nil, nil
	}
	if err := dense.CheckMatrix("the vectors of Lanczos's method", 2, m+len(known)+1, l.n); err != nil {
		return nil, err
	}
	space := &subspace{whole: m == l.n-len(known), h: mat.NewDense(m, m, nil)}
	for _, p := range known {
		space.locked = append(space.locked, p.vector)
	}
	space.basis = [][]float64{l.random(space.locked)}
	for round := range 1000 {
		if err := l.extend(ctx, space); err != nil {
			return nil, err
		}
		theta, s, err := linop.Eigen(ctx, space.h)
		if err != nil {
			return nil, err
		}
		order := l.largestFirst(theta)
		errs := space.errors(s, order[:min(k, m)])
		if k == 1 && len(known) > 0 && l.size(theta[order[0]])+errs[0] < enough {
			return nil, nil
		}
		if space.whole || l.converged(theta, order, errs) {
			order = order[:min(k, m)]
			out := make([]pair, len(order))
			for q, v := range combine(space.basis[:m], s, order) {
				out[q] = pair{theta[order[q]], l.value(theta[order[q]]), v}
			}
			return out, nil
		}
		space.restart(theta, s, order[:min(m-1, k+(m-k)/3)], round%8 == 7)
	}
	return nil, fmt.Errorf("%d eigenvalues have not converged after 1000 restarts: ask for fewer or more of them, or those nearest to a number", k)
}

// A subspace is what the iteration has seen: orthonormal vectors, one more than the rows
// of h, the matrix between them, and how much of the last product lies outside.
type subspace struct {
	locked, basis [][]float64
	h             *mat.Dense
	rest          float64
	whole         bool // with the locked vectors, it is all of the space
}

// extend multiplies until the subspace has as many vectors as h has rows, and one more.
func (l *lanczos) extend(ctx context.Context, space *subspace) error {
	m, _ := space.h.Dims()
	for j := len(space.basis) - 1; j < m; j++ {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		w := make([]float64, l.n)
		l.apply(ctx, w, space.basis[j])
		if l.failed != nil {
			return l.failed
		}
		size := floats.Norm(w, 2)
		orthogonalise(w, space.locked)
		for i, c := range orthogonalise(w, space.basis) {
			space.h.Set(i, j, c)
			space.h.Set(j, i, c)
		}
		orthogonalise(w, space.locked)
		space.rest = floats.Norm(w, 2)
		if math.IsNaN(space.rest) || math.IsInf(space.rest, 0) {
			return errors.New("the iteration overflows: scale the matrix")
		}
		if space.rest <= 1e-14*size || space.rest == 0 { // an invariant subspace: on from elsewhere
			space.rest = 0
			if w = l.random(append(slices.Clone(space.locked), space.basis...)); w == nil {
				w = make([]float64, l.n)
			}
		} else {
			floats.Scale(1/space.rest, w)
		}
		space.basis = append(space.basis, w)
	}
	return nil
}

// errors are those of the eigenvalues of the given columns of s: what is left of each product.
func (space *subspace) errors(s *mat.Dense, columns []int) []float64 {
	m, _ := s.Dims()
	out := make([]float64, len(columns))
	for q, i := range columns {
		out[q] = space.rest * math.Abs(s.At(m-1, i))
	}
	return out
}

// restart goes on from the given eigenvectors and the vector outside; now and then that one
// is made orthogonal to them again, as rounding adds up.
func (space *subspace) restart(theta []float64, s *mat.Dense, columns []int, again bool) {
	m, _ := space.h.Dims()
	kept, outside := combine(space.basis[:m], s, columns), space.basis[m]
	space.h.Zero()
	for q, i := range columns {
		space.h.Set(q, q, theta[i])
	}
	if again {
		orthogonalise(outside, kept)
		floats.Scale(1/floats.Norm(outside, 2), outside)
	}
	space.basis = append(kept, outside)
}

// largestFirst is the order of the eigenvalues by what is asked for; theta is increasing.
func (l *lanczos) largestFirst(theta []float64) []int {
	order := make([]int, len(theta))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if l.size(theta[i]) > l.size(theta[j]) {
			return -1
		}
		return 1
	})
	return order
}

// converged reports whether the first eigenvalues are as exact as is asked for: of an inverse
// each by itself, but for those that are rounding of the largest.
func (l *lanczos) converged(theta []float64, order []int, errs []float64) bool {
	largest := max(math.Abs(theta[0]), math.Abs(theta[len(theta)-1]))
	for q, e := range errs {
		scale := largest
		if l.inverse {
			scale = max(math.Abs(theta[order[q]]), 1e-14/l.tolerance*largest)
		}
		if !(e <= l.tolerance*scale) {
			return false
		}
	}
	return true
}

// orthogonalise takes the components along orthonormal vectors out of w, twice, and returns
// them.
func orthogonalise(w []float64, vectors [][]float64) []float64 {
	if len(vectors) == 0 {
		return nil
	}
	var total []float64
	for range 2 {
		c := solve.Dots(vectors, w)[0]
		solve.AddCombinations([][]float64{w}, -1, [][]float64{c}, vectors)
		if total == nil {
			total = c
			continue
		}
		floats.Add(total, c)
	}
	return total
}

// random is a unit vector orthogonal to others; nil if there is none.
func (l *lanczos) random(others [][]float64) []float64 {
	if len(others) >= l.n {
		return nil
	}
	for range 5 {
		w := make([]float64, l.n)
		for i := range w {
			w[i] = l.rng.NormFloat64()
		}
		floats.Scale(1/floats.Norm(w, 2), w)
		orthogonalise(w, others)
		if norm := floats.Norm(w, 2); norm > 1e-10 {
			floats.Scale(1/norm, w)
			orthogonalise(w, others)
			floats.Scale(1/floats.Norm(w, 2), w)
			return w
		}
	}
	return nil
}

// combine returns the combinations of the basis by columns of s.
func combine(basis [][]float64, s *mat.Dense, columns []int) [][]float64 {
	out, c := make([][]float64, len(columns)), make([][]float64, len(columns))
	for q, i := range columns {
		out[q] = make([]float64, len(basis[0]))
		c[q] = mat.Col(nil, i, s)
	}
	solve.AddCombinations(out, 1, c, basis)
	return out
}
