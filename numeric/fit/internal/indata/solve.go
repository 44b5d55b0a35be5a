package indata

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Problem is the problem in the space of the data.
type Problem struct {
	Setting *problem.Setting
	Sys     *System         // in the bases of m, once that is made
	M       *Preconditioner // nil until it is needed

	model  *criteria.Closed // in the bases of m; nil until it is needed
	probed *criteria.Probed // the last evaluator of this kind; nil: none
}

func New(ctx context.Context, q *problem.Question) (*Problem, error) {
	sys, err := NewSystem(ctx, q.Setting, q.Held, true)
	return &Problem{Setting: q.Setting, Sys: sys}, err
}

// Prepare makes the preconditioner: for a ratio of ρ and λ that is still open, or for the
// one of at, where that is given. Bases are found once; they suit another ratio, too.
func (d *Problem) Prepare(ctx context.Context, at *problem.Penalty) (err error) {
	switch {
	case d.M != nil && at != nil:
		if d.M.open {
			d.model = nil
		}
		return d.M.settle(ctx, d.Sys, at.Rho/at.Lambda)
	case d.M != nil:
		return nil
	}
	s := *d.Setting
	if at != nil {
		s.Lambda, s.Rho = at.Lambda, at.Rho
	}
	d.M, err = NewPreconditioner(ctx, d.Sys, &s)
	return err
}

// At is the system at λ and ρ.
func (sys *System) At(p problem.Penalty) *System {
	c := *sys
	c.Lambda, c.Rho = p.Lambda, p.Rho
	return &c
}

// Choose implements problem.
func (d *Problem) Choose(ctx context.Context, by criteria.Criterion) (*problem.Chosen, error) {
	if err := d.Prepare(ctx, nil); err != nil {
		return nil, err
	}
	c, err := problem.ChooseBy(ctx, d.Setting, d, by)
	if err == nil && d.probed != nil {
		c.Start = d.probed.Z
	}
	return c, err
}

// Measure implements problem.
func (d *Problem) Measure(ctx context.Context, at problem.Penalty) (criteria.Sheet, error) {
	if err := d.Prepare(ctx, &at); err != nil {
		return criteria.Sheet{}, err
	}
	return problem.Measured(ctx, d, at)
}

// Outputs implements chooser.
func (d *Problem) Outputs() int { return d.Sys.outputs() }

// Solve implements problem.
func (d *Problem) Solve(ctx context.Context, at problem.Penalty, start []float64) (*problem.Solution, error) {
	if err := d.Prepare(ctx, &at); err != nil {
		return nil, err
	}
	sys := d.Sys.At(at)
	z, how, why, err := sys.iterate(ctx, d.Setting, d.M, slices.Clone(start))
	how.Method += ", " + sys.K.Describe()
	out := &problem.Solution{X: z, How: how, Unknowns: len(z)}
	if err == nil {
		out.CertifiedBy(sys.T.RawMatrix().Data, sys.RSS0, d.Setting.Tolerance)
	}
	if why != "" {
		out.How.Reason += "; " + why
	}
	return out.UnlessLost(ctx, err, sys, d.Setting.Kernel, at.Lambda)
}

// Weigh implements problem.
func (d *Problem) Weigh(ctx context.Context, at problem.Penalty, z []float64) (*problem.Weighed, error) {
	return d.Sys.At(at).Weigh(ctx, z), linop.Stopped(ctx)
}

// Equations implements regression.
func (d *Problem) Equations(ctx context.Context, at problem.Penalty) (a, inverse linop.Operator, err error) {
	if err := d.Prepare(ctx, &at); err != nil {
		return nil, nil, err
	}
	return d.Sys.At(at), d.M.At(at.Lambda, at.Rho), nil
}

// Respond implements regression, in the bases that equations prepared.
func (d *Problem) Respond(ctx context.Context, g, b []float64) []float64 {
	return d.Sys.Respond(ctx, g, b)
}

// Constants implements regression.
func (d *Problem) Constants() (outputs.Contrast, float64) { return d.Sys.Flat, d.Sys.Length }

// Observed implements regression.
func (d *Problem) Observed() int { return d.Sys.outputs() }
