package fit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Path returns the report of the exact minimiser at every λ, largest first: as fits at
// each, but the problem is set up once, and each solve starts from the solution before it.
// Rho, when given, stays; otherwise it equals λ.
func Path(ctx context.Context, s Spec, lambdas []float64) ([]Report, error) {
	if len(lambdas) == 0 {
		return nil, fmt.Errorf("lambdas: must hold at least one number")
	}
	if s.Landmarks > 0 {
		return nil, fmt.Errorf("landmarks %d: a path is made on all points; fit at each lambda by itself", s.Landmarks)
	}
	sorted := slices.Clone(lambdas)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	for _, s.Lambda = range sorted {
		if err := s.check(); err != nil && s.Lambda > 0 {
			return nil, err
		} else if err != nil || s.Lambda == 0 {
			return nil, fmt.Errorf("lambdas: %g: must be > 0", s.Lambda)
		}
	}
	open := s
	open.Lambda, open.Intercept = 0, s.decidedIntercept()
	open, err := FindConstraint(ctx, open)
	if err != nil {
		return nil, err
	}
	r, err := open.resolved(ctx)
	if err != nil {
		return nil, err
	}
	r.Lambda = sorted[0]
	p, err := pose.New(ctx, r.setting())
	if err != nil {
		return nil, err
	}
	var reports []Report
	var before []float64
	for _, l := range sorted {
		start := time.Now()
		c, err := p.GivenAt(ctx, problem.At(l, s.rho(l)))
		if err != nil {
			return nil, err
		}
		c.Start = before
		c, x, err := p.SolveChosen(ctx, c)
		if err != nil {
			return nil, err
		}
		before = slices.Clone(x.X)
		e, err := certified(ctx, p, c, x)
		if err != nil {
			return nil, err
		}
		r.complete(ctx, e)
		e.Report.Seconds = time.Since(start).Seconds()
		reports = append(reports, e.Report)
	}
	return reports, nil
}

// Naive is the unregularised least-squares estimate of G on the meshes of the
// data, mx × my: the pseudo-inverse of the inputs, with their quadrature, times
// the outputs. It is what the estimator is compared with (paper, section 1.1).
func Naive(ctx context.Context, d *dataset.Dataset) (*mat.Dense, error) {
	f, u := d.Matrices()
	a := mat.DenseCopyOf(f)
	dx := d.InputMesh.Weights()
	a.Apply(func(_, j int, v float64) float64 { return v * dx[j] }, a)
	left, values, right, err := linop.SVD(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("naive: the inputs: %w", err)
	}
	return linop.LeastSquares(ctx, left, values[:linop.Rank(values, 1e-14)], right, u)
}
