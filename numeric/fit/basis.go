package fit

import (
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// axisBasis is an orthonormal basis of functions on the output mesh: the tensor
// product of one orthogonal matrix per axis, vectors in columns.
type axisBasis []*mat.Dense

// forward replaces every row of data, an array over the output mesh, by its
// coefficients.
func (v axisBasis) forward(data []float64) { v.alongAxes(data, true) }

// backward undoes forward.
func (v axisBasis) backward(data []float64) { v.alongAxes(data, false) }

// alongAxes multiplies by Vᵀ (forward) or V along one axis after the other.
func (v axisBasis) alongAxes(data []float64, forward bool) {
	after := 1
	for k := len(v) - 1; k >= 0; k-- {
		n, _ := v[k].Dims()
		if after == 1 {
			rows := mat.NewDense(len(data)/n, n, data)
			var t mat.Dense
			if forward {
				linop.Mul(&t, rows, v[k])
			} else {
				linop.Mul(&t, rows, v[k].T())
			}
			rows.Copy(&t)
		} else {
			t := mat.NewDense(n, after, nil)
			for at := 0; at < len(data); at += n * after {
				block := mat.NewDense(n, after, data[at:at+n*after])
				if forward {
					linop.Mul(t, v[k].T(), block)
				} else {
					linop.Mul(t, v[k], block)
				}
				block.Copy(t)
			}
		}
		after *= n
	}
}
