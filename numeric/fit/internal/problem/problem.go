package problem

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
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

const (
	Raises  = 3  // how often a chosen λ that cannot be solved for is raised
	RaiseBy = 10 // by what
)

// Regression is a problem in the space of the data, as the posterior needs it.
type Regression interface {
	Problem
	// Equations are S K̄ Sᵀ + I and about its inverse.
	Equations(ctx context.Context, at Penalty) (a, inverse linop.Operator, err error)
	// Respond returns S (g; b) for values g of G on X × Y and b of β on Y, nil for zero.
	Respond(ctx context.Context, g, b []float64) []float64
	// Constants is the direction of the data of a free constant of β, nil without one, and
	// the length of those of the constant one.
	Constants() (outputs.Contrast, float64)
	// Observed is how many outputs there are.
	Observed() int
}

// Directed is a regression that knows directions of the data, orthonormal where none are
// missing, in which S K̄ Sᵀ + I is about diagonal.
type Directed interface {
	Regression
	// Diagonal is about the entries of S K̄ Sᵀ + I in those directions.
	Diagonal(at Penalty) []float64
	// Components returns the components of data in those directions, Lift data of such components.
	Components(ctx context.Context, z []float64) []float64
	Lift(ctx context.Context, c []float64) []float64
	// Spread is Sᵀ z, the weights that z stands for before λ and ρ: (mx + 1) × my, the last
	// row those of β.
	Spread(ctx context.Context, z []float64) *mat.Dense
	// RowsOf are the inputs of the data with their quadrature, one row for each my data, the
	// last column that of β, dy, and the roots of the weights of the values, 0 where they are
	// missing, nil for ones.
	RowsOf(ctx context.Context) (b *mat.Dense, rdy, roots []float64)
	// Mixed reports whether values of a pair have errors that are correlated.
	Mixed() bool
}
