package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	mostReweighted = 100   // fits
	lossGap        = 1e-10 // of the objective, at which they end
	lossStalls     = 3     // fits that do not halve the gap, after which no more are made
	nearEnough     = 1e-6  // of its unit, that residuals change by where weights replace squares
)

// WithLoss minimises, at a λ and ρ that are given, with a loss in place of squares, from an estimate: of one that is not convex, the
// minimum is that next to it, and of others only that bands know of the kernels that may be better; nil: the minimum of squares. The loss is of the residual r of an
// output, times the root of its quadrature and of the weight of its error: its value h, the weight h′/2r of a square that pulls as much,
// at most one, and the slope h″/2; unit is of residuals where it changes. Cost: some tens of fits.
//
// It is found by fits in which residuals have the weights of the loss, each certified. The gap
// in the report is that of this objective: for ζ, the residuals times their weights, a point of the dual
// problem, with the weights w(ζ), it is ‖w - w(ζ)‖², and at its zero the objective is stationary. The estimate has the last of
// these weights as errors of its data, and so all that other estimates have; the amplitude of its bands is that
// of an M-estimator, mean ψ² over (mean ψ′)², with the mean of ψ² that the functional has, ψ = h′/2.
func WithLoss(ctx context.Context, s Spec, unit float64, of func(r float64) (value, weight, slope float64), from *Estimate) (*Estimate, error) {
	loss := outputs.Loss{Unit: unit, Of: of}
	switch {
	case !(s.Lambda > 0) || s.Kernel == nil:
		return nil, errors.New("lambda, kernel: must be given for a loss other than squares")
	case s.Prior != nil:
		return nil, errors.New("loss \"huber\": does not go with a prior; take the predictions of the prior off the outputs")
	}
	e, err := s.withLoss(ctx, loss, from)
	if err == nil {
		e.contend(from)
	}
	return e, err
}

// contend lets the bands of an estimate with the weights of a loss know of the kernels that may be better than that of the estimate
// whose choices it has.
func (e *Estimate) contend(from *Estimate) {
	if from == nil || from.learned == nil || from.learned.rivals == nil || e.learned == nil {
		return
	}
	own := *from.learned.rivals
	own.spec.Data, own.spec.seal, own.spec.reweighted = e.learned.spec.Data, e.learned.spec.seal, true
	e.learned.rivals = &own
	e.uncertain()
}

// withLoss is [WithLoss] of a kernel that is taken for known.
func (s Spec) withLoss(ctx context.Context, loss outputs.Loss, from *Estimate) (*Estimate, error) {
	given := s.Data
	e, err := s.near(ctx, loss, from)
	if err != nil {
		return nil, err
	}
	var last []float64
	var stalled stall
	for range mostReweighted {
		r, err := e.scaledResiduals(ctx, given)
		if err != nil {
			return nil, err
		}
		apart := math.Inf(1)
		if last != nil {
			apart = floats.Distance(r, last, math.Inf(1)) / loss.Unit
		}
		if last = r; apart < 1e-5 {
			done, err := e.certifyLoss(ctx, given, r, loss)
			if err != nil || done || apart < 1e-13 {
				return e, err
			}
			if stalled.after(e) {
				return stalled.best, nil
			}
		}
		if s.Data, err = weighted(given, r, loss); err != nil {
			return nil, err
		}
		s.reweighted = true
		if e, err = Minimise(ctx, s); err != nil {
			return nil, err
		}
	}
	if _, err = e.certifyLoss(ctx, given, last, loss); e.Report.Gap > wideGap*e.Report.Objective {
		e.Report.Converged = false
		e.Report.Reason += fmt.Sprintf("; after %d fits the loss is not at its minimum", mostReweighted)
	}
	return e, err
}

// stall is how long the gap of a loss has not been halved: then rounding is all that changes.
type stall struct {
	best  *Estimate
	since int
}

// after reports whether a fit is the last of those that win nothing.
func (s *stall) after(e *Estimate) bool {
	if s.best == nil || e.Report.Gap < s.best.Report.Gap/2 {
		s.best, s.since = e, 0
		return false
	}
	s.since++
	return s.since == lossStalls
}

