package fit

import (
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Part returns an estimate of G with the given weights, mx × my, which is a part of e: the
// values of e at place(x) are those of the part at x, and so are their deviations. It has
// no bias, and the report of e.
func (e *Estimate) Part(k kernel.Kernel, x mesh.Mesh, weights *mat.Dense, place func(mesh.Mesh) (mesh.Mesh, error)) (*Estimate, error) {
	green, err := lattice.On(x, e.OutputMesh).Expand(k, weights)
	if err != nil {
		return nil, err
	}
	return &Estimate{
		Kernel: k, InputMesh: x, OutputMesh: e.OutputMesh, Weights: weights, Report: e.Report,
		green: green, within: &within{whole: e, place: place},
	}, nil
}

// Plus is e with factor times a G that was known beforehand added.
func (e *Estimate) Plus(known Known, factor float64) *Estimate {
	return &Estimate{
		Kernel: e.Kernel, BiasKernel: e.BiasKernel, Constraint: e.Constraint, InputMesh: e.InputMesh, OutputMesh: e.OutputMesh,
		Weights: e.Weights, BiasWeights: e.BiasWeights, Intercept: e.Intercept, Report: e.Report,
		green: e.green, learned: e.learned, within: e.within, prior: &prior{known, factor},
	}
}
