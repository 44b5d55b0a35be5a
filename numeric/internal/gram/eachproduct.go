package gram

import (
	"context"

	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// largeProduct is from how many weights on products with a kernel are made one at a time:
// each uses all processors, and takes arrays of that size.
const largeProduct = 1 << 19

// EachProduct calls do(i) for 0 <= i < count, for products of an operator on the given
// number of weights. The error is the context's.
func EachProduct(ctx context.Context, count, weights int, do func(i int)) error {
	if weights < largeProduct {
		return kernel.Rows(ctx, count, ApplyTime(weights), do)
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
