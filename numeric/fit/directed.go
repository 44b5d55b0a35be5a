package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// directed is a regression that knows directions of the data, orthonormal where none are
// missing, in which S K̄ Sᵀ + I is about diagonal.
type directed interface {
	regression
	// diagonal is about the entries of S K̄ Sᵀ + I in those directions.
	diagonal(at penalty) []float64
	// components returns the components of data in those directions, lift data of such components.
	components(ctx context.Context, z []float64) []float64
	lift(ctx context.Context, c []float64) []float64
	// spread is Sᵀ z, the weights that z stands for before λ and ρ: (mx + 1) × my, the last
	// row those of β.
	spread(ctx context.Context, z []float64) *mat.Dense
	// rowsOf are the inputs of the data with their quadrature, one row for each my data, the
	// last column that of β, dy, and the roots of the weights of the values, 0 where they are
	// missing, nil for ones.
	rowsOf(ctx context.Context) (b *mat.Dense, rdy, roots []float64)
	// mixed reports whether values of a pair have errors that are correlated.
	mixed() bool
}

// diagonal implements directed.
func (d *inData) diagonal(at penalty) []float64 { return d.m.at(at.lambda, at.rho).d }

// components implements directed: the bases of the system are those directions.
func (d *inData) components(_ context.Context, z []float64) []float64 {
	return append([]float64(nil), z...)
}

// lift implements directed.
func (d *inData) lift(_ context.Context, c []float64) []float64 { return c }

// spread implements directed.
func (d *inData) spread(ctx context.Context, z []float64) *mat.Dense { return d.sys.weights(ctx, z) }

// rowsOf implements directed.
func (d *inData) rowsOf(context.Context) (b *mat.Dense, rdy, roots []float64) {
	return d.sys.b, d.sys.rdy, nil
}

// mixed implements directed.
func (d *inData) mixed() bool { return d.sys.r != nil }

// diagonal implements directed: that of the complete data.
func (p *inObserved) diagonal(at penalty) []float64 { return p.whole.diagonal(at) }

// components implements directed.
func (p *inObserved) components(ctx context.Context, z []float64) []float64 {
	in := append([]float64(nil), z...)
	p.part.d.Adjoint(in)
	return p.part.toBases(ctx, in)
}

// lift implements directed: the directions of the complete data, where they were observed.
func (p *inObserved) lift(ctx context.Context, c []float64) []float64 {
	z := make([]float64, len(c))
	p.part.fromBases(ctx, z, append([]float64(nil), c...))
	p.part.d.Forward(z)
	return z
}

// spread implements directed.
func (p *inObserved) spread(ctx context.Context, z []float64) *mat.Dense {
	return p.whole.spread(ctx, p.components(ctx, z))
}

// rowsOf implements directed.
func (p *inObserved) rowsOf(ctx context.Context) (b *mat.Dense, rdy, roots []float64) {
	sys := p.whole.sys
	if b = sys.b; sys.p != nil {
		b = linop.Product(ctx, sys.p, sys.b)
	}
	return b, sys.rdy, p.part.d.Scale
}

// mixed implements directed.
func (p *inObserved) mixed() bool { return p.part.d.Correlated() }
