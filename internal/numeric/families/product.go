package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// product is a product of kernels on the input and the output, in the bases in which
// both are diagonal: H = I + D/λ is the covariance of T.
type product struct {
	*sample
	rows *spectrum // of the input
	cols *spectrum // of the output
	d    []float64 // row-major
	t    []float64 // T in the bases
	rest []float64 // the diagonal of what P leaves of the outputs
}

func newProduct(ctx context.Context, s *sample, rows, cols *spectrum) (*product, error) {
	t := linop.Product(ctx, linop.Product(ctx, rows.vectors.T(), s.t), cols.vectors)
	p := &product{sample: s, rows: rows, cols: cols, t: t.RawMatrix().Data, rest: make([]float64, len(cols.values))}
	p.d = make([]float64, 0, len(p.t))
	for _, a := range rows.values {
		for _, b := range cols.values {
			p.d = append(p.d, a*b)
		}
	}
	if s.rest != nil {
		turned := linop.Product(ctx, s.rest, cols.vectors)
		for k := range p.rest {
			p.rest[k] = max(0, mat.Dot(turned.ColView(k), cols.vectors.ColView(k)))
		}
	}
	return p, linop.Stopped(ctx)
}

// top is the largest entry of D.
func (p *product) top() float64 {
	return p.rows.values[len(p.rows.values)-1] * p.cols.values[len(p.cols.values)-1]
}

// at is the criteria at a λ > 0.
func (p *product) at(lambda float64) score {
	quad, logDet, run := 0.0, 0.0, 1.0
	inverse, n := 1/lambda, len(p.rest)
	size, keep := make([]float64, n), make([]float64, n)
	for i := 0; i < len(p.d); i += n {
		for k, d := range p.d[i : i+n] {
			h := 1 + d*inverse
			if run *= h; run > 1e250 {
				logDet += math.Log(run)
				run = 1
			}
			t := p.t[i+k]
			z := t / h
			quad += t * z
			size[k] += z * z
			keep[k] += 1 / h
		}
	}
	left := 0.0
	for k, v := range size {
		share := (keep[k] + p.beyond) / p.pairs
		left += (v + p.rest[k]) / (share * share)
	}
	return newScore(float64(len(p.t)), quad, logDet+math.Log(run), left)
}

// errors are those of predicting the outputs of pairs from the others, in the bases.
func (p *product) errors(lambda float64) *mat.Dense {
	q := len(p.rest)
	e, keep := mat.NewDense(len(p.t)/q, q, nil), make([]float64, q)
	for i, d := range p.d {
		e.RawMatrix().Data[i] = p.t[i] / (1 + d/lambda)
		keep[i%q] += 1 / (1 + d/lambda)
	}
	e.Apply(func(_, k int, v float64) float64 { return v * p.pairs / (keep[k] + p.beyond) }, e)
	return e
}

// byPair is the squares of errors, summed over the output: of each pair, or of each direction
// of the inputs that P takes.
func (p *product) byPair(ctx context.Context, errors *mat.Dense) []float64 {
	e := linop.Product(ctx, p.rows.vectors, errors)
	n, _ := e.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = floats.Dot(e.RawRowView(i), e.RawRowView(i))
	}
	return out
}

// score is what candidates are compared by, but for constants that all share. With N
// values of T,
//
//	REML = ½ (N log(⟨T, H⁻¹ T⟩/N) + log det H)
//	LOO  = ½ N log(Σ ‖e‖²/N)
//
// where e is the error of predicting the outputs of a pair from the other pairs, by their
// residuals and the mean over all pairs of their block of H⁻¹.
type score struct{ reml, loo float64 }

func newScore(values, quad, logDet, left float64) score {
	if !(quad > 0 && left > 0) {
		return score{math.Inf(1), math.Inf(1)}
	}
	half := values / 2
	return score{reml: half*math.Log(quad/values) + logDet/2, loo: half * math.Log(left/values)}
}

// sum is the criterion. Where the kernel does not hold for G, which is never a sample of
// the process that it stands for, the likelihood tells too little noise and leaving out
// pairs too much; the sum errs less than both.
func (s score) sum() float64 { return s.reml + s.loo }

const (
	decades    = 14.0 // of λ, from ten times the largest eigenvalue down
	halfDecade = 0.5
	fine       = 0.02 // decades, to which λ is found: the criteria are flat there
)

// least is the number for whose decimal logarithm, between from and to, a function is least,
// by steps and then golden sections, and the value there.
func least(from, to, step, fine float64, f func(log float64) float64) (number, value float64) {
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

// best is the λ that is best, near the one given, or anywhere if that is 0, and the
// criterion there.
func (p *product) best(near float64) (lambda, value float64) {
	if top := p.top(); !(top > 0) || math.IsInf(top, 0) {
		return 0, math.Inf(1)
	}
	f := func(log float64) float64 { return p.at(math.Pow(10, log)).sum() }
	hi := math.Log10(10 * p.top())
	lo := hi - decades
	if near == 0 {
		return least(lo, hi, halfDecade, fine, f)
	}
	at := math.Log10(near)
	from, to := max(lo, at-1), min(hi, at+1)
	if from >= to {
		return least(lo, hi, halfDecade, fine, f)
	}
	lambda, value = least(from, to, halfDecade, fine, f)
	if log := math.Log10(lambda); log < from+0.1 && from > lo || log > to-0.1 && to < hi {
		return least(lo, hi, halfDecade, fine, f)
	}
	return lambda, value
}
