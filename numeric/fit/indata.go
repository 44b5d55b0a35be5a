package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/numeric/linop"
)

// inData is the problem in the space of the data.
type inData struct {
	spec *Spec
	sys  *system       // in the bases of m, once that is made
	m    *simultaneous // nil until it is needed
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
		return d.m.settle(ctx, d.sys, at.rho/at.lambda)
	case d.m != nil:
		return nil
	}
	s := *d.spec
	if at != nil {
		s.Lambda, s.Rho = at.lambda, at.rho
	}
	d.m, err = newSimultaneous(ctx, d.sys, &s)
	return err
}

// at is the system at λ and ρ.
func (sys *system) at(p penalty) *system {
	c := *sys
	c.lambda, c.rho = p.lambda, p.rho
	return &c
}

// choose is problem's.
func (d *inData) choose(ctx context.Context, by Criterion) (*chosen, error) {
	if err := d.prepare(ctx, nil); err != nil {
		return nil, err
	}
	c := newCriteria(ctx, d.sys, d.m, d.spec)
	ch, err := c.choose(ctx, by)
	if err != nil {
		return nil, err
	}
	if err := d.m.settle(ctx, d.sys, c.ratio); err != nil {
		return nil, err
	}
	v, err := d.sys.decided(ctx, d.spec, d.m, c, by, ch)
	if err != nil {
		return nil, err
	}
	ch.took(by, v.lambda)
	out := &chosen{penalty: penalty{v.lambda, v.rho}, free: true, start: d.sys.start}
	d.sys.start = nil
	r := &out.report
	r.Criterion = string(by)
	if math.IsNaN(v.of(by)) {
		r.Criterion += ", approximately"
	}
	r.takeSheet(v)
	r.takeMinimisers(ch)
	r.Advice = ch.advice()
	r.noteEnds(v.lambda, ch.top, pathDecades)
	return out, nil
}

// measure is problem's.
func (d *inData) measure(ctx context.Context, at penalty) (sheet, error) {
	if err := d.prepare(ctx, &at); err != nil {
		return sheet{}, err
	}
	s := *d.spec
	s.Lambda, s.Rho = at.lambda, at.rho
	sys := d.sys.at(at)
	return sys.measured(ctx, &s, d.m, newCriteria(ctx, sys, d.m, &s))
}

// solve is problem's.
func (d *inData) solve(ctx context.Context, at penalty, start []float64) (*solution, error) {
	if err := d.prepare(ctx, &at); err != nil {
		return nil, err
	}
	sys := d.sys.at(at)
	z, how, why, err := sys.iterate(ctx, d.spec, d.m, start)
	how.Method += ", " + sys.k.Describe()
	if why != "" {
		how.Reason += "; " + why
	}
	out := &solution{x: z, how: how, unknowns: len(z)}
	return out.unlessLost(ctx, err, sys, d.spec.Kernel, at.lambda)
}

// weigh is problem's.
func (d *inData) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	return d.sys.at(at).weigh(ctx, z), linop.Stopped(ctx)
}

// contend is problem's.
func (d *inData) contend(ctx context.Context) (*contender, error) { return d.sys.contend(ctx, d.spec) }

// equations is regression's.
func (d *inData) equations(ctx context.Context, at penalty) (a, inverse linop.Operator, err error) {
	if err := d.prepare(ctx, &at); err != nil {
		return nil, nil, err
	}
	return d.sys.at(at), d.m.at(at.lambda, at.rho), nil
}

// respond is regression's, in the bases that equations prepared.
func (d *inData) respond(ctx context.Context, g, b []float64) []float64 {
	return d.sys.respond(ctx, g, b)
}

// constants is regression's.
func (d *inData) constants() (contrast, float64) { return d.sys.flat, d.sys.length }

// observed is regression's.
func (d *inData) observed() int { return d.sys.outputs() }

// amongWeights is a problem whose λ is chosen in the space of the weights.
type amongWeights struct {
	problem
	q *question
}

// choose is problem's.
func (a amongWeights) choose(ctx context.Context, by Criterion) (*chosen, error) {
	w, err := newInWeights(ctx, a.q)
	if err != nil {
		return nil, err
	}
	c, err := w.choose(ctx, by)
	if err != nil {
		return nil, err
	}
	c.start = nil // in other coordinates
	return c, nil
}

// contend is problem's.
func (a amongWeights) contend(ctx context.Context) (*contender, error) {
	w, err := newInWeights(ctx, a.q)
	if err != nil {
		return nil, err
	}
	return w.contend(ctx)
}
