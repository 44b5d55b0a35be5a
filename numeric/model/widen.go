package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/kernel"
)

// widen lets the bands of an output know how uncertain the size of β is, where it was chosen:
// one curve says little of that, and the likelihood is often greatest where β is but a
// constant. What the groups, or other terms, have in common is then theirs, and where β is as
// large as the data allow it is not. A standard deviation of that size has both.
func (s *Spec) widen(b *block, e *fit.Estimate, d *dataset.Dataset, sum kernel.DirectSum) {
	if s.NoBias || s.Rho > 0 || s.Lambda > 0 {
		return
	}
	e.WithOther(.5, func(ctx context.Context) (*fit.Estimate, error) {
		lambda, rho := e.Report.Lambda, e.Report.Rho
		flat := e.ChosenIntercept() == fit.Flat
		if b.coupling != nil {
			flat = s.flat()
		}
		r, err := newReduced(ctx, b.outs, curve(b.terms, b.mesh()), flat)
		if err != nil {
			return nil, err
		}
		c, err := newChoice(ctx, s, r, b.terms, nil)
		if err != nil {
			return nil, err
		}
		upper, err := c.upper(ctx, b, lambda, rho)
		if err != nil {
			return nil, fmt.Errorf("std: %w", err)
		}
		at := s.specOf(b, d, sum)
		at.Lambda, at.Rho, at.Intercept = lambda, rho/math.Exp(upper), e.ChosenIntercept()
		return fit.Minimise(ctx, at)
	})
}

// upper is how much larger β may be, as a logarithm, beside terms of the sizes of a fit.
func (c *choice) upper(ctx context.Context, b *block, lambda, rho float64) (float64, error) {
	beta := len(b.terms)
	if b.coupling == nil {
		sizes := make(criteria.Sizes, len(c.scale))
		for k, f := range b.factors {
			sizes[k] = math.Log(f * c.scale[k] / lambda)
		}
		sizes[beta] = math.Log(c.scale[beta] / rho)
		return c.l.Upper(ctx, sizes, beta)
	}
	c.r.inUnits(b.coupling.Units)
	at := make([][]float64, len(c.scale))
	for k := range at {
		from, over := b.coupling.Bias, rho
		if k < beta {
			from, over = b.coupling.Terms[k], lambda
		}
		at[k] = slices.Clone(from)
		floats.Scale(c.scale[k]/over, at[k])
	}
	l := c.coupled()
	return l.Upper(ctx, l.Sizes(at), beta)
}
