package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// fitAsGiven is the fit of a spec that asks for no constraint; see [Fit].
func fitAsGiven(ctx context.Context, s Spec) (*Estimate, error) {
	return fitWith(ctx, s, choosePenalty)
}

// minimiseAsGiven is the same without what [Minimise] leaves out.
func minimiseAsGiven(ctx context.Context, s Spec) (*Estimate, error) {
	if s.Lambda > 0 {
		return fitWith(ctx, s, givenPenalty)
	}
	return fitAsGiven(ctx, s)
}

// fitWith is the pipeline, for a way to come by λ and ρ; the constraint is known.
func fitWith(ctx context.Context, s Spec, choose chooser) (*Estimate, error) {
	start := time.Now()
	if err := s.check(); err != nil {
		return nil, err
	}
	expected, err := s.affordable(ctx)
	if err != nil {
		return nil, err
	}
	defer expected.Announce(ctx, "fit")()
	r, err := s.resolved(ctx)
	if err != nil {
		return nil, err
	}
	resolved := time.Since(start).Seconds()
	e, err := r.landmarked(ctx, choose)
	if e == nil && err == nil {
		e, _, err = posedAndSolved(ctx, &r.Spec, choose)
	}
	if err != nil {
		return nil, err
	}
	r.complete(ctx, e)
	e.Report.takeTimes(resolved, time.Since(start).Seconds())
	e.Report.Expected = expected
	return e, nil
}

// affordable is what the fit of a spec will take; the error says that there is not the time.
func (s *Spec) affordable(ctx context.Context) (progress.Cost, error) {
	ctx, end := progress.During(ctx, "checks")
	defer end()
	cost := Expected(ctx, *s)
	return cost, cost.InTime(ctx, "fit", func() []progress.Option { return s.cheaper(ctx) })
}

// resolved is a spec that leaves nothing open but λ and ρ, for data without the mean that
// a free constant takes.
type resolved struct {
	Spec
	decision
	given   *dataset.Dataset
	mean    float64
	prior   *prior
	density float64 // see logDensity
}

// resolved decides what a spec leaves open, but for λ and ρ.
func (s *Spec) resolved(ctx context.Context) (*resolved, error) {
	ctx, end := progress.During(ctx, "choice of the kernel")
	defer end()
	r := &resolved{Spec: s.unfolded(), given: s.Data}
	if err := r.checkScale(); err != nil {
		return nil, err
	}
	var err error
	if s.Prior != nil {
		r.prior = &prior{known: s.Prior}
		if r.Data, r.prior.factor, err = known.Without(ctx, r.Data, s.Prior); err != nil {
			return nil, err
		}
	}
	if r.Intercept = s.decidedIntercept(); r.flat() {
		r.Data, r.mean = outputs.WithoutMean(r.Data)
	}
	if r.density, err = outputs.LogDensity(ctx, r.Data, r.flat()); err != nil {
		return nil, err
	}
	r.decision, err = r.resolve(ctx)
	return r, err
}

// complete puts into an estimate what was taken off its data, what there is to say of
// these, and what it was learned from.
func (r *resolved) complete(ctx context.Context, e *Estimate) {
	_, end := progress.During(ctx, "report")
	defer end()
	e.Intercept += r.mean
	if e.prior = r.prior; e.prior != nil {
		e.Report.Prior = &e.prior.factor
	}
	if r.why != "" {
		e.Report.Reason = r.why + "; " + e.Report.Reason
	}
	if r.found != "" {
		e.Report.Reason = r.found + "; " + e.Report.Reason
	}
	if r.note.Text != "" {
		e.Report.note(r.note.Excepts, "%s", r.note.Text)
	}
	if values := outputs.Count(r.Data); r.kernelIsKnown() && r.why != "" && values <= fewForKernel {
		e.Report.note(itsBands, "the kernel was chosen from %d output values, and bands take it as known: they may be far too narrow; give a kernel that is known from elsewhere, or learn from more pairs", values)
	}
	if r.why != "" || r.Lambda == 0 {
		e.Report.Call = r.call(e.Report)
	}
	if m := e.Report.unmeasured; m != nil {
		m.density = r.density
	} else if e.Report.REML != nil {
		*e.Report.REML += r.density
	}
	r.notes(&e.Report)
	e.noteJump(ctx, r.Constraint)
	e.noteSeams(ctx)
	s := r.Spec
	s.Data, s.seal = r.given, sealOf(r.given)
	if e.reduction == nil {
		e.learned = &learned{spec: s}
	}
	e.leaveFactorOpen()
	e.leaveWeightsOpen()
	if e.learned == nil || r.Lambda > 0 && !r.Chosen {
		return
	}
	if e.reduction == nil {
		e.learned.open = openness{Lambda: !r.Dense, Rho: r.Rho == 0 && !r.NoBias}
	}
	if r.Lambda == 0 && len(r.rivals) > 0 {
		e.learned.rivals = &rivals{spec: s, of: r.rivals}
	}
	e.uncertain()
}

