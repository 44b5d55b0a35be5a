package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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
		e, err := fitConstrained(ctx, &s)
		var off *lattice.OffMeshes
		if !errors.As(err, &off) {
			return e, err
		}
		s.compose()
		composed = fmt.Sprintf("%v, so the constraint is part of the kernel's expression; ", err)
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
	return sys.finish(ctx, e, z)
}

// compose makes the constraint part of the kernel, as one expression.
func (s *Spec) compose() {
	s.Bias, s.Kernel, s.Constraint = s.biasKernel(), constraint.Apply(s.Constraint, s.Kernel), nil
}

// chooseAmongWeights sets λ as constrained fits do, where the closed form of the criteria
// does not hold: for a constraint that is part of the kernel, which is then far from
// diagonal in the bases of the axes, and for outputs of which many are missing.
func (s *Spec) chooseAmongWeights(ctx context.Context) (choice Report, err error) {
	w, _, err := newWeightSpace(ctx, s)
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

// noise is the standard deviation of one output value that REML estimates: the
// least value of the objective is the mean over the samples of the squared noise,
// integrated over the outputs that are there; there is nil if all are.
func noise(objective float64, rdy, there []float64) float64 {
	length := floats.Dot(rdy, rdy)
	if there != nil {
		length = 0
		for i, v := range there {
			w := rdy[i%len(rdy)]
			length += v * w * w * float64(len(rdy)) / float64(len(there))
		}
	}
	return math.Sqrt(objective / length)
}

// setWeights turns Z into weights and reports their norms. It ends with ctx.
func (sys *system) setWeights(ctx context.Context, e *Estimate, z []float64) {
	rep := &e.Report
	rep.Lambda, rep.Rho = sys.lambda, sys.rho
	w := sys.weights(ctx, z)
	kw := sys.kernelTimes(ctx, w)
	cut := sys.mx * sys.my
	wd, kd := w.RawMatrix().Data, kw.RawMatrix().Data
	rep.GreenNorm2 = floats.Dot(wd[:cut], kd[:cut]) / sys.lambda
	scale(wd[:cut], 1/sys.lambda)
	e.Weights = mat.NewDense(sys.mx, sys.my, wd[:cut:cut])
	if sys.q == nil {
		rep.Rho = 0
		return
	}
	rep.BiasNorm2 = floats.Dot(wd[cut:], kd[cut:]) / sys.rho
	scale(wd[cut:], 1/sys.rho)
	e.BiasWeights = wd[cut:]
}

// finish turns Z into weights and fills in the report's certificate.
func (sys *system) finish(ctx context.Context, e *Estimate, z []float64) error {
	rep := &e.Report
	sys.flat.project(z) // rounding along a free constant, which A makes large
	sys.setWeights(ctx, e, z)
	az := make([]float64, len(z))
	sys.applyKernel(ctx, az, z)
	if left := sys.mean - sys.flat.project(az); sys.flat != nil {
		e.Intercept = left / sys.length
	}
	t := sys.t.RawMatrix().Data
	var misfit, gap float64
	for i, v := range t {
		d := v - az[i]
		misfit += d * d
		g := d - z[i]
		gap += g * g
	}
	rep.MSE = sys.rss0 + misfit
	rep.Gap = gap
	rep.Residual = math.Sqrt(gap) / max(floats.Norm(t, 2), math.SmallestNonzeroFloat64)
	rep.Objective = rep.MSE + rep.Lambda*rep.GreenNorm2 + rep.Rho*rep.BiasNorm2
	rep.Sigma = noise(rep.Objective, sys.rdy, nil)
	return sys.certifyStructure(ctx, e)
}

func orDefault(v, d float64) float64 {
	if v == 0 {
		return d
	}
	return v
}
