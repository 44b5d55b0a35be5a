package linop

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Symmetric returns the symmetric part (A + Aᵀ)/2 of a square matrix: of one that is
// symmetric but for rounding.
func Symmetric(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

// Identity is the identity matrix, n × n.
func Identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// Stopped is the error of a context that has ended, with its cause; nil for others.
func Stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stopped: %w", context.Cause(ctx))
}
