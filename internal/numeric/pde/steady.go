package pde

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// steady is a discretised problem without time: A u = B f + c.
type steady struct {
	matrix   *linop.Sparse // A, points × points
	input    *linop.Sparse // B, points × input points
	constant []float64     // c; nil: zero
	mean     *linop.Sparse // of what is not linear in u, points × points; nil: there is nothing
}

// solve returns the solutions u for the inputs in the rows of f; solver holds the factors of
// the matrix.
func (s steady) solve(ctx context.Context, solver *elimination, f *mat.Dense) (*mat.Dense, error) {
	points, _ := s.matrix.Dims()
	n, inputs := f.Dims()
	u := mat.NewDense(n, points, nil)
	err := batches(n, points, func(lo, hi int) error {
		if err := stopped(ctx); err != nil {
			return err
		}
		f := rows(f, lo, hi)
		count, _ := f.Dims()
		columns, x := mat.NewDense(inputs, count, nil), mat.NewDense(points, count, nil)
		transpose(columns, f)
		for i, c := range s.constant {
			row := x.RawRowView(i)
			for k := range row {
				row[k] = c
			}
		}
		s.input.AddMul(x, 1, columns)
		if err := solver.solve(ctx, x); err != nil {
			return err
		}
		transpose(rows(u, lo, hi), x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}
