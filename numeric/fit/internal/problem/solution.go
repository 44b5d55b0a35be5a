package problem

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/kernel"
)

const (
	Raises  = 3  // how often a chosen λ that cannot be solved for is raised
	RaiseBy = 10 // by what
)

const (
	// distinct is the largest eigenvalue of K/λ + I beside which rounding does not
	// make the small ones negative.
	distinct = 1e13
	// suggested is what it usually may be.
	suggested = 1e15
)

// UnlessLost is the solution, or says that λ is lost in rounding: the operator K/λ + I was
// found not to be positive definite. Where the kernel is to blame the error says so. Where
// rounding errors keep the solution from its tolerance a greater λ is asked for.
func (x *Solution) UnlessLost(ctx context.Context, err error, a linop.Operator, k kernel.Kernel, lambda float64) (*Solution, error) {
	if err == nil && x.How.Rounded {
		x.Least = RaiseBy * lambda
	}
	if !errors.Is(err, solve.ErrNotPositive) {
		return x, err
	}
	top := LargestEigenvalue(ctx, a, 0)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	if top > distinct {
		return &Solution{How: x.How, Unknowns: x.Unknowns, Least: lambda * max(top/suggested, 2)}, nil
	}
	return nil, fmt.Errorf("kernel %s: not positive semi-definite on these meshes (%w)", k, err)
}

// closeEnough is the part of the objective that a solution may be above its minimum by when
// rounding errors keep its residual from the tolerance.
const closeEnough = 1e-8

// CertifiedBy asks for no greater λ where rounding keeps a solution from its tolerance and
// the certificate does not mind: for data t, of which rss0 is left out, the objective is
// rss0 + ⟨t, z⟩, and the squared residual is the gap. It counts as converged then, unless a
// smaller tolerance was asked for than the usual one.
func (x *Solution) CertifiedBy(t []float64, rss0, tolerance float64) *Solution {
	gap := x.How.Residual * floats.Norm(t, 2)
	gap *= gap
	if objective := rss0 + floats.Dot(t, x.X); x.How.Rounded && gap <= closeEnough*objective {
		x.How.Rounded, x.How.Converged = false, tolerance >= solve.DefaultTolerance
		x.How.Reason = fmt.Sprintf("rounding errors stop the relative residual at %.2g, which leaves the objective within %.1e of its minimum", x.How.Residual, gap/objective)
	}
	return x
}

// LargestEigenvalue is an estimate from below, by the power method: of twenty products, or fewer
// where one raises it by such a part of it or less.
func LargestEigenvalue(ctx context.Context, a linop.Operator, part float64) float64 {
	n, _ := a.Dims()
	x, y, top := criteria.Signs(n, 0), make([]float64, n), 0.0
	for range 20 {
		floats.Scale(1/floats.Norm(x, 2), x)
		a.Apply(ctx, y, x)
		before := top
		if top = floats.Norm(y, 2); !(top > 0) || math.IsInf(top, 0) || part > 0 && top-before <= part*top {
			return top
		}
		x, y = y, x
	}
	return top
}

// Solution is what a solver found.
type Solution struct {
	X        []float64 // nil: λ is lost in rounding
	How      solve.Report
	Unknowns int
	Least    float64 // where λ is too small: what can be solved for is about this at least; else 0
}

// lost says that a λ that was given is too small; it is solve.ErrNotPositive.
type lost struct{ lambda, least float64 }

func (l lost) Error() string {
	return fmt.Sprintf("lambda %.3g: is lost in rounding beside the kernel on these data; the least that can be solved for is about %.0e", l.lambda, l.least)
}

func (l lost) Is(target error) bool { return target == solve.ErrNotPositive }
