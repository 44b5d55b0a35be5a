package inweights

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// What the criteria take from random vectors, in seconds, as measured with 40,000 and 160,000 values: for each of these, and
// for each and point.
const (
	probedPerValue = 1.6e-5
	probedPerPoint = 1.3e-7
)

// costOfProbed is about what the criteria take from random vectors.
func (w *Space) costOfProbed() progress.Cost {
	values := float64(len(w.T))
	return progress.Cost{
		Seconds: values * (probedPerValue + probedPerPoint*math.Sqrt(float64(w.G.Size()))),
		Bytes:   8 * criteria.AloneSpace(values),
	}
}

// probed is the criteria at λ and ρ from random vectors, for what is too large for a matrix; not known where their
// space would not fit, and where rounding has eaten the smallest eigenvalues up. Cost: a solve, which is of weights from a start,
// and some hundred products in the space of the data.
func (w *Space) probed(ctx context.Context, at problem.Penalty, solution func(at problem.Penalty) ([]float64, error)) (criteria.Sheet, error) {
	if space := criteria.AloneSpace(float64(len(w.T))); space > float64(gram.MemoryShare(.25, maxSpace)) {
		return criteria.Unknown(at.Lambda, at.Rho), nil
	}
	p := criteria.Probed{
		Make: func(lambda, rho float64) criteria.System {
			at := *w
			at.Lambda, at.Rho = lambda, rho
			return &dataSystem{at.InData(), &at, solution}
		},
		T: w.T, RSS0: w.RSS0, Outputs: float64(w.Outputs()), Bias: w.Q != nil, Contrast: w.Flat, Alone: true, Blocks: 1,
	}
	v, err := p.At(ctx, at.Lambda, at.Rho)
	if errors.Is(err, solve.ErrNotPositive) {
		return criteria.Unknown(at.Lambda, at.Rho), nil
	}
	return v, err
}

// dataSystem is A + I in the space of the data, as the criteria see it.
type dataSystem struct {
	linop.Operator
	w        *Space
	solution func(at problem.Penalty) ([]float64, error) // weights
}

// Diagonals implements criteria.System.
func (d *dataSystem) Diagonals(context.Context) (near, diagonal []float64) {
	return linop.Ones(len(d.w.T)), nil
}

// Solve implements criteria.System: the misfit of the weights.
func (d *dataSystem) Solve(ctx context.Context, _ []float64) ([]float64, error) {
	x, err := d.solution(problem.At(d.w.Lambda, d.w.Rho))
	if err != nil {
		return nil, err
	}
	return d.w.State(ctx, x).Misfit, linop.Stopped(ctx)
}

// SolveContrast implements criteria.System: A has nothing of the free constant.
func (d *dataSystem) SolveContrast(context.Context) ([]float64, error) {
	return slices.Clone(d.w.Flat), nil
}

// Each implements criteria.System.
func (d *dataSystem) Each(ctx context.Context, count int, do func(i int)) error {
	return gram.EachProduct(ctx, count, d.w.G.Size(), do)
}
