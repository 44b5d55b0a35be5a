package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// criteria evaluates the criteria for λ and ρ along the path that the preconditioner
// gives: exactly for separable kernels, otherwise near enough to begin a search from (see
// search): of the determinant it is an upper bound, off by up to hundreds of nats.
// With N = n·my values, D and β βᵀ q_k/ρ as in simultaneous, R their inverse and
// Z = R T in its bases,
//
//	REML = ½ (N log(quad/N) + log det R⁻¹),  quad = rss₀ + ⟨T, Z⟩
//	GCV  = N (rss₀ + ‖Z‖²) / ((n-r) my + tr R)²
//	LOO  = Σ ((residual)_ik / (1 - h_iik))²,  h the leverage of sample i in mode k
//
// With a free constant R is that of the contrasts, R - R ĉ ĉᵀR / ĉᵀRĉ, one value fewer
// counts in REML, and log ĉᵀRĉ is added to the determinant.
//
// For pairs with their images (see orbit) the sums over D count what of each mode obeys
// the constraint, and LOO is not known.
type criteria struct {
	sys    *system // in the bases of m
	m      *simultaneous
	rho    float64    // fixed ρ, 0 when it is tied to λ
	ratio  float64    // ρ/λ, when it is
	shares *mat.Dense // of each mode; nil: all one
	y      []float64  // ĉ_ik = β_i y_k; nil without a free constant
}

func newCriteria(ctx context.Context, sys *system, m *simultaneous, s *Spec) *criteria {
	c := &criteria{sys: sys, m: m, rho: s.Rho, ratio: s.ratioOr(1)}
	if sys.orbit != nil {
		c.shares = sys.orbit.shares(ctx, sys)
	}
	if sys.flat != nil {
		c.y = append([]float64(nil), sys.rdy...)
		sys.v.forward(ctx, c.y)
		scale(c.y, 1/sys.length)
	}
	return c
}

// rhoAt is ρ at a λ.
func (c *criteria) rhoAt(lambda float64) float64 {
	if c.rho > 0 {
		return c.rho
	}
	return c.ratio * lambda
}

func (c *criteria) at(lambda float64) *simultaneous { return c.m.at(lambda, c.rhoAt(lambda)) }

// bias is what the inverse R has of the bias and the free constant, mode by mode of the
// outputs: R T = (T - β hᵀ)/D.
type bias struct {
	h       []float64 // nil when there is neither
	alpha   []float64 // q/ρ where the bias is not part of D; else 0
	s       []float64 // Σ_i β_i²/D_ik
	y       []float64 // D^-1-weighted ĉ: (R ĉ)_ik = β_i y_k/D_ik; nil without a free constant
	size    float64   // ĉᵀ R ĉ
	penalty float64   // part of ⟨T, R T⟩ that is the penalty of β
}

// biasOf solves for the bias, with the preconditioner m at λ and ρ.
func (c *criteria) biasOf(m *simultaneous) bias {
	if m.row == nil {
		return bias{}
	}
	my := c.sys.my
	o := bias{h: make([]float64, my), alpha: make([]float64, my), s: make([]float64, my)}
	p, t := make([]float64, my), c.sys.t.RawMatrix().Data
	for i, b := range m.row {
		for k := range my {
			w := b / m.d[i*my+k]
			o.s[k] += b * w
			p[k] += w * t[i*my+k]
		}
	}
	if m.open {
		for k, q := range m.out {
			o.alpha[k] = q / m.rho
		}
	}
	constant := 0.0
	if c.y != nil {
		o.y = make([]float64, my)
		along := 0.0
		for k, y := range c.y {
			o.y[k] = y / (1 + o.alpha[k]*o.s[k])
			o.size += y * o.y[k] * o.s[k]
			along += o.y[k] * p[k]
		}
		constant = along / o.size
	}
	for k, a := range o.alpha {
		free := 0.0
		if c.y != nil {
			free = constant * c.y[k]
		}
		if a > 0 {
			penalised := a * (p[k] - free*o.s[k]) / (1 + a*o.s[k])
			o.penalty += penalised * penalised / a
			free += penalised
		}
		o.h[k] = free
	}
	return o
}

