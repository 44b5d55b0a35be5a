package sizes

import (
	"cmp"
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// choice is the search for the lengthscales and sizes of terms.
type choice struct {
	r     *reduced
	terms []*term.Term
	given map[int]float64 // factors of kernels

	lambda, rho float64 // 0: chosen

	l      *criteria.Components
	best   func(ctx context.Context, from criteria.Sizes, limits criteria.Limits, steps int, hopeless float64) (criteria.Sizes, float64, error)
	limits func() criteria.Limits // as scale is
	scale  []float64              // of the covariance of each term, and of the bias, for a factor of one
}

const (
	sweeps     = 2  // over the terms
	sizeSteps  = 40 // of the search for the sizes
	trialSteps = 8  // the same for a lengthscale that is tried
)

// ofFactors are the limits of sizes of factors that are given, of λ and of ρ: a factor a of a kernel is the size
// a scale/λ, and the largest factor is one where none is given.
func (c *choice) ofFactors() criteria.Limits {
	var l criteria.Limits
	given, largest := map[int]float64{}, map[int]float64{}
	for i := range c.terms {
		if a, ok := c.given[i]; ok && c.scale[i] > 0 {
			given[i] = math.Log(a * c.scale[i])
		}
	}
	l.Apart = given
	if c.lambda > 0 {
		l.Apart, l.Held = nil, given
		for i := range given {
			given[i] -= math.Log(c.lambda)
		}
		for i := range c.terms {
			if c.scale[i] > 0 {
				largest[i] = math.Log(c.scale[i] / c.lambda)
			}
		}
		if len(given) == 0 && len(largest) > 0 {
			l.Below = append(l.Below, largest)
		}
	}
	if bias := len(c.terms); c.rho > 0 && bias < len(c.scale) && c.scale[bias] > 0 {
		if l.Held == nil {
			l.Held = map[int]float64{}
		}
		l.Held[bias] = math.Log(c.scale[bias] / c.rho)
	}
	return l
}

// ofVariances are the same for outputs that are coupled by l, each of which has a variance for each term, and
// in units of its noise the largest of all terms is one, as that of β is.
func (c *choice) ofVariances(l *criteria.Coupled) criteria.Limits {
	var limits criteria.Limits
	largest := func(over float64, from, to int) {
		list := map[int]float64{}
		for t := from; t < to; t++ {
			for o := range l.Outputs {
				if c.scale[t] > 0 {
					list[l.Variance(t, o)] = math.Log(c.scale[t] / over)
				}
			}
		}
		if over > 0 && len(list) > 0 {
			limits.Below = append(limits.Below, list)
		}
	}
	largest(c.lambda, 0, len(c.terms))
	largest(c.rho, len(c.terms), len(c.scale))
	return limits
}

// run chooses lengthscales one term after the other, twice, each with all sizes anew, and the sizes for these at last.
func (c *choice) run(ctx context.Context) (criteria.Sizes, error) {
	best, value, err := c.best(ctx, nil, c.limits(), sizeSteps, math.Inf(1))
	if err != nil {
		return nil, err
	}
	done, chosen := 0, false
	for range sweeps {
		moved := false
		for i, t := range c.terms {
			for _, o := range t.Open {
				before := value
				if value, best, err = c.try(ctx, i, o, value, best, &done); err != nil {
					return nil, err
				}
				moved = moved || value < before
			}
		}
		if !moved {
			break
		}
		chosen = true
	}
	if chosen {
		best, _, err = c.best(ctx, best, c.limits(), sizeSteps, math.Inf(1))
	}
	return best, err
}

// at has the covariance of term i as its kernel is now, and the best sizes of all terms with it.
func (c *choice) at(ctx context.Context, i int, from criteria.Sizes, value float64) (s criteria.Sizes, v float64, err error) {
	ctx, end := progress.During(ctx, "one kernel")
	defer end()
	if c.l.C[i], c.scale[i], err = c.r.covariance(ctx, c.terms[i], c.terms[i].Kernel); err != nil {
		return nil, 0, err
	}
	return c.best(ctx, from, c.limits(), trialSteps, value)
}

// try chooses one lengthscale of term i, with all sizes anew, and returns the likelihood and
// the sizes then.
func (c *choice) try(ctx context.Context, i int, o *term.Opening, value float64, best criteria.Sizes, done *int) (float64, criteria.Sizes, error) {
	t, kept := c.terms[i], o.At
	old, scale := c.l.C[i], c.scale[i]
	for _, fraction := range o.Tried {
		progress.Report(ctx, progress.Step{Task: o.What + " of " + cmp.Or(o.Of, t.Name), Done: float64(*done), Label: "tried", Value: fraction})
		*done++
		t.Set(o, fraction)
		s, v, err := c.at(ctx, i, best, value)
		if err != nil {
			return 0, nil, err
		}
		if v < value-1e-3 {
			value, best, kept = v, s, fraction
			old, scale = c.l.C[i], c.scale[i]
		}
	}
	c.l.C[i], c.scale[i] = old, scale
	t.Set(o, kept)
	return value, best, nil
}
