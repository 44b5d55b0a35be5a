package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/lattice"
	"github.com/greenbench/workbench/numeric/kernel"
)

const defaultMaxIterations = 1000

// Fit returns the minimiser for a spec. An estimate whose solve did not reach
// the tolerance is returned all the same, with Report.Converged false and the
// reason in Report.Reason. Lengthscales that are "auto" are chosen first, by REML
// (see resolve); then the cost is multiplied by their number. Cost: a QR
// factorisation of the inputs, one product with the kernel to set the preconditioner
// up, and one for each iteration.
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	start := time.Now()
	if err := s.check(); err != nil {
		return nil, err
	}
	s.unfold()
	if err := s.checkScale(); err != nil {
		return nil, err
	}
	given, mean := s.Data, 0.0
	if s.decideIntercept(); s.flat() {
		s.Data, mean = withoutMean(s.Data)
	}
	chosen, atEnd, err := s.resolve(ctx)
	if err != nil {
		return nil, err
	}
	held := 0.0
	validated := s.Lambda == 0 && s.Criterion == CV
	if validated {
		if held, err = s.crossValidate(ctx); err != nil {
			return nil, err
		}
	}
	e, err := s.estimate(ctx)
	if small := (*tooSmall)(nil); validated && errors.As(err, &small) {
		s.Lambda = small.least // what the smaller problems of the folds could still do without
		e, err = s.estimate(ctx)
	}
	if err != nil {
		return nil, err
	}
	if chosen != "" {
		e.Report.Reason = chosen + "; " + e.Report.Reason
	}
	if validated {
		e.Report.Criterion, e.Report.CV = string(CV), &held
	}
	e.Intercept += mean
	if atEnd != "" {
		e.Report.note("%s", atEnd)
	}
	s.notes(e)
	e.Report.Seconds = time.Since(start).Seconds()
	s.Data = given
	e.learned = &learned{spec: s}
	return e, nil
}

// estimate is Fit for a spec that is checked and has all its lengthscales.
func (s Spec) estimate(ctx context.Context) (*Estimate, error) {
	composed := ""
	switch {
	case missing(s.Data) && s.Dense:
		return nil, fmt.Errorf("data: has missing outputs (NaN), which method \"dense\" does not take; drop the pairs that have them")
	case s.Constraint != nil && s.Dense:
		s.compose()
	case s.Constraint != nil:
		l, why, err := s.lattice()
		if err != nil {
			return nil, err
		}
		if why == "" {
			return fitConstrained(ctx, &s, l)
		}
		s.compose()
		composed = why + ", so the constraint is part of the kernel's expression; "
	}
	e := &Estimate{
		Kernel: s.Kernel, BiasKernel: s.biasKernel(),
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
	}
	var choice Report
	if (composed != "" || fewComplete(s.Data) || missing(s.Data) && observedCount(s.Data) <= mostMatrix) && s.Lambda == 0 {
		var err error
		if s.Criterion == LOO && observedCount(s.Data) > mostMatrix {
			return nil, fmt.Errorf("%scriterion %q: known only for constraints that fit the meshes and where a quarter of the pairs is complete, or up to %d output values; choose \"reml\", \"gcv\" or \"cv\"", composed, LOO, mostMatrix)
		}
		if choice, err = s.chooseAmongWeights(ctx); err != nil {
			return nil, err
		}
	}
	route := s.fitAll
	if missing(s.Data) {
		route = s.fitMissing
	}
	if err := route(ctx, e, choice); err != nil {
		return nil, err
	}
	e.Report.Reason = composed + e.Report.Reason
	var err error
	e.function, err = kernel.Compile(s.Kernel, space(e.InputMesh, e.OutputMesh))
	return e, err
}

