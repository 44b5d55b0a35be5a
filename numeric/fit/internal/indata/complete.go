package indata

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// IsDiagonal implements problem.Complete.
func (d *Problem) IsDiagonal(ctx context.Context, at problem.Penalty) bool {
	return IsDiagonal(ctx, d.Sys.At(at), d.M.At(at.Lambda, at.Rho))
}

const systemTolerance = 1e-9 // of what the system makes of a random vector

// IsDiagonal reports whether the preconditioner is the system, on a random vector.
func IsDiagonal(ctx context.Context, sys *System, pre *Preconditioner) bool {
	n, _ := sys.Dims()
	z, az := linop.Normal(rand.New(rand.NewPCG(1, 2)), n), make([]float64, n)
	sys.Apply(ctx, az, z)
	size := floats.Norm(az, 2)
	for i, d := range pre.D {
		az[i] -= d * z[i]
	}
	return floats.Norm(az, 2) <= systemTolerance*size
}

// Kernel implements problem.Complete.
func (d *Problem) Kernel() linop.Operator { return d.Sys.K }

// Modes implements problem.Complete.
func (d *Problem) Modes(ctx context.Context) *mat.Dense { return d.Sys.Modes(ctx) }

// InModes implements problem.Complete.
func (d *Problem) InModes(ctx context.Context, rows []float64) {
	d.Sys.TimesRoots(ctx, rows)
	d.Sys.V.Forward(ctx, rows)
}

// Turned implements problem.Complete.
func (d *Problem) Turned() problem.Turned {
	sys := d.Sys
	return problem.Turned{P: sys.P, T: sys.T, V: sys.V, Unexplained: sys.Unexplained, RSS0: sys.RSS0, Rdy: sys.Rdy}
}

// Columns implements problem.Complete: where the core is a sum of products, at terms operations for each entry.
func (d *Problem) Columns(at problem.Penalty) func(ctx context.Context, dst []float64, j int) {
	c := d.Sys.Core
	if c == nil || c.green == nil {
		return nil
	}
	n, _ := c.green.Dims()
	r, my, terms := n/c.my, c.my, c.green.Terms()
	left, right := make([]*mat.Dense, r), make([]*mat.Dense, my) // by row: rows × terms; by mode: terms × modes
	for i := range left {
		left[i] = mat.NewDense(r, terms, nil)
	}
	for k := range right {
		right[k] = mat.NewDense(terms, my, nil)
	}
	for q := range terms {
		a, b := c.green.Left(q), c.green.Right(q)
		for i, own := range left {
			own.SetCol(q, mat.Col(nil, i, a))
		}
		for k, own := range right {
			own.SetRow(q, mat.Col(nil, k, b))
		}
	}
	return func(ctx context.Context, dst []float64, j int) {
		i, k := j/my, j%my
		if linop.MulContext(ctx, mat.NewDense(r, my, dst), left[i], right[k]) != nil {
			return
		}
		floats.Scale(1/at.Lambda, dst)
		if c.bias != nil {
			for row := range r {
				for m := range my {
					dst[row*my+m] += c.b.At(row, c.parts.Of(m)) * c.b.At(i, c.parts.Of(k)) / at.Rho * c.bias.At(m, k)
				}
			}
		}
		dst[j]++
	}
}
