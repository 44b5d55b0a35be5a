package fit

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// certify gives an estimate its weights, and its report the value of the functional and
// how far that can be above the minimum.
func certify(ctx context.Context, e *Estimate, at penalty, w *weighed) error {
	e.Weights, e.BiasWeights, e.Intercept = w.green, w.bias, w.intercept
	r := &e.Report
	r.Lambda = at.lambda
	if w.bias != nil {
		r.Rho = at.rho
	}
	r.MSE, r.GreenNorm2, r.BiasNorm2 = w.mse(), w.green2, w.bias2
	r.Objective, r.Gap = w.objective(at), w.gap()
	if w.size > 0 {
		r.Residual = floats.Distance(w.misfit, w.dual, 2) / w.size
	}
	green, bias, first, err := r.compare(ctx, w)
	if err != nil {
		return err
	}
	r.cover(floats.Norm(w.respond(ctx, green, bias), 2), first)
	return linop.Stopped(ctx)
}

// certified is the estimate of a solution, with its certificate.
func (p *posed) certified(ctx context.Context, c *chosen, x *solution) (*Estimate, error) {
	w, err := p.weigh(ctx, c.penalty, x.x)
	if err != nil {
		return nil, err
	}
	e := p.frame()
	e.Report = c.report
	r := &e.Report
	r.Iterations, r.Residual, r.Converged = x.how.Iterations, x.how.Residual, x.how.Converged
	r.Method, r.Reason, r.Unknowns = x.how.Method, p.why+"; "+x.how.Reason, x.unknowns
	if err := certify(ctx, e, c.penalty, w); err != nil {
		return nil, err
	}
	r.Sigma = outputs.NoiseDeviation(p.spec.Data, r.Objective)
	e.green, err = p.meshes().Expand(e.Kernel, e.Weights)
	return e, err
}

// frame is the estimate without weights.
func (p *posed) frame() *Estimate {
	s := p.spec
	return &Estimate{
		Kernel: s.Kernel, BiasKernel: s.biasKernel(), Constraint: s.Constraint,
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
	}
}

// meshes are those of the weights.
func (p *posed) meshes() *lattice.Lattice {
	if p.lattice != nil {
		return p.lattice
	}
	return lattice.On(p.spec.Data.InputMesh, p.spec.Data.OutputMesh)
}
