package sizes

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// How many fits stand for the sizes that terms may have.
const (
	several        = 4
	manyForFew     = 12 // where the sizes are from all data, which are few then
	manyForKernels = 24 // where kernels were chosen from these, too
)

// Sized is what kernels, their factors and ρ may be, beside λ as it is.
type Sized struct {
	Terms      []*term.Term
	Factors    []float64
	Rho, Share float64
}

// Plausible are what the sizes of a block may be.
func (q *Question) Plausible(ctx context.Context, factors []float64, lambda, rho float64) (out []Sized, few bool, err error) {
	c, err := q.choice(ctx)
	if err != nil {
		return nil, false, err
	}
	at, largest := make(criteria.Sizes, len(c.scale)), 0 // by all data
	for k, scale := range c.scale {
		factor := 1 / rho
		if k < len(q.Terms) {
			factor = factors[k] / lambda
		}
		if at[k] = criteria.Clamp(math.Log(factor * scale)); k < len(q.Terms) && at[k] > at[largest] {
			largest = k
		}
	}
	count := several
	if few = c.r.whole; few {
		count = manyForFew
	}
	variants, scales, err := c.variants(ctx)
	if err != nil {
		return nil, false, err
	}
	if variants != nil {
		count = manyForKernels
	}
	all, err := c.l.Plausible(ctx, at, c.limits(), variants, count)
	if err != nil {
		return nil, false, err
	}
	noise := 0.0 // of all data, over that of the part which the sizes are from
	if !c.r.whole {
		noise = at[largest]
		for _, p := range all {
			noise -= p.Share * p.Sizes[largest]
		}
	}
	for _, p := range all {
		own := Sized{Terms: slices.Clone(q.Terms), Factors: slices.Clone(factors), Rho: rho, Share: p.Share}
		for k, scale := range c.scale {
			if k < len(p.Variants) && variants[k] != nil {
				one := *q.Terms[k]
				one.Kernel, scale = one.Tried[p.Variants[k]], scales[k][p.Variants[k]]
				own.Terms[k] = &one
			}
			switch size := math.Exp(p.Sizes[k]+noise) / scale; {
			case !(scale > 0):
			case k < len(q.Terms):
				own.Factors[k] = size * lambda
			default:
				own.Rho = 1 / size
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

// Upper is how much larger β may be, as a logarithm, beside terms of the sizes of a fit.
func (q *Question) Upper(ctx context.Context, coupling *Coupling, lambda, rho float64) (float64, error) {
	c, err := q.choice(ctx)
	if err != nil {
		return 0, err
	}
	c.r.inUnits(coupling.Units)
	at := make([][]float64, len(c.scale))
	for k := range at {
		from, over := coupling.Bias, rho
		if k < len(q.Terms) {
			from, over = coupling.Terms[k], lambda
		}
		at[k] = slices.Clone(from)
		floats.Scale(c.scale[k]/over, at[k])
	}
	l := c.coupled()
	return l.Upper(ctx, l.Sizes(at), len(q.Terms))
}
