package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// maxRepeats bounds how often λ is chosen again for a given ρ.
const maxRepeats = 5

// chooseLambda sets λ and ρ of a constrained fit, by the criterion of the constrained
// problem itself. Leaving out whole samples is known only without the constraint;
// its λ is multiplied by the fraction of functions that the constraint leaves: with
// fewer functions to share the same signal each has more of it.
func (w *weightSpace) chooseLambda(ctx context.Context, s *Spec, rep *Report) error {
	w.lambda, w.rho = s.Lambda, s.Rho
	if s.Lambda > 0 {
		rep.Criterion = "given"
		if s.Rho == 0 {
			w.rho = s.Lambda
		}
		return nil
	}
	by := s.Criterion
	switch {
	case by == "":
		by = REML
	case by == LOO && w.g.lag != nil:
		return fmt.Errorf("criterion %q: not known for time-invariant fits; choose \"reml\", \"gcv\" or \"cv\"", by)
	case by == LOO:
		return w.unconstrainedLambda(ctx, s, rep)
	}
	c, err := w.settle(ctx, by, s.Rho)
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
	w.lambda = rep.LambdaREML
	if by == GCV {
		w.lambda = rep.LambdaGCV
	}
	w.rho = orDefault(s.Rho, w.lambda)
	rep.REML = c.reml(w.lambda)
	rep.GCV = c.gcv(w.lambda)
	switch {
	case c.settled:
		return nil
	case by == GCV:
		rep.Advice = fmt.Sprintf("lambda was still changing after %d products with the kernel: the data have hardly any noise; criterion \"reml\" goes on from there", maxLanczos)
		return nil
	}
	return w.smallerLambda(ctx, s, c, rep)
}

const (
	muchSmaller   = 0.3 // quotient of two λ that are worth telling apart
	solvesBelow   = 6
	leastQuotient = 1e-11 // of λ and the largest eigenvalue; below, constrained solves lose their digits
)

// smallerLambda is for data with so little noise that the criterion of the constrained
// problem cannot be followed to its minimum by products alone. It goes on from there
// towards the λ of the problem without the constraint, but not to where nothing can be
// solved for, and takes the objective from solutions. The values that are reported
// stay bounds, which kernels can be compared by.
func (w *weightSpace) smallerLambda(ctx context.Context, s *Spec, c *spectralRules, rep *Report) error {
	begin := *w
	end := leastQuotient * c.top()
	if w.g.lag == nil {
		if err := w.unconstrainedLambda(ctx, s, &Report{}); err != nil {
			return err
		}
		end = max(end, w.lambda)
		*w = begin
	}
	least := rep.REML
	for k := 1; k <= solvesBelow; k++ {
		at := begin
		at.lambda = begin.lambda * math.Pow(end/begin.lambda, float64(k)/solvesBelow)
		at.rho = orDefault(s.Rho, at.lambda)
		if at.lambda > muchSmaller*begin.lambda {
			continue
		}
		value, ok, err := at.remlBySolution(ctx, s, c)
		if err != nil {
			return err
		}
		if !ok || value > least {
			break
		}
		least, *w = value, at
	}
	if w.lambda < begin.lambda {
		rep.LambdaREML = w.lambda
		rep.Advice = "the data have hardly any noise: lambda is the best of a few for which the problem was solved"
	}
	return nil
}

// remlBySolution is REML at the present λ; it is not known where the solve fails.
func (w *weightSpace) remlBySolution(ctx context.Context, s *Spec, c *spectralRules) (value float64, known bool, err error) {
	n, _ := w.Dims()
	x := make([]float64, n)
	out, err := w.solve(ctx, s, x)
	if small := (*tooSmall)(nil); errors.As(err, &small) || err == nil && !out.Converged {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	var e Estimate
	w.finish(&e, x)
	return c.remlWith(w.lambda, e.Report.Objective), true, nil
}

func (w *weightSpace) unconstrainedLambda(ctx context.Context, s *Spec, rep *Report) error {
	free := *s
	free.Constraint = nil
	sys, _, err := newSystem(ctx, &free)
	if err != nil {
		return err
	}
	m, err := newSimultaneous(sys, &free, 1)
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

// settle returns the rules for ρ = λ, or for the given ρ: these need λ, which needs
// them, so they are repeated until λ stays.
func (w *weightSpace) settle(ctx context.Context, by Criterion, rho float64) (*spectralRules, error) {
	c, err := w.rules(ctx, by, 1)
	if err != nil || rho == 0 || w.q == nil {
		return c, err
	}
	before, err := c.least(by)
	for range maxRepeats {
		if err != nil {
			return nil, err
		}
		if c, err = w.rules(ctx, by, rho/before); err != nil {
			return nil, err
		}
		lambda := 0.0
		if lambda, err = c.least(by); err == nil && math.Abs(lambda-before) <= settledLambda*lambda {
			return c, nil
		}
		before = lambda
	}
	return c, err
}

// remlOf is REML at the given λ, or at the best one.
func (w *weightSpace) remlOf(ctx context.Context, s *Spec) (float64, error) {
	lambda := s.Lambda
	if lambda > 0 {
		c, err := w.rules(ctx, REML, orDefault(s.Rho, lambda)/lambda)
		if err != nil {
			return 0, err
		}
		return c.reml(lambda), nil
	}
	c, err := w.settle(ctx, REML, s.Rho)
	if err != nil {
		return 0, err
	}
	if lambda, err = c.least(REML); err != nil {
		return 0, err
	}
	return c.reml(lambda), nil
}
