package outputs

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// InWeightedMesh is data with weights of the output points as those of the mesh, where that is
// all the same: the squares of the misfit are summed with these weights, and neither G nor β know
// of them. A constraint may, so it is for fits without.
func InWeightedMesh(d *dataset.Dataset) (*dataset.Dataset, error) {
	e, axes := d.Errors, d.OutputMesh.Axes()
	if e == nil || e.Points == nil || e.Covariance != nil || len(axes) > 1 {
		return d, nil
	}
	a := axes[0]
	a.Weights = slices.Clone(a.Weights)
	floats.Mul(a.Weights, e.Points)
	y, err := mesh.New(a)
	if err != nil {
		return nil, err
	}
	out, errs := *d, *e
	errs.Points = nil
	out.Errors, out.OutputMesh = &errs, y
	return &out, nil
}
