package optimize

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// Covariance is (JᵀJ)⁻¹ at the minimum, row by row: the covariance of the variables if the
// residuals have the variance 1. Where the residuals do not determine the variables, it is
// infinite. It is formed from the singular values of the scaled Jacobian.
func (f *Fit) Covariance(ctx context.Context) ([]float64, error) {
	n := len(f.X)
	out := make([]float64, n*n)
	infinite := func() ([]float64, error) {
		for i := range out {
			out[i] = math.Inf(1)
		}
		return out, nil
	}
	m := len(f.Residuals)
	if m < n {
		return infinite()
	}
	scale := make([]float64, n)
	for i, v := range f.Jacobian {
		scale[i%n] = math.Hypot(scale[i%n], v)
	}
	j := mat.NewDense(m, n, nil)
	for i := range m {
		for k := range n {
			if scale[k] == 0 {
				return infinite()
			}
			j.Set(i, k, f.Jacobian[i*n+k]/scale[k])
		}
	}
	_, values, v, err := linop.SVD(ctx, j)
	if err != nil {
		return nil, err
	}
	if values[n-1] <= 1e-12*values[0] {
		return infinite()
	}
	for a := range n {
		for b := range n {
			for k, s := range values {
				out[a*n+b] += v.At(a, k) / s * v.At(b, k) / s / scale[a] / scale[b]
			}
		}
	}
	return out, nil
}
