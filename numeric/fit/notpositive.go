package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/solve"
	"github.com/greenbench/workbench/numeric/kernel"
)

const (
	// distinct is the largest eigenvalue of K/λ + I beside which rounding does not
	// make the small ones negative.
	distinct = 1e13
	// suggested is what it usually may be.
	suggested = 1e15
)

// unlessLost is the solution, or says that λ is lost in rounding: the operator K/λ + I was
// found not to be positive definite. Where the kernel is to blame the error says so. Where
// rounding errors keep the solution from its tolerance a greater λ is asked for.
func (x *solution) unlessLost(ctx context.Context, err error, a linop.Operator, k kernel.Kernel, lambda float64) (*solution, error) {
	if err == nil && x.how.Rounded {
		x.least = raiseBy * lambda
	}
	if !errors.Is(err, solve.ErrNotPositive) {
		return x, err
	}
	top := largestEigenvalue(ctx, a)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	if top > distinct {
		return &solution{how: x.how, unknowns: x.unknowns, least: lambda * max(top/suggested, 2)}, nil
	}
	return nil, fmt.Errorf("kernel %s: not positive semi-definite on these meshes (%w)", k, err)
}

// closeEnough is the part of the objective that a solution may be above its minimum by when
// rounding errors keep its residual from the tolerance.
const closeEnough = 1e-8

// certifiedBy asks for no greater λ where rounding keeps a solution from its tolerance and
// the certificate does not mind: for data t, of which rss0 is left out, the objective is
// rss0 + ⟨t, z⟩, and the squared residual is the gap. It counts as converged then, unless a
// smaller tolerance was asked for than the usual one.
func (x *solution) certifiedBy(t []float64, rss0, tolerance float64) *solution {
	gap := x.how.Residual * floats.Norm(t, 2)
	gap *= gap
	if objective := rss0 + floats.Dot(t, x.x); x.how.Rounded && gap <= closeEnough*objective {
		x.how.Rounded, x.how.Converged = false, tolerance >= solve.DefaultTolerance
		x.how.Reason = fmt.Sprintf("rounding errors stop the relative residual at %.2g, which leaves the objective within %.1e of its minimum", x.how.Residual, gap/objective)
	}
	return x
}

// largestEigenvalue is an estimate from below, by the power method.
func largestEigenvalue(ctx context.Context, a linop.Operator) float64 {
	n, _ := a.Dims()
	x, y, top := criteria.Signs(n, 0), make([]float64, n), 0.0
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
