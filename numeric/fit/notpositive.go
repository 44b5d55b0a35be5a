package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

const (
	// resolved is the largest eigenvalue of K/λ + I beside which rounding does not
	// make the small ones negative.
	resolved = 1e13
	// suggested is what it usually may be.
	suggested = 1e15
)

// tooSmall means that a fit failed by rounding, because λ is too small.
type tooSmall struct{ lambda, least float64 }

func (e *tooSmall) Error() string {
	return fmt.Sprintf("lambda %.3g: is lost in rounding beside the kernel on these data; the least that can be solved for is about %.0e", e.lambda, e.least)
}

// explained says why a solve with the operator K/λ + I found that it is not positive
// definite: the kernel is not, or rounding. Other errors stay as they are.
func explained(ctx context.Context, err error, a linop.Operator, k kernel.Kernel, lambda float64) error {
	if !errors.Is(err, solve.ErrNotPositive) {
		return err
	}
	if top := largestEigenvalue(ctx, a); top > resolved {
		return &tooSmall{lambda, lambda * max(top/suggested, 2)}
	}
	if ctx.Err() != nil {
		return linop.Stopped(ctx)
	}
	return fmt.Errorf("kernel %s: not positive semi-definite on these meshes (%w)", k, err)
}

// largestEigenvalue is an estimate from below, by the power method.
func largestEigenvalue(ctx context.Context, a linop.Operator) float64 {
	n, _ := a.Dims()
	x, y, top := signs(n, 0), make([]float64, n), 0.0
	for range 20 {
		floats.Scale(1/floats.Norm(x, 2), x)
		a.Apply(ctx, y, x)
		if top = floats.Norm(y, 2); !(top > 0) || math.IsInf(top, 0) {
			return top
		}
		x, y = y, x
	}
	return top
}
