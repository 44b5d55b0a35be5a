package bindings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Knowledge of an operator before the data: an estimate, or a Green's function.
type (
	before = bind.Either[estimate, bind.Either[pde.Problem, *array.Array]]
	priors = bind.Either[before, map[string]before]
)

// priorOfPairs is what is known of the one operator of pairs, nil for nothing.
func priorOfPairs(p *priors, d *dataset.Dataset) (fit.Known, error) {
	switch {
	case p == nil:
		return nil, nil
	case p.IsB:
		return nil, errors.New("prior: want one, since the data have one output; priors by name go with named outputs")
	}
	k, err := priorOf(p.A, d.InputMesh, d.OutputMesh)
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	return k, nil
}

// priorsOf is what is known of each output.
func priorsOf(p *priors, d frame) (map[string]fit.Known, error) {
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
	all := make(map[string]fit.Known)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := nameIn("output", name, names(d.Outputs)); err != nil {
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
func priorOf(b before, x, y mesh.Mesh) (fit.Known, error) {
	switch {
	case !b.IsB:
		return b.A, nil
	case !b.B.IsB:
		return knownProblem{b.B.A}, nil
	}
	g := b.B.B
	if g.Size() != x.Size()*y.Size() {
		return nil, fmt.Errorf("has the shape %s, must be %d × %d, a value for each pair of points of the data", dense.ShapeString(g.Shape), x.Size(), y.Size())
	}
	return fit.KnownValues(x, y, mat.NewDense(x.Size(), y.Size(), slices.Clone(g.Data)), nil), nil
}

// knownProblem is what a problem says of its G and β.
type knownProblem struct{ pde.Problem }

// Green is G on meshes.
func (k knownProblem) Green(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return pde.Green(ctx, k.Problem, xs, ys)
}

// Bias is β on a mesh.
func (k knownProblem) Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return pde.Bias(ctx, k.Problem, ys)
}

// Predict is β + ∫ G f.
func (k knownProblem) Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if xs.Size() == 0 {
		xs, _ = pde.Meshes(k.Problem)
	}
	return known.Predict(ctx, k, f, xs, ys)
}
