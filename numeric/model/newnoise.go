package model

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// newNoise is the noise of a new observation on ys, that of the data where it has no points.
func (o *Output) newNoise(ctx context.Context, ys mesh.Mesh) (outputs.NewNoise, error) {
	sigma, err := o.fit.NoiseDeviation(ctx)
	if err != nil {
		return outputs.NewNoise{}, err
	}
	if o.fit.Report.Sigma > 0 {
		sigma *= o.Report.Sigma / o.fit.Report.Sigma
	}
	noise, err := outputs.Noise{Mesh: o.Mesh, Output: o.outs[o.number].Values, Errors: o.errors, Huber: o.huber, Sigma: sigma}.New(ys)
	if err != nil || o.Term(term.NoiseName) == nil {
		return noise, err
	}
	curve, err := o.newCurve(ctx, ys)
	if err != nil {
		return noise, err
	}
	sum := 0.0 // mean square of what the curves of the data are multiplied by
	columns := o.Term(term.NoiseName).term.Columns
	n, _ := columns.Dims()
	for i := range n {
		sum += columns.At(i, i) * columns.At(i, i) / float64(n)
	}
	if curve.Scale(sum, curve); noise.Covariance != nil {
		curve.Add(curve, noise.Covariance)
	}
	noise.Covariance = curve
	return noise, nil
}

// newCurve is the covariance of a new curve of noise on ys.
func (o *Output) newCurve(ctx context.Context, ys mesh.Mesh) (*mat.Dense, error) {
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	t := o.Term(term.NoiseName)
	g, err := t.part()
	if err != nil {
		return nil, err
	}
	on, err := term.LabelMesh(term.NoiseName, float64(o.samples(t)))
	if err != nil {
		return nil, err
	}
	std, err := g.Std(ctx, on, ys)
	if err != nil {
		return nil, err
	}
	k, err := kernels.Compile(t.term.Kernel.(kernel.Tensor).Output, kernel.Space{Names: ys.Names()})
	if err != nil {
		return nil, err
	}
	cov, err := k.Gram(ctx, ys, ys)
	if err != nil {
		return nil, err
	}
	cov.Scale(std.At(0, 0)*std.At(0, 0)/cov.At(0, 0), cov)
	return cov, nil
}

// samples is how many curves a term of noise has.
func (o *Output) samples(t *Term) int { return len(t.term.Group.Labels) }

// Alone is the estimate of the only field of a model with one output, with β: that of pairs
// whose noise is correlated.
func (e *Estimate) Alone() (*fit.Estimate, error) {
	if len(e.Outputs) != 1 || len(e.Outputs[0].predicted()) != 1 || e.Outputs[0].Terms[0].Form != Function {
		return nil, errors.New("the model has several terms or outputs, and is no estimate of one operator")
	}
	g, err := e.Outputs[0].Terms[0].Green()
	if err != nil {
		return nil, err
	}
	return g.WithBias(e.Outputs[0].Report.Report, e.Outputs[0].newNoise), nil
}
