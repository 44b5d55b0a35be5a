package term

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Linear is ∫ G(x,y) f(x) dx; Coefficient is (z - z̄) ∫ G(x,y) f(x) dx, where f is no term by itself z ∫ G(x,y) f(x) dx.
const (
	Linear      Kind = "field"
	Coefficient Kind = "varying coefficient"
)

// onField is what terms that are linear in a field have in common.
type onField struct{}

func (onField) form() Form { return Function }

func (onField) take(t *Term, k kernel.Kernel) error {
	of, ok := k.(kernels.OfParameter)
	if ok != (t.Family != nil) || ok && of.Parameters != len(t.Family.Names) {
		return errOtherKernel
	}
	if ok {
		t.Family.kernel = of.Parameter
	}
	return nil
}

type linear struct{ onField }

func (linear) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	f := FieldOf(g.Data, name)
	if f == nil {
		return nil, nil
	}
	t := &Term{Kind: Linear, Field: f}
	return t, g.setLinear(t, name, out)
}

func (linear) columns(_ context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	f := FieldOf(in, t.Field.Name)
	if f == nil {
		return nil, mesh.Mesh{}, missingInput(t.Field.Name)
	}
	return t.Family.spread(rowsOf(f), f.Mesh, in)
}

type coefficient struct{ onField }

func (coefficient) called() string { return "covariate*field" }

// makes takes the covariate without its mean where the field is a term, too: the rest is
// in that.
func (coefficient) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	scalar, field, ok := Product(name)
	if !ok {
		return nil, nil
	}
	t := &Term{Kind: Coefficient, scalar: scalarOf(g.Data, scalar), Field: FieldOf(g.Data, field)}
	switch {
	case FieldOf(g.Data, scalar) != nil && scalarOf(g.Data, field) != nil:
		return nil, fmt.Errorf("the covariate comes first: %s*%s", field, scalar)
	case t.scalar == nil || t.Field == nil:
		return nil, nil
	}
	if slices.Contains(g.Names, field) {
		t.centre = stat.Mean(t.scalar.Values, nil)
	}
	return t, g.setLinear(t, name, out)
}

func (coefficient) columns(_ context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	f := FieldOf(in, t.Field.Name)
	if f == nil {
		return nil, mesh.Mesh{}, missingInput(t.Field.Name)
	}
	times, err := t.times(in)
	if err != nil {
		return nil, mesh.Mesh{}, err
	}
	rows := rowsOf(f)
	for i, z := range times {
		floats.Scale(z, rows.RawRowView(i))
	}
	return t.Family.spread(rows, f.Mesh, in)
}

// setLinear sets the kernel of a term that is linear in a field, with its constraint and
// the parameters.
func (g *Given) setLinear(t *Term, name string, out mesh.Mesh) (err error) {
	if t.Family, err = g.family(); err != nil {
		return err
	}
	c, on := g.Constraints[name], t.Field.Mesh
	in, names := mesh.JointNames(on, out)
	t.setKernel(g.Kernels[name], func(k kernel.Kernel) kernel.Kernel {
		if c != nil {
			k = constraint.Apply(c, k)
		}
		if f := t.Family; f != nil {
			f.kernel = f.make()
			k = kernels.OfParameter{Kernel: k, Parameter: f.kernel, Parameters: len(f.Names), Names: append(in, names...)}
		}
		return k
	}, on, out)
	if t.Family != nil {
		t.Open = append(t.Open, t.Family.open...)
	}
	return nil
}

// Gather undoes spread: the term of the values of each sample without parameters, and which of the parameters,
// the last axis of its mesh, each sample has.
func (t *Term) Gather() (fields *Term, of []int) {
	all, axes := t.Columns, t.On.Axes()
	count := axes[len(axes)-1].Size()
	n, m := all.Dims()
	rows, of := mat.NewDense(n, m/count, nil), make([]int, n)
	for i := range n {
		for j, v := range all.RawRowView(i) {
			if v != 0 {
				of[i] = j % count
				rows.Set(i, j/count, v)
			}
		}
	}
	return &Term{Name: t.Name, On: t.Field.Mesh, Columns: rows}, of
}
