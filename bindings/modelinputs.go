package bindings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// inputValues are those of a function, a covariate or a parameter, or labels.
type inputValues = bind.Either[*array.Array, bind.Either[string, []string]]

// A reader makes the inputs of new samples of what a script gives by name: the data
// that a model was learned from say what each name is.
type reader struct {
	data   *dataset.Table
	x      meshes
	spec   dataset.TableSpec
	n      int  // samples so far
	single bool // no function was given as n × points
}

func (r *reader) read(values map[string]inputValues) error {
	all := slices.Concat(names(r.data.Fields), scalarNames(r.data.Scalars), groupNames(r.data.Groups), parameterNames(r.data))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := nameIn("inputs", name, all); err != nil {
			return err
		}
		if err := r.one(name, values[name]); err != nil {
			return fmt.Errorf("inputs.%s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.x.B)) {
		if r.spec.InputMesh.Of[name].Size() == 0 {
			return fmt.Errorf("input_mesh.%s: there is no function of that name among the inputs", name)
		}
	}
	return nil
}

// one reads the values of one name.
func (r *reader) one(name string, v inputValues) error {
	if r.data.Grouping(name) != nil {
		r.spec.Group[name] = labelsOf(v)
		r.n = max(r.n, len(r.spec.Group[name]))
		return nil
	}
	if v.IsB {
		return fmt.Errorf("want numbers, got text")
	}
	a := v.A
	if f := r.data.Field(name); f != nil {
		return r.field(name, a, f.Mesh)
	}
	if a.Size() != a.Shape[0] {
		return fmt.Errorf("has the shape %s: want a number for each sample", dense.ShapeString(a.Shape))
	}
	r.n = max(r.n, a.Size())
	if r.data.Scalar(name) != nil {
		r.spec.Input[name] = array.Vector(a.Data)
	} else {
		r.spec.Parameter[name] = a.Data
	}
	return nil
}

// field reads one function or n of them.
func (r *reader) field(name string, a *array.Array, m mesh.Mesh) error {
	switch {
	case r.x.IsB && r.x.B[name].Size() > 0:
		m = r.x.B[name]
	case !r.x.IsB && r.x.A.Size() > 0:
		m = r.x.A
	}
	if own := r.data.Field(name).Mesh; m.Dim() != own.Dim() {
		return fmt.Errorf("its mesh has %d coordinates, must have the %d of the data", m.Dim(), own.Dim())
	}
	rows, single, err := shapeRows(a, m.Size())
	if err != nil {
		return fmt.Errorf("has the shape %s, must be %d points, or n × %d", dense.ShapeString(a.Shape), m.Size(), m.Size())
	}
	n, _ := rows.Dims()
	r.single = r.single && single
	r.n = max(r.n, n)
	r.spec.Input[name] = array.FromMatrix(rows)
	r.spec.InputMesh.Of[name] = m
	return nil
}

// repeat gives every sample the number or label that was given once.
func (r *reader) repeat() {
	for name, a := range r.spec.Input {
		if r.spec.InputMesh.Of[name].Size() == 0 && a.Size() == 1 {
			r.spec.Input[name] = array.Vector(slices.Repeat(a.Data, r.n))
		}
	}
	for name, v := range r.spec.Parameter {
		if len(v) == 1 {
			r.spec.Parameter[name] = slices.Repeat(v, r.n)
		}
	}
	for name, v := range r.spec.Group {
		if len(v) == 1 {
			r.spec.Group[name] = slices.Repeat(v, r.n)
		}
	}
	r.single = r.single && r.n == 1
}

func labelsOf(v inputValues) []string {
	switch {
	case !v.IsB:
		return texts(bind.Second[[]bind.Either[string, float64]](v.A.Data))
	case !v.B.IsB:
		return []string{v.B.A}
	}
	return v.B.B
}

func scalarNames(scalars []dataset.Scalar) (all []string) {
	for _, s := range scalars {
		all = append(all, s.Name)
	}
	return all
}

func groupNames(groups []dataset.Grouping) (all []string) {
	for _, g := range groups {
		all = append(all, g.Name)
	}
	return all
}
