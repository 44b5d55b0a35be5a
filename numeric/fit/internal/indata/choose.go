package indata

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Closed is the criteria of the diagonal. With pairs and their images the sums over it count
// what of each mode obeys the constraint.
func (d *Problem) Closed(ctx context.Context) *criteria.Closed {
	if d.model != nil {
		return d.model
	}
	sys, m := d.Sys, d.M
	c := &criteria.Closed{
		Green: m.Green, Row: m.row, Class: m.parts.classes(), Out: m.out, Open: m.open,
		T: sys.T, P: sys.P, Unexplained: sys.Unexplained, RSS0: sys.RSS0, Outputs: float64(sys.outputs()),
	}
	if sys.Orbit != nil {
		c.Shares = sys.Orbit.shares(ctx, sys)
	}
	if sys.Flat != nil {
		c.Constant = linop.Ones(sys.My)
		sys.TimesRoots(ctx, c.Constant)
		sys.V.Forward(ctx, c.Constant)
		floats.Scale(1/sys.Length, c.Constant)
	}
	d.model = c
	return c
}

// Along implements chooser. The preconditioner is then one for the chosen ρ/λ.
func (d *Problem) Along(ctx context.Context, q criteria.Search) (criteria.Choice, error) {
	c := d.Closed(ctx)
	if d.M.open {
		q.Unit = c.Unit()
	}
	ch, err := q.Along(ctx, c)
	if err != nil || !d.M.open {
		return ch, err
	}
	if err := d.M.settle(ctx, d.Sys, ch.Penalty.Ratio); err != nil {
		return ch, err
	}
	d.model = nil
	ch.Curve, err = d.Closed(ctx).Along(ctx, ch.Penalty)
	return ch, err
}

// Otherwise implements chooser: an approximation is no value of the criteria.
func (d *Problem) Otherwise(_ context.Context, ch criteria.Choice) (criteria.Sheet, error) {
	return criteria.Unknown(ch.Lambda, ch.Penalty.At(ch.Lambda)), nil
}

// MostProbedLandmarks is the unknowns from where λ is chosen by the model of the problem alone:
// a fit on landmarks takes little time beside random vectors.
const MostProbedLandmarks = 5000

// Evaluator implements chooser: the closed form where it is exact, the matrix where it is
// small, then random vectors.
func (d *Problem) Evaluator(ctx context.Context, at problem.Penalty, most problem.Limits) (criteria.Evaluator, error) {
	c := d.Closed(ctx)
	exact := d.Sys.isDiagonal(ctx, d.M, at.Lambda, at.Rho) && d.Sys.Separates(ctx, d.M)
	if exact && (d.Sys.Orbit == nil || most.Closed) {
		return c, linop.Stopped(ctx)
	}
	if x, err := d.Exact(ctx, most.Rows); err != nil {
		return nil, err
	} else if x != nil {
		return x, nil
	}
	if exact {
		return c, nil
	}
	if v, err := d.Sys.eigenvectors(ctx); v != nil || err != nil {
		return v, err
	}
	if d.Setting.OnLandmarks {
		most.Unknowns = min(most.Unknowns, MostProbedLandmarks)
	}
	if n := len(d.Sys.T.RawMatrix().Data); n > most.Unknowns || !d.Sys.Separates(ctx, d.M) {
		return nil, linop.Stopped(ctx)
	}
	d.probed = d.Probes(ctx, c)
	if len(d.probed.T) <= criteria.FewUnknowns {
		d.probed.Blocks = most.Blocks
	}
	return d.probed, linop.Stopped(ctx)
}

// Exact implements problem.
func (d *Problem) Exact(ctx context.Context, most int) (*criteria.Exact, error) {
	if err := d.Prepare(ctx, nil); err != nil {
		return nil, err
	}
	switch {
	case d.Sys.Orbit != nil && d.Outputs() <= most:
		return d.Sys.Orbit.Exact(ctx)
	case d.Sys.Orbit == nil && len(d.Sys.T.RawMatrix().Data) <= most:
		return d.Sys.exactCriteria(ctx, d.M.weighted)
	}
	return nil, nil
}

// Probes is the evaluator from random vectors.
func (d *Problem) Probes(ctx context.Context, c *criteria.Closed) *criteria.Probed {
	sys, known := *d.Sys, new(diagonalKnown)
	out := &criteria.Probed{
		Make: func(lambda, rho float64) criteria.System {
			at := sys
			at.Lambda, at.Rho = lambda, rho
			return &probedSystem{&at, d.Setting, d.M, known}
		},
		T: sys.T.RawMatrix().Data, RSS0: sys.RSS0, Outputs: float64(sys.outputs()), Bias: sys.Q != nil, Contrast: sys.Flat,
	}
	if c.Shares != nil {
		out.Shares, out.Project = c.Shares.RawMatrix().Data, newProjection(ctx, &sys).apply
	}
	return out
}

// Separates reports whether the closed form knows which modes obey the constraint of an
// orbit.
func (sys *System) Separates(ctx context.Context, m *Preconditioner) bool {
	return sys.Orbit == nil || newProjection(ctx, sys).commutes(ctx, m.At(1, 1).D)
}

