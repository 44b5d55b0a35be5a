package indata

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Diagonal implements problem.Directed.
func (d *Problem) Diagonal(at problem.Penalty) []float64 { return d.M.At(at.Lambda, at.Rho).D }

// Components implements problem.Directed: the bases of the system are those directions.
func (d *Problem) Components(_ context.Context, z []float64) []float64 {
	return append([]float64(nil), z...)
}

// Lift implements problem.Directed.
func (d *Problem) Lift(_ context.Context, c []float64) []float64 { return c }

// Spread implements problem.Directed.
func (d *Problem) Spread(ctx context.Context, z []float64) *mat.Dense { return d.Sys.Weights(ctx, z) }

// RowsOf implements problem.Directed.
func (d *Problem) RowsOf(context.Context) (b *mat.Dense, rdy, roots []float64) {
	return d.Sys.B, d.Sys.Rdy, nil
}

// Mixed implements problem.Directed.
func (d *Problem) Mixed() bool { return d.Sys.r != nil }
