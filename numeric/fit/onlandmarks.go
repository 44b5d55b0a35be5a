package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	firstLandmarks = 128
	mostLandmarks  = 512 // that a fit takes by itself

	smallChange = 1.0 // of what the data leave open, that predictions may change by when the landmarks double: less than half of it is left then
)

// landmarked is the fit of a spec on landmarks, twice as many each time, until predictions
// hardly change any more or there are as many as were asked for; nil where the fit is exact.
func (s *Spec) landmarked(ctx context.Context, choose chooser) (*Estimate, error) {
	asked := s.Landmarks
	if asked == 0 {
		large, err := s.tooLarge()
		if !large || err != nil || s.notByLandmarks() != "" {
			return nil, err
		}
	}
	if why := s.notByLandmarks(); why != "" {
		return nil, fmt.Errorf("landmarks %d: %s; leave landmarks out, or what excludes them", asked, why)
	}
	most := mostLandmarks
	if asked > 0 {
		most = asked
	}
	in, out, err := s.spread(ctx, most)
	if err != nil || in == nil && out == nil {
		return nil, err
	}
	first := firstLandmarks
	if asked > 0 {
		first = (asked + 1) / 2
	}
	var before *problem.Posed
	for count := first; ; count = min(2*count, most) {
		e, p, err := s.fitOn(ctx, firstOf(in, count), firstOf(out, count), choose)
		if err != nil {
			return nil, err
		}
		if before != nil {
			if err := e.compareLandmarks(ctx, before); err != nil {
				return nil, err
			}
		}
		all := count >= max(len(in), len(out))
		if all || before != nil && asked == 0 && e.Report.settled() {
			e.noteLandmarks(most)
			return e, nil
		}
		before = p
	}
}

// spread are the points of both sides that landmarks are taken from.
func (s *Spec) spread(ctx context.Context, most int) (in, out []int, err error) {
	ctx, end := progress.During(ctx, "landmarks")
	defer end()
	if in, err = s.spreadOn(ctx, true, most); err != nil {
		return nil, nil, err
	}
	out, err = s.spreadOn(ctx, false, most)
	return in, out, err
}

// spreadOn are the points of one side that landmarks are taken from; nil where that has one axis only of few points,
// or several.
func (s *Spec) spreadOn(ctx context.Context, input bool, most int) ([]int, error) {
	m := s.Data.OutputMesh
	if input {
		m = s.Data.InputMesh
	}
	if len(m.Axes()) > 1 || m.Size() <= most {
		return nil, nil
	}
	f, err := landmarks.Marginal(s.Kernel, s.Data.InputMesh, s.Data.OutputMesh, input)
	if err != nil {
		return nil, err
	}
	return landmarks.Spread(ctx, f, m, most)
}

func firstOf(at []int, count int) []int {
	if at == nil {
		return nil
	}
	return at[:min(count, len(at))]
}

// fitOn is the fit on some landmarks.
func (s *Spec) fitOn(ctx context.Context, in, out []int, choose chooser) (*Estimate, *problem.Posed, error) {
	few := *s
	within, end := progress.During(ctx, "landmarks")
	red, err := landmarks.Reduce(within, s.Data, s.Kernel, in, out)
	end()
	if err != nil {
		return nil, nil, err
	}
	few.Data, few.onLandmarks, few.beyond = red.Data, true, red.Beyond
	if few.Landmarks = 0; !s.NoBias {
		few.Bias = s.biasKernel() // which may depend on the mesh of the input
	}
	e, p, err := posedAndSolved(ctx, &few, choose)
	if err != nil {
		return nil, nil, err
	}
	e.InputMesh, e.OutputMesh = s.Data.InputMesh, s.Data.OutputMesh
	e.reduction, e.learned = red, &learned{spec: few}
	red.Green = p.ValuesOf(ctx, e.Weights)
	rep := &e.Report
	rep.Sigma = outputs.NoiseDeviation(s.Data, rep.Objective, s.flat())
	rep.LandmarksX, rep.LandmarksY = red.Data.InputMesh.Size(), red.Data.OutputMesh.Size()
	rep.LandmarkResidual = red.Residual
	rep.LOO, rep.LambdaLOO = nil, nil // the pairs' errors beyond the landmarks are not part of them
	return e, p, linop.Stopped(ctx)
}

// compareLandmarks says in the report by how much the predictions of the data, and the
// objective, differ from those on fewer landmarks, the first of those of e, at the same
// penalties.
func (e *Estimate) compareLandmarks(ctx context.Context, before *problem.Posed) error {
	ctx, end := progress.During(ctx, "comparison with fewer landmarks")
	defer end()
	again, err := estimated(ctx, before, func(context.Context, *problem.Posed) (*problem.Chosen, error) {
		return problem.Given(problem.At(e.Report.Lambda, cmp.Or(e.Report.Rho, e.Report.Lambda))), nil
	})
	if err != nil {
		return err
	}
	on := before.Setting.Data.OutputMesh
	a, err := e.fitted(ctx, e.learned.spec.Data, e.reduction.Green, on)
	if err != nil {
		return err
	}
	b, err := again.fitted(ctx, before.Setting.Data, before.ValuesOf(ctx, again.Weights), on)
	if err != nil {
		return err
	}
	n, _ := a.Dims()
	change, size, w := 0.0, 0.0, on.Weights()
	for i := range n {
		for k, v := range a.RawRowView(i) {
			d := v - b.At(i, k)
			change, size = change+w[k]*d*d, size+w[k]
		}
	}
	r := &e.Report
	r.LandmarkChange = math.Sqrt(change / size)
	r.Gap += math.Abs(r.Objective - again.Report.Objective)
	return nil
}

// fitted are the predictions of the inputs of data at their first outputs, without what was
// taken off its data.
func (e *Estimate) fitted(ctx context.Context, d *dataset.Dataset, green *mat.Dense, ys mesh.Mesh) (*mat.Dense, error) {
	f, _ := d.Matrices()
	f = mat.DenseCopyOf(f)
	linop.TimesRows(f.RawMatrix().Data, d.InputMesh.Weights())
	mx, _ := green.Dims()
	u := linop.Product(ctx, f, green.Slice(0, mx, 0, ys.Size()))
	beta, err := e.Bias(ctx, ys)
	if err != nil {
		return nil, err
	}
	linop.AddToRows(u, 1, beta)
	return u, linop.Stopped(ctx)
}

// landmarkMeshes are those of the data that the estimate was learned from where these are on landmarks, which Residuals and
// Fitted have; otherwise they have no points, and stand for those of the estimate.
func (e *Estimate) landmarkMeshes() (x, y mesh.Mesh) {
	if e.reduction == nil || e.learned == nil {
		return x, y
	}
	return e.learned.spec.Data.InputMesh, e.learned.spec.Data.OutputMesh
}

// settled reports whether landmarks change predictions by no more than the data leave open of
// these: REML takes the penalties, over the objective, for the degrees of freedom per value.
func (r *Report) settled() bool {
	open := r.Sigma * math.Sqrt(max(r.Objective-r.MSE, 0)/r.Objective)
	return r.LandmarkChange <= smallChange*open
}

func (e *Estimate) noteLandmarks(most int) {
	if r := &e.Report; !r.settled() {
		r.note(itsBands, "landmarks: from half as many to these, predictions changed by %.2g, %.2g of the noise, so that more would change them, too: give landmarks = %d", r.LandmarkChange, r.LandmarkChange/r.Sigma, 2*most)
	}
}
