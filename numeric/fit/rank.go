package fit

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/numeric/solve"
)

// contender is one of several kernels of the same data that REML chooses from.
type contender struct {
	value, err float64 // REML at its λ, and its standard error; NaN: not known
	fall       float64 // what was taken off the value at the λ it was computed at
	bound      bool    // the value is of the diagonal of the preconditioner: an upper bound
	probed     *probedCriteria
}

const (
	apart     = 3   // standard errors, that decide between two values
	undecided = 0.5 // nats, that are not worth deciding
	mostMore  = 6   // blocks of random vectors besides the first
)

// contend evaluates a system near the λ where REML is least, or at the one given. What
// REML falls from there to the minimum is added from its derivative.
func (sys *system) contend(ctx context.Context, s *Spec) (*contender, error) {
	m, err := newSimultaneous(ctx, sys, s)
	if err != nil {
		return nil, err
	}
	c := newCriteria(ctx, sys, m, s)
	lambda := s.Lambda
	if lambda == 0 {
		ch, err := c.choose(ctx, REML)
		if err != nil {
			return nil, err
		}
		lambda = ch.lambda
	}
	rho := c.rhoAt(lambda)
	if err := m.settle(ctx, sys, c.ratio); err != nil {
		return nil, err
	}
	if sys.isDiagonal(ctx, m, lambda, rho) && c.separates(ctx) {
		return &contender{value: c.closed(lambda).reml}, nil
	}
	e, err := sys.exactly(ctx, m, rankExact)
	if err != nil {
		return nil, err
	}
	out := &contender{}
	if e == nil {
		if out.probed = sys.probedCriteria(ctx, s, m, c); out.probed == nil {
			return &contender{value: c.closed(lambda).reml, bound: true}, nil
		}
		e = out.probed
	}
	v, err := e.at(ctx, lambda, rho)
	switch {
	case errors.Is(err, solve.ErrNotPositive):
		return &contender{value: math.NaN()}, nil
	case err != nil:
		return nil, err
	}
	if s.Lambda == 0 {
		out.fall = c.fall(v, s.Rho > 0)
	}
	out.value, out.err = v.reml-out.fall, v.remlErr
	return out, nil
}

// fall is what REML is above its minimum by, from its slope at a sheet and the closed
// form's curvature there, for a minimum that is near.
func (c *criteria) fall(v sheet, rhoFixed bool) float64 {
	slope := v.slope
	if rhoFixed {
		slope -= v.rhoSlope
	}
	const h = 0.2 // of log λ
	around := c.closed(v.lambda*math.Exp(h)).reml + c.closed(v.lambda*math.Exp(-h)).reml
	curvature := (around - 2*c.closed(v.lambda).reml) / (h * h)
	if !(curvature > 0) || math.IsNaN(slope) {
		return 0
	}
	step := min(math.Abs(slope)/curvature, trust)
	return step * (math.Abs(slope) - curvature*step/2)
}

// settle lets go of what is no longer needed for contenders that have lost. At the end of
// the field it adds random vectors for those that have not, until one is decided on or
// the difference is not worth it.
func settle(ctx context.Context, field []*contender, end bool) error {
	for round := 0; ; round++ {
		best := leader(field)
		if best < 0 {
			return nil
		}
		open := false
		for i, c := range field {
			switch {
			case i == best:
			case !c.rivals(field[best]):
				c.probed = nil
			default:
				open = true
			}
		}
		if !end || !open || round == mostMore {
			return nil
		}
		for i, c := range field {
			if c.probed == nil || i != best && !c.rivals(field[best]) {
				continue
			}
			v, err := c.probed.more(ctx)
			if err != nil {
				return err
			}
			c.value, c.err = v.reml-c.fall, v.remlErr
		}
	}
}

// rivals reports whether it is not decided that the best is better, and worth deciding.
func (c *contender) rivals(best *contender) bool {
	err := math.Hypot(c.err, best.err)
	return err > undecided && c.value-best.value < apart*err
}

// leader is the contender of the least value, -1 if none has one.
func leader(field []*contender) int {
	best := -1
	for i, c := range field {
		if !math.IsNaN(c.value) && !math.IsInf(c.value, 0) && (best < 0 || c.value < field[best].value) {
			best = i
		}
	}
	return best
}

// winner is the leader, and what is to be said about how sure that is.
func winner(field []*contender) (best int, doubt string) {
	best = leader(field)
	for i, c := range field {
		switch {
		case c.bound:
			return best, " in its diagonal approximation (the problem is too large for more)"
		case best >= 0 && i != best && c.rivals(field[best]):
			doubt = " (others are no worse within the error of its estimate)"
		}
	}
	return best, doubt
}
