package problem

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
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
	// Values are the outputs that were observed, one by one, with their covariance at λ and ρ.
	Values(ctx context.Context, at Penalty) (*Values, error)
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

// Complete is a directed regression of complete data. Its directions are orthonormal, and each is that of a row of the
// inputs and a mode of the output: entry i my + k of the data is that of row i and mode k.
type Complete interface {
	Directed
	// IsDiagonal reports whether Diagonal is all of S K̄ Sᵀ + I.
	IsDiagonal(ctx context.Context, at Penalty) bool
	// Kernel is K on X × Y as the problem holds it.
	Kernel() linop.Operator
	// Modes is what each mode stands for at the points of the output, with dy^½ and whitening: my × my.
	Modes(ctx context.Context) *mat.Dense
	// InModes multiplies rows of values at the points of the output by dy^½, whitens them, and turns them into modes.
	InModes(ctx context.Context, rows []float64)
	// Turned are the data in their directions.
	Turned() Turned
	// Columns stores a column of S K̄ Sᵀ + I, at less than a product with it costs; nil where nothing does.
	Columns(at Penalty) func(ctx context.Context, dst []float64, j int)
}

// Turned are complete data in directions: U dy^½/√n = P T Vᵀ + Unexplained Vᵀ.
type Turned struct {
	P           *mat.Dense      // n × rows
	T           *mat.Dense      // rows × my
	V           linop.AxisBasis // modes of the output
	Unexplained *mat.Dense      // n × my; nil when it is zero
	RSS0        float64         // its square, and what else no estimate can explain
	Rdy         []float64       // dy^½
}
