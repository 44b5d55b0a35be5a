package optimize

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// Covariance is (JᵀJ)⁻¹ at the minimum, row by row: the covariance of the variables if the
// residuals have the variance 1. It is infinite for those that the residuals do not determine,
// which undetermined lists. It is formed from the singular values of the scaled Jacobian.
func (f *Fit) Covariance(ctx context.Context) (covariance []float64, undetermined []int, err error) {
	n, m := len(f.X), len(f.Residuals)
	scale := make([]float64, n)
	for i, v := range f.Jacobian {
		scale[i%n] = math.Hypot(scale[i%n], v)
	}
	j := mat.NewDense(max(m, n), n, nil)
	for k := range scale {
		if scale[k] == 0 {
			scale[k] = 1
		}
		for i := range m {
			j.Set(i, k, f.Jacobian[i*n+k]/scale[k])
		}
	}
	_, values, v, err := linop.SVD(ctx, j)
	if err != nil {
		return nil, nil, err
	}
	level := 1e-13 // that of rounding
	if f.Differences {
		level = 1e-9
	}
	covariance = make([]float64, n*n)
	infinite := make([]bool, n)
	for k, s := range values {
		if s <= level*values[0] {
			for a := range n {
				const part = 1e-4 // of a direction that a variable has to matter
				infinite[a] = infinite[a] || math.Abs(v.At(a, k)) > part
			}
			continue
		}
		for a := range n {
			for b := range n {
				covariance[a*n+b] += v.At(a, k) / s * v.At(b, k) / s / scale[a] / scale[b]
			}
		}
	}
	for a, inf := range infinite {
		if !inf {
			continue
		}
		undetermined = append(undetermined, a)
		for b := range n {
			covariance[a*n+b], covariance[b*n+a] = math.Inf(1), math.Inf(1)
		}
	}
	return covariance, undetermined, nil
}
