package kernels

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/kernel"
)

// UseLevel lets products run in the loops of one level until restore is called.
func UseLevel(k simd.Kernels) (restore func()) {
	before := vector
	vector = k
	return func() { vector = before }
}

// At is the value of a term at a difference of points.
func (g Gaussian) At(d []float64) float64 { return g.at(d) }

// InPieces is the matrix with so many pairs in a piece of work.
func (m *Matrix) InPieces(pairs int) *Matrix {
	own := *m
	own.piece = pairs
	return &own
}

// IsRestricted reports whether a kernel is one with coordinates held fixed.
func IsRestricted(k kernel.Kernel) bool { _, ok := k.(restricted); return ok }

// Fill stores the whole matrix in dst.
func (m *Matrix) Fill(ctx context.Context, dst *mat.Dense) error { return m.store(ctx, dst) }

// Gradient is the derivative of the expression with respect to each parameter.
func (k Defined) Gradient(p, q Point) ([]*expr.Node, error) { return k.gradient(p, q) }
