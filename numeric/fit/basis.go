package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
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
	after := 1
	for k := len(v) - 1; k >= 0; k-- {
		n, _ := v[k].Dims()
		if after == 1 {
			rows := mat.NewDense(len(data)/n, n, data)
			var t mat.Dense
			var by mat.Matrix = v[k]
			if !forward {
				by = v[k].T()
			}
			if linop.MulContext(ctx, &t, rows, by) != nil {
				return
			}
			rows.Copy(&t)
		} else {
			t := mat.NewDense(n, after, nil)
			var by mat.Matrix = v[k]
			if forward {
				by = v[k].T()
			}
			for at := 0; at < len(data); at += n * after {
				block := mat.NewDense(n, after, data[at:at+n*after])
				if linop.MulContext(ctx, t, by, block) != nil {
					return
				}
				block.Copy(t)
			}
		}
		after *= n
	}
}
