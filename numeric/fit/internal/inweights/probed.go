package inweights

import (
	"context"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
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
// space would not fit. Cost: a solve, and some hundred products in the space of the data.
func (w *Problem) probed(ctx context.Context, at problem.Penalty, rules *spectrum) (criteria.Sheet, error) {
	if space := criteria.AloneSpace(float64(len(w.T))); space > float64(gram.MemoryShare(.25, maxSpace)) {
		return criteria.Unknown(at.Lambda, at.Rho), nil
	}
	var start []float64
	if rules != nil && rules.space != nil {
		start = rules.space.weights([]int{0})[0]
	}
	p := criteria.Probed{
		Make: func(lambda, rho float64) criteria.System {
			return &dataSystem{w.InDataAt(problem.At(lambda, rho)), w, problem.At(lambda, rho), start}
		},
		T: w.T, RSS0: w.RSS0, Outputs: float64(w.Outputs()), Bias: w.Q != nil, Contrast: w.Flat, Alone: true, Blocks: 1,
	}
	return p.At(ctx, at.Lambda, at.Rho)
}

// InDataAt is A + I in the space of the data, at λ and ρ.
func (w *Space) InDataAt(at problem.Penalty) linop.Operator { return w.At(at).InData() }

// dataSystem is that of the data as the criteria see it.
type dataSystem struct {
	linop.Operator
	w     *Problem
	at    problem.Penalty
	start []float64 // weights near the solution; nil: none are known
}

// Diagonals implements criteria.System.
func (d *dataSystem) Diagonals(context.Context) (near, diagonal []float64) {
	return linop.Ones(len(d.w.T)), nil
}

// Solve implements criteria.System: the misfit of the weights.
func (d *dataSystem) Solve(ctx context.Context, _ []float64) ([]float64, error) {
	x, err := d.w.Solve(ctx, d.at, d.start)
	if err != nil {
		return nil, err
	}
	return d.w.Space.At(d.at).State(ctx, x.X).Misfit, linop.Stopped(ctx)
}

// SolveContrast implements criteria.System: A has nothing of the free constant.
func (d *dataSystem) SolveContrast(context.Context) ([]float64, error) {
	return slices.Clone(d.w.Flat), nil
}

// Each implements criteria.System.
func (d *dataSystem) Each(ctx context.Context, count int, do func(i int)) error {
	return gram.EachProduct(ctx, count, d.w.G.Size(), do)
}
