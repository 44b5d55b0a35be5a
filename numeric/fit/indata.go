package fit

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// inData is the problem in the space of the data.
type inData struct {
	spec *Spec
	sys  *system                 // in the bases of m, once that is made
	m    *diagonalPreconditioner // nil until it is needed

	model  *criteria.Closed // in the bases of m; nil until it is needed
	probed *criteria.Probed // the last evaluator of this kind; nil: none
}

func newInData(ctx context.Context, q *question) (*inData, error) {
	sys, err := newSystemWith(ctx, q.spec, q.held, true)
	return &inData{spec: q.spec, sys: sys}, err
}

// prepare makes the preconditioner: for a ratio of ρ and λ that is still open, or for the
// one of at, where that is given. Bases are found once; they suit another ratio, too.
func (d *inData) prepare(ctx context.Context, at *penalty) (err error) {
	switch {
	case d.m != nil && at != nil:
		if d.m.open {
			d.model = nil
		}
		return d.m.settle(ctx, d.sys, at.rho/at.lambda)
	case d.m != nil:
		return nil
	}
	s := *d.spec
	if at != nil {
		s.Lambda, s.Rho = at.lambda, at.rho
	}
	d.m, err = newDiagonalPreconditioner(ctx, d.sys, &s)
	return err
}

// at is the system at λ and ρ.
func (sys *system) at(p penalty) *system {
	c := *sys
	c.lambda, c.rho = p.lambda, p.rho
	return &c
}

// choose implements problem.
func (d *inData) choose(ctx context.Context, by Criterion) (*chosen, error) {
	if err := d.prepare(ctx, nil); err != nil {
		return nil, err
	}
	c, err := chooseBy(ctx, d.spec, d, by)
	if err == nil && d.probed != nil {
		c.start = d.probed.Z
	}
	return c, err
}

// measure implements problem.
func (d *inData) measure(ctx context.Context, at penalty) (criteria.Sheet, error) {
	if err := d.prepare(ctx, &at); err != nil {
		return criteria.Sheet{}, err
	}
	return measured(ctx, d, at)
}

// outputs implements chooser.
func (d *inData) outputs() int { return d.sys.outputs() }

// solve implements problem.
func (d *inData) solve(ctx context.Context, at penalty, start []float64) (*solution, error) {
	if err := d.prepare(ctx, &at); err != nil {
		return nil, err
	}
	sys := d.sys.at(at)
	z, how, why, err := sys.iterate(ctx, d.spec, d.m, slices.Clone(start))
	how.Method += ", " + sys.k.Describe()
	out := &solution{x: z, how: how, unknowns: len(z)}
	if err == nil {
		out.certifiedBy(sys.t.RawMatrix().Data, sys.rss0, d.spec.tolerance())
	}
	if why != "" {
		out.how.Reason += "; " + why
	}
	return out.unlessLost(ctx, err, sys, d.spec.Kernel, at.lambda)
}

// weigh implements problem.
func (d *inData) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	return d.sys.at(at).weigh(ctx, z), linop.Stopped(ctx)
}

// equations implements regression.
func (d *inData) equations(ctx context.Context, at penalty) (a, inverse linop.Operator, err error) {
	if err := d.prepare(ctx, &at); err != nil {
		return nil, nil, err
	}
	return d.sys.at(at), d.m.at(at.lambda, at.rho), nil
}

// respond implements regression, in the bases that equations prepared.
func (d *inData) respond(ctx context.Context, g, b []float64) []float64 {
	return d.sys.respond(ctx, g, b)
}

// constants implements regression.
func (d *inData) constants() (outputs.Contrast, float64) { return d.sys.flat, d.sys.length }

// observed implements regression.
func (d *inData) observed() int { return d.sys.outputs() }
