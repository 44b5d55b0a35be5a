package problem

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/criteria"
)

// Problem is the optimality system of a fit, in coordinates of its own, for every λ and ρ.
type Problem interface {
	// Choose finds the λ and ρ that a criterion likes best.
	Choose(ctx context.Context, by criteria.Criterion) (*Chosen, error)
	// Measure is the criteria at λ and ρ, not known where they would take much longer than
	// the fit.
	Measure(ctx context.Context, at Penalty) (criteria.Sheet, error)
	// Solve finds the solution, beginning with one for λ and ρ nearby; nil: none is known.
	Solve(ctx context.Context, at Penalty, start []float64) (*Solution, error)
	// Weigh turns a solution into weights. Solutions are not used any more then.
	Weigh(ctx context.Context, at Penalty, x []float64) (*Weighed, error)
	// Contend is the criterion REML, of this kernel among others.
	Contend(ctx context.Context) (*criteria.Contender, error)
	// Exact is the matrix of the outputs, of at most so many rows; nil where it is not known.
	Exact(ctx context.Context, most int) (*criteria.Exact, error)
}