// point is the value of the criteria at one λ.
type point struct {
	lambda, reml, gcv float64
}

// closed evaluates the criteria that need no leverages.
func (c *criteria) closed(lambda float64) point {
	m := c.at(lambda)
	o := c.biasOf(m)
	quad, zz := c.sys.rss0+o.penalty, 0.0
	my := c.sys.my
	for i, t := range c.sys.t.RawMatrix().Data {
		if o.h != nil {
			t -= m.row[i/my] * o.h[i%my]
		}
		z := t / m.d[i]
		quad += t * z
		zz += z * z
	}
	logDet, modes, left := c.traces(m.d)
	n := float64(c.sys.outputs())
	free := n - modes + left
	values := n
	if o.h != nil {
		det, less := o.traces(m)
		logDet += det
		free -= less
	}
	if c.y != nil {
		values--
	}
	return point{
		lambda: lambda,
		reml:   0.5 * (values*math.Log(quad/values) + logDet),
		gcv:    n * (c.sys.rss0 + zz) / (free * free),
	}
}

// traces is what the bias adds to the log determinant of R⁻¹ and takes from the trace
// of R.
func (o bias) traces(m *simultaneous) (logDet, less float64) {
	my := len(o.h)
	twice := make([]float64, my) // Σ_i β_i²/D_ik²
	for i, b := range m.row {
		for k := range my {
			w := b / m.d[i*my+k]
			twice[k] += w * w
		}
	}
	for k, a := range o.alpha {
		logDet += math.Log1p(a * o.s[k])
		less += a / (1 + a*o.s[k]) * twice[k]
		if o.y != nil {
			less += o.y[k] * o.y[k] * twice[k] / o.size
		}
	}
	if o.y != nil {
		logDet += math.Log(o.size)
	}
	return logDet, less
}

// traces are Σ log D, how many modes there are, and Σ 1/D, the part of them that is not
// used: by itself, for it may be far below the rounding of their number.
func (c *criteria) traces(d []float64) (logD, modes, left float64) {
	if c.shares != nil {
		for i, share := range c.shares.RawMatrix().Data {
			logD += share * math.Log(d[i])
			modes += share
			left += share / d[i]
		}
		if whole := math.Round(modes); math.Abs(modes-whole) < 1e-6 {
			modes = whole // the trace of a projection; not where inputs cancel, whose rows are any
		}
		return logD, modes, left
	}
	product := 1.0
	for _, v := range d {
		left += 1 / v
		if product *= v; product > 1e250 {
			logD += math.Log(product)
			product = 1
		}
	}
	return logD + math.Log(product), float64(len(d)), left
}

// loo is the mean squared error of predicting each sample from the others, in
// the scaled outputs; O(n r my). It ends with ctx.
func (c *criteria) loo(ctx context.Context, lambda float64) float64 {
	r, my := c.sys.t.Dims()
	m := c.at(lambda)
	o := c.biasOf(m)
	inv, z := mat.NewDense(r, my, nil), mat.NewDense(r, my, nil)
	for i, d := range m.d {
		t := c.sys.t.RawMatrix().Data[i]
		if o.h != nil {
			t -= m.row[i/my] * o.h[i%my]
		}
		inv.RawMatrix().Data[i] = 1 / d
		z.RawMatrix().Data[i] = t / d
	}
	squared := mat.DenseCopyOf(c.sys.p)
	squared.MulElem(squared, squared)
	var residual, left mat.Dense
	if linop.MulContext(ctx, &residual, c.sys.p, z) != nil || linop.MulContext(ctx, &left, squared, inv) != nil {
		return math.NaN()
	}
	biased := o.leverages(ctx, &left, c.sys.p, m)
	sum := 0.0
	for i := range c.sys.n {
		own := 1.0
		for _, v := range squared.RawRowView(i) {
			own -= v
		}
		e, keep := residual.RawRowView(i), left.RawRowView(i)
		for k := range my {
			if c.sys.unexplained != nil {
				e[k] += c.sys.unexplained.At(i, k)
			}
			keep[k] = max(own+keep[k], 1e-12)
			e[k] /= keep[k]
		}
		if o.y != nil {
			o.alone(e, keep, biased.RawRowView(i))
		}
		sum += floats.Dot(e, e)
	}
	return sum / float64(c.sys.n*my)
}

