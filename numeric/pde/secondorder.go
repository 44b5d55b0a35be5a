package pde

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// secondOrder is -u″ + c u = f on an interval with u given at both ends, by
// three-point differences: second order in the spacing of a uniform mesh.
type secondOrder struct {
	mesh        mesh.Mesh
	c           float64
	left, right float64
}

// solve factors the tridiagonal matrix once for all inputs.
func (s secondOrder) solve(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	n, m := f.Dims()
	h := s.mesh.Axes()[0].Step
	inner := m - 2
	lower, diag, upper := make([]float64, max(inner-1, 0)), make([]float64, inner), make([]float64, max(inner-1, 0))
	for i := range diag {
		diag[i] = 2/(h*h) + s.c
	}
	for i := range lower {
		lower[i], upper[i] = -1/(h*h), -1/(h*h)
	}
	rhs := mat.NewDense(inner, n, nil)
	for i := range n {
		row := f.RawRowView(i)
		for j := range inner {
			rhs.Set(j, i, row[j+1])
		}
		rhs.Set(0, i, rhs.At(0, i)+s.left/(h*h))
		rhs.Set(inner-1, i, rhs.At(inner-1, i)+s.right/(h*h))
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("solve stopped: %w", context.Cause(ctx))
	}
	var x mat.Dense
	if err := mat.NewTridiag(inner, lower, diag, upper).SolveTo(&x, false, rhs); err != nil {
		return nil, fmt.Errorf("the discrete problem is singular on this mesh (%w); use another number of points", err)
	}
	u := mat.NewDense(n, m, nil)
	for i := range n {
		row := u.RawRowView(i)
		row[0], row[m-1] = s.left, s.right
		for j := range inner {
			row[j+1] = x.At(j, i)
		}
	}
	return u, nil
}