// near is near the minimum of a loss: by fits with squares to predictions with residuals ψ, which are at the same minimum, and cost
// less than those with weights.
func (s Spec) near(ctx context.Context, loss outputs.Loss, from *Estimate) (e *Estimate, err error) {
	given, e := s.Data, from
	if e == nil {
		if e, err = Minimise(ctx, s); err != nil {
			return nil, err
		}
	}
	root := residualRoots(given)
	var last []float64
	for range mostReweighted {
		r, err := e.scaledResiduals(ctx, given)
		if err != nil || last != nil && floats.Distance(r, last, math.Inf(1)) < nearEnough*loss.Unit {
			return e, err
		}
		last = r
		cut := *given
		cut.Output = given.Output.Copy()
		for i, v := range r {
			if _, weight, _ := loss.Of(v); weight < 1 && root[i] > 0 {
				cut.Output.Data[i] -= (1 - weight) * v / root[i]
			}
		}
		s.Data = &cut
		if e, err = Minimise(ctx, s); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// scaledResiduals are those of data, times the roots of the quadrature and the weights of their
// errors, 0 where outputs are missing.
func (e *Estimate) scaledResiduals(ctx context.Context, d *dataset.Dataset) ([]float64, error) {
	in, _ := d.Matrices()
	u, err := e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	r, root := u.RawMatrix().Data, residualRoots(d)
	for i, v := range d.Output.Data {
		if r[i] = (v - r[i]) * root[i]; math.IsNaN(v) {
			r[i] = 0
		}
	}
	return r, nil
}

// residualRoots are what residuals are multiplied by.
func residualRoots(d *dataset.Dataset) []float64 {
	dy := d.OutputMesh.Weights()
	root := outputs.ErrorVariances(d)
	for i, v := range root {
		if root[i] = math.Sqrt(dy[i%len(dy)] / v); math.IsNaN(v) {
			root[i] = 0
		}
	}
	return root
}

// weighted are data with weights for their residuals.
func weighted(d *dataset.Dataset, r []float64, loss outputs.Loss) (*dataset.Dataset, error) {
	e := &dataset.Errors{}
	if d.Errors != nil {
		*e = *d.Errors
	}
	w := array.New(d.N(), d.OutputMesh.Size())
	for i, v := range r {
		_, w.Data[i], _ = loss.Of(v)
		if e.Values != nil {
			w.Data[i] *= e.Values.Data[i]
		}
	}
	e.Values = w
	return d.WithErrors(e)
}

// certifyLoss puts the objective and its gap into the report, and tells whether that is small.
func (e *Estimate) certifyLoss(ctx context.Context, d *dataset.Dataset, r []float64, loss outputs.Loss) (bool, error) {
	in, _ := d.Matrices()
	u, err := e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return false, err
	}
	cut, root := *d, residualRoots(d) // the data of which ζ are the residuals
	cut.Output = d.Output.Copy()
	beyond, slopes, weights := 0.0, 0.0, 0.0
	for i, v := range r {
		if root[i] == 0 || math.IsNaN(d.Output.Data[i]) {
			continue
		}
		value, weight, slope := loss.Of(v)
		z := weight * v
		cut.Output.Data[i] = u.RawMatrix().Data[i] + z/root[i]
		beyond += value - z*z
		weights, slopes = weights+weight, slopes+slope
	}
	n := float64(d.N())
	objective, gap, err := e.worth(ctx, &cut)
	if err != nil {
		return false, err
	}
	rep := &e.Report
	rep.Objective = objective + beyond/n
	rep.MSE = rep.Objective - rep.Lambda*rep.GreenNorm2 - rep.Rho*rep.BiasNorm2
	rep.Gap, rep.REML, rep.GCV, rep.LOO, rep.REMLError, rep.GCVError = gap, nil, nil, nil, nil, nil
	rep.unmeasured = nil // what is minimised are no squares
	// The functional of the data that are cut off, for mean ψ² in the residuals: these are as much
	// smaller than the noise as the fit follows it, which the penalties make up for.
	rep.Amplitude = weights / slopes * objective / slopes
	return gap <= lossGap*rep.Objective, nil
}

// worth is the value of the functional for other data, and at most how far above its minimum.
func (e *Estimate) worth(ctx context.Context, d *dataset.Dataset) (objective, gap float64, err error) {
	s := e.learned.spec
	s.Data = d
	if s.flat() {
		s.Data, _ = outputs.WithoutMean(s.Data)
	}
	l, on := e.green.Lattice(), s.setting()
	if s.Constraint != nil {
		if _, why, err := s.lattice(ctx); err != nil || why != "" {
			on, l = on.Composed(), nil
		}
	}
	w, _, err := inweights.NewSpace(ctx, on, l)
	if err != nil {
		return 0, 0, err
	}
	at := problem.At(e.Report.Lambda, s.rho(e.Report.Lambda))
	if e.BiasWeights != nil {
		at.Rho = e.Report.Rho
	}
	w = w.At(at)
	x := divided(e.Weights.RawMatrix().Data, w.S)
	if w.Q != nil {
		x = append(x, divided(e.BiasWeights, w.Rdy)...)
	}
	state := w.State(ctx, x)
	return state.Objective(at), state.Gap(), nil
}

// divided is v over s, and zero where s is.
func divided(v, s []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if s[i] != 0 {
			out[i] = x / s[i]
		}
	}
	return out
}