// kernelIsKnown reports whether bands take one kernel for known, of those that a fit may have.
func (r *resolved) kernelIsKnown() bool { return len(r.rivals) < 2 || r.Lambda > 0 }

// choosePenalty takes λ and ρ that are given, and chooses others.
func choosePenalty(ctx context.Context, p *problem.Posed) (*problem.Chosen, error) {
	s := p.Setting
	switch {
	case s.Lambda > 0:
		return p.GivenAt(ctx, problem.At(s.Lambda, s.RhoAt(s.Lambda)))
	case s.Criterion == CV:
		return crossValidate(ctx, p)
	case s.Criterion == "":
		return p.Choose(ctx, REML)
	}
	return p.Choose(ctx, s.Criterion)
}

// givenPenalty is λ and ρ that are given, without the criteria.
func givenPenalty(_ context.Context, p *problem.Posed) (*problem.Chosen, error) {
	c := problem.Given(problem.At(p.Setting.Lambda, p.Setting.RhoAt(p.Setting.Lambda)))
	c.Unmeasured = true
	return c, nil
}

// penaltiesOfOne is how many penalties stand for all that are plausible, of one kernel.
const penaltiesOfOne = 12

// uncertain lets the bands of an estimate know of the rivals of its kernel and, of few data, how uncertain λ and ρ are, where
// they were chosen: the likelihood may be greatest where noise is nothing, or G, with bands as narrow. A band is the mean over
// penalties that the likelihood allows (see [criteria.Exact.Plausible]), and over the rivals.
func (e *Estimate) uncertain() {
	few, r := e.learned.open.Lambda && e.learned.spec.few(), e.learned.rivals
	if !few && r == nil {
		return
	}
	e.WithOthers(func(ctx context.Context, others func(share float64, e *Estimate)) error {
		left := 1.0
		if r != nil {
			defer r.expected(ctx, e).Announce(ctx, "fits of kernels that may be better")()
			for _, own := range r.of {
				other, err := own.beside(ctx, r.spec, e)
				if err != nil {
					return err
				}
				others(own.share, other)
				left -= own.share
			}
		}
		if !few || left < 1e-9 { // the rivals have their own
			return nil
		}
		return e.others(ctx, func(share float64, e *Estimate) { others(left*share, e) })
	})
}

// beside is the fit of a kernel that may be better than that of an estimate, with noise that is as much louder than its residuals tell
// as that of the estimate is.
func (r rival) beside(ctx context.Context, s Spec, e *Estimate) (*Estimate, error) {
	other, err := r.fit(ctx, s, e.Report)
	if err != nil || e.Report.Amplitude == 0 {
		if err == nil {
			other.Report.Sigma *= e.Report.louder(&s)
		}
		return other, err
	}
	base, err := e.ofSquares(ctx)
	if err == nil {
		other.asLoud(e.Report, base, 1)
	}
	return other, err
}

// fit is the fit of a kernel that may be better than that of an estimate with a report. Of many values its λ
// is that of the estimate in the ratio of both on the data that the kernels were compared on: to leave out
// pairs of many values with a kernel that is no product takes several times what all else does.
func (r rival) fit(ctx context.Context, s Spec, than Report) (*Estimate, error) {
	return minimiseAsGiven(ctx, r.in(s, than))
}

// ofSquares is the objective of an estimate with squares for the data and weights that it has: of a loss it has another one.
func (e *Estimate) ofSquares(ctx context.Context) (float64, error) {
	if e.Report.Amplitude == 0 {
		return e.Report.Objective, nil
	}
	own, err := minimiseAsGiven(ctx, e.ofChosen())
	if err != nil {
		return 0, err
	}
	return own.Report.Objective, nil
}