// fitAll is estimate in the space of the data, all of them. choice is how λ was chosen,
// if it was.
func (s *Spec) fitAll(ctx context.Context, e *Estimate, choice Report) error {
	rep := &e.Report
	sys, why, err := newSystem(ctx, s)
	if err != nil {
		return err
	}
	rep.Reason, rep.Method = why, sys.k.Describe()
	rep.Unknowns, _ = sys.Dims()
	var z []float64
	if s.Dense {
		z, err = sys.solveDense(ctx, s, rep)
	} else {
		z, err = sys.solve(ctx, s, rep)
	}
	if err != nil {
		return explained(ctx, err, sys, s.Kernel, sys.lambda)
	}
	if choice.Lambda > 0 {
		rep.takeChoice(choice)
	}
	return certify(ctx, e, penalty{sys.lambda, sys.rho}, sys.weigh(ctx, z))
}

// compose makes the constraint part of the kernel, as one expression.
func (s *Spec) compose() {
	s.Bias, s.Kernel, s.Constraint = s.biasKernel(), constraint.Apply(s.Constraint, s.Kernel), nil
}

// chooseAmongWeights sets λ as constrained fits do, where the closed form of the criteria
// does not hold: for a constraint that is part of the kernel, which is then far from
// diagonal in the bases of the axes, and for outputs of which many are missing.
func (s *Spec) chooseAmongWeights(ctx context.Context) (choice Report, err error) {
	w, _, err := newWeightSpace(ctx, s, lattice.On(s.Data.InputMesh, s.Data.OutputMesh))
	if err != nil {
		return choice, err
	}
	if err := w.precondition(ctx, s); err != nil {
		return choice, err
	}
	if err := w.chooseLambda(ctx, s, &choice); err != nil {
		return choice, err
	}
	s.Lambda, choice.Lambda, s.ratio = w.lambda, w.lambda, w.rho/w.lambda
	return choice, nil
}

// takeChoice takes what is known of a λ that was chosen otherwise.
func (r *Report) takeChoice(c Report) {
	r.Criterion, r.REML, r.GCV, r.LOO = c.Criterion, c.REML, c.GCV, c.LOO
	r.REMLError, r.GCVError = c.REMLError, c.GCVError
	r.LambdaREML, r.LambdaGCV, r.LambdaLOO = c.LambdaREML, c.LambdaGCV, c.LambdaLOO
	r.Advice = c.Advice
}

// solve chooses λ if need be and solves for Z by preconditioned CG.
func (sys *system) solve(ctx context.Context, s *Spec, rep *Report) ([]float64, error) {
	m, err := newSimultaneous(ctx, sys, s)
	if err != nil {
		return nil, err
	}
	if err := sys.chooseLambda(ctx, s, m, rep); err != nil {
		return nil, err
	}
	z, r, how, err := sys.iterate(ctx, s, m, sys.start)
	rep.Iterations, rep.Residual, rep.Converged = r.Iterations, r.Residual, r.Converged
	rep.Method = r.Method + ", " + rep.Method
	rep.Reason += "; " + r.Reason
	if how != "" {
		rep.Reason += "; " + how
	}
	return z, err
}

// chooseLambda sets λ and ρ, and what the report says about them.
func (sys *system) chooseLambda(ctx context.Context, s *Spec, m *simultaneous, rep *Report) error {
	sys.lambda, sys.rho = s.Lambda, s.rho(s.Lambda)
	c := newCriteria(ctx, sys, m, s)
	if s.Lambda > 0 {
		rep.Criterion = "given"
		if s.unmeasured {
			return nil
		}
		v, err := sys.measured(ctx, s, m, c)
		rep.takeSheet(v)
		return err
	}
	by := s.Criterion
	if by == "" {
		by = REML
	}
	ch, err := c.choose(ctx, by)
	if err != nil {
		return err
	}
	if err := m.settle(ctx, sys, c.ratio); err != nil {
		return err
	}
	v, err := sys.decided(ctx, s, m, c, by, ch)
	if err != nil {
		return err
	}
	ch.took(by, v.lambda)
	sys.lambda, sys.rho = v.lambda, v.rho
	rep.Criterion = string(by)
	if math.IsNaN(v.of(by)) {
		rep.Criterion += ", approximately"
	}
	rep.takeSheet(v)
	rep.takeMinimisers(ch)
	rep.Advice = ch.advice()
	rep.noteEnds(v.lambda, ch.top, pathDecades)
	return nil
}

func orDefault(v, d float64) float64 {
	if v == 0 {
		return d
	}
	return v
}
