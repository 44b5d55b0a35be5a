package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// largeProduct is from how many weights on products with a kernel are made one at a time:
// each uses all processors, and takes arrays of that size.
const largeProduct = 1 << 19

// EachProduct calls do(i) for 0 <= i < count, for products of an operator on the given
// number of weights. The error is the context's.
func EachProduct(ctx context.Context, count, weights int, do func(i int)) error {
	if weights < largeProduct {
		return kernels.Rows(ctx, count, ApplyTime(weights), do)
	}
	for i := range count {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		do(i)
	}
	return linop.Stopped(ctx)
}

// ApplyTime is about what a product with an operator of n rows takes, in nanoseconds: some
// passes over vectors and transforms.
func ApplyTime(n int) float64 { return 50 * float64(n) }

// MatrixOf is the matrix of a symmetric operator, from its products with unit vectors.
func MatrixOf(ctx context.Context, n, weights int, apply func(ctx context.Context, dst, x []float64)) (*mat.Dense, error) {
	m := mat.NewDense(n, n, nil)
	err := EachProduct(ctx, n, weights, func(j int) {
		e := make([]float64, n)
		e[j] = 1
		apply(ctx, m.RawRowView(j), e)
	})
	return m, err
}
