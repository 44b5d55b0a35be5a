package term

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Curves is a random curve γ_g(y) for each group g.
const Curves Kind = "group"

type curves struct{}

func groupOf(d *dataset.Table, name string) *dataset.Grouping {
	return find(d.Groups, func(g *dataset.Grouping) string { return g.Name }, name)
}

func (curves) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	of := groupOf(g.Data, name)
	if of == nil {
		return nil, nil
	}
	t := &Term{Kind: Curves, Group: of}
	t.setKernel(g.Kernels[name], func(k kernel.Kernel) kernel.Kernel {
		return kernel.Tensor{Input: kernel.White{}, Output: k}
	}, out)
	return t, nil
}

// columns are 1 where a sample belongs to a group of the data. Labels that these do not
// have are new groups, whose curves are zero in the mean.
func (curves) columns(_ context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	g := groupOf(in, t.Group.Name)
	if g == nil {
		return nil, mesh.Mesh{}, missingInput(t.Group.Name)
	}
	labels := t.Group.Labels
	columns := mat.NewDense(len(g.Of), len(labels), nil)
	for i, j := range g.Of {
		if at := slices.Index(labels, g.Labels[j]); at >= 0 {
			columns.Set(i, at, 1)
		}
	}
	points := make([]float64, len(labels))
	for j := range points {
		points[j] = float64(j)
	}
	on, err := LabelMesh(t.Group.Name, points...)
	return columns, on, err
}

// WithNew adds to the columns of samples one for each group that the data do not have: its curve is
// zero in the mean, and as uncertain as the curves of groups are spread.
func (t *Term) WithNew(columns *mat.Dense, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	g, known := groupOf(in, t.Group.Name), len(t.Group.Labels)
	at, points := map[int]int{}, make([]float64, known)
	for _, j := range g.Of {
		if _, seen := at[j]; !seen && !slices.Contains(t.Group.Labels, g.Labels[j]) {
			at[j] = len(points)
			points = append(points, 0)
		}
	}
	for j := range points {
		points[j] = float64(j)
	}
	on, err := LabelMesh(t.Group.Name, points...)
	if len(points) == known || err != nil {
		return columns, on, err
	}
	all := mat.NewDense(len(g.Of), len(points), nil)
	all.Slice(0, len(g.Of), 0, known).(*mat.Dense).Copy(columns)
	for i, j := range g.Of {
		if p, is := at[j]; is {
			all.Set(i, p, 1)
		}
	}
	return all, on, nil
}

func (curves) take(_ *Term, k kernel.Kernel) error {
	if _, ok := k.(kernel.Tensor); !ok {
		return errOtherKernel
	}
	return nil
}

// LabelMesh is the mesh of groups by their numbers.
func LabelMesh(name string, labels ...float64) (mesh.Mesh, error) {
	axis, err := mesh.Scattered(labels, 1, linop.Ones(len(labels)), name)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(axis)
}

// Labelled is the mesh of one group of a term.
func (t *Term) Labelled(label string) (mesh.Mesh, error) {
	j := slices.Index(t.Group.Labels, label)
	if j < 0 {
		return mesh.Mesh{}, fmt.Errorf("%s: there is no group %q; there are %s", t.Name, label, strings.Join(t.Group.Labels, ", "))
	}
	return LabelMesh(t.Group.Name, float64(j))
}
