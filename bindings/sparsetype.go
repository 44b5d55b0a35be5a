package bindings

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sparse"
	"github.com/greenbench/workbench/numeric/array"
)

type sparseReceiver struct {
	Self *sparse.Matrix `arg:"self"`
}

func sparseType() bind.Type {
	scaled := func(_ *bind.Call, a, b bind.Either[float64, *sparse.Matrix]) (*sparse.Matrix, error) {
		switch {
		case !a.IsB && b.IsB:
			return b.B.Scale(a.A), nil
		case a.IsB && !b.IsB:
			return a.B.Scale(b.A), nil
		}
		return nil, errors.New("two sparse matrices: A:dot(B) is their product")
	}
	return bind.TypeOf[*sparse.Matrix]("sparse", "A matrix of which few entries are not 0.",
		bind.ToString((*sparse.Matrix).String),
		bind.Properties(
			bind.Prop("shape", "rows and columns", func(m *sparse.Matrix) []int { r, c := m.Dims(); return []int{r, c} }),
			bind.Prop("nnz", "number of entries kept", (*sparse.Matrix).Len),
		),
		bind.Operators(
			bind.Binary("__add", "Sum.", func(_ *bind.Call, a, b *sparse.Matrix) (*sparse.Matrix, error) { return sparse.Add(1, a, 1, b) }),
			bind.Binary("__sub", "Difference.", func(_ *bind.Call, a, b *sparse.Matrix) (*sparse.Matrix, error) { return sparse.Add(1, a, -1, b) }),
			bind.Binary("__mul", "Product with a number; A:dot(B) is the matrix product.", scaled),
			bind.Binary("__div", "Quotient by a number.", func(_ *bind.Call, a *sparse.Matrix, b float64) (*sparse.Matrix, error) { return a.Divide(b), nil }),
			bind.Unary("__unm", "Negative.", func(_ *bind.Call, a *sparse.Matrix) (*sparse.Matrix, error) { return a.Scale(-1), nil }),
		),
		bind.Methods(
			bind.Fn("dot", "The matrix product with a vector, a matrix or a sparse matrix.", func(c *bind.Call, p *struct {
				sparseReceiver
				Other bind.Either[*sparse.Matrix, *array.Array] `arg:"other" pos:"1" doc:"as many rows as the matrix has columns"`
			},
			) (bind.Either[*sparse.Matrix, *array.Array], error) {
				if !p.Other.IsB {
					m, err := sparse.Mul(c, p.Self, p.Other.A)
					return bind.First[*sparse.Matrix, *array.Array](m), err
				}
				x := p.Other.B
				if x.Rank() > 2 || x.Size() == 0 {
					return bind.Either[*sparse.Matrix, *array.Array]{}, fmt.Errorf("other of shape %s: want a vector or a matrix", dense.ShapeString(x.Shape))
				}
				columns := x
				if x.Rank() == 1 {
					columns, _ = x.Reshape(x.Shape[0], 1)
				}
				d, err := columns.Matrix()
				if err != nil {
					return bind.Either[*sparse.Matrix, *array.Array]{}, err
				}
				y, err := p.Self.MulDense(c, d)
				if err != nil {
					return bind.Either[*sparse.Matrix, *array.Array]{}, err
				}
				return bind.Second[*sparse.Matrix](like(x, y)), nil
			}, bind.Returns("an array, or a sparse matrix for a sparse one"), bind.Errors("lengths that differ"),
				bind.Example(sampleSparse+"A:dot(A):at(1, 1)  --> 5")),
			bind.Fn("transpose", "Rows and columns exchanged.", func(_ *bind.Call, p *sparseReceiver) (*sparse.Matrix, error) {
				return p.Self.Transpose(), nil
			}, bind.Returns("sparse matrix"), bind.Example("sparse.csr{{0, 7}, {0, 0}}:transpose():at(2, 1)  --> 7")),
			bind.Fn("at", "One entry.", func(_ *bind.Call, p *struct {
				sparseReceiver
				I int `arg:"i" pos:"1" doc:"row, from 1"`
				J int `arg:"j" pos:"2" doc:"column, from 1"`
			},
			) (float64, error) {
				rows, cols := p.Self.Dims()
				at, err := zeroBased("index", []int{p.I, p.J}, []int{rows, cols})
				if err != nil {
					return 0, err
				}
				return p.Self.At(at[0], at[1]), nil
			}, bind.Returns("its number, 0 where none is kept"), bind.Example(sampleSparse+"A:at(1, 2)  --> -1")),
			bind.Fn("row", "The entries kept of one row.", func(_ *bind.Call, p *struct {
				sparseReceiver
				I int `arg:"i" pos:"1" doc:"row, from 1"`
			},
			) (bind.Results, error) {
				rows, _ := p.Self.Dims()
				at, err := zeroBased("row", []int{p.I}, []int{rows})
				if err != nil {
					return nil, err
				}
				cols, values := p.Self.Row(at[0])
				ones := make([]float64, len(cols))
				for k, j := range cols {
					ones[k] = float64(j + 1)
				}
				return bind.Results{array.Vector(ones), array.Vector(values).Copy()}, nil
			}, bind.ReturnsAs("array", "columns, increasing"), bind.ReturnsAs("array", "values"),
				bind.Example(sampleSparse+"local columns, values = A:row(4)\nprint(columns[1], values[1])  --> 3\t-1")),
			bind.Fn("dense", "The matrix with all its zeros.", func(_ *bind.Call, p *sparseReceiver) (*array.Array, error) {
				d, err := p.Self.Dense()
				if err != nil {
					return nil, err
				}
				return array.FromMatrix(d), nil
			}, bind.Returns("array"), bind.Errors("more than fits into memory"), bind.Keywords("toarray", "todense"), bind.Example(sampleSparse+"A:dense():sum()  --> 2")),
		),
	)
}

const sampleSparse = "local A = sparse.diags({{2}, {-1}, {-1}}, {0, 1, -1}, {shape = {4, 4}})\n"
