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
	z     *mat.Dense // random vectors in rows, as drawn
	q     *mat.Dense // basis in rows; room for more
	most  int        // rows that it may have
	size  int        // rows of q in use
	last  int        // rows of q before those that M has not been applied to
	t     *mat.Dense // q M qᵀ
	rest  *mat.Dense // M times the last block less its part in the space, in rows of a basis
	theta []float64  // Ritz values
	turn  *mat.Dense // Ritz vectors in the basis, in columns

	c, d *mat.Dense // z qᵀ and z D⁻¹ qᵀ, by rows of q
	seen int        // rows of q that these are known for
}

// firstBlocks is how many blocks of vectors there is room for at first: as a rule no more are needed.
const firstBlocks = 9

func newKrylov(ctx context.Context, p *probing, z *mat.Dense) *krylov {
	b, n := z.Dims()
	most := min(p.plan.space(), n+b)
	k := &krylov{
		p: p, z: z, most: most, q: mat.NewDense(min(most, firstBlocks*b), n, nil), t: mat.NewDense(most, most, nil),
		c: mat.NewDense(most, b, nil), d: mat.NewDense(most, b, nil),
	}
	k.add(ctx, mat.DenseCopyOf(z))
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
	for range 2 {
		if k.p.x != nil {
			deflate(ctx, w, k.p.x)
		}
		if k.size > 0 {
			deflate(ctx, w, part(k.q, 0, k.size, 0, n))
		}
	}
	for i := range rows {
		row := w.RawRowView(i)
		for range 2 {
			for j := before; j < k.size; j++ {
				other := k.q.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
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

// remainders are ⟨z, f(M) z⟩ for the logarithm, and ⟨z, f(M) D⁻¹ z⟩ for the inverse, less
// their tangents and the vectors to keep, for each random vector.
func (k *krylov) remainders(ctx context.Context, keep []bool) (logs, traces []float64) {
	k.see(ctx)
	_, b := k.c.Dims()
	cz := linop.Product(ctx, part(k.c, 0, k.last, 0, b).T(), k.turn)
	dz := linop.Product(ctx, part(k.d, 0, k.last, 0, b).T(), k.turn)
	logs, traces = make([]float64, b), make([]float64, b)
	for j, v := range k.theta {
		if keep != nil && keep[j] {
			continue
		}
		log, inverse := k.p.rest(v)
		for i := range b {
			logs[i] += log * cz.At(i, j) * cz.At(i, j)
			traces[i] += inverse * cz.At(i, j) * dz.At(i, j)
		}
	}
	return logs, traces
}

// see fills c and d in for the rows of q that were added since. What is orthogonal to the
// first block is so to z, which is in it but for its part in the span of X.
func (k *krylov) see(ctx context.Context) {
	if k.seen == k.last {
		return
	}
	b, n := k.z.Dims()
	q := part(k.q, k.seen, k.last, 0, n)
	if k.seen == 0 {
		_ = linop.MulContext(ctx, part(k.c, 0, k.last, 0, b), q, k.z.T())
	}
	weighted := make([]float64, n)
	for i := range b {
		for j, r := range k.p.root {
			weighted[j] = k.z.At(i, j) / (r * r)
		}
		for j := k.seen; j < k.last; j++ {
			k.d.Set(j, i, floats.Dot(k.q.RawRowView(j), weighted))
		}
	}
	k.seen = k.last
}

// more adds a block of random vectors, in the complement of X; the first one finds X.
// Cost: at most the products of the plan, and reading the space twice for each.
func (p *probing) more(ctx context.Context) error {
	n := len(p.root)
	count := p.plan.vectors
	z := mat.NewDense(count, n, nil)
	for i := range count {
		copy(z.RawRowView(i), Signs(n, p.seed))
		if p.project != nil {
			p.project(ctx, z.RawRowView(i))
		}
		p.seed++
	}
	k := newKrylov(ctx, p, z)
	before, moved := math.NaN(), math.NaN()
	var logs, traces []float64
	for step := 1; ; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("criteria stopped: %w", context.Cause(ctx))
		}
		grown, err := k.step(ctx)
		if err != nil {
			return err
		}
		if grown && step < p.plan.steps && step%p.plan.look != 0 {
			continue
		}
		if err := k.ritz(ctx); err != nil {
			return err
		}
		logs, traces = k.remainders(ctx, nil)
		now := mean(logs)
		drift := math.Abs(now.value - before)
		left := drift
		if ratio := drift / moved; ratio < 0.5 { // as a geometric series goes on
			left = drift * ratio / (1 - ratio)
		}
		if !grown || step == p.plan.steps || left <= max(settledFloor, p.plan.settled*now.err) {
			if grown && !math.IsNaN(left) {
				p.drift = max(p.drift, left)
			}
			break
		}
		before, moved = now.value, drift
	}
	if len(p.logs) == 0 {
		keep := k.outstanding()
		logs, traces = k.remainders(ctx, keep)
		p.x, p.values = k.vectors(ctx, keep)
	}
	if err := linop.Stopped(ctx); err != nil {
		return fmt.Errorf("criteria: %w", err)
	}
	p.logs, p.traces = append(p.logs, logs...), append(p.traces, traces...)
	return nil
}
