package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
	"github.com/greenbench/workbench/numeric/progress"
)

// How many fits stand for the sizes that terms may have.
const (
	several        = 4
	manyForFew     = 12 // where the sizes are from all data, which are few then
	manyForKernels = 24 // where kernels were chosen from these, too
)

// widen lets the bands of an output know how uncertain the sizes of its terms are, and that of β,
// where they were chosen: the likelihood is often greatest where a small term is nothing, with a
// band as narrow, or where β is but a constant, and what the groups have in common is then theirs.
// A band is the mean over sizes that the likelihood allows (see [criteria.Components.Plausible]).
func (s *Spec) widen(b *block, e *fit.Estimate, d *dataset.Dataset, sum kernel.DirectSum) {
	if s.Lambda > 0 {
		return
	}
	if b.coupling != nil {
		s.widenCoupled(b, e, d, sum)
		return
	}
	e.WithOthers(func(ctx context.Context, others func(share float64, e *fit.Estimate)) error {
		all, few, err := s.plausible(ctx, b, e)
		if err != nil {
			return fmt.Errorf("std: %w", err)
		}
		values := observedValues(d)
		if e.ChosenIntercept() == fit.Flat {
			values--
		}
		base, amplitude := e.Report.Objective, e.Report.Objective/values
		if few && e.Report.Amplitude > 0 { // of a loss other than squares, whose objective is another
			at := s.specOf(b, d, sum)
			at.Lambda, at.Rho, at.Intercept = e.Report.Lambda, e.Report.Rho, e.ChosenIntercept()
			own, err := fit.Minimise(ctx, at)
			if err != nil {
				return err
			}
			base, amplitude = own.Report.Objective, e.Report.Amplitude
		}
		for i, p := range all {
			progress.Report(ctx, progress.Step{Task: "other sizes of the terms", Done: float64(i), Total: float64(len(all))})
			own := term.Sum(p.terms, p.factors, b.mesh())
			at := s.specOf(b, d, own)
			at.Lambda, at.Rho, at.Intercept = e.Report.Lambda, p.rho, e.ChosenIntercept()
			other, err := fit.Minimise(ctx, at)
			if err != nil {
				return err
			}
			switch r := &other.Report; {
			case !few:
				r.Amplitude = e.Report.Amplitude // of a loss other than squares, which this fit is not of
			case base > 0:
				more := criteria.Wider(values) * r.Objective / base
				r.Amplitude, r.Sigma = more*amplitude, e.Report.Sigma*math.Sqrt(more)
			}
			others(p.share, other)
		}
		return nil
	})
}

// plausible is what kernels, their factors and ρ may be, beside λ as it is.
type plausible struct {
	terms      []*term.Term
	factors    []float64
	rho, share float64
}

// plausible are what the sizes of a block may be.
func (s *Spec) plausible(ctx context.Context, b *block, e *fit.Estimate) (out []plausible, few bool, err error) {
	lambda, rho := e.Report.Lambda, e.Report.Rho
	outs := b.outs
	if b.cutOff != nil {
		outs = []*dataset.Field{b.cutOff}
	}
	r, err := newReduced(ctx, outs, term.Curve(b.terms, b.mesh()), e.ChosenIntercept() == fit.Flat)
	if err != nil {
		return nil, false, err
	}
	given := map[int]float64{}
	for i, t := range b.terms {
		if _, ok := s.Amplitudes[t.Name]; ok {
			given[i] = b.factors[i]
		}
	}
	c, err := newChoice(ctx, s, r, b.terms, given)
	if err != nil {
		return nil, false, err
	}
	at, largest := make(criteria.Sizes, len(c.scale)), 0 // by all data
	for k, scale := range c.scale {
		factor := 1 / rho
		if k < len(b.terms) {
			factor = b.factors[k] / lambda
		}
		if at[k] = criteria.Clamp(math.Log(factor * scale)); k < len(b.terms) && at[k] > at[largest] {
			largest = k
		}
	}
	count := several
	if few = r.whole; few {
		count = manyForFew
	}
	variants, scales, err := c.variants(ctx)
	if err != nil {
		return nil, false, err
	}
	if variants != nil {
		count = manyForKernels
	}
	all, err := c.l.Plausible(ctx, at, c.fixed, variants, count)
	if err != nil {
		return nil, false, err
	}
	noise := 0.0 // of all data, over that of the part which the sizes are from
	if !r.whole {
		noise = at[largest]
		for _, p := range all {
			noise -= p.Share * p.Sizes[largest]
		}
	}
	for _, p := range all {
		own := plausible{terms: slices.Clone(b.terms), factors: slices.Clone(b.factors), rho: rho, share: p.Share}
		for k, scale := range c.scale {
			if k < len(p.Variants) && variants[k] != nil {
				one := *b.terms[k]
				one.Kernel, scale = one.Tried[p.Variants[k]], scales[k][p.Variants[k]]
				own.terms[k] = &one
			}
			switch size := math.Exp(p.Sizes[k]+noise) / scale; {
			case !(scale > 0):
			case k < len(b.terms):
				own.factors[k] = size * lambda
			case s.Rho == 0:
				own.rho = 1 / size
			}
		}
		out = append(out, own)
	}
	return out, few, nil
}

