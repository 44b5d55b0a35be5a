package optimize

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Covariance is (JᵀJ)⁻¹ at the minimum, row by row: the covariance of the variables if the
// residuals have the variance 1. Where the residuals do not determine the variables, it is
// infinite. It is formed from the singular values of the scaled Jacobian.
func (f *Fit) Covariance() []float64 {
	n := len(f.X)
	out := make([]float64, n*n)
	infinite := func() []float64 {
		for i := range out {
			out[i] = math.Inf(1)
		}
		return out
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
	var svd mat.SVD
	if !svd.Factorize(j, mat.SVDThinV) {
		return infinite()
	}
	values := svd.Values(nil)
	if values[n-1] <= 1e-12*values[0] {
		return infinite()
	}
	var v mat.Dense
	svd.VTo(&v)
	for a := range n {
		for b := range n {
			for k, s := range values {
				out[a*n+b] += v.At(a, k) / s * v.At(b, k) / s / scale[a] / scale[b]
			}
		}
	}
	return out
}