// others are estimates of plausible penalties. One whose λ is lost in rounding leaves its share to e.
func (e *Estimate) others(ctx context.Context, others func(share float64, e *Estimate)) error {
	s := e.ofChosen()
	x, err := s.exact(ctx)
	if x == nil || err != nil {
		return err
	}
	all, err := x.Plausible(ctx, e.Report.Lambda, e.Report.Rho, cmp.Or(e.learned.spec.penalties, penaltiesOfOne))
	if err != nil {
		return err
	}
	base, err := e.ofSquares(ctx)
	if err != nil {
		return err
	}
	for i, p := range all {
		progress.Report(ctx, progress.Step{Task: "other lambdas", Done: float64(i), Total: float64(len(all))})
		if s.Lambda = p.Lambda; e.learned.open.Rho {
			s.Rho = p.Rho
		}
		other, err := minimiseAsGiven(ctx, s)
		if stopped := linop.Stopped(ctx); stopped != nil {
			return stopped
		}
		if err != nil {
			continue
		}
		other.asOther(e.Report, base)
		others(p.Share, other)
	}
	return nil
}

// exact is the matrix of the problem of a spec; nil where it is large.
func (s *Spec) exact(ctx context.Context) (*criteria.Exact, error) {
	r, err := s.resolved(ctx)
	if err != nil {
		return nil, err
	}
	p, err := pose.New(ctx, r.setting())
	if err != nil {
		return nil, err
	}
	return p.Exact(ctx, fewOutputs)
}

// leaveWeightsOpen lets the bands of an estimate know how uncertain the weights of its pairs are, where its report says that.
func (e *Estimate) leaveWeightsOpen() {
	if e.learned == nil || e.reduction != nil {
		return
	}
	e.learned.shifts.make = func(ctx context.Context) (found []*Estimate, err error) {
		s, given := e.learned.spec, e.learned.spec.Data
		in, _ := given.Matrices()
		u, err := e.Predict(ctx, in, given.InputMesh, given.OutputMesh)
		if err != nil {
			return nil, err
		}
		s.Intercept = s.decidedIntercept()
		s.Prior, s.seal, s.Lambda, s.Rho, s.Chosen = nil, seal{}, e.Report.Lambda, e.Report.Rho, false
		all := shiftsOfData(given.Output, u, e.Report.LooseWeights)
		for k, out := range all {
			progress.Report(ctx, progress.Step{Task: "weights of pairs", Done: float64(k), Total: float64(len(all))})
			d := *given
			d.Output, s.Data = out, &d
			one, err := minimiseAsGiven(ctx, s)
			if err != nil {
				return nil, err
			}
			found = append(found, one)
		}
		return found, nil
	}
}

// leaveFactorOpen lets the bands of an estimate with a prior know how uncertain the factor of that is. Those on landmarks do not.
func (e *Estimate) leaveFactorOpen() {
	if e.learned == nil || e.learned.spec.Prior == nil || e.prior == nil || e.prior.factor == 0 || e.reduction != nil {
		return
	}
	e.learned.factor.make = func(ctx context.Context) (*looseFactor, error) {
		s := e.learned.spec
		in, _ := s.Data.Matrices()
		u, err := s.Prior.Predict(ctx, in, s.Data.InputMesh, s.Data.OutputMesh)
		if err != nil {
			return nil, fmt.Errorf("prior: %w", err)
		}
		rest := *s.Data
		rest.Output = s.Data.Output.Copy()
		floats.AddScaled(rest.Output.Data, -e.prior.factor, u.RawMatrix().Data)
		s.Intercept = s.decidedIntercept()
		s.Data, s.Prior, s.seal, s.Lambda, s.Rho, s.Chosen = &rest, nil, seal{}, e.Report.Lambda, e.Report.Rho, false
		return newFactor(ctx, s, u)
	}
}

// newFactor is that of a spec without its prior, of the rest of the data, with λ given; nil where the data do not tell it.
func newFactor(ctx context.Context, s Spec, u *mat.Dense) (*looseFactor, error) {
	least := func(of *array.Array) (*Estimate, float64, error) {
		d := *s.Data
		d.Output = of
		own := s
		own.Data = &d
		e, err := minimiseAsGiven(ctx, own)
		if err != nil {
			return nil, 0, err
		}
		return e, e.Report.Objective, nil
	}
	of := s.Data.Output.Map(func(v float64) float64 { return 0 * v }) // missing ones stay missing
	floats.Add(of.Data, u.RawMatrix().Data)
	unit, size, err := least(of)
	if err != nil || !(size > 0) {
		return nil, err
	}
	_, rest, err := least(s.Data.Output)
	if err != nil {
		return nil, err
	}
	f := &looseFactor{unit: unit, size: size}
	if rest > 0 {
		times := math.Sqrt(rest / size)
		sum := s.Data.Output.Copy()
		floats.AddScaled(sum.Data, times, u.RawMatrix().Data)
		_, both, err := least(sum)
		if err != nil {
			return nil, err
		}
		f.mean = (both - 2*rest) / (2 * times * size)
	}
	return f, nil
}
