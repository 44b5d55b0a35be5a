package sizes

import (
	"cmp"
	"context"
	"math"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/model/internal/term"
	"github.com/greenbench/workbench/numeric/progress"
)

// choice is the search for the lengthscales and sizes of terms.
type choice struct {
	r     *reduced
	terms []*term.Term
	fixed map[int]float64 // logarithms of given sizes, up to a common one
	given map[int]float64 // factors of kernels

	l     *criteria.Components
	best  func(ctx context.Context, from criteria.Sizes, fixed map[int]float64, steps int, hopeless float64) (criteria.Sizes, float64, error)
	scale []float64 // of the covariance of each term, and of the bias, for a factor of one
}

const (
	sweeps     = 2  // over the terms
	sizeSteps  = 40 // of the search for the sizes
	trialSteps = 8  // the same for a lengthscale that is tried
)

func (c *choice) setFixed() {
	c.fixed = map[int]float64{}
	for i, a := range c.given {
		if c.scale[i] > 0 {
			c.fixed[i] = math.Log(a * c.scale[i])
		}
	}
}

// run chooses lengthscales one term after the other, twice, each with all sizes anew.
func (c *choice) run(ctx context.Context) (criteria.Sizes, error) {
	best, value, err := c.best(ctx, nil, c.fixed, sizeSteps, math.Inf(1))
	if err != nil {
		return nil, err
	}
	done := 0
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
	}
	return best, nil
}

// try chooses one lengthscale of term i, with all sizes anew, and returns the likelihood and
// the sizes then.
func (c *choice) try(ctx context.Context, i int, o *term.Opening, value float64, best criteria.Sizes, done *int) (float64, criteria.Sizes, error) {
	t, kept := c.terms[i], o.At
	old, scale := c.l.C[i], c.scale[i]
	for _, fraction := range o.Tried {
		progress.Report(ctx, progress.Step{Task: o.What + " of " + cmp.Or(o.Of, t.Name), Done: float64(*done), Label: "tried", Value: fraction})
		*done++
		var err error
		t.Set(o, fraction)
		if c.l.C[i], c.scale[i], err = c.r.covariance(ctx, t, t.Kernel); err != nil {
			return 0, nil, err
		}
		c.setFixed()
		s, v, err := c.best(ctx, best, c.fixed, trialSteps, value)
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
	c.setFixed()
	return value, best, nil
}
