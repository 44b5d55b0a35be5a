package fit

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/solve"
)

// observedCount is how many output values are there.
func observedCount(d *dataset.Dataset) int {
	n := 0
	for _, v := range d.Output.Data {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// measured is the criteria at the λ and ρ of a constrained fit, from the matrix of what
// was observed where it is small, and not known otherwise.
func (w *weightSpace) measured(ctx context.Context) (sheet, error) {
	unknown := unknownSheet(w.lambda, w.rho)
	if w.matrixRows() > mostExactGiven {
		return unknown, nil
	}
	x, err := w.exactCriteria(ctx)
	if err != nil {
		return unknown, err
	}
	v, err := x.at(ctx, w.lambda, w.rho)
	if errors.Is(err, solve.ErrNotPositive) {
		return unknown, nil
	}
	return v, err
}

// decided is the criteria at the λ that is best by one of them: from the rules, and where
// the matrix is small by search with that, from their choice.
func (w *weightSpace) decided(ctx context.Context, c *spectralRules, by Criterion, spec *Spec) (sheet, error) {
	rules := c.sheet(c.lambda, c.rho(spec, c.lambda))
	if w.matrixRows() > mostMatrix {
		return rules, nil
	}
	x, err := w.exactCriteria(ctx)
	if err != nil {
		return sheet{}, err
	}
	top := math.Log(10 * c.top())
	s := &search{by: by, lo: top - pathDecades*math.Ln10, hi: top}
	if len(x.t) <= fineRows {
		s.step = fineStep
	}
	s.rho = func(lambda float64) float64 { return c.rho(spec, lambda) }
	s.model = func(l float64) float64 {
		at := c.sheet(math.Exp(l), 0)
		at.loo = at.gcv
		return s.nats(at, float64(c.outputs))
	}
	v, err := s.run(ctx, x, float64(c.outputs), c.lambda)
	if errors.Is(err, solve.ErrNotPositive) {
		return rules, nil
	}
	if err != nil {
		return v, err
	}
	return spec.polished(ctx, x, by, v)
}

// sheet is the criteria by the rules: exact with all eigenvalues, at the ρ/λ of these.
func (s *spectralRules) sheet(lambda, rho float64) sheet {
	out := sheet{lambda: lambda, rho: rho, reml: s.reml(lambda), gcv: s.gcv(lambda), loo: math.NaN(), freedom: s.freedom(lambda)}
	out.free = float64(s.values) - out.freedom
	if s.space != nil || len(s.probes) > 1 {
		out.remlErr = 0.5 * s.spread(func(x float64) float64 { return math.Log1p(x / lambda) })
		out.freeErr = s.spread(func(x float64) float64 { return x / (x + lambda) })
	}
	if !s.settled { // the space is too small to say by how much
		out.remlErr, out.freeErr = math.Inf(1), math.Inf(1)
	}
	return out
}

// spread is the standard error of a trace: by the differences of the probes, and where
// these are few at most that of ⟨z, f(A) z⟩ for random signs z, of variance 2 tr f(A)².
func (s *spectralRules) spread(f func(x float64) float64) float64 {
	var v []float64
	for _, p := range s.probes {
		v = append(v, p.integral(f))
	}
	if len(v) >= fewProbes {
		return mean(v).err
	}
	square := s.trace(func(x float64) float64 { return f(x) * f(x) })
	return math.Sqrt(2 * square / float64(len(v)))
}

// fewProbes is how many differ enough to say by how much.
const fewProbes = 4

// matrixRows is how many rows the matrix of what was observed has.
func (w *weightSpace) matrixRows() int {
	if w.there == nil {
		return len(w.t)
	}
	return w.outputs()
}
