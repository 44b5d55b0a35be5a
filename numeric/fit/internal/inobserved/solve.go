package inobserved

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Problem is the problem in the space of the data for outputs of which some are missing:
// the misfit is the sum over what was observed.
type Problem struct {
	Q     *problem.Question
	Whole *indata.Problem // with zeros for what is missing, and no free constant
	T     []float64       // the scaled data, without their component along the free constant
	mean  float64         // that component
	Part  observed
}

func New(ctx context.Context, q *problem.Question) (*Problem, error) {
	d, err := outputs.NewWhitening(ctx, q.Setting.Data)
	if err != nil {
		return nil, err
	}
	complete := *q.Setting
	complete.Data, complete.Flat = outputs.Fill(q.Setting.Data), false // that of what is observed is another
	sys, err := indata.NewSystem(ctx, &complete, q.Held, false)
	if err != nil {
		return nil, err
	}
	p := &Problem{Q: q, Whole: &indata.Problem{Setting: &complete, Sys: sys}, T: sys.T.RawMatrix().Data}
	p.T = append([]float64(nil), p.T...)
	d.Forward(p.T)
	p.Part = newObserved(sys, d, outputs.PairRoots(complete.Data), q.Setting.Flat)
	p.mean = p.Part.Flat.Project(p.T)
	return p, nil
}

// at is the system at λ and ρ.
func (p *Problem) at(at problem.Penalty) observed {
	o := p.Part
	o.Sys = p.Whole.Sys.At(at)
	return o
}

// Choose implements problem: from the complete pairs, and the errors of these, where there are enough whose errors are alike and all
// that was observed is much; otherwise from that.
func (p *Problem) Choose(ctx context.Context, by criteria.Criterion) (*problem.Chosen, error) {
	d := p.Q.Setting.Data
	if outputs.FromObserved(d) || outputs.Count(d) <= problem.MostMatrix {
		return inweights.Choosing(p, p.Q).Choose(ctx, by)
	}
	complete := *p.Q.Setting
	var err error
	if complete.Data, err = outputs.CompletePairs(d); err != nil {
		return nil, err
	}
	c, err := indata.New(ctx, &problem.Question{Setting: &complete, Held: p.Q.Held})
	if err != nil {
		return nil, err
	}
	out, err := c.Choose(ctx, by)
	if err != nil {
		return nil, err
	}
	share := float64(complete.Data.N()) / float64(d.N())
	out.Lambda *= share
	if p.Q.Setting.Rho == 0 {
		out.Rho *= share
	}
	out.Start = nil
	out.By += fmt.Sprintf(" on the %d complete pairs", complete.Data.N())
	out.Sheet, out.Unmeasured = criteria.Unknown(0, 0), true // what was computed is of those
	return out, nil
}

// Measure implements problem.
func (p *Problem) Measure(ctx context.Context, at problem.Penalty) (criteria.Sheet, error) {
	return inweights.Measure(ctx, p.Q, at)
}

// Contend implements problem.
func (p *Problem) Contend(ctx context.Context) (*criteria.Contender, error) {
	return inweights.Choosing(p, p.Q).Contend(ctx)
}

// Exact implements problem.
func (p *Problem) Exact(ctx context.Context, most int) (*criteria.Exact, error) {
	return inweights.Choosing(p, p.Q).Exact(ctx, most)
}

// Solve implements problem.
func (p *Problem) Solve(ctx context.Context, at problem.Penalty, start []float64) (*problem.Solution, error) {
	_, inverse, err := p.Equations(ctx, at)
	if err != nil {
		return nil, err
	}
	o, s := p.at(at), p.Q.Setting
	z := append([]float64(nil), start...)
	if start == nil {
		z = make([]float64, len(p.T))
	}
	cg := solve.CG{Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Preconditioner: o.Flat.Inverse(ctx, inverse)}
	how, err := cg.Solve(ctx, o.Flat.Operator(o), z, p.T)
	how.Method += " on what is observed, " + o.Sys.K.Describe()
	out := &problem.Solution{X: z, How: how, Unknowns: p.Part.D.Count()}
	if err == nil {
		out.CertifiedBy(p.T, 0, s.Tolerance)
	}
	return out.UnlessLost(ctx, err, o, s.Kernel, at.Lambda)
}

// Weigh implements problem.
func (p *Problem) Weigh(ctx context.Context, at problem.Penalty, z []float64) (*problem.Weighed, error) {
	return p.at(at).weigh(ctx, z, p.T, p.mean), linop.Stopped(ctx)
}

// Equations implements regression: those of the complete data, where they were observed.
func (p *Problem) Equations(ctx context.Context, at problem.Penalty) (a, inverse linop.Operator, err error) {
	if err := p.Whole.Prepare(ctx, &at); err != nil {
		return nil, nil, err
	}
	o := p.at(at)
	inverse, err = newObservedPreconditioner(ctx, o, p.Whole.M.At(at.Lambda, at.Rho))
	return o, inverse, err
}

// Respond implements regression, in the bases that equations prepared.
func (p *Problem) Respond(ctx context.Context, g, b []float64) []float64 {
	return p.Part.respond(ctx, g, b)
}

// Constants implements regression.
func (p *Problem) Constants() (outputs.Contrast, float64) { return p.Part.Flat, p.Part.Length }

// Observed implements regression.
func (p *Problem) Observed() int { return p.Part.D.Count() }
