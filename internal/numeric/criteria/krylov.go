package criteria

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// krylov is a block Krylov space of M in the complement of X, with an orthonormal basis.
type krylov struct {
	p     *probing
	q     *mat.Dense // basis in rows; room for more
	most  int        // rows that it may have
	size  int        // rows of q in use
	last  int        // rows of q before those that M has not been applied to
	t     *mat.Dense // q M qᵀ
	rest  *mat.Dense // M times the last block less its part in the space, in rows of a basis
	theta []float64  // Ritz values
	turn  *mat.Dense // Ritz vectors in the basis, in columns

	c *mat.Dense // q zᵀ of the rows of the first block; what is orthogonal to that is so to z, but for what X has of it
}

// firstBlocks is how many blocks of vectors there is room for at first: as a rule no more are needed.
const firstBlocks = 9

func newKrylov(ctx context.Context, p *probing, z *mat.Dense) *krylov {
	b, n := z.Dims()
	most := min(b*(p.plan.steps+1), n+b)
	k := &krylov{
		p: p, most: most, q: mat.NewDense(min(most, firstBlocks*b), n, nil), t: mat.NewDense(most, most, nil),
	}
	k.add(ctx, mat.DenseCopyOf(z))
	k.c = linop.Product(ctx, part(k.q, 0, k.size, 0, n), z.T())
	return k
}

