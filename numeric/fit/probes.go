package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// probing estimates the determinant of a symmetric positive definite H and the trace of
// its inverse from products, by way of M = D^-½ H D^-½, of which most eigenvalues are
// near 1. Random vectors of signs z have E⟨z, f(M) z⟩ = tr f(M). They span a block Krylov
// space, in which f(M) z is found, and the eigenvectors X of M that stand out: these are
// counted exactly, and only the rest is left to chance (Lin, Xi and Saad, SIAM Review 58,
// 2016; Gambhir, Stathopoulos and Orginos, SIAM J. Sci. Comput. 39, 2017). Of log and of
// the inverse their tangents at 1 are taken away, whose traces the diagonal of H gives.
type probing struct {
	h       linop.Operator
	root    []float64                              // D^½
	off     []float64                              // M_ii - 1
	shares  []float64                              // of each row, of the part of an invariant subspace that H is restricted to; nil: all is used
	project func(ctx context.Context, z []float64) // on that subspace
	seed    uint64
	plan    plan

	weights int // that a product with h goes by way of

	x      *mat.Dense // X, a vector in each row; nil: none yet
	values []float64  // their eigenvalues

	logs, traces []float64 // of each random vector, of what X leaves
	drift        float64   // by which the logs might still change with a larger space
	products     int
}

// plan is what a block of random vectors may cost: vectors times steps products with H.
type plan struct{ vectors, steps int }

// space is how many vectors a block holds.
func (p plan) space() int { return p.vectors * (p.steps + 1) }

// planFor lets a block cost a few times what a solve does, and less for large systems.
func planFor(n int) plan {
	switch {
	case n <= fewUnknowns:
		return plan{8, 24}
	case n <= manyUnknowns:
		return plan{4, 6}
	case n <= mostProbed:
		return plan{3, 4}
	}
	return plan{}
}

const (
	fewUnknowns  = 20000
	manyUnknowns = 100000 // beyond, an estimate costs about what the fit does, once
	mostProbed   = 2e6    // unknowns: a space of 450 MB
	checkEvery   = 4      // steps, that the space is looked at after
	settledLogs  = 0.1    // change from one look to the next, in standard errors
	settledFloor = 1e-3   // and in nats
	outstanding  = 0.15   // distance of an eigenvalue from 1, in logarithm, that is worth a vector in X
	precise      = 1e-2   // residual of an eigenvector, relative to its value, to be taken into X
)

// newProbing takes D, and the diagonal of H, nil where it is not known.
func newProbing(h linop.Operator, d, diagonal []float64) *probing {
	p := &probing{h: h, root: make([]float64, len(d)), plan: planFor(len(d)), weights: len(d)}
	for i, v := range d {
		p.root[i] = math.Sqrt(v)
		if diagonal != nil {
			p.off = append(p.off, diagonal[i]/v-1)
		}
	}
	return p
}

// restrict takes the part of the determinant and of the trace that belongs to a subspace
// invariant under H and D: by the diagonal of the projection on it, and the projection.
func (p *probing) restrict(shares []float64, project func(ctx context.Context, z []float64)) {
	p.shares, p.project = shares, project
}

// share is how much of a row is used.
func (p *probing) share(i int) float64 {
	if p.shares == nil {
		return 1
	}
	return p.shares[i]
}

// rest is what is left of the logarithm and of the inverse less 1.
func (p *probing) rest(v float64) (log, inverse float64) {
	if p.off == nil {
		return math.Log(v), 1/v - 1
	}
	return math.Log(v) - (v - 1), 1/v - 1 + (v - 1)
}

// estimate is a mean with its standard error.
type estimate struct{ value, err float64 }

// logDet is log det H.
func (p *probing) logDet() estimate {
	sum := 0.0
	for i, r := range p.root {
		v := 2 * math.Log(r)
		if p.off != nil {
			v += p.off[i]
		}
		sum += p.share(i) * v
	}
	for _, v := range p.values {
		log, _ := p.rest(v)
		sum += log
	}
	e := mean(p.logs)
	return estimate{sum + e.value, math.Hypot(e.err, p.drift)}
}

// trace is that of H⁻¹.
func (p *probing) trace() estimate {
	sum := 0.0
	for i, r := range p.root {
		v := p.share(i)
		if p.off != nil {
			v *= 1 - p.off[i]
		}
		sum += v / (r * r)
	}
	for k, v := range p.values {
		_, inverse := p.rest(v)
		sum += inverse * p.weight(p.x.RawRowView(k))
	}
	e := mean(p.traces)
	return estimate{sum + e.value, e.err}
}

// weight is ⟨v, D⁻¹ v⟩.
func (p *probing) weight(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		x /= p.root[i]
		sum += x * x
	}
	return sum
}

func mean(v []float64) estimate {
	n := float64(len(v))
	m := floats.Sum(v) / n
	square := 0.0
	for _, x := range v {
		square += (x - m) * (x - m)
	}
	// Of few values the deviation is itself uncertain, the more as they are skew: that of
	// Student's distribution would be √((n-1)/(n-3)).
	wider := 1.
	if n > 3 {
		wider = math.Sqrt((n + 3) / (n - 3))
	}
	return estimate{m, wider * math.Sqrt(square/(n-1)/n)}
}

