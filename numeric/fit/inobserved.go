package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/internal/solve"
)

// inObserved is the problem in the space of the data for outputs of which some are missing:
// the misfit is the sum over what was observed.
type inObserved struct {
	q     *question
	whole *inData   // with zeros for what is missing, and no free constant
	t     []float64 // the scaled data, without their component along the free constant
	mean  float64   // that component
	part  observed
}

func newInObserved(ctx context.Context, q *question) (*inObserved, error) {
	d, err := outputs.NewWhitening(ctx, q.spec.Data)
	if err != nil {
		return nil, err
	}
	complete := *q.spec
	complete.Data, complete.Intercept = outputs.Fill(q.spec.Data), NoIntercept // that of what is observed is another
	sys, err := newSystemWith(ctx, &complete, q.held, false)
	if err != nil {
		return nil, err
	}
	p := &inObserved{q: q, whole: &inData{spec: &complete, sys: sys}, t: sys.t.RawMatrix().Data}
	p.t = append([]float64(nil), p.t...)
	d.Forward(p.t)
	p.part = newObserved(sys, d, outputs.PairRoots(complete.Data), q.spec.flat())
	p.mean = p.part.flat.Project(p.t)
	return p, nil
}

// at is the system at λ and ρ.
func (p *inObserved) at(at penalty) observed {
	o := p.part
	o.sys = p.whole.sys.at(at)
	return o
}

// choose implements problem: from all that was observed where that is few, or where few pairs
// are complete, and otherwise from the complete pairs.
func (p *inObserved) choose(ctx context.Context, by Criterion) (*chosen, error) {
	d := p.q.spec.Data
	if outputs.FewComplete(d) || outputs.Count(d) <= mostMatrix {
		return amongWeights{p, p.q}.choose(ctx, by)
	}
	complete := *p.q.spec
	var err error
	if complete.Data, err = outputs.CompletePairs(d); err != nil {
		return nil, err
	}
	complete.Data.Errors = outputs.PairErrors(complete.Data)
	c, err := newInData(ctx, &question{spec: &complete, held: p.q.held})
	if err != nil {
		return nil, err
	}
	out, err := c.choose(ctx, by)
	if err != nil {
		return nil, err
	}
	share := float64(complete.Data.N()) / float64(d.N())
	out.lambda *= share
	if p.q.spec.Rho == 0 {
		out.rho *= share
	}
	out.start = nil
	out.report.Criterion += fmt.Sprintf(" on the %d complete pairs", complete.Data.N())
	out.report.takeSheet(criteria.Unknown(0, 0)) // what was computed is of those
	return out, nil
}

// measure implements problem.
func (p *inObserved) measure(ctx context.Context, at penalty) (criteria.Sheet, error) {
	if outputs.Count(p.q.spec.Data) > toReport().alone {
		return criteria.Unknown(at.lambda, at.rho), nil
	}
	w, err := newWeightSpaceOn(ctx, p.q.balanced())
	if err != nil {
		return criteria.Sheet{}, err
	}
	return measured(ctx, &inWeights{weightSpace: w, spec: p.q.spec}, at)
}

// contend implements problem.
func (p *inObserved) contend(ctx context.Context) (*contender, error) {
	return amongWeights{p, p.q}.contend(ctx)
}

// exact implements problem.
func (p *inObserved) exact(ctx context.Context, most int) (*criteria.Exact, error) {
	return amongWeights{p, p.q}.exact(ctx, most)
}

// solve implements problem.
func (p *inObserved) solve(ctx context.Context, at penalty, start []float64) (*solution, error) {
	_, inverse, err := p.equations(ctx, at)
	if err != nil {
		return nil, err
	}
	o, s := p.at(at), p.q.spec
	z := append([]float64(nil), start...)
	if start == nil {
		z = make([]float64, len(p.t))
	}
	cg := solve.CG{Tolerance: s.tolerance(), MaxIterations: s.iterations(), Preconditioner: o.flat.Inverse(ctx, inverse)}
	how, err := cg.Solve(ctx, o.flat.Operator(o), z, p.t)
	how.Method += " on what is observed, " + o.sys.k.Describe()
	out := &solution{x: z, how: how, unknowns: p.part.d.Count()}
	if err == nil {
		out.certifiedBy(p.t, 0, s.tolerance())
	}
	return out.unlessLost(ctx, err, o, s.Kernel, at.lambda)
}

// weigh implements problem.
func (p *inObserved) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	return p.at(at).weigh(ctx, z, p.t, p.mean), linop.Stopped(ctx)
}

// equations implements regression: those of the complete data, where they were observed.
func (p *inObserved) equations(ctx context.Context, at penalty) (a, inverse linop.Operator, err error) {
	if err := p.whole.prepare(ctx, &at); err != nil {
		return nil, nil, err
	}
	o := p.at(at)
	inverse, err = newObservedPreconditioner(ctx, o, p.whole.m.at(at.lambda, at.rho))
	return o, inverse, err
}

// respond implements regression, in the bases that equations prepared.
func (p *inObserved) respond(ctx context.Context, g, b []float64) []float64 {
	return p.part.respond(ctx, g, b)
}

// constants implements regression.
func (p *inObserved) constants() (outputs.Contrast, float64) { return p.part.flat, p.part.length }

// observed implements regression.
func (p *inObserved) observed() int { return p.part.d.Count() }
