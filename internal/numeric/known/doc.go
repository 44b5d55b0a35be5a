// Package known is what was known of an operator before any data: values of its G and β
// ([Values]), what they predict, data without that ([Without]), and its parts of files.
package known

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Functions are G on meshes, of their sizes, and β.
type Functions interface {
	Green(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error)
	Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error)
}

// Operator is that with β + ∫ G f for inputs on xs, one in each row of f.
type Operator interface {
	Functions
	Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error)
}
