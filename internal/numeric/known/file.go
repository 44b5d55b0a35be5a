package known

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Members are what a file holds of something known: an estimate, or of anything else its
// values on the meshes of the data.
func Members(ctx context.Context, k Operator, x, y mesh.Mesh) (arrays.Members, error) {
	if e, ok := k.(interface {
		Members(ctx context.Context, withData bool) (arrays.Members, error)
	}); ok {
		return e.Members(ctx, false)
	}
	g, err := k.Green(ctx, x, y)
	if err != nil {
		return arrays.Members{}, fmt.Errorf("prior: %w", err)
	}
	b, err := k.Bias(ctx, y)
	return arrays.Members{Arrays: map[string]*array.Array{"green": array.FromMatrix(g), "bias": array.Vector(b)}}, err
}

// Read reads what Members gave, for data on these meshes; estimate is called where that was an
// estimate.
func Read(f arrays.Parts, x, y mesh.Mesh, estimate func() (Operator, error)) (Operator, error) {
	if _, ok, err := f.Text(arrays.EstimateHeader); ok || err != nil {
		return estimate()
	}
	g, err := arrays.Numbers(f, "green", x.Size()*y.Size())
	if err != nil {
		return nil, err
	}
	b, err := arrays.Numbers(f, "bias", y.Size())
	return Values{X: x, Y: y, G: mat.NewDense(x.Size(), y.Size(), g), Curve: b}, err
}
