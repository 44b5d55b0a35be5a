package fit

import (
	"context"
	"errors"
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
	huberGap       = 1e-10 // of the objective, at which they end
)

// Huber minimises, at a λ and ρ that are given, with Huber's loss in place of squares: a residual
// r of an output, times the root of its quadrature and of the weight of its error, counts
//
//	h(r) = r²  for |r| ≤ k,   2 k |r| - k²  beyond.
//
// It is found by fits in which residuals beyond k have the weight k/|r|, each certified. The gap
// in the report is that of this objective: for ζ, the residuals cut off at k, a point of the dual
// problem, with the weights w(ζ), it is ‖w - w(ζ)‖². The estimate has the last of these weights
// as errors of its data, and so all that other estimates have; the amplitude of its bands is that
// of an M-estimator, mean ψ² over (mean ψ′)², with the mean of ψ² that the functional has.
func Huber(ctx context.Context, s Spec, k float64) (*Estimate, error) {
	switch {
	case !(s.Lambda > 0) || s.Kernel == nil:
		return nil, errors.New("lambda, kernel: must be given for Huber's loss")
	case s.Prior != nil:
		return nil, errors.New("loss \"huber\": does not go with a prior; take the predictions of the prior off the outputs")
	}
	given := s.Data
	e, err := Minimise(ctx, s)
	if err != nil {
		return nil, err
	}
	var last []float64
	for range mostReweighted {
		r, err := e.scaledResiduals(ctx, given)
		if err != nil {
			return nil, err
		}
		apart := math.Inf(1)
		if last != nil {
			apart = floats.Distance(r, last, math.Inf(1)) / k
		}
		if last = r; apart < 1e-5 {
			done, err := e.certifyHuber(ctx, given, r, k)
			if err != nil || done || apart < 1e-13 {
				return e, err
			}
		}
		if s.Data, err = reweighted(given, r, k); err != nil {
			return nil, err
		}
		s.huber = true
		if e, err = Minimise(ctx, s); err != nil {
			return nil, err
		}
	}
	_, err = e.certifyHuber(ctx, given, last, k)
	return e, err
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

// reweighted are data with weights for their residuals.
func reweighted(d *dataset.Dataset, r []float64, k float64) (*dataset.Dataset, error) {
	e := &dataset.Errors{}
	if d.Errors != nil {
		*e = *d.Errors
	}
	w := array.New(d.N(), d.OutputMesh.Size())
	for i, v := range r {
		w.Data[i] = min(1, k/math.Abs(v))
		if e.Values != nil {
			w.Data[i] *= e.Values.Data[i]
		}
	}
	e.Values = w
	return d.WithErrors(e)
}

// certifyHuber puts the objective and its gap into the report, and tells whether that is small.
func (e *Estimate) certifyHuber(ctx context.Context, d *dataset.Dataset, r []float64, k float64) (bool, error) {
	in, _ := d.Matrices()
	u, err := e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return false, err
	}
	cut, root := *d, residualRoots(d) // the data of which ζ are the residuals
	cut.Output = d.Output.Copy()
	beyond, inside, seen := 0.0, 0.0, 0.0
	for i, v := range r {
		if root[i] == 0 || math.IsNaN(d.Output.Data[i]) {
			continue
		}
		z := min(max(v, -k), k)
		cut.Output.Data[i] = u.RawMatrix().Data[i] + z/root[i]
		beyond += 2 * k * (math.Abs(v) - math.Abs(z))
		if seen++; z == v {
			inside++
		}
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
	weight := 0.0
	for _, v := range r {
		weight += min(1, k/math.Abs(v)) / float64(len(r))
	}
	share := inside / seen
	// The functional of the data that are cut off, for mean ψ² in the residuals: these are as much
	// smaller than the noise as the fit follows it, which the penalties make up for.
	rep.Amplitude = weight * objective / seen / (share * share)
	return gap <= huberGap*rep.Objective, nil
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
