package criteria

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	looWork       = 4e7 // largest pairs r my for which LOO is followed along the whole path
	looReach      = 3   // decades of λ that it is followed for otherwise
	closedLOOWork = 1e9 // largest for which LOO is computed at all but on request
)

// What a search along the closed form takes as a rule: evaluations of all but LOO, of LOO where that is followed along a path
// and where it walks, and the matrix products of one.
const (
	usualEvaluations = 110
	usualLOO         = 9
	usualWalk        = 5
	productsOfLOO    = 3
)

// ClosedSearch is about how many values of D a search along the closed form inverts, and how many operations the matrix
// products of LOO are.
func ClosedSearch(pairs, rows, outputs float64) (inverted, operations float64) {
	work, times := pairs*rows*outputs, 0.0
	switch {
	case work <= looWork:
		times = usualLOO
	case work <= closedLOOWork:
		times = usualWalk
	}
	return usualEvaluations * rows * outputs, 2 * productsOfLOO * times * work
}

// Tied implements Model.
func (c *Closed) Tied() bool { return false }

// Along implements Model.
func (c *Closed) Along(_ context.Context, p Penalty) (Curve, error) {
	return closedCurve{c, p, map[float64]Sheet{}}, nil
}

// Unit is ρ/λ for which the terms of G and β in the covariance of the data have equal
// traces; 0 where one of them is nothing.
func (c *Closed) Unit() float64 {
	if c.Row == nil || c.Out == nil {
		return 0
	}
	bias := 0.0
	for k, q := range c.Out {
		beta := c.Row.ColView(c.class(k))
		bias += mat.Dot(beta, beta) * q
	}
	if unit := bias / mat.Sum(c.Green); unit > 0 && !math.IsInf(unit, 0) {
		return unit
	}
	return 0
}

// closedCurve is the criteria along a path.
type closedCurve struct {
	*Closed
	p     Penalty
	known map[float64]Sheet // by λ, without LOO: every criterion is looked for on one grid
}

// Top implements Curve: the largest entry of G in λ(D - 1), and of the bias, if that is in
// it and ρ goes with λ.
func (c closedCurve) Top() float64 {
	top := mat.Max(c.Green)
	if !(top > 0) || c.Open || c.Out == nil || c.p.Rho > 0 {
		return top
	}
	most := 0.0
	for _, b := range c.Row.RawMatrix().Data {
		most = max(most, b*b)
	}
	return max(top, most*floats.Max(c.Out)/c.p.Ratio)
}

// Reach implements Curve.
func (c closedCurve) Reach(by Criterion) float64 {
	switch pairs, _ := c.P.Dims(); {
	case by != LOO:
		return math.Inf(1)
	case c.Shares != nil || c.Constant != nil && pairs < 2:
		return 0
	case c.work() > looWork:
		return looReach
	}
	return math.Inf(1)
}

// work is what LOO costs at one λ.
func (c *Closed) work() float64 {
	r, my := c.T.Dims()
	n, _ := c.P.Dims()
	return float64(n) * float64(r) * float64(my)
}

// Value implements Curve.
func (c closedCurve) Value(ctx context.Context, by Criterion, lambda float64) (float64, error) {
	if by == LOO {
		return c.at(lambda, c.p.At(lambda)).loo(ctx)
	}
	v, ok := c.known[lambda]
	if !ok {
		v = c.at(lambda, c.p.At(lambda)).sheet()
		c.known[lambda] = v
	}
	return v.Of(by), nil
}

// Sheet implements Curve.
func (c closedCurve) Sheet(ctx context.Context, lambda float64) (Sheet, error) {
	return c.At(ctx, lambda, c.p.At(lambda))
}

// At implements Evaluator.
func (c *Closed) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	at := c.at(lambda, rho)
	out := at.sheet()
	if (closedCurve{Closed: c}).Reach(LOO) == 0 || c.work() > closedLOOWork {
		return out, nil
	}
	var err error
	out.LOO, err = at.loo(ctx)
	return out, err
}

func (c *Closed) at(lambda, rho float64) *point {
	p := &point{Closed: c, diagonal: c.diagonal(lambda, rho), rho: rho}
	p.solve()
	return p
}

// sheet is all but LOO; it costs a sum over the modes of the outputs.
func (p *point) sheet() Sheet {
	quad, zz := p.RSS0+p.penalty+floats.Sum(p.quad), floats.Sum(p.zz)
	for k, h := range p.h {
		off := h - p.best[k]
		quad += off * off * p.s[k]
		zz += off * (off*p.twice[k] - 2*p.across[k])
	}
	logDet, free := p.logD, p.Outputs-p.modes+p.left
	values := p.Outputs
	if p.h != nil {
		det, less := p.traces()
		logDet += det
		free -= less
	}
	if p.Constant != nil {
		values--
	}
	return Sheet{
		Lambda: p.lambda, Rho: p.rho, LOO: math.NaN(), ResidualDF: free, LogDet: logDet, EffectiveDF: values - free,
		Slope: slope(values, quad, p.RSS0, zz, values-free), RhoSlope: math.NaN(),
		REML: 0.5 * (values*math.Log(quad/values) + logDet),
		GCV:  p.Outputs * (p.RSS0 + zz) / (free * free),
	}
}

// solve solves for the bias.
func (o *point) solve() {
	if o.Row == nil {
		return
	}
	my := len(o.s)
	o.bias = bias{h: make([]float64, my), alpha: make([]float64, my)}
	if o.Open {
		for k, q := range o.Out {
			o.alpha[k] = q / o.rho
		}
	}
	constant := 0.0
	if o.Constant != nil {
		o.y = make([]float64, my)
		along := 0.0
		for k, y := range o.Constant {
			o.y[k] = y / (1 + o.alpha[k]*o.s[k])
			own := o.y[k] * o.s[k]
			o.size += y * own
			along += own * o.best[k]
		}
		constant = along / o.size
	}
	for k, a := range o.alpha {
		free := 0.0
		if o.Constant != nil {
			free = constant * o.Constant[k]
		}
		if a > 0 {
			penalised := a * o.s[k] * (o.best[k] - free) / (1 + a*o.s[k])
			o.penalty += penalised * penalised / a
			free += penalised
		}
		o.h[k] = free
	}
}

// traces is what the bias adds to the log determinant of R⁻¹ and takes from the trace
// of R.
func (o *point) traces() (logDet, less float64) {
	for k, a := range o.alpha {
		logDet += math.Log1p(a * o.s[k])
		less += a / (1 + a*o.s[k]) * o.twice[k]
		if o.y != nil {
			less += o.y[k] * o.y[k] * o.twice[k] / o.size
		}
	}
	if o.y != nil {
		logDet += math.Log(o.size)
	}
	return logDet, less
}
