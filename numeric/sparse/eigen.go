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

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/solve"
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
		return nil, nil, errors.New("the matrix is not symmetric")
	}
	if k < 1 || k > a.rows {
		return nil, nil, fmt.Errorf("%d eigenvalues of a %d × %d matrix: must be in 1 … %d", k, a.rows, a.rows, a.rows)
	}
	if a.Largest() == 0 { // any vectors will do
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
		slices.SortFunc(pairs, func(p, q pair) int {
			if math.Abs(p.value-sigma) < math.Abs(q.value-sigma) {
				return -1
			}
			return 1
		})
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
		if err := f.SolveVector(ctx, dst, x); err != nil {
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
		slices.SortFunc(found, best)
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
	if err := array.CheckMatrix("the vectors of Lanczos's method", 2, m+len(known)+1, l.n); err != nil {
		return nil, err
	}
	locked := make([][]float64, len(known))
	for i, p := range known {
		locked[i] = p.vector
	}
	basis := [][]float64{l.random(locked)}
	h := mat.NewDense(m, m, nil)
	for round := range 1000 {
		rest := 0.0
		for j := len(basis) - 1; j < m; j++ {
			if err := linop.Stopped(ctx); err != nil {
				return nil, err
			}
			w := make([]float64, l.n)
			l.apply(ctx, w, basis[j])
			if l.failed != nil {
				return nil, l.failed
			}
			size := floats.Norm(w, 2)
			orthogonalise(w, locked)
			for i, c := range orthogonalise(w, basis) {
				h.Set(i, j, c)
				h.Set(j, i, c)
			}
			orthogonalise(w, locked)
			rest = floats.Norm(w, 2)
			if math.IsNaN(rest) || math.IsInf(rest, 0) {
				return nil, errors.New("the iteration overflows: scale the matrix")
			}
			if rest <= 1e-14*size || rest == 0 { // an invariant subspace: on from elsewhere
				rest = 0
				if w = l.random(append(slices.Clone(locked), basis...)); w == nil {
					w = make([]float64, l.n)
				}
			} else {
				floats.Scale(1/rest, w)
			}
			basis = append(basis, w)
		}
		theta, s, err := linop.Eigen(ctx, h)
		if err != nil {
			return nil, err
		}
		order := make([]int, m)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			if l.size(theta[i]) > l.size(theta[j]) {
				return -1
			}
			return 1
		})
		largest := max(math.Abs(theta[0]), math.Abs(theta[m-1]))
		converged, hopeless := 0, false
		for _, i := range order[:min(k, m)] {
			r := rest * math.Abs(s.At(m-1, i))
			scale := largest
			if l.inverse {
				scale = max(math.Abs(theta[i]), 1e-14/l.tolerance*largest)
			}
			if r <= l.tolerance*scale || m == l.n-len(known) {
				converged++
			}
			hopeless = hopeless || k == 1 && len(known) > 0 && l.size(theta[i])+r < enough
		}
		if hopeless {
			return nil, nil
		}
		done := converged == min(k, m)
		keep := min(m-1, k+(m-k)/3)
		if done {
			keep = min(k, m)
		}
		kept := combine(basis[:m], s, order[:keep])
		if done {
			var out []pair
			for q, i := range order[:keep] {
				out = append(out, pair{theta[i], l.value(theta[i]), kept[q]})
			}
			return out, nil
		}
		h.Zero()
		for q, i := range order[:keep] {
			h.Set(q, q, theta[i])
		}
		basis = append(kept, basis[m])
		if round%8 == 7 { // rounding adds up
			orthogonalise(basis[keep], kept)
			floats.Scale(1/floats.Norm(basis[keep], 2), basis[keep])
		}
	}
	return nil, fmt.Errorf("%d eigenvalues have not converged after 1000 restarts: ask for fewer or more of them, or those nearest to a number", k)
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
	slices.SortFunc(pairs, func(p, q pair) int {
		if p.value < q.value {
			return -1
		}
		return 1
	})
	values, vectors := make([]float64, len(pairs)), mat.NewDense(a.rows, len(pairs), nil)
	for q, p := range pairs {
		values[q] = p.value
		vectors.SetCol(q, p.vector)
	}
	return values, vectors, nil
}
