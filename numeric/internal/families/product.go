package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// product is a product of kernels on the input and the output, in the bases in which
// both are diagonal: with H = I + D/λ the covariance of T,
//
//	REML = ½ (N log(⟨T, H⁻¹ T⟩/N) + log det H)
//
// up to a constant that all candidates share.
type product struct {
	values float64   // N
	rows   *spectrum // of the input
	cols   *spectrum // of the output
	d      []float64 // row-major
	t      []float64 // T in the bases
}

func newProduct(ctx context.Context, s *sample, rows, cols *spectrum) (*product, error) {
	var left, t mat.Dense
	if err := linop.MulContext(ctx, &left, rows.vectors.T(), s.t); err != nil {
		return nil, err
	}
	if err := linop.MulContext(ctx, &t, &left, cols.vectors); err != nil {
		return nil, err
	}
	p := &product{values: s.values, rows: rows, cols: cols, t: t.RawMatrix().Data}
	p.d = make([]float64, 0, len(p.t))
	for _, a := range rows.values {
		for _, b := range cols.values {
			p.d = append(p.d, a*b)
		}
	}
	return p, nil
}

// top is the largest entry of D.
func (p *product) top() float64 {
	return p.rows.values[len(p.rows.values)-1] * p.cols.values[len(p.cols.values)-1]
}

// at is REML at a λ.
func (p *product) at(lambda float64) float64 {
	quad, logs, run := 0.0, 0.0, 1.0
	inverse := 1 / lambda
	for i, d := range p.d {
		h := 1 + d*inverse
		quad += p.t[i] * p.t[i] / h
		if run *= h; run > 1e250 {
			logs += math.Log(run)
			run = 1
		}
	}
	return likelihood(p.values, quad, logs+math.Log(run))
}

func likelihood(values, quad, logDet float64) float64 {
	if !(quad > 0) {
		return math.Inf(1)
	}
	return 0.5 * (values*math.Log(quad/values) + logDet)
}

const (
	decades = 14.0 // of λ, from ten times the largest eigenvalue down
	fine    = 0.02 // decades, to which λ is found: REML is flat there
)

// least is the λ at which a function of its decimal logarithm is least, between from and
// to, by steps of half a decade and golden sections.
func least(from, to float64, f func(log float64) float64) (lambda, atLambda float64) {
	const step = 0.5
	best, value := leastOf(from, to, step, f)
	lo, hi := max(from, best-step), min(to, best+step)
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > fine {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	if fa < fb {
		b, fb = a, fa
	}
	if fb < value {
		best, value = b, fb
	}
	return math.Pow(10, best), value
}

// leastOf is the least of the values at steps between from and to, and where it is.
func leastOf(from, to, step float64, f func(float64) float64) (best, value float64) {
	best, value = from, math.Inf(1)
	for at := from; at <= to+1e-9; at += step {
		if v := f(at); v < value {
			best, value = at, v
		}
	}
	return best, value
}

// best is the λ of least REML, near the one given, or anywhere if that is 0, and REML
// there.
func (p *product) best(near float64) (lambda, value float64) {
	if top := p.top(); !(top > 0) || math.IsInf(top, 0) {
		return 0, math.Inf(1)
	}
	f := func(log float64) float64 { return p.at(math.Pow(10, log)) }
	hi := math.Log10(10 * p.top())
	lo := hi - decades
	if near == 0 {
		return least(lo, hi, f)
	}
	at := math.Log10(near)
	from, to := max(lo, at-1), min(hi, at+1)
	if from >= to {
		return least(lo, hi, f)
	}
	lambda, value = least(from, to, f)
	if log := math.Log10(lambda); log < from+0.1 && from > lo || log > to-0.1 && to < hi {
		return least(lo, hi, f)
	}
	return lambda, value
}
