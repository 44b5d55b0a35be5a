package fit

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/solve"
)

// closed is the criteria of the diagonal. With pairs and their images the sums over it count
// what of each mode obeys the constraint.
func (d *inData) closed(ctx context.Context) *criteria.Closed {
	if d.model != nil {
		return d.model
	}
	sys, m := d.sys, d.m
	c := &criteria.Closed{
		Green: m.green, Row: m.row, Class: m.parts.classes(), Out: m.out, Open: m.open,
		T: sys.t, P: sys.p, Unexplained: sys.unexplained, RSS0: sys.rss0, Outputs: float64(sys.outputs()),
	}
	if sys.orbit != nil {
		c.Shares = sys.orbit.shares(ctx, sys)
	}
	if sys.flat != nil {
		c.Constant = linop.Ones(sys.my)
		sys.timesRoots(ctx, c.Constant)
		sys.v.Forward(ctx, c.Constant)
		floats.Scale(1/sys.length, c.Constant)
	}
	d.model = c
	return c
}

// along implements chooser. The preconditioner is then one for the chosen ρ/λ.
func (d *inData) along(ctx context.Context, q criteria.Search) (criteria.Choice, error) {
	c := d.closed(ctx)
	if d.m.open {
		q.Unit = c.Unit()
	}
	ch, err := q.Along(ctx, c)
	if err != nil || !d.m.open {
		return ch, err
	}
	if err := d.m.settle(ctx, d.sys, ch.Penalty.Ratio); err != nil {
		return ch, err
	}
	d.model = nil
	ch.Curve, err = d.closed(ctx).Along(ctx, ch.Penalty)
	return ch, err
}

// otherwise implements chooser: an approximation is no value of the criteria.
func (d *inData) otherwise(_ context.Context, ch criteria.Choice) (criteria.Sheet, error) {
	return criteria.Unknown(ch.Lambda, ch.Penalty.At(ch.Lambda)), nil
}

// mostProbedLandmarks is the unknowns from where λ is chosen by the model of the problem alone:
// a fit on landmarks takes little time beside random vectors.
const mostProbedLandmarks = 5000

// evaluator implements chooser: the closed form where it is exact, the matrix where it is
// small, then random vectors.
func (d *inData) evaluator(ctx context.Context, at penalty, most limits) (criteria.Evaluator, error) {
	c := d.closed(ctx)
	exact := d.sys.isDiagonal(ctx, d.m, at.lambda, at.rho) && d.sys.separates(ctx, d.m)
	if exact && (d.sys.orbit == nil || most.closed) {
		return c, linop.Stopped(ctx)
	}
	if x, err := d.exact(ctx, most.rows); err != nil {
		return nil, err
	} else if x != nil {
		return x, nil
	}
	if exact {
		return c, nil
	}
	if d.spec.onLandmarks {
		most.unknowns = min(most.unknowns, mostProbedLandmarks)
	}
	if n := len(d.sys.t.RawMatrix().Data); n > most.unknowns || !d.sys.separates(ctx, d.m) {
		return nil, linop.Stopped(ctx)
	}
	d.probed = d.probes(ctx, c)
	if len(d.probed.T) <= criteria.FewUnknowns {
		d.probed.Blocks = most.blocks
	}
	return d.probed, linop.Stopped(ctx)
}

// exact implements problem.
func (d *inData) exact(ctx context.Context, most int) (*criteria.Exact, error) {
	if err := d.prepare(ctx, nil); err != nil {
		return nil, err
	}
	switch {
	case d.sys.orbit != nil && d.outputs() <= most:
		return d.sys.orbit.exact(ctx)
	case d.sys.orbit == nil && len(d.sys.t.RawMatrix().Data) <= most:
		return d.sys.exactCriteria(ctx, d.m.weighted)
	}
	return nil, nil
}

// probes is the evaluator from random vectors.
func (d *inData) probes(ctx context.Context, c *criteria.Closed) *criteria.Probed {
	sys := *d.sys
	out := &criteria.Probed{
		Make: func(lambda, rho float64) criteria.System {
			at := sys
			at.lambda, at.rho = lambda, rho
			return &probedSystem{&at, d.spec, d.m}
		},
		T: sys.t.RawMatrix().Data, RSS0: sys.rss0, Outputs: float64(sys.outputs()), Bias: sys.q != nil, Contrast: sys.flat,
	}
	if c.Shares != nil {
		out.Shares, out.Project = c.Shares.RawMatrix().Data, newProjection(ctx, &sys).apply
	}
	return out
}

// separates reports whether the closed form knows which modes obey the constraint of an
// orbit.
func (sys *system) separates(ctx context.Context, m *diagonalPreconditioner) bool {
	return sys.orbit == nil || newProjection(ctx, sys).commutes(ctx, m.at(1, 1).d)
}

// probedSystem is a system at a λ and ρ.
type probedSystem struct {
	*system
	spec *Spec
	m    *diagonalPreconditioner
}

// quadTolerance is a relative residual; the error of the quadratic form is its square.
const quadTolerance = 1e-5

// SolveContrast implements criteria.System.
func (h *probedSystem) SolveContrast(ctx context.Context) ([]float64, error) {
	pre, z := h.m.at(h.lambda, h.rho), make([]float64, len(h.flat))
	pre.Apply(ctx, z, h.flat)
	_, err := solve.CG{Tolerance: quadTolerance, Preconditioner: pre}.Solve(ctx, h.system, z, h.flat)
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
	return h.m.at(h.lambda, h.rho).d, h.diagonal(ctx, h.m, h.lambda, h.rho)
}

// Each implements criteria.System.
func (h *probedSystem) Each(ctx context.Context, count int, do func(i int)) error {
	return gram.EachProduct(ctx, count, h.mx*h.my, do)
}

// isDiagonal reports whether the preconditioner is the operator, so that the closed form
// of the criteria is exact: on a random vector of signs, for which half the sum of the
// squares of (M - I) z is what the determinant is off by.
func (sys *system) isDiagonal(ctx context.Context, m *diagonalPreconditioner, lambda, rho float64) bool {
	at := *sys
	at.lambda, at.rho = lambda, rho
	d := m.at(lambda, rho).d
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
	return off <= diagonalTolerance*float64(len(d))
}

// diagonalTolerance is for the mean square of the entries of M - I in a row.
const diagonalTolerance = 1e-12

// contend evaluates a problem near the λ where REML is least, or at the one given. What
// REML falls from there to the minimum is added from its derivative.
func (d *inData) contend(ctx context.Context) (*contender, error) {
	if err := d.prepare(ctx, nil); err != nil {
		return nil, err
	}
	ch, err := d.along(ctx, d.spec.searchFor(REML, d))
	if err != nil {
		return nil, err
	}
	at := penalty{ch.Lambda, ch.Penalty.At(ch.Lambda)}
	e, err := d.evaluator(ctx, at, toCompare())
	if err != nil {
		return nil, err
	}
	if e == nil {
		value, err := ch.Curve.Value(ctx, REML, at.lambda)
		return &contender{value: value, bound: true}, err
	}
	v, err := e.At(ctx, at.lambda, at.rho)
	switch {
	case errors.Is(err, solve.ErrNotPositive):
		return &contender{value: math.NaN()}, nil
	case err != nil:
		return nil, err
	}
	out := &contender{probed: d.probed}
	if _, closed := e.(*criteria.Closed); d.spec.Lambda == 0 && !closed {
		if out.fall, err = ch.Fall(ctx, v); err != nil {
			return nil, err
		}
	}
	out.value, out.err = v.REML-out.fall, v.REMLErr
	return out, nil
}
