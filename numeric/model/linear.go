package model

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Linear is ∫ G(x,y) f(x) dx; Coefficient is (z - z̄) ∫ G(x,y) f(x) dx.
const (
	Linear      Kind = "field"
	Coefficient Kind = "varying coefficient"
)

// onField is what terms that are linear in a field have in common.
type onField struct{}

func (onField) take(t *term, k kernel.Kernel) error {
	of, ok := k.(kernel.OfParameter)
	if ok != (t.family != nil) || ok && of.Parameters != len(t.family.names) {
		return errOtherKernel
	}
	if ok {
		t.family.kernel = of.Parameter
	}
	return nil
}

type linear struct{ onField }

func (linear) makes(_ context.Context, s *Spec, name string, out mesh.Mesh) (*term, error) {
	f := fieldOf(s.Data, name)
	if f == nil {
		return nil, nil
	}
	t := &term{kind: Linear, field: f}
	return t, s.setLinear(t, name, out)
}

func (linear) columns(_ context.Context, t *term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	f := fieldOf(in, t.field.Name)
	if f == nil {
		return nil, mesh.Mesh{}, missingInput(t.field.Name)
	}
	return t.family.spread(rowsOf(f), f.Mesh, in)
}

type coefficient struct{ onField }

// makes takes the covariate without its mean where the field is a term, too: the rest is
// in that.
func (coefficient) makes(_ context.Context, s *Spec, name string, out mesh.Mesh) (*term, error) {
	scalar, field, ok := product(name)
	if !ok {
		return nil, nil
	}
	t := &term{kind: Coefficient, scalar: scalarOf(s.Data, scalar), field: fieldOf(s.Data, field)}
	if t.scalar == nil || t.field == nil {
		return nil, fmt.Errorf("must be the name of a covariate times that of a field")
	}
	if slices.Contains(s.termNames(), field) {
		t.centre = stat.Mean(t.scalar.Values, nil)
	}
	return t, s.setLinear(t, name, out)
}

func (coefficient) columns(_ context.Context, t *term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	f, z := fieldOf(in, t.field.Name), scalarOf(in, t.scalar.Name)
	switch {
	case f == nil:
		return nil, mesh.Mesh{}, missingInput(t.field.Name)
	case z == nil:
		return nil, mesh.Mesh{}, missingInput(t.scalar.Name)
	}
	rows := rowsOf(f)
	for i, v := range z.Values {
		floats.Scale(v-t.centre, rows.RawRowView(i))
	}
	return t.family.spread(rows, f.Mesh, in)
}

// setLinear sets the kernel of a term that is linear in a field, with its constraint and
// the parameters.
func (s *Spec) setLinear(t *term, name string, out mesh.Mesh) (err error) {
	if t.family, err = s.family(); err != nil {
		return err
	}
	c, on := s.Constraints[name], t.field.Mesh
	in, names := mesh.JointNames(on, out)
	t.setKernel(s.Kernels[name], func(k kernel.Kernel) kernel.Kernel {
		if c != nil {
			k = constraint.Apply(c, k)
		}
		if f := t.family; f != nil {
			f.kernel = f.make()
			k = kernel.OfParameter{Kernel: k, Parameter: f.kernel, Parameters: len(f.names), Names: append(in, names...)}
		}
		return k
	}, on, out)
	if t.family != nil {
		t.open = append(t.open, t.family.open...)
	}
	return nil
}

// rowsOf is a copy of the values of a field, n × points.
func rowsOf(f *dataset.Field) *mat.Dense {
	m := f.Mesh.Size()
	return mat.NewDense(len(f.Values.Data)/m, m, slices.Clone(f.Values.Data))
}