// probedSystem is a system at a λ and ρ.
type probedSystem struct {
	*System
	spec *problem.Setting
	m    *Preconditioner
	// exact is whether D is the diagonal, of all systems of an evaluator.
	exact *diagonalKnown
}

// diagonalKnown is whether D is the diagonal, which takes products to see, where that was looked at.
type diagonalKnown struct {
	lambda float64 // 0: nowhere yet
	known  bool
}

// sameKnown is how many times as large or small λ may be for what is known to hold: the relative
// difference of D grows as λ falls, and no faster.
const sameKnown = 5

// at is whether D is the diagonal of a system at λ and ρ.
func (k *diagonalKnown) at(ctx context.Context, sys *System, m *Preconditioner) bool {
	if l := sys.Lambda; l > sameKnown*k.lambda || sameKnown*l < k.lambda {
		k.lambda, k.known = l, sys.diagonal(ctx, m, l, sys.Rho) != nil
	}
	return k.known
}

// quadTolerance is a relative residual; the error of the quadratic form is its square.
const quadTolerance = 1e-5

// SolveContrast implements criteria.System.
func (h *probedSystem) SolveContrast(ctx context.Context) ([]float64, error) {
	pre, z := h.m.At(h.Lambda, h.Rho), make([]float64, len(h.Flat))
	pre.Apply(ctx, z, h.Flat)
	_, err := solve.CG{Tolerance: quadTolerance, Preconditioner: pre}.Solve(ctx, h.System, z, h.Flat)
	return z, err
}

// Solve implements criteria.System.
func (h *probedSystem) Solve(ctx context.Context, z0 []float64) ([]float64, error) {
	spec := *h.spec
	spec.Tolerance = quadTolerance
	z, _, _, err := h.iterate(ctx, &spec, h.m, z0)
	return z, err
}

// Diagonals implements criteria.System.
func (h *probedSystem) Diagonals(ctx context.Context) (d, diagonal []float64) {
	d = h.m.At(h.Lambda, h.Rho).D
	if h.exact.at(ctx, h.System, h.m) {
		diagonal = d
	}
	return d, diagonal
}

// Each implements criteria.System.
func (h *probedSystem) Each(ctx context.Context, count int, do func(i int)) error {
	return gram.EachProduct(ctx, count, h.Mx*h.My, do)
}

// isDiagonal reports whether the preconditioner is the operator, so that the closed form
// of the criteria is exact.
func (sys *System) isDiagonal(ctx context.Context, m *Preconditioner, lambda, rho float64) bool {
	return sys.offDiagonal(ctx, m, lambda, rho) <= diagonalTolerance
}

// offDiagonal is the mean of the squares of (M - I) z for M = D^-½ H D^-½ on a random vector z of signs: half their sum is
// what the determinant is off by.
func (sys *System) offDiagonal(ctx context.Context, m *Preconditioner, lambda, rho float64) float64 {
	at := *sys
	at.Lambda, at.Rho = lambda, rho
	d := m.At(lambda, rho).D
	z, hz := criteria.Signs(len(d), 0xd1a6), make([]float64, len(d))
	for i, v := range d {
		z[i] /= math.Sqrt(v)
	}
	at.Apply(ctx, hz, z)
	off := 0.0
	for i, v := range d {
		e := hz[i]/math.Sqrt(v) - z[i]*math.Sqrt(v)
		off += e * e
	}
	return off / float64(len(d))
}

// diagonalTolerance is for the mean square of the entries of M - I in a row.
const diagonalTolerance = 1e-12

// Contend evaluates a problem near the λ where REML is least, or at the one given. What
// REML falls from there to the minimum is added from its derivative.
func (d *Problem) Contend(ctx context.Context) (*criteria.Contender, error) {
	if err := d.Prepare(ctx, nil); err != nil {
		return nil, err
	}
	ch, err := d.Along(ctx, d.Setting.SearchFor(criteria.REML, d))
	if err != nil {
		return nil, err
	}
	at := problem.At(ch.Lambda, ch.Penalty.At(ch.Lambda))
	e, err := d.Evaluator(ctx, at, problem.ToCompare())
	if err != nil {
		return nil, err
	}
	if e == nil {
		value, err := ch.Curve.Value(ctx, criteria.REML, at.Lambda)
		return &criteria.Contender{Value: value, Bound: true}, err
	}
	v, err := e.At(ctx, at.Lambda, at.Rho)
	switch {
	case errors.Is(err, solve.ErrNotPositive):
		return &criteria.Contender{Value: math.NaN()}, nil
	case err != nil:
		return nil, err
	}
	out := &criteria.Contender{Probed: d.probed}
	if _, closed := e.(*criteria.Closed); d.Setting.Lambda == 0 && !closed {
		if out.Fall, err = ch.Fall(ctx, v); err != nil {
			return nil, err
		}
	}
	out.Value, out.Err = v.REML-out.Fall, v.REMLErr
	return out, nil
}
