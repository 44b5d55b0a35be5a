package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// criteria evaluates the criteria for λ along the path that the diagonal D
// gives: exactly for separable kernels, otherwise near enough to begin a search from
// (see search): of the determinant it is an upper bound, off by up to hundreds of nats.
// With N = n·my values and Z = T/D in the bases of the preconditioner,
//
//	REML = ½ (N log(quad/N) + Σ log D),  quad = rss₀ + Σ T²/D
//	GCV  = N (rss₀ + ‖Z‖²) / ((n-r) my + Σ 1/D)²
//	LOO  = Σ ((residual)_ik / (1 - h_iik))²,  h the leverage of sample i in mode k
//
// For pairs with their images (see orbit) the sums over D count what of each mode obeys
// the constraint, and LOO is not known.
type criteria struct {
	sys    *system // in the bases of m
	m      *simultaneous
	rho    float64    // fixed ρ, 0 when it is tied to λ
	shares *mat.Dense // of each mode; nil: all one
}

func newCriteria(sys *system, m *simultaneous, rho float64) *criteria {
	c := &criteria{sys: sys, m: m, rho: rho}
	if sys.orbit != nil {
		c.shares = sys.orbit.shares(sys)
	}
	return c
}

func (c *criteria) at(lambda float64) *simultaneous {
	if c.rho > 0 {
		return c.m.at(lambda, c.rho)
	}
	return c.m.at(lambda, lambda)
}

// point is the value of the criteria at one λ.
type point struct {
	lambda, reml, gcv float64
}

// closed evaluates the criteria that need no leverages.
func (c *criteria) closed(lambda float64) point {
	d := c.at(lambda).d
	var quad, zz float64
	for i, t := range c.sys.t.RawMatrix().Data {
		z := t / d[i]
		quad += t * z
		zz += z * z
	}
	quad += c.sys.rss0
	logD, modes, left := c.traces(d)
	n := float64(c.sys.outputs())
	free := n - modes + left
	return point{
		lambda: lambda,
		reml:   0.5 * (n*math.Log(quad/n) + logD),
		gcv:    n * (c.sys.rss0 + zz) / (free * free),
	}
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
		return logD, math.Round(modes), left // the trace of a projection
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
// the scaled outputs; O(n r my).
func (c *criteria) loo(lambda float64) float64 {
	r, my := c.sys.t.Dims()
	m := c.at(lambda)
	inv, z := mat.NewDense(r, my, nil), mat.NewDense(r, my, nil)
	for i, d := range m.d {
		inv.RawMatrix().Data[i] = 1 / d
		z.RawMatrix().Data[i] = c.sys.t.RawMatrix().Data[i] / d
	}
	squared := mat.DenseCopyOf(c.sys.p)
	squared.MulElem(squared, squared)
	var residual, left mat.Dense
	linop.Mul(&residual, c.sys.p, z)
	linop.Mul(&left, squared, inv)
	sum := 0.0
	for i := range c.sys.n {
		own := 1.0
		for _, v := range squared.RawRowView(i) {
			own -= v
		}
		res, keep := residual.RawRowView(i), left.RawRowView(i)
		for k := range my {
			e := res[k]
			if c.sys.unexplained != nil {
				e += c.sys.unexplained.At(i, k)
			}
			e /= max(own+keep[k], 1e-12)
			sum += e * e
		}
	}
	return sum / float64(c.sys.n*my)
}

// choice is the outcome of a search along the path.
type choice struct {
	lambda           float64
	reml, gcv, looAt float64 // where each criterion is least; looAt 0: not known
}

const (
	pathDecades  = 14.0 // from the largest numerator of D downwards
	pathPerTen   = 3
	looWork      = 4e7 // largest n r my for which LOO is followed along the whole path
	disagreement = 100 // ratio of the λ's of two criteria that is worth a word
)

// top is the largest numerator of D that is divided by λ.
func (c *criteria) top() float64 {
	top := mat.Max(c.m.green)
	if c.rho == 0 && c.m.bias != nil {
		top = max(top, mat.Max(c.m.bias))
	}
	return top
}

// choose finds the λ that the criterion likes best.
func (c *criteria) choose(ctx context.Context, by Criterion) (choice, error) {
	top := c.top()
	if !(top > 0) {
		return choice{}, fmt.Errorf("lambda \"auto\": the inputs are zero, so nothing can be chosen; give a number")
	}
	var grid []point
	for i := range int(pathDecades*pathPerTen) + 1 {
		if err := ctx.Err(); err != nil {
			return choice{}, fmt.Errorf("lambda path stopped: %w", context.Cause(ctx))
		}
		grid = append(grid, c.closed(10*top*math.Pow(10, -float64(i)/pathPerTen)))
	}
	out := choice{
		reml: c.refine(grid, func(p point) float64 { return p.reml }),
		gcv:  c.refine(grid, func(p point) float64 { return p.gcv }),
	}
	if c.shares == nil {
		out.looAt = c.leastLOO(grid, out.reml, by == LOO)
	}
	switch by {
	case GCV:
		out.lambda = out.gcv
	case LOO:
		out.lambda = out.looAt
	default:
		out.lambda = out.reml
	}
	return out, nil
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

// refine finds the least value between the neighbours of the best grid point.
func (c *criteria) refine(grid []point, value func(point) float64) float64 {
	best := 0
	for i, p := range grid {
		if value(p) < value(grid[best]) {
			best = i
		}
	}
	lo, hi := grid[min(best+1, len(grid)-1)].lambda, grid[max(best-1, 0)].lambda
	return golden(lo, hi, func(lambda float64) float64 { return value(c.closed(lambda)) })
}

// golden finds the least value between two λ, by golden sections in log λ.
func golden(from, to float64, f func(lambda float64) float64) float64 {
	const ratio = 0.6180339887498949
	lo, hi := math.Log(from), math.Log(to)
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(math.Exp(a)), f(math.Exp(b))
	for range 16 { // to 0.05 % of the bracket, far below what any criterion can tell
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(math.Exp(a))
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(math.Exp(b))
		}
	}
	return math.Exp((a + b) / 2)
}

// leastLOO follows leave-one-out over the grid, or, where that would be long,
// over three decades around another criterion's choice; asked says to look between the
// points of the grid too.
func (c *criteria) leastLOO(grid []point, near float64, asked bool) (lambda float64) {
	r, my := c.sys.t.Dims()
	all := float64(c.sys.n)*float64(r)*float64(my) <= looWork
	value := math.Inf(1)
	for i, p := range grid {
		if i%pathPerTen != 0 || !all && math.Abs(math.Log10(p.lambda/near)) > 3 {
			continue
		}
		if v := c.loo(p.lambda); v < value {
			lambda, value = p.lambda, v
		}
	}
	if !asked {
		return lambda
	}
	return golden(max(lambda/10, grid[len(grid)-1].lambda), min(10*lambda, grid[0].lambda), c.loo)
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
