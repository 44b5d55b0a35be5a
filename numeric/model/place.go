package model

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
)

// place puts points of the term into the union of all, and those of the output among all.
func (t *Term) place(on, ys mesh.Mesh) (x, y mesh.Mesh, err error) {
	if x, err = t.placeInput(on); err != nil {
		return x, y, err
	}
	y, err = t.out.place(ys)
	return x, y, err
}

// place puts points of the output, or those of the data where there are none, among all.
func (o *Output) place(ys mesh.Mesh) (mesh.Mesh, error) {
	if o.coupling == nil {
		return ys, nil
	}
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	if ys.Dim() != o.Mesh.Dim() {
		return ys, fmt.Errorf("ymesh: has %d coordinates, must have the %d of the output", ys.Dim(), o.Mesh.Dim())
	}
	axis, err := sizes.OutputAxis(float64(o.number))
	if err != nil {
		return ys, err
	}
	return mesh.New(append([]mesh.Axis{axis}, ys.Axes()...)...)
}

func (t *Term) placeInput(on mesh.Mesh) (mesh.Mesh, error) {
	d, own := t.out.fit.InputMesh.Dim(), on.Dim()
	points := make([]float64, on.Size()*d)
	for i := range on.Size() {
		points[i*d] = float64(t.number)
		on.Point(points[i*d+1:i*d+1+own], i)
	}
	axis, err := mesh.Scattered(points, d, on.Weights(), t.out.fit.InputMesh.Names()...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(axis)
}

// part is the estimate of the function of a term.
func (t *Term) part() (*fit.Estimate, error) {
	return t.out.fit.Part(t.Kernel, t.term.On, t.out.Mesh, t.weights, t.out.unit, t.place, "")
}
