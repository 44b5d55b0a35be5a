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

func (curves) form() Form { return LabelCurves }

func groupOf(d *dataset.Table, name string) *dataset.Grouping {
	return find(d.Groups, func(g *dataset.Grouping) string { return g.Name }, name)
}

func (curves) makes(_ context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	of := groupOf(g.Data, name)
	if of == nil {
		return nil, nil
	}
	t := &Term{Kind: Curves, Group: of}
	t.setCurves(g.Kernels[name], out)
	return t, nil
}

// setCurves sets the kernel of curves that are independent of one another.
func (t *Term) setCurves(k kernel.Kernel, out mesh.Mesh) {
	t.setKernel(k, func(k kernel.Kernel) kernel.Kernel { return kernel.Tensor{Input: kernel.White{}, Output: k} }, out)
}

// columns are 1, or the covariate of the term, where a sample belongs to a group of the data. Labels that these do not
// have are new groups, whose curves are zero in the mean.
func (curves) columns(_ context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	return t.labelled(in, t.Group.Labels)
}

// OfAll are the columns of samples with one for each group that the data do not have: its curve is zero in the mean, and
// as uncertain as the curves of groups are spread. They are those of Of where the term is none of groups.
func (t *Term) OfAll(ctx context.Context, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	if t.Form != LabelCurves {
		return t.Of(ctx, in)
	}
	labels := slices.Clone(t.Group.Labels)
	if g := groupOf(in, t.Group.Name); g != nil {
		for _, j := range g.Of {
			if !slices.Contains(labels, g.Labels[j]) {
				labels = append(labels, g.Labels[j])
			}
		}
	}
	return t.labelled(in, labels)
}

// labelled are the columns of samples for some labels.
func (t *Term) labelled(in *dataset.Table, labels []string) (*mat.Dense, mesh.Mesh, error) {
	g := groupOf(in, t.Group.Name)
	if g == nil {
		return nil, mesh.Mesh{}, missingInput(t.Group.Name)
	}
	times, err := t.times(in)
	if err != nil {
		return nil, mesh.Mesh{}, err
	}
	if times == nil {
		times = linop.Ones(len(g.Of))
	}
	at, points := map[string]int{}, make([]float64, len(labels))
	for j, label := range labels {
		at[label], points[j] = j, float64(j)
	}
	columns := mat.NewDense(len(g.Of), len(labels), nil)
	for i, j := range g.Of {
		if k, ok := at[g.Labels[j]]; ok {
			columns.Set(i, k, times[i])
		}
	}
	on, err := LabelMesh(t.Group.Name, points...)
	return columns, on, err
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
