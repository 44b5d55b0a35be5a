package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/greenbench/workbench/numeric/solve"
)

// chooseLambda sets λ and ρ of a constrained fit, by the criterion of the constrained
// problem itself. Where its matrix is too large leaving out whole samples is known only
// without the constraint; then that λ is multiplied by the fraction of functions that the
// constraint leaves: with fewer functions to share the same signal each has more of it.
func (w *weightSpace) chooseLambda(ctx context.Context, s *Spec, rep *Report) error {
	w.lambda, w.rho = s.Lambda, s.rho(s.Lambda)
	if s.Lambda > 0 {
		rep.Criterion = "given"
		if s.unmeasured {
			return nil
		}
		v, err := w.measured(ctx)
		rep.takeSheet(v)
		return err
	}
	by := s.Criterion
	if by == "" {
		by = REML
	}
	small := w.matrixRows() <= mostMatrix
	switch {
	case by == LOO && small:
	case by == LOO && w.g.Lag() != nil:
		return fmt.Errorf("criterion %q: for time-invariant fits known up to %d values, there are %d; choose \"reml\", \"gcv\" or \"cv\"", by, mostMatrix, w.matrixRows())
	case by == LOO && w.there != nil:
		return fmt.Errorf("criterion %q: for missing outputs known up to %d values, there are %d; choose \"reml\", \"gcv\" or \"cv\"", by, mostMatrix, w.matrixRows())
	case by == LOO:
		return w.unconstrainedLambda(ctx, s, rep)
	}
	start := by
	if by == LOO {
		start = GCV
	}
	c, err := w.findRules(ctx, start, s)
	if err != nil {
		return err
	}
	ch := choice{}
	if ch.reml, err = c.least(REML); err != nil {
		return err
	}
	if ch.gcv, err = c.least(GCV); err != nil {
		return err
	}
	w.rules = c
	v, err := w.decided(ctx, c, by, s)
	if err != nil {
		return err
	}
	rep.Criterion = string(by)
	w.lambda, w.rho = v.lambda, v.rho
	ch.took(by, v.lambda)
	rep.takeSheet(v)
	rep.takeMinimisers(ch)
	rep.noteEnds(v.lambda, c.top(), c.decades())
	if !c.settled && !small {
		rep.Advice = "lambda was still changing when its search ended: the data have hardly any noise, and a smaller lambda may be better"
	}
	return nil
}

// setLambda takes another λ.
func (w *weightSpace) setLambda(ctx context.Context, lambda float64, s *Spec, rep *Report) error {
	w.lambda, w.rho = lambda, w.rules.rho(s, lambda)
	if w.matrixRows() > mostExactGiven {
		rep.takeSheet(w.rules.sheet(lambda, w.rho))
		return nil
	}
	v, err := w.measured(ctx)
	rep.takeSheet(v)
	return err
}

const (
	raises  = 3
	raiseBy = 10 // what λ is raised by
)

// solveChosen solves for the weights. Where a λ that was chosen, not given, is too small
// to be solved for, it is raised.
func (w *weightSpace) solveChosen(ctx context.Context, s *Spec, rep *Report) ([]float64, solve.Report, error) {
	x := make([]float64, rep.Unknowns)
	if w.rules != nil && w.rules.space != nil {
		x = w.rules.space.weights([]int{0})[0]
		w.rules.space = nil // its memory is needed for solving
	}
	out, err := w.solve(ctx, s, x)
	for k := 0; k < raises && w.rules != nil; k++ {
		if small := (*tooSmall)(nil); !errors.As(err, &small) && (err != nil || out.Converged) {
			break
		}
		if err := w.setLambda(ctx, raiseBy*w.lambda, s, rep); err != nil {
			return x, out, err
		}
		rep.Advice = fmt.Sprintf("the best lambda is %.3g, for which the weights could not be found: the data have hardly any noise; lambda was raised", w.rules.lambda)
		out, err = w.solve(ctx, s, x)
	}
	return x, out, err
}

func (w *weightSpace) unconstrainedLambda(ctx context.Context, s *Spec, rep *Report) error {
	free := *s
	free.Constraint = nil
	sys, _, err := newSystem(ctx, &free)
	if err != nil {
		return err
	}
	m, err := newSimultaneous(ctx, sys, &free)
	if err != nil {
		return err
	}
	if err := sys.chooseLambda(ctx, &free, m, rep); err != nil {
		return err
	}
	w.lambda = sys.lambda * w.g.Fraction()
	w.rho = sys.rho
	rep.takeSheet(unknownSheet(w.lambda, w.rho)) // what was computed is of the problem without the constraint
	rep.Criterion += " without the constraint"
	return nil
}

// remlOf is the criteria at the given λ, or where REML is least.
func (w *weightSpace) remlOf(ctx context.Context, s *Spec) (sheet, error) {
	c, err := w.findRules(ctx, REML, s)
	if err != nil {
		return sheet{}, err
	}
	if v := c.sheet(c.lambda, c.rho(s, c.lambda)); w.matrixRows() > rankExact {
		return v, nil
	}
	if s.Lambda == 0 {
		return w.decided(ctx, c, REML, s)
	}
	x, err := w.exactCriteria(ctx)
	if err != nil {
		return sheet{}, err
	}
	return x.at(ctx, s.Lambda, s.rho(s.Lambda))
}
