package fit

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/numeric/solve"
)

// Limits to what the criteria may cost beside a fit: an evaluation from the matrix takes
// half a second of one processor for 1,600 rows, 5 s for 4,000; from random vectors some
// times what a solve does, with errors of some tenths of a nat as a rule.
const (
	mostExact       = 1200 // rows of a matrix that is factored to choose λ
	mostMatrix      = 2000 // the same for constraints and missing outputs, where less else is to be had
	mostLOO         = 4000 // the same to choose λ by leaving out pairs, which nothing else tells
	mostExactGiven  = 1000 // to report the criteria at a λ that was given
	mostProbedGiven = 5000 // unknowns whose criteria are estimated for that
	rankExact       = 800  // rows of a matrix that is factored for each of several kernels
	closedLOOWork   = 1e9  // n r my, up to which LOO is computed in closed form
)

// unknownSheet is that of a λ and ρ where nothing was computed.
func unknownSheet(lambda, rho float64) sheet {
	nan := math.NaN()
	return sheet{lambda: lambda, rho: rho, reml: nan, gcv: nan, loo: nan}
}

// sheet is the closed form at λ: exact where the preconditioner is the operator.
func (c *criteria) sheet(ctx context.Context, lambda float64) sheet {
	v, m := c.closed(lambda), c.at(lambda)
	out := sheet{lambda: lambda, rho: m.rho, reml: v.reml, gcv: v.gcv, loo: math.NaN()}
	r, my := c.sys.t.Dims()
	if c.shares == nil && (c.y == nil || c.sys.n > 1) && float64(c.sys.n)*float64(r)*float64(my) <= closedLOOWork {
		out.loo = c.loo(ctx, lambda)
	}
	return out
}

// measured is the criteria at the λ and ρ of the system: in closed form where that is
// exact, from the matrix where it is small, then from random vectors, and not known where
// these would take much longer than the fit.
func (sys *system) measured(ctx context.Context, s *Spec, m *simultaneous, c *criteria) (sheet, error) {
	if sys.orbit == nil && sys.isDiagonal(ctx, m, sys.lambda, sys.rho) {
		return c.sheet(ctx, sys.lambda), nil
	}
	unknown := unknownSheet(sys.lambda, sys.rho)
	e, err := sys.exactly(ctx, m, mostExactGiven)
	if err != nil {
		return unknown, err
	}
	if e == nil && sys.isDiagonal(ctx, m, sys.lambda, sys.rho) && c.separates(ctx) {
		return c.sheet(ctx, sys.lambda), nil
	}
	if e == nil {
		p := sys.probedCriteria(ctx, s, m, c)
		if p == nil || len(m.green.RawMatrix().Data) > mostProbedGiven {
			return unknown, nil
		}
		e = p
	}
	v, err := e.at(ctx, sys.lambda, sys.rho)
	if errors.Is(err, solve.ErrNotPositive) {
		return unknown, nil // rounding has eaten the smallest eigenvalues up
	}
	return v, err
}

// exactly is the evaluator from the matrix, nil where that has more than most rows.
func (sys *system) exactly(ctx context.Context, m *simultaneous, most int) (evaluator, error) {
	var x *exactCriteria
	var err error
	switch {
	case sys.orbit != nil && sys.outputs() <= most:
		x, err = sys.orbit.exact(ctx)
	case sys.orbit == nil && len(m.green.RawMatrix().Data) <= most:
		x, err = sys.exactCriteria(ctx, m.weighted)
	}
	if err != nil || x == nil {
		return nil, err
	}
	return x, nil
}

// decided is the criteria at the λ that is best by one of them, and that λ: the choice of
// the closed form where that is exact; from there by search with the matrix where it is
// small, and with random vectors otherwise. Where neither is possible the choice stays,
// and the criteria are not known.
func (sys *system) decided(ctx context.Context, s *Spec, m *simultaneous, c *criteria, by Criterion, ch choice) (sheet, error) {
	from, rho := ch.lambda, c.rhoAt
	closed := sys.isDiagonal(ctx, m, from, rho(from)) && c.separates(ctx)
	if closed && sys.orbit == nil {
		return c.sheet(ctx, from), nil
	}
	most := mostExact
	if by == LOO {
		most = mostLOO
	}
	e, err := sys.exactly(ctx, m, most)
	if err != nil {
		return sheet{}, err
	}
	if e == nil && closed {
		return c.sheet(ctx, from), nil
	}
	if e == nil {
		p := sys.probedCriteria(ctx, s, m, c)
		if p == nil {
			return unknownSheet(from, rho(from)), nil
		}
		if len(m.green.RawMatrix().Data) <= fewUnknowns {
			p.blocks = chosenBlocks
		}
		e = p
	}
	var v sheet
	if _, exact := e.(*exactCriteria); !exact && (by == LOO || len(m.green.RawMatrix().Data) > manyUnknowns) {
		v, err = e.at(ctx, from, rho(from))
	} else {
		v, err = c.search(ctx, by, ch.top).run(ctx, e, float64(sys.outputs()), from)
	}
	if errors.Is(err, solve.ErrNotPositive) {
		return unknownSheet(from, rho(from)), nil
	}
	if err != nil {
		return v, err
	}
	if p, ok := e.(*probedCriteria); ok {
		sys.start = p.z
	}
	return s.polished(ctx, e, by, v)
}

// polished lets ρ/λ move too, where that is free and costs little.
func (s *Spec) polished(ctx context.Context, e evaluator, by Criterion, v sheet) (sheet, error) {
	x, exact := e.(*exactCriteria)
	if !exact || by != REML || !s.freeRatio() || x.bias == nil || len(x.t) > fineRows {
		return v, nil
	}
	return polish(ctx, x, v)
}

// search looks near the least value of the closed form.
func (c *criteria) search(ctx context.Context, by Criterion, highest float64) *search {
	top := math.Log(10 * highest)
	s := &search{by: by, rho: c.rhoAt, lo: top - pathDecades*math.Ln10, hi: top}
	if len(c.sys.t.RawMatrix().Data) <= fineRows {
		s.step = fineStep
	}
	outputs := float64(c.sys.outputs())
	s.model = func(l float64) float64 {
		v := sheet{}
		if lambda := math.Exp(l); by == LOO {
			v.loo = c.loo(ctx, lambda)
		} else {
			at := c.closed(lambda)
			v.reml, v.gcv = at.reml, at.gcv
		}
		return s.nats(v, outputs)
	}
	return s
}
