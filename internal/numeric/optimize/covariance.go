package optimize

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Covariance is (JᵀJ)⁻¹ at the minimum, row by row: the covariance of the variables if the
// residuals have the variance 1. It is infinite for those that the residuals do not determine,
// which undetermined lists, and 0 for those that are fixed, as by equal bounds; fixed may be nil.
// It is formed from the singular values of the scaled Jacobian.
func (f *Fit) Covariance(ctx context.Context, fixed []bool) (covariance []float64, undetermined []int, err error) {
	n := len(f.X)
	free := make([]int, 0, n)
	for k := range n {
		if fixed == nil || !fixed[k] {
			free = append(free, k)
		}
	}
	covariance = make([]float64, n*n)
	if len(free) == 0 {
		return covariance, nil, nil
	}
	part := *f
	part.X, part.Jacobian = make([]float64, len(free)), make([]float64, 0, len(free)*len(f.Residuals))
	for i := range f.Residuals {
		for _, k := range free {
			part.Jacobian = append(part.Jacobian, f.Jacobian[i*n+k])
		}
	}
	among, unknown, err := part.covariance(ctx)
	if err != nil {
		return nil, nil, err
	}
	for a, i := range free {
		for b, k := range free {
			covariance[i*n+k] = among[a*len(free)+b]
		}
	}
	for _, a := range unknown {
		undetermined = append(undetermined, free[a])
	}
	return covariance, undetermined, nil
}

// covariance is that of all variables.
func (f *Fit) covariance(ctx context.Context) (covariance []float64, undetermined []int, err error) {
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
