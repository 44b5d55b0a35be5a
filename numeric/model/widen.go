package model

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/kernel"
)

// widen lets the bands of an output know how uncertain the size of β is, where it was chosen:
// one curve says little of that, and the likelihood is often greatest where β is but a
// constant. What the groups, or other terms, have in common is then theirs, and where β is as
// large as the data allow it is not. A standard deviation of that size has both.
func (s *Spec) widen(o *Output, out *dataset.Field, terms []*term, factors []float64, d *dataset.Dataset, sum kernel.DirectSum) {
	if s.NoBias || s.Rho > 0 || s.Lambda > 0 {
		return
	}
	lambda, rho := o.Report.Lambda, o.Report.Rho
	o.fit.WithOther(func(ctx context.Context) (*fit.Estimate, error) {
		intercept := o.fit.ChosenIntercept()
		r, err := newReduced(ctx, out, curve(terms, out.Mesh), intercept == fit.Flat)
		if err != nil {
			return nil, err
		}
		c, err := newChoice(ctx, s, r, terms, nil)
		if err != nil {
			return nil, err
		}
		sizes, beta := make(criteria.Sizes, len(c.scale)), len(terms)
		for k, f := range factors {
			sizes[k] = math.Log(f * c.scale[k] / lambda)
		}
		sizes[beta] = math.Log(c.scale[beta] / rho)
		upper, err := c.l.Upper(ctx, sizes, beta)
		if err != nil {
			return nil, fmt.Errorf("std: %w", err)
		}
		at := s.specOf(d, sum, terms)
		at.Lambda, at.Rho, at.Intercept = lambda, rho/math.Exp(upper), intercept
		return fit.Minimise(ctx, at)
	})
}
