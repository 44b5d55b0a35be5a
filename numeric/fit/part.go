package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Part returns an estimate of G with the given weights, points of x × points of y, which is a
// part of e: the values of e on the meshes place(x, y), times unit, are those of the part on x
// and y, and so are their deviations. It has no bias, and the report of e; far says where it is outside
// the data, if it is a member of a family there, "" for nowhere, and is noted.
func (e *Estimate) Part(k kernel.Kernel, x, y mesh.Mesh, weights *mat.Dense, unit float64, place func(x, y mesh.Mesh) (inX, inY mesh.Mesh, err error), far string) (*Estimate, error) {
	green, err := lattice.On(x, y).Expand(k, weights)
	if err != nil {
		return nil, err
	}
	return &Estimate{
		Kernel: k, InputMesh: x, OutputMesh: y, Weights: weights, Report: e.Report,
		green: green, within: &within{whole: e, place: place, unit: unit}, beyond: far,
	}, nil
}

// WithBias is a part with the β of the whole, whose only output it has, and a report: what is
// learned of an operator beside a term that predictions are without. noise is that of a new output
// on a mesh, that of the data where it has no points.
func (e *Estimate) WithBias(r Report, noise func(ctx context.Context, ys mesh.Mesh) (outputs.NewNoise, error)) *Estimate {
	w := e.within
	return &Estimate{
		Kernel: e.Kernel, InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Weights: e.Weights, Report: r, green: e.green,
		BiasKernel: w.whole.BiasKernel, BiasWeights: w.whole.BiasWeights, Intercept: w.whole.Intercept,
		within: &within{whole: w.whole, place: w.place, unit: w.unit, bias: true, noise: noise}, beyond: e.beyond,
	}
}

// Plus is e with factor times a G that was known beforehand added.
func (e *Estimate) Plus(known Known, factor float64) *Estimate {
	return &Estimate{
		Kernel: e.Kernel, BiasKernel: e.BiasKernel, Constraint: e.Constraint, InputMesh: e.InputMesh, OutputMesh: e.OutputMesh,
		Weights: e.Weights, BiasWeights: e.BiasWeights, Intercept: e.Intercept, Report: e.Report,
		green: e.green, learned: e.learned, within: e.within, prior: &prior{known, factor}, beyond: e.beyond,
	}
}
