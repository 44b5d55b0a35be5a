package posterior

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// together is the standard deviations of targets from less than all data; nil where these are
// few, so that all are factored, or where nothing serves.
func (p *Posterior) together(ctx context.Context, t targets) (*mat.Dense, error) {
	if p.few() {
		return nil, nil
	}
	if band, err := p.byFeatures(ctx, t); band != nil || err != nil {
		return band, err
	}
	if band, err := p.byArrow(ctx, t); band != nil || err != nil {
		return band, err
	}
	return p.byDirections(ctx, t)
}

// Std is the standard deviations of G on xs × ys.
func (p *Posterior) Std(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if err := dense.CheckMatrix("std", 2, xs.Size(), ys.Size()); err != nil {
		return nil, err
	}
	if p.split != nil && p.split.holds(ctx, p, xs, ys) {
		return p.splitStd(ctx, xs, ys)
	}
	return p.stdAt(ctx, xs, ys)
}

// stdAt treats the points of xs with one of ys after the other, where the leading directions of
// the data do not have them all.
func (p *Posterior) stdAt(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if band, err := p.together(ctx, targets{xs: xs, ys: ys}); band != nil || err != nil {
		return band, err
	}
	return p.deviationsAt(ctx, xs.Size(), ys, func(_ int, y []float64) (*functionals, error) {
		return p.points(ctx, xs, y, false)
	})
}

// PredictStd is the standard deviations of the outputs for inputs on xs, in the rows of f.
func (p *Posterior) PredictStd(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	n, _ := f.Dims()
	if err := dense.CheckMatrix("std", 2, n, ys.Size()); err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(f)
	linop.TimesRows(weighted.RawMatrix().Data, xs.Weights())
	if p.split != nil && p.split.holds(ctx, p, xs, ys) {
		return p.splitPredictStd(ctx, weighted, xs, ys)
	}
	return p.predictStdAt(ctx, weighted, xs, ys)
}

// predictStdAt treats the predictions at one point of ys after the other, for inputs multiplied
// by quadrature weights.
func (p *Posterior) predictStdAt(ctx context.Context, weighted *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if band, err := p.together(ctx, targets{xs: xs, ys: ys, weights: weighted}); band != nil || err != nil {
		return band, err
	}
	if p.leading() == nil {
		if band, err := p.byProbes(ctx, targets{xs: xs, ys: ys, weights: weighted}); band != nil || err != nil {
			return band, err
		}
	}
	n, m := weighted.Dims()
	integrals := func(_ int, y []float64) (*functionals, error) {
		l, err := p.points(ctx, xs, y, true)
		if err != nil {
			return nil, err
		}
		return l.combined(ctx, weighted), nil
	}
	quick, err := p.newQuickIntegrals(ctx, targets{xs: xs, ys: ys, weights: weighted})
	if err != nil {
		return nil, err
	}
	if quick != nil {
		return p.deviationsAt(ctx, n, ys, quick)
	}
	if m > rowsPerProduct*n {
		products, err := p.newIntegrals(ctx, weighted, xs, ys)
		if err != nil {
			return nil, err
		}
		integrals = products
	}
	return p.deviationsAt(ctx, n, ys, func(k int, y []float64) (*functionals, error) {
		l, err := integrals(k, y)
		if err != nil || p.q == nil {
			return l, err
		}
		return l, p.addBias(ctx, l, y)
	})
}

// New makes the posterior at λ and ρ. A constraint is a
// transformed kernel: its iterations are those of the unconstrained problem.
func New(ctx context.Context, apart *problem.Setting, at problem.Penalty, of Amplitude) (*Posterior, error) {
	s := apart.Composed()
	if constraint.IsConstrained(s.Kernel) {
		s.Structure = ""
	}
	q, err := problem.NewQuestion(s, nil)
	if err != nil {
		return nil, err
	}
	average, err := holdAveraged(ctx, q, apart)
	if err != nil {
		return nil, err
	}
	r, err := pose.NewRegression(ctx, q)
	if err != nil {
		return nil, err
	}
	p := &Posterior{averaged: average, Regression: r, x: s.Data.InputMesh, y: s.Data.OutputMesh}
	p.at = at
	if p.a, p.inverse, err = r.Equations(ctx, p.at); err != nil {
		return nil, err
	}
	if p.Tau2 = of.Least / p.Count(); of.Known > 0 {
		p.Tau2 = of.Known
	}
	if p.f, err = kernels.Compile(s.Kernel, lattice.Space(p.x, p.y)); err != nil {
		return nil, err
	}
	if q := s.Bias; q != nil {
		if p.q, err = kernels.Compile(q, kernel.Space{Names: p.y.Names()}); err != nil {
			return nil, err
		}
	}
	points, err := problem.Joint(p.f.Space, p.x, p.y)
	if err != nil {
		return nil, err
	}
	p.all = points.Columns()
	p.split = p.findSplit(ctx)
	if err := linop.Stopped(ctx); err != nil { // it has not seen all
		return nil, err
	}
	if p.split != nil { // which its closed forms use
		_, err = p.free(ctx)
	}
	return p, err
}

// Amplitude is what τ² is known from.
type Amplitude struct {
	Least float64 // the least value of the objective
	Known float64 // τ² itself; 0: it is least over the number of values
}
