package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/kernel"
)

// DataGram is the Gram matrix S K Sᵀ of the outputs of a dataset under the kernel of G,
// without bias: S g is what the inputs make of g, ∫ g(x, ·) f_i(x) dx / √n, in orthonormal
// bases of the pairs and of the outputs, for the quadratures of the meshes.
type DataGram struct {
	sys *indata.System
	m   *indata.Preconditioner
}

// NewDataGram costs what the set-up of a fit does.
func NewDataGram(ctx context.Context, d *dataset.Dataset, k kernel.Kernel) (*DataGram, error) {
	s := Spec{Data: d, Kernel: k, NoBias: true, Lambda: 1, Rho: 1}
	if err := s.check(); err != nil {
		return nil, err
	}
	sys, _, err := indata.SystemOf(ctx, s.setting())
	if err != nil {
		return nil, err
	}
	m, err := indata.NewPreconditioner(ctx, sys, s.setting())
	if err != nil {
		return nil, err
	}
	sys.Lambda, sys.Rho = 1, 1
	return &DataGram{sys, m}, nil
}

// Dims implements linop.Operator.
func (g *DataGram) Dims() (r, c int) { return g.sys.Dims() }

// Apply implements linop.Operator.
func (g *DataGram) Apply(ctx context.Context, dst, z []float64) { g.sys.ApplyKernel(ctx, dst, z) }

// Diagonal is the diagonal of a matrix that is diagonal in the bases, as that of a
// separable kernel is; nil of others.
func (g *DataGram) Diagonal(ctx context.Context) []float64 {
	if !indata.IsDiagonal(ctx, g.sys, g.m.At(1, 1)) {
		return nil
	}
	return g.m.Green.RawMatrix().Data
}

// Represent is K Sᵀ z on the meshes, mx × my. Cost: a product with the kernel.
func (g *DataGram) Represent(ctx context.Context, z []float64) *mat.Dense {
	return g.sys.KernelTimes(ctx, g.sys.Weights(ctx, z))
}
