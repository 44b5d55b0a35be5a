package bindings

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
	"github.com/greenbench/workbench/numeric/pde"
)

// Knowledge of an operator before the data: an estimate, or a Green's function.
type (
	before = bind.Either[estimate, bind.Either[pde.Problem, *array.Array]]
	priors = bind.Either[before, map[string]before]
)

// priorsOf is what is known of each output.
func priorsOf(p *priors, d frame) (map[string]model.Prior, error) {
	if p == nil {
		return nil, nil
	}
	if len(d.Fields) != 1 {
		return nil, fmt.Errorf("prior: want data with one function, these have %d (%s)", len(d.Fields), list(names(d.Fields)))
	}
	given := p.B
	if !p.IsB {
		if len(d.Outputs) > 1 {
			return nil, fmt.Errorf("prior: want a table by output, such as {%s = …}", d.Outputs[0].Name)
		}
		given = map[string]before{d.Outputs[0].Name: p.A}
	}
	all := make(map[string]model.Prior)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := known("output", name, names(d.Outputs)); err != nil {
			return nil, fmt.Errorf("prior: %w", err)
		}
		var err error
		if all[name], err = priorOf(given[name], d.Fields[0].Mesh, d.Output(name).Mesh); err != nil {
			return nil, fmt.Errorf("prior.%s: %w", name, err)
		}
	}
	return all, nil
}

// priorOf is a prior on the meshes of the data.
func priorOf(b before, x, y mesh.Mesh) (model.Prior, error) {
	switch {
	case !b.IsB:
		return b.A, nil
	case !b.B.IsB:
		return greenPrior{func(ctx context.Context, x, y mesh.Mesh) (*mat.Dense, error) { return pde.Green(ctx, b.B.A, x, y) }}, nil
	}
	g := b.B.B
	if g.Size() != x.Size()*y.Size() {
		return nil, fmt.Errorf("has the shape %s, must be %d × %d, a value for each pair of points of the data", array.ShapeString(g.Shape), x.Size(), y.Size())
	}
	values := mat.NewDense(x.Size(), y.Size(), slices.Clone(g.Data))
	return greenPrior{func(_ context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
		if !xs.Equal(x) || !ys.Equal(y) {
			return nil, fmt.Errorf("its values are on the meshes of the data and say nothing elsewhere; give an estimate or a problem to predict on other meshes")
		}
		return values, nil
	}}, nil
}

// greenPrior predicts with a Green's function.
type greenPrior struct {
	green func(ctx context.Context, x, y mesh.Mesh) (*mat.Dense, error)
}

// Predict is the integral of G(x, y) f(x) over x, for each row of f.
func (p greenPrior) Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	g, err := p.green(ctx, xs, ys)
	if err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(f)
	n, _ := f.Dims()
	for i := range n {
		row := weighted.RawRowView(i)
		for k, w := range xs.Weights() {
			row[k] *= w
		}
	}
	u := mat.NewDense(n, ys.Size(), nil)
	return u, linop.MulContext(ctx, u, weighted, g)
}