// variants are the covariances of the kernels that terms may have as well, of unit mean diagonal, and what that was; nil where
// all kernels are given, or chosen from many data.
func (c *choice) variants(ctx context.Context) (all [][]*mat.Dense, scales [][]float64, err error) {
	all, scales = make([][]*mat.Dense, len(c.terms)), make([][]float64, len(c.terms))
	some := false
	for i, t := range c.terms {
		for _, k := range t.Tried {
			m, scale, err := c.r.covariance(ctx, t, k)
			if err != nil {
				return nil, nil, err
			}
			if scale > 0 {
				some = true
			}
			all[i], scales[i] = append(all[i], m), append(scales[i], scale)
		}
	}
	if !some {
		return nil, nil, nil
	}
	return all, scales, nil
}

// widenCoupled is widen for outputs that are coupled, and for β alone: a standard deviation of its size has both
// that which is likeliest and one as large as the data allow.
func (s *Spec) widenCoupled(b *block, e *fit.Estimate, d *dataset.Dataset, sum kernel.DirectSum) {
	if s.NoBias || s.Rho > 0 {
		return
	}
	e.WithOthers(func(ctx context.Context, others func(share float64, e *fit.Estimate)) error {
		lambda, rho := e.Report.Lambda, e.Report.Rho
		r, err := newReduced(ctx, b.outs, term.Curve(b.terms, b.mesh()), s.flat())
		if err != nil {
			return err
		}
		c, err := newChoice(ctx, s, r, b.terms, nil)
		if err != nil {
			return err
		}
		upper, err := c.upper(ctx, b, lambda, rho)
		if err != nil {
			return fmt.Errorf("std: %w", err)
		}
		at := s.specOf(b, d, sum)
		at.Lambda, at.Rho, at.Intercept = lambda, rho/math.Exp(upper), e.ChosenIntercept()
		other, err := fit.Minimise(ctx, at)
		if err != nil {
			return err
		}
		other.Report.Amplitude = e.Report.Amplitude
		others(.5, other)
		return nil
	})
}

// upper is how much larger β may be, as a logarithm, beside terms of the sizes of a fit.
func (c *choice) upper(ctx context.Context, b *block, lambda, rho float64) (float64, error) {
	c.r.inUnits(b.coupling.Units)
	at := make([][]float64, len(c.scale))
	for k := range at {
		from, over := b.coupling.Bias, rho
		if k < len(b.terms) {
			from, over = b.coupling.Terms[k], lambda
		}
		at[k] = slices.Clone(from)
		floats.Scale(c.scale[k]/over, at[k])
	}
	l := c.coupled()
	return l.Upper(ctx, l.Sizes(at), len(b.terms))
}

// observedValues is how many outputs there are.
func observedValues(d *dataset.Dataset) float64 { return float64(observed(d.Output.Data)) }
