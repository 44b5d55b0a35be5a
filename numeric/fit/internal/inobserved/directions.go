package inobserved

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Diagonal implements problem.Directed: that of the complete data.
func (p *Problem) Diagonal(at problem.Penalty) []float64 { return p.Whole.Diagonal(at) }

// Components implements problem.Directed.
func (p *Problem) Components(ctx context.Context, z []float64) []float64 {
	in := append([]float64(nil), z...)
	p.Part.D.Adjoint(in)
	return p.Part.toBases(ctx, in)
}

// Lift implements problem.Directed: the directions of the complete data, where they were observed.
func (p *Problem) Lift(ctx context.Context, c []float64) []float64 {
	z := make([]float64, len(c))
	p.Part.fromBases(ctx, z, append([]float64(nil), c...))
	p.Part.D.Forward(z)
	return z
}

// Spread implements problem.Directed.
func (p *Problem) Spread(ctx context.Context, z []float64) *mat.Dense {
	return p.Whole.Spread(ctx, p.Components(ctx, z))
}

// RowsOf implements problem.Directed.
func (p *Problem) RowsOf(ctx context.Context) (b *mat.Dense, rdy, roots []float64) {
	sys := p.Whole.Sys
	if b = sys.B; sys.P != nil {
		b = linop.Product(ctx, sys.P, sys.B)
	}
	return b, sys.Rdy, p.Part.D.Scale
}

// Mixed implements problem.Directed.
func (p *Problem) Mixed() bool { return p.Part.D.Correlated() }