// add orthonormalises rows against X and the basis, twice, and appends them. Rows that
// depend on others are left out. It returns how many were taken.
func (k *krylov) add(ctx context.Context, w *mat.Dense) int {
	rows, n := w.Dims()
	sizes := make([]float64, rows)
	for i := range rows {
		sizes[i] = floats.Norm(w.RawRowView(i), 2)
	}
	k.reserve(k.size + rows)
	before := k.size
	k.without(ctx, w)
	for i := range rows {
		row := w.RawRowView(i)
		own := floats.Norm(row, 2)
		for range 2 {
			for j := before; j < k.size; j++ {
				other := k.q.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
		}
		if floats.Norm(row, 2) < muchLess*own { // then what rounding left of the basis is a larger part
			k.without(ctx, part(w, i, i+1, 0, n))
		}
		size := floats.Norm(row, 2)
		if !(size > 1e-10*sizes[i]) || k.size == n {
			continue
		}
		floats.Scale(1/size, row)
		copy(k.q.RawRowView(k.size), row)
		k.size++
	}
	return k.size - before
}

// muchLess is the part of a row beyond those before it in its block, from which on it is made orthogonal to all of the basis again:
// eigenvalues ten orders of magnitude apart tell of a part of 10⁻⁵.
const muchLess = 1e-2

// without removes from the rows of w, twice, their part in the span of X and of the basis.
func (k *krylov) without(ctx context.Context, w *mat.Dense) {
	_, n := w.Dims()
	for range 2 {
		if k.p.x != nil {
			deflate(ctx, w, k.p.x)
		}
		if k.size > 0 {
			deflate(ctx, w, part(k.q, 0, k.size, 0, n))
		}
	}
}

// reserve makes room for so many rows of the basis, or for as many as it may have.
func (k *krylov) reserve(rows int) {
	have, n := k.q.Dims()
	if rows = min(rows, k.most); rows <= have {
		return
	}
	more := mat.NewDense(min(k.most, max(rows, 2*have)), n, nil)
	more.Slice(0, k.size, 0, n).(*mat.Dense).Copy(part(k.q, 0, k.size, 0, n))
	k.q = more
}

// deflate removes from the rows of w their part in the span of the orthonormal rows x.
func deflate(ctx context.Context, w, x *mat.Dense) {
	w.Sub(w, linop.Product(ctx, linop.Product(ctx, w, x.T()), x))
}

// step applies M to the last block and appends the result; false where the space has
// become invariant.
func (k *krylov) step(ctx context.Context) (grown bool, err error) {
	_, n := k.q.Dims()
	lo, hi := k.last, k.size
	if lo == hi {
		return false, nil
	}
	w := mat.NewDense(hi-lo, n, nil)
	err = k.p.each(ctx, hi-lo, func(i int) {
		in := append([]float64(nil), k.q.RawRowView(lo+i)...)
		floats.Div(in, k.p.root)
		k.p.h.Apply(ctx, w.RawRowView(i), in)
		floats.Div(w.RawRowView(i), k.p.root)
	})
	if err != nil {
		return false, err
	}
	k.p.products += hi - lo
	progress.Count(ctx, 0, hi-lo)
	if k.p.x != nil {
		deflate(ctx, w, k.p.x)
	}
	c := linop.Product(ctx, w, part(k.q, 0, hi, 0, n).T())
	for i := lo; i < hi; i++ {
		for j := range hi {
			k.t.Set(i, j, c.At(i-lo, j))
			k.t.Set(j, i, c.At(i-lo, j))
		}
	}
	k.last = hi
	if hi+hi-lo > k.most {
		k.rest = nil
		return false, nil
	}
	raw := mat.DenseCopyOf(w)
	added := k.add(ctx, w)
	if k.rest = nil; added > 0 {
		k.rest = linop.Product(ctx, raw, part(k.q, hi, hi+added, 0, n).T())
	}
	return added > 0, nil
}

// ritz finds the eigenvalues of M in the space.
func (k *krylov) ritz(ctx context.Context) error {
	var err error
	k.theta, k.turn, err = linop.Eigen(ctx, part(k.t, 0, k.last, 0, k.last))
	if err != nil {
		return fmt.Errorf("criteria: %w", err)
	}
	if !(k.theta[0] > 0) {
		return fmt.Errorf("criteria: %w", solve.ErrNotPositive)
	}
	k.p.top = max(k.p.top, k.theta[len(k.theta)-1])
	return nil
}

// outstanding is the eigenvectors that are found and far from 1.
func (k *krylov) outstanding() []bool {
	keep := make([]bool, len(k.theta))
	for j, v := range k.theta {
		res := 0.0
		if k.rest != nil {
			rows, cols := k.rest.Dims()
			for c := range cols {
				sum := 0.0
				for i := range rows {
					sum += k.turn.At(k.last-rows+i, j) * k.rest.At(i, c)
				}
				res += sum * sum
			}
		}
		keep[j] = math.Abs(math.Log(v)) > outstanding && math.Sqrt(res) <= precise*v
	}
	return keep
}

// vectors are the Ritz vectors to keep, in rows, with their values.
func (k *krylov) vectors(ctx context.Context, keep []bool) (*mat.Dense, []float64) {
	_, n := k.q.Dims()
	var values []float64
	var at []int
	for j, v := range k.theta {
		if keep[j] {
			values, at = append(values, v), append(at, j)
		}
	}
	if len(at) == 0 {
		return nil, nil
	}
	c := mat.NewDense(len(at), k.last, nil)
	for i, j := range at {
		c.SetRow(i, mat.Col(nil, j, k.turn))
	}
	return linop.Product(ctx, c, part(k.q, 0, k.last, 0, n)), values
}

// remainders are ⟨z, f(M) z⟩ for the logarithm, less its tangent, for each random vector, and the sum of the squares of
// the eigenvalues of that without the vectors to keep.
func (k *krylov) remainders(ctx context.Context, keep []bool) (logs []float64, squares float64) {
	c := k.coefficients(ctx)
	b, _ := c.Dims()
	logs = make([]float64, b)
	for j, v := range k.theta {
		log, _ := k.p.rest(v)
		for i := range b {
			square := c.At(i, j) * c.At(i, j)
			logs[i] += log * square
			if !keep[j] {
				squares += log * log * square / float64(b)
			}
		}
	}
	return logs, squares
}

// coefficients are those of the random vectors, in rows, in the Ritz vectors.
func (k *krylov) coefficients(ctx context.Context) *mat.Dense {
	rows, _ := k.c.Dims()
	return linop.Product(ctx, k.c.T(), part(k.turn, 0, rows, 0, k.last))
}

// sample adds ⟨s, D⁻¹ f(M) z⟩, for a function less its tangent and without the vectors to keep, to estimates. s are vectors of
// signs, z their projections, and d the diagonal of D by rows.
func (k *krylov) sample(ctx context.Context, to *signed, f func(v float64) float64, keep []bool, signs [][]float64, d func(row int) float64) {
	_, n := k.q.Dims()
	c := k.coefficients(ctx)
	second, fourth := make([]float64, len(signs)), make([]float64, len(signs))
	for j, v := range k.theta {
		of := 0.0
		if !keep[j] {
			of = f(v)
		}
		for i := range signs {
			v := of * c.At(i, j)
			second[i], fourth[i] = second[i]+v*v, fourth[i]+of*of*v*v
			c.Set(i, j, v)
		}
	}
	times := linop.Product(ctx, linop.Product(ctx, c, k.turn.T()), part(k.q, 0, k.last, 0, n))
	for i, s := range signs {
		each := times.RawRowView(i)
		floats.Mul(each, s)
		for j := range each {
			each[j] /= d(j)
		}
		to.add(floats.Sum(each), each, second[i], fourth[i])
	}
}

// more adds a block of so many random vectors, in the complement of X; the first one finds X.
// Cost: at most the products of the plan, and reading the space twice for each.
func (p *probing) more(ctx context.Context, count int) error {
	n := len(p.root)
	z, signs := mat.NewDense(count, n, nil), make([][]float64, count)
	for i := range count {
		signs[i] = Signs(n, p.seed)
		copy(z.RawRowView(i), signs[i])
		if p.project != nil {
			p.project(ctx, z.RawRowView(i))
		}
		p.seed++
	}
	k := newKrylov(ctx, p, z)
	keep, err := k.grow(ctx, float64(count+len(p.logs.values)))
	if err != nil {
		return err
	}
	k.sample(ctx, &p.logs, func(v float64) float64 { log, _ := p.rest(v); return log }, keep, signs, func(int) float64 { return 1 })
	k.sample(ctx, &p.traces, func(v float64) float64 { _, inverse := p.rest(v); return inverse }, keep, signs, func(row int) float64 { return p.root[row] * p.root[row] })
	if p.x == nil && len(p.logs.values) == count {
		p.x, p.values = k.vectors(ctx, keep)
	}
	if err := linop.Stopped(ctx); err != nil {
		return fmt.Errorf("criteria: %w", err)
	}
	return nil
}

// grow lets the space grow until the logarithms hardly change any more, beside the error that they have from so many vectors,
// and returns which of the Ritz vectors are to be kept.
func (k *krylov) grow(ctx context.Context, vectors float64) (keep []bool, err error) {
	p := k.p
	before, moved := math.NaN(), math.NaN()
	for step := 1; ; step++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("criteria stopped: %w", context.Cause(ctx))
		}
		grown, err := k.step(ctx)
		if err != nil {
			return nil, err
		}
		if err := k.ritz(ctx); err != nil {
			return nil, err
		}
		keep = make([]bool, len(k.theta))
		if len(p.logs.values) == 0 {
			keep = k.outstanding()
		}
		logs, squares := k.remainders(ctx, keep)
		now := floats.Sum(logs) / float64(len(logs))
		drift := math.Abs(now - before)
		left := drift
		if ratio := drift / moved; ratio < 0.5 { // as a geometric series goes on
			left = drift * ratio / (1 - ratio)
		}
		if !grown || step == p.plan.steps || left <= max(settledFloor, p.plan.settled*math.Sqrt(2*squares/vectors)) {
			if grown && !math.IsNaN(left) {
				p.drift = max(p.drift, left)
			}
			return keep, nil
		}
		before, moved = now, drift
	}
}
