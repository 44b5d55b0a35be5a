package solve

import (
	"context"
	"errors"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// ErrSingular means that a matrix has no inverse, or none that double precision
// can tell from having none.
var ErrSingular = errors.New("singular")

// factor is a factored matrix.
type factor interface {
	// solve replaces the columns of x by solutions; transposed solves with Aᵀ.
	solve(ctx context.Context, x simd.Matrix) error
	solveTransposed(ctx context.Context, x simd.Matrix) error
	// forVectors is the same factor, faster for one column at a time.
	forVectors() factor
}
