package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// axisBasis is an orthonormal basis of functions on the output mesh: the tensor
// product of one orthogonal matrix per axis, vectors in columns.
type axisBasis []*mat.Dense

// forward replaces every row of data, an array over the output mesh, by its
// coefficients. It ends with ctx, and data is of no use then.
func (v axisBasis) forward(ctx context.Context, data []float64) { v.alongAxes(ctx, data, true) }

// backward undoes forward.
func (v axisBasis) backward(ctx context.Context, data []float64) { v.alongAxes(ctx, data, false) }

// alongAxes multiplies by Vᵀ (forward) or V along one axis after the other.
func (v axisBasis) alongAxes(ctx context.Context, data []float64, forward bool) {
	from, to, after := data, make([]float64, len(data)), 1
	for k := len(v) - 1; k >= 0; k-- {
		n, _ := v[k].Dims()
		turned, plain := v[k].T(), mat.Matrix(v[k])
		if !forward {
			turned, plain = plain, turned
		}
		if after == 1 {
			if linop.MulContext(ctx, mat.NewDense(len(data)/n, n, to), mat.NewDense(len(data)/n, n, from), plain) != nil {
				return
			}
		} else {
			part := func(of []float64, k int) *mat.Dense { return mat.NewDense(n, after, of[k*n*after:(k+1)*n*after]) }
			if linop.MulEach(ctx, len(data)/(n*after), func(k int) (*mat.Dense, mat.Matrix, mat.Matrix) {
				return part(to, k), turned, part(from, k)
			}) != nil {
				return
			}
		}
		from, to, after = to, from, after*n
	}
	if len(v)%2 == 1 {
		copy(data, from)
	}
}