// leverages takes from the diagonal of P R Pᵀ in each mode, n × my, the part of the
// bias, and returns P (β/D).
func (o bias) leverages(ctx context.Context, left, p *mat.Dense, m *simultaneous) *mat.Dense {
	if o.h == nil {
		return nil
	}
	r, my := m.green.Dims()
	w := mat.NewDense(r, my, nil)
	for i, b := range m.row {
		for k := range my {
			w.Set(i, k, b/m.d[i*my+k])
		}
	}
	var pw mat.Dense
	_ = linop.MulContext(ctx, &pw, p, w)
	left.Apply(func(i, k int, v float64) float64 {
		return v - o.alpha[k]/(1+o.alpha[k]*o.s[k])*pw.At(i, k)*pw.At(i, k)
	}, left)
	return &pw
}

// alone corrects the error e of a sample that is left out for the free constant, which
// couples its modes: its block of R is diag(keep) - v vᵀ/ĉᵀRĉ with v = y g, g its row
// of P (β/D).
func (o bias) alone(e, keep, g []float64) {
	var along, own float64
	for k, y := range o.y {
		v := y * g[k]
		along += v * e[k]
		own += v * v / keep[k]
	}
	by := along / max(o.size-own, 1e-12*o.size)
	for k, y := range o.y {
		e[k] += by * y * g[k] / keep[k]
	}
}

// choice is the outcome of a search along the path.
type choice struct {
	lambda           float64
	reml, gcv, looAt float64 // where each criterion is least; looAt 0: not known
	top              float64 // λ beyond which nothing of G is left
}

const (
	pathDecades  = 14.0 // from the largest numerator of D downwards
	pathPerTen   = 3
	looWork      = 4e7 // largest n r my for which LOO is followed along the whole path
	disagreement = 100 // ratio of the λ's of two criteria that is worth a word
)

// choose finds the λ that the criterion likes best.
func (c *criteria) choose(ctx context.Context, by Criterion) (choice, error) {
	top := mat.Max(c.m.green)
	if !(top > 0) {
		return choice{}, errNothing
	}
	if c.m.open {
		if err := c.chooseRatio(ctx, by, 10*top); err != nil {
			return choice{}, err
		}
	}
	if c.rho == 0 && c.m.row != nil && !c.m.open {
		top = max(top, c.biasTop()/c.ratio)
	}
	var grid []point
	for i := range int(pathDecades*pathPerTen) + 1 {
		if err := ctx.Err(); err != nil {
			return choice{}, fmt.Errorf("lambda path stopped: %w", context.Cause(ctx))
		}
		grid = append(grid, c.closed(10*top*math.Pow(10, -float64(i)/pathPerTen)))
	}
	out := choice{
		top:  top,
		reml: c.refine(ctx, grid, func(p point) float64 { return p.reml }),
		gcv:  c.refine(ctx, grid, func(p point) float64 { return p.gcv }),
	}
	if c.shares == nil {
		out.looAt = c.leastLOO(ctx, grid, out.reml, by == LOO)
	}
	switch by {
	case GCV:
		out.lambda = out.gcv
	case LOO:
		out.lambda = out.looAt
	default:
		out.lambda = out.reml
	}
	return out, linop.Stopped(ctx)
}

