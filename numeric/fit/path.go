package fit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// Path returns the report of the exact minimiser at every λ, largest first. The
// preconditioner is set up once, and each solve starts from the solution before
// it. Rho, when given, stays; otherwise it equals λ.
func Path(ctx context.Context, s Spec, lambdas []float64) ([]Report, error) {
	if len(lambdas) == 0 {
		return nil, fmt.Errorf("lambdas: must hold at least one number")
	}
	if s.Constraint != nil {
		return nil, fmt.Errorf("constraint: a path of lambdas is for fits without one; fit at each lambda instead")
	}
	if s.Data != nil && missing(s.Data) {
		return nil, fmt.Errorf("data: has missing outputs (NaN), which a path of lambdas does not take; drop the pairs that have them")
	}
	s.Lambda = 0
	if _, _, err := s.resolve(ctx); err != nil {
		return nil, err
	}
	sorted := slices.Clone(lambdas)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	for _, l := range sorted {
		s.Lambda = l
		if err := s.check(); err != nil || l == 0 {
			return nil, fmt.Errorf("lambdas: %g: must be > 0", l)
		}
	}
	sys, why, err := newSystem(ctx, &s)
	if err != nil {
		return nil, err
	}
	m, err := newSimultaneous(ctx, sys, &s)
	if err != nil {
		return nil, err
	}
	t := sys.t.RawMatrix().Data
	var z []float64
	var reports []Report
	for _, l := range sorted {
		start := time.Now()
		s.Lambda = l
		e := &Estimate{}
		e.Report.Unknowns = len(t)
		if err := sys.chooseLambda(ctx, &s, m, &e.Report); err != nil {
			return nil, err
		}
		var r solve.Report
		var how string
		if z, r, how, err = sys.iterate(ctx, &s, m, z); how != "" {
			how = "; " + how
		}
		if err != nil {
			return nil, err
		}
		rep := &e.Report
		rep.Iterations, rep.Converged = r.Iterations, r.Converged
		rep.Method, rep.Reason = r.Method+", "+sys.k.Describe(), why+"; "+r.Reason+how
		if err := certify(ctx, e, penalty{sys.lambda, sys.rho}, sys.weigh(ctx, z)); err != nil {
			return nil, err
		}
		rep.Seconds = time.Since(start).Seconds()
		reports = append(reports, *rep)
	}
	return reports, nil
}

// Naive is the unregularised least-squares estimate of G on the meshes of the
// data, mx × my: the pseudo-inverse of the inputs, with their quadrature, times
// the outputs. It is what the estimator is compared with (paper, section 1.1).
func Naive(ctx context.Context, d *dataset.Dataset) (*mat.Dense, error) {
	f, err := d.Input.Matrix()
	if err != nil {
		return nil, err
	}
	u, err := d.Output.Matrix()
	if err != nil {
		return nil, err
	}
	a := mat.DenseCopyOf(f)
	dx := d.InputMesh.Weights()
	a.Apply(func(_, j int, v float64) float64 { return v * dx[j] }, a)
	left, values, right, err := linop.SVD(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("naive: the inputs: %w", err)
	}
	return linop.LeastSquares(ctx, left, values[:linop.Rank(values, 1e-14)], right, u)
}