// more adds a block of random vectors, in the complement of X; the first one finds X.
// Cost: at most the products of the plan, and reading the space twice for each.
func (p *probing) more(ctx context.Context) error {
	n := len(p.root)
	count := p.plan.vectors
	z := mat.NewDense(count, n, nil)
	for i := range count {
		copy(z.RawRowView(i), signs(n, p.seed))
		if p.project != nil {
			p.project(ctx, z.RawRowView(i))
		}
		p.seed++
	}
	k := newKrylov(ctx, p, z)
	before := math.NaN()
	var logs, traces []float64
	for step := 1; ; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("criteria stopped: %w", context.Cause(ctx))
		}
		grown, err := k.step(ctx)
		if err != nil {
			return err
		}
		if grown && step < p.plan.steps && step%checkEvery != 0 {
			continue
		}
		if err := k.ritz(ctx); err != nil {
			return err
		}
		logs, traces = k.remainders(ctx, nil)
		now := mean(logs)
		drift := math.Abs(now.value - before)
		if !grown || step == p.plan.steps || drift <= max(settledFloor, settledLogs*now.err) {
			if grown && !math.IsNaN(drift) {
				p.drift = max(p.drift, drift)
			}
			break
		}
		before = now.value
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

// krylov is a block Krylov space of M in the complement of X, with an orthonormal basis.
type krylov struct {
	p     *probing
	z     *mat.Dense // random vectors in rows, as drawn
	q     *mat.Dense // basis in rows; room for more
	size  int        // rows of q in use
	last  int        // rows of q before those that M has not been applied to
	t     *mat.Dense // q M qᵀ
	rest  *mat.Dense // M times the last block less its part in the space, in rows of a basis
	theta []float64  // Ritz values
	turn  *mat.Dense // Ritz vectors in the basis, in columns
}

func newKrylov(ctx context.Context, p *probing, z *mat.Dense) *krylov {
	b, n := z.Dims()
	most := min(p.plan.space(), n+b)
	k := &krylov{p: p, z: z, q: mat.NewDense(most, n, nil), t: mat.NewDense(most, most, nil)}
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
		scale(row, 1/size)
		copy(k.q.RawRowView(k.size), row)
		k.size++
	}
	return k.size - before
}

// deflate removes from the rows of w their part in the span of the orthonormal rows x.
func deflate(ctx context.Context, w, x *mat.Dense) {
	var c, back mat.Dense
	if linop.MulContext(ctx, &c, w, x.T()) != nil || linop.MulContext(ctx, &back, &c, x) != nil {
		return
	}
	w.Sub(w, &back)
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
	err = eachProduct(ctx, hi-lo, k.p.weights, func(i int) {
		in := append([]float64(nil), k.q.RawRowView(lo+i)...)
		floats.Div(in, k.p.root)
		k.p.h.Apply(ctx, w.RawRowView(i), in)
		floats.Div(w.RawRowView(i), k.p.root)
	})
	if err != nil {
		return false, err
	}
	k.p.products += hi - lo
	if k.p.x != nil {
		deflate(ctx, w, k.p.x)
	}
	var c mat.Dense
	_ = linop.MulContext(ctx, &c, w, part(k.q, 0, hi, 0, n).T())
	for i := lo; i < hi; i++ {
		for j := range hi {
			k.t.Set(i, j, c.At(i-lo, j))
			k.t.Set(j, i, c.At(i-lo, j))
		}
	}
	k.last = hi
	full, _ := k.q.Dims()
	if hi+hi-lo > full {
		k.rest = nil
		return false, nil
	}
	raw := mat.DenseCopyOf(w)
	added := k.add(ctx, w)
	k.rest = new(mat.Dense)
	if added > 0 {
		_ = linop.MulContext(ctx, k.rest, raw, part(k.q, hi, hi+added, 0, n).T())
	} else {
		k.rest = nil
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
	var x mat.Dense
	_ = linop.MulContext(ctx, &x, c, part(k.q, 0, k.last, 0, n))
	return &x, values
}

// remainders are ⟨z, f(M) z⟩ for the logarithm, and ⟨z, f(M) D⁻¹ z⟩ for the inverse, less
// their tangents and the vectors to keep, for each random vector.
func (k *krylov) remainders(ctx context.Context, keep []bool) (logs, traces []float64) {
	b, n := k.z.Dims()
	q := part(k.q, 0, k.last, 0, n)
	weighted := mat.DenseCopyOf(k.z)
	for i := range b {
		row := weighted.RawRowView(i)
		for j, r := range k.p.root {
			row[j] /= r * r
		}
	}
	var c, d, cz, dz mat.Dense
	_ = linop.MulContext(ctx, &c, k.z, q.T())
	_ = linop.MulContext(ctx, &d, weighted, q.T())
	_ = linop.MulContext(ctx, &cz, &c, k.turn)
	_ = linop.MulContext(ctx, &dz, &d, k.turn)
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