// took replaces the minimiser of a criterion.
func (ch *choice) took(by Criterion, lambda float64) {
	switch by {
	case GCV:
		ch.gcv = lambda
	case LOO:
		ch.looAt = lambda
	default:
		ch.reml = lambda
	}
}

// refine finds the least value between the neighbours of the best grid point,
// by golden sections in log λ.
func (c *criteria) refine(ctx context.Context, grid []point, value func(point) float64) float64 {
	best := 0
	for i, p := range grid {
		if value(p) < value(grid[best]) {
			best = i
		}
	}
	hi, lo := math.Log(grid[max(best-1, 0)].lambda), math.Log(grid[min(best+1, len(grid)-1)].lambda)
	// to 0.05 % of the bracket, far below what any criterion can tell
	return math.Exp(between(lo, hi, 16, func(l float64) float64 {
		if ctx.Err() != nil {
			return 0
		}
		return value(c.closed(math.Exp(l)))
	}))
}

// biasTop is the largest entry of the bias in D, times ρ.
func (c *criteria) biasTop() float64 {
	most := 0.0
	for _, b := range c.m.row {
		most = max(most, b*b)
	}
	return most * floats.Max(c.m.out)
}

// chooseRatio sets ρ/λ to where the criterion is least together with λ, which is at most
// top. Leaving out samples says little of it: there REML does.
func (c *criteria) chooseRatio(ctx context.Context, by Criterion, top float64) error {
	unit := floats.Dot(c.m.row, c.m.row) * floats.Sum(c.m.out) / mat.Sum(c.m.green)
	if !(unit > 0) {
		return nil
	}
	best := leastPenalties(func(p penalties) float64 {
		if ctx.Err() != nil {
			return 0
		}
		c.ratio = unit * math.Pow(10, p.ratio)
		at := c.closed(top * math.Pow(10, p.lambda))
		if by == GCV {
			return at.gcv
		}
		return at.reml
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lambda path stopped: %w", context.Cause(ctx))
	}
	c.ratio = unit * math.Pow(10, best.ratio)
	return nil
}

// leastLOO follows leave-one-out over the grid, or, where that would be long,
// over three decades around another criterion's choice; asked says to look between the
// points of the grid too.
func (c *criteria) leastLOO(ctx context.Context, grid []point, near float64, asked bool) (lambda float64) {
	r, my := c.sys.t.Dims()
	all := float64(c.sys.n)*float64(r)*float64(my) <= looWork
	value := math.Inf(1)
	for i, p := range grid {
		if i%pathPerTen != 0 || !all && math.Abs(math.Log10(p.lambda/near)) > 3 {
			continue
		}
		if v := c.loo(ctx, p.lambda); v < value {
			lambda, value = p.lambda, v
		}
	}
	if !asked {
		return lambda
	}
	lo, hi := max(lambda/10, grid[len(grid)-1].lambda), min(10*lambda, grid[0].lambda)
	return math.Exp(between(math.Log(lo), math.Log(hi), 16, func(l float64) float64 { return c.loo(ctx, math.Exp(l)) }))
}

// advice says what a disagreement of the criteria means.
func (ch choice) advice() string {
	apart := func(a, b float64) bool { return a/b > disagreement || b/a > disagreement }
	switch {
	case ch.looAt > 0 && apart(ch.reml, ch.looAt) && !apart(ch.gcv, ch.looAt):
		return "likelihood and prediction disagree: predictions on this mesh may be good while G is not identified between its points; compare kernels by est.report.reml"
	case ch.looAt > 0 && apart(ch.reml, ch.looAt):
		return "leaving out whole samples asks for another lambda: the map may not be linear, or the kernel does not suit it"
	case apart(ch.reml, ch.gcv):
		return "the criteria disagree on lambda: the data say little about the noise; compare held-out errors"
	}
	return ""
}
