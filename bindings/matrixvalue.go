package bindings

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sparse"
	"github.com/greenbench/workbench/numeric/array"
)

type matrixArgument struct {
	A *array.Array `arg:"A" pos:"1" doc:"matrix"`
}

// matrix returns the matrix of an array as a copy. It refuses NaN and Inf: the
// decompositions would spin or answer nonsense.
func matrix(name string, a *array.Array) (*mat.Dense, error) {
	if a.Rank() != 2 {
		return nil, fmt.Errorf("%s of shape %s: want a matrix", name, dense.ShapeString(a.Shape))
	}
	return finiteMatrix(name, a)
}

func finiteMatrix(name string, a *array.Array) (*mat.Dense, error) {
	if err := finite(name, a); err != nil {
		return nil, err
	}
	m, err := a.Copy().Matrix()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// finite refuses NaN and Inf.
func finite(name string, a *array.Array) error {
	for k, x := range a.Data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			index := a.Position(k)
			for d := range index {
				index[d]++
			}
			return fmt.Errorf("%s: element %v is %g; want finite numbers", name, index, x)
		}
	}
	return nil
}

func square(name string, a *array.Array) (n int, err error) {
	if a.Rank() != 2 || a.Shape[0] != a.Shape[1] || a.Shape[0] == 0 {
		return 0, fmt.Errorf("%s of shape %s: want a square matrix", name, dense.ShapeString(a.Shape))
	}
	return a.Shape[0], nil
}

// like returns the solution as a vector if the right side was one.
func like(b *array.Array, x *mat.Dense) *array.Array {
	if b.Rank() == 1 {
		return array.Vector(x.RawMatrix().Data)
	}
	return array.FromMatrix(x)
}

func solveFactored(ctx context.Context, f *sparse.Factors, b *array.Array) (*array.Array, error) {
	if b.Rank() > 2 || b.Shape[0] != f.Size() {
		return nil, fmt.Errorf("b of shape %s: want %d rows, as the matrix has", dense.ShapeString(b.Shape), f.Size())
	}
	rhs, err := columnsOf("b", b)
	if err != nil {
		return nil, err
	}
	x, err := f.Solve(ctx, rhs)
	if err != nil {
		return nil, err
	}
	return like(b, x), nil
}

// columnsOf is a vector as one column, or a matrix; finite numbers.
func columnsOf(name string, a *array.Array) (*mat.Dense, error) {
	if a.Rank() == 1 {
		column, err := a.Reshape(a.Shape[0], 1)
		if err != nil {
			return nil, err
		}
		return finiteMatrix(name, column)
	}
	return matrix(name, a)
}
