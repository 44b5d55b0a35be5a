package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// folds is cross-validation: every fifth pair is left out, G is learned from the
// others, and predicts the outputs of those.
type folds struct {
	train []*problem.Posed
	held  []*dataset.Dataset
	x     [][]float64 // of each, at the λ before
	pairs int         // of all folds
	rho   func(lambda float64) float64
	done  int // solves
}

// crossValidate finds λ where the error of cross-validation is least, beginning with the
// choice of REML. That error is the squared difference, integrated over the outputs, in the
// mean of the pairs. Cost: setting each fold up, and about 40 solves.
func crossValidate(ctx context.Context, p *problem.Posed) (*problem.Chosen, error) {
	first, err := p.Choose(ctx, REML)
	if err != nil {
		return nil, err
	}
	f, err := newFolds(ctx, p)
	if err != nil {
		return nil, err
	}
	f.rho = func(lambda float64) float64 {
		if p.Setting.Rho > 0 {
			return p.Setting.Rho
		}
		return first.Rho / first.Lambda * lambda
	}
	lambda, least, err := criteria.Descend(ctx, first.Lambda, f.error)
	if err != nil {
		return nil, err
	}
	lambda *= f.share()
	c := &problem.Chosen{Penalty: problem.At(lambda, f.rho(lambda)), By: string(CV), CV: &least, Free: true, Start: first.Start}
	c.Sheet, err = p.Measure(ctx, c.Penalty)
	return c, err
}

func newFolds(ctx context.Context, p *problem.Posed) (*folds, error) {
	n := p.Setting.Data.N()
	if n < 2 {
		return nil, fmt.Errorf("criterion \"cv\": leaves pairs out, so it needs at least 2; there is %d", n)
	}
	in, out := criteria.Folds(n)
	f := &folds{pairs: n, x: make([][]float64, len(in))}
	for k := range in {
		s := *p.Setting
		var err error
		if s.Data, err = p.Setting.Data.Select(in[k]); err != nil {
			return nil, err
		}
		train, err := pose.On(ctx, p, &s)
		if err != nil {
			return nil, err
		}
		held, err := p.Setting.Data.Select(out[k])
		if err != nil {
			return nil, err
		}
		f.train, f.held = append(f.train, train), append(f.held, held)
	}
	return f, nil
}

// share is how much smaller λ is for all pairs than for those of a fold: it is the
// noise over the number of pairs.
func (f *folds) share() float64 { return float64(len(f.train)-1) / float64(len(f.train)) }

// error is the error of cross-validation for a λ; infinite where that is lost in rounding.
func (f *folds) error(ctx context.Context, lambda float64) (float64, error) {
	sum := 0.0
	for k, p := range f.train {
		progress.Report(ctx, progress.Step{Task: "cross-validation", Done: float64(f.done), Label: "lambda", Value: lambda})
		f.done++
		c := problem.Given(problem.At(lambda, f.rho(lambda)))
		x, err := p.Solve(ctx, c.Penalty, f.x[k])
		if err != nil {
			return 0, err
		}
		if x.X == nil {
			return math.Inf(1), nil
		}
		f.x[k] = append([]float64(nil), x.X...)
		e, err := certified(ctx, p, c, x)
		if err != nil {
			return 0, err
		}
		misfit, err := heldOut(ctx, e, f.held[k])
		if err != nil {
			return 0, err
		}
		sum += misfit
	}
	return sum / float64(f.pairs), nil
}

// heldOut is the sum over pairs of the squared error of predictions, integrated over
// the outputs; outputs that are missing do not count. It is that of whitened errors where
// the errors of the data are not white.
func heldOut(ctx context.Context, e *Estimate, d *dataset.Dataset) (float64, error) {
	f, _ := d.Matrices()
	u, err := e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return 0, err
	}
	off, rdy, pairs := u.RawMatrix().Data, linop.Roots(d.OutputMesh.Weights()), outputs.PairRoots(d)
	for i, v := range d.Output.Data {
		if off[i] = (v - off[i]) * rdy[i%len(rdy)] * pairs[i/len(rdy)]; math.IsNaN(v) {
			off[i] = 0
		}
	}
	w, err := outputs.NewWhitening(ctx, d)
	if err != nil {
		return 0, err
	}
	w.Forward(off)
	return floats.Dot(off, off), nil
}
