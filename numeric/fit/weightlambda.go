package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/greenbench/workbench/numeric/solve"
)

// chooseLambda sets λ and ρ of a constrained fit, by the criterion of the constrained
// problem itself. Leaving out whole samples is known only without the constraint;
// its λ is multiplied by the fraction of functions that the constraint leaves: with
// fewer functions to share the same signal each has more of it.
func (w *weightSpace) chooseLambda(ctx context.Context, s *Spec, rep *Report) error {
	w.lambda, w.rho = s.Lambda, s.rho(s.Lambda)
	if s.Lambda > 0 {
		rep.Criterion = "given"
		return nil
	}
	by := s.Criterion
	switch {
	case by == "":
		by = REML
	case by == LOO && w.g.lag != nil:
		return fmt.Errorf("criterion %q: not known for time-invariant fits; choose \"reml\", \"gcv\" or \"cv\"", by)
	case by == LOO && w.there != nil:
		return fmt.Errorf("criterion %q: not known for missing outputs under a constraint; choose \"reml\", \"gcv\" or \"cv\"", by)
	case by == LOO:
		return w.unconstrainedLambda(ctx, s, rep)
	}
	c, err := w.findRules(ctx, by, s)
	if err != nil {
		return err
	}
	rep.Criterion = string(by)
	if rep.LambdaREML, err = c.least(REML); err != nil {
		return err
	}
	if rep.LambdaGCV, err = c.least(GCV); err != nil {
		return err
	}
	w.rules = c
	w.setLambda(c.lambda, s, rep)
	rep.noteEnds(c.lambda, c.top(), c.decades())
	if !c.settled {
		rep.Advice = "lambda was still changing when its search ended: the data have hardly any noise, and a smaller lambda may be better"
	}
	return nil
}

// setLambda takes a λ that was chosen.
func (w *weightSpace) setLambda(lambda float64, s *Spec, rep *Report) {
	w.lambda, w.rho = lambda, w.rules.rho(s, lambda)
	rep.REML, rep.GCV = w.rules.reml(lambda), w.rules.gcv(lambda)
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
		w.setLambda(raiseBy*w.lambda, s, rep)
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
	w.lambda = sys.lambda * w.g.fraction()
	w.rho = sys.rho
	rep.Criterion += " without the constraint"
	return nil
}

// remlOf is REML at the given λ, or at the best one.
func (w *weightSpace) remlOf(ctx context.Context, s *Spec) (float64, error) {
	c, err := w.findRules(ctx, REML, s)
	if err != nil {
		return 0, err
	}
	return c.reml(c.lambda), nil
}
