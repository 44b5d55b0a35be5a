package fit

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// certify gives an estimate its weights, and its report the value of the functional and
// how far that can be above the minimum.
func certify(ctx context.Context, e *Estimate, at problem.Penalty, w *problem.Weighed) error {
	e.Weights, e.BiasWeights, e.Intercept = w.Green, w.Bias, w.Intercept
	r := &e.Report
	r.Lambda = at.Lambda
	if w.Bias != nil {
		r.Rho = at.Rho
	}
	r.MSE, r.GreenNorm2, r.BiasNorm2 = w.MSE(), w.Green2, w.Bias2
	r.Objective, r.Gap = w.Objective(at), w.Gap()
	if w.Size > 0 {
		r.Residual = floats.Distance(w.Misfit, w.Dual, 2) / w.Size
	}
	green, bias, first, err := r.compare(ctx, w)
	if err != nil {
		return err
	}
	r.cover(floats.Norm(w.Respond(ctx, green, bias), 2), first)
	return linop.Stopped(ctx)
}

// certified is the estimate of a solution, with its certificate.
func certified(ctx context.Context, p *problem.Posed, c *problem.Chosen, x *problem.Solution) (*Estimate, error) {
	ctx, end := progress.During(ctx, "certificate")
	defer end()
	w, err := p.Weigh(ctx, c.Penalty, x.X)
	if err != nil {
		return nil, err
	}
	e := frame(p)
	r := &e.Report
	r.take(c)
	r.Iterations, r.Residual, r.Converged = x.How.Iterations, x.How.Residual, x.How.Converged
	r.Method, r.Reason, r.Unknowns = x.How.Method, p.Why+"; "+x.How.Reason, x.Unknowns
	if err := certify(ctx, e, c.Penalty, w); err != nil {
		return nil, err
	}
	r.Sigma = outputs.NoiseDeviation(p.Setting.Data, r.Objective, p.Setting.Flat)
	e.green, err = p.Meshes().Expand(e.Kernel, e.Weights)
	return e, err
}

// frame is the estimate without weights.
func frame(p *problem.Posed) *Estimate {
	s := p.Setting
	return &Estimate{
		Kernel: s.Kernel, BiasKernel: s.Bias, Constraint: s.Constraint,
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
	}
}
