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
	r, my := c.Green.Dims()
	p := &point{Closed: c, lambda: lambda, rho: rho, inv: make([]float64, r*my), logD: make([]float64, r)}
	d := make([]float64, my)
	for i := range r {
		for k, g := range c.Green.RawRowView(i) {
			d[k] = 1 + g/lambda
		}
		if !c.Open && c.Out != nil {
			row := c.Row.RawRowView(i)
			for k, q := range c.Out {
				b := row[c.class(k)]
				d[k] += b * b / rho * q
			}
		}
		inv, product, sum := p.inv[i*my:(i+1)*my], 1.0, 0.0
		for k, v := range d {
			inv[k] = 1 / v
			if c.Shares != nil {
				sum += c.Shares.At(i, k) * math.Log(v)
			} else if product *= v; product > 1e250 {
				sum += math.Log(product)
				product = 1
			}
		}
		p.logD[i] = sum + math.Log(product)
	}
	p.solve()
	return p
}

// sheet is all but LOO.
func (p *point) sheet() Sheet {
	quad, zz := p.RSS0+p.penalty, 0.0
	_, my := p.T.Dims()
	for i, t := range p.T.RawMatrix().Data {
		if p.h != nil {
			t -= p.Row.At(i/my, p.class(i%my)) * p.h[i%my]
		}
		z := t * p.inv[i]
		quad += t * z
		zz += z * z
	}
	logDet, modes, left := p.sums()
	free := p.Outputs - modes + left
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
	_, my := o.T.Dims()
	o.bias = bias{h: make([]float64, my), alpha: make([]float64, my), s: make([]float64, my)}
	p, t := make([]float64, my), o.T.RawMatrix().Data
	for i := range len(t) / my {
		row := o.Row.RawRowView(i)
		for k := range my {
			b := row[o.class(k)]
			w := b * o.inv[i*my+k]
			o.s[k] += b * w
			p[k] += w * t[i*my+k]
		}
	}
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
			o.size += y * o.y[k] * o.s[k]
			along += o.y[k] * p[k]
		}
		constant = along / o.size
	}
	for k, a := range o.alpha {
		free := 0.0
		if o.Constant != nil {
			free = constant * o.Constant[k]
		}
		if a > 0 {
			penalised := a * (p[k] - free*o.s[k]) / (1 + a*o.s[k])
			o.penalty += penalised * penalised / a
			free += penalised
		}
		o.h[k] = free
	}
}

// traces is what the bias adds to the log determinant of R⁻¹ and takes from the trace
// of R.
func (o *point) traces() (logDet, less float64) {
	my := len(o.h)
	twice := make([]float64, my) // Σ_i β_ik²/D_ik²
	for i := range len(o.inv) / my {
		row := o.Row.RawRowView(i)
		for k := range my {
			w := row[o.class(k)] * o.inv[i*my+k]
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

// sums are Σ log D, how many modes there are, and Σ 1/D, the part of them that is not
// used: by itself, for it may be far below the rounding of their number.
func (o *point) sums() (logD, modes, left float64) {
	logD = floats.Sum(o.logD)
	if o.Shares == nil {
		return logD, float64(len(o.inv)), floats.Sum(o.inv)
	}
	shares := o.Shares.RawMatrix().Data
	modes, left = floats.Sum(shares), floats.Dot(shares, o.inv)
	if whole := math.Round(modes); math.Abs(modes-whole) < 1e-6 {
		modes = whole // the trace of a projection; not where inputs cancel, whose rows are any
	}
	return logD, modes, left
}
