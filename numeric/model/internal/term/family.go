package term

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// family is what makes the functions G of terms families G_θ: a kernel of the parameters.
type family struct {
	Names  []string
	kernel kernel.Kernel
	open   []*Opening // of the parameters that have no lengthscale
	make   func() kernel.Kernel
}

// parameterLength is where the search for the lengthscale of a parameter begins, as a fraction
// of its range.
const parameterLength = 0.5

func parameterLengths() []float64 { return []float64{0.06, 0.12, 0.25, 0.5, 1, 2, 4} }

// family is that of the parameters; nil where there are none.
func (g *Given) family() (*family, error) {
	d := len(g.Data.Parameters)
	if d == 0 {
		return nil, nil
	}
	f := &family{}
	var factors []func() kernel.Kernel
	for _, p := range g.Data.Parameters {
		f.Names = append(f.Names, p.Name)
		k := g.Kernels[p.Name]
		if k != nil && !kernels.IsAuto(k) {
			factors = append(factors, func() kernel.Kernel { return k })
			continue
		}
		o, length := &Opening{What: "lengthscale", Of: p.Name, At: parameterLength, Tried: parameterLengths()}, slices.Max(p.Values)-slices.Min(p.Values)
		f.open = append(f.open, o)
		factors = append(factors, func() kernel.Kernel { return kernels.Resolve(OrMatern(k), kernel.Lengthscale{o.At * length}, o.At) })
	}
	f.make = func() kernel.Kernel {
		if d == 1 {
			return factors[0]()
		}
		var all kernel.Product
		for c, factor := range factors {
			all.Factors = append(all.Factors, kernels.OnCoordinate{Kernel: factor(), At: c})
		}
		return all
	}
	f.kernel = f.make()
	return f, nil
}

// spread puts each sample at its parameters: columns of other parameters are zero. Without
// parameters the columns stay as they are.
func (f *family) spread(rows *mat.Dense, on mesh.Mesh, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	if f == nil {
		return rows, on, nil
	}
	axis, of, err := f.points(in)
	if err != nil {
		return nil, on, err
	}
	if on, err = mesh.New(append(on.Axes(), axis)...); err != nil {
		return nil, on, err
	}
	n, m := rows.Dims()
	count := axis.Size()
	all := mat.NewDense(n, m*count, nil)
	for i := range n {
		row := all.RawRowView(i)
		for j, v := range rows.RawRowView(i) {
			row[j*count+of[i]] = v
		}
	}
	return all, on, nil
}

// points are the distinct parameters of samples, and which of them each sample has.
func (f *family) points(in *dataset.Table) (axis mesh.Axis, of []int, err error) {
	var points, weights []float64
	known := map[string]int{}
	for i := range in.N() {
		at, key := make([]float64, len(f.Names)), ""
		for c, name := range f.Names {
			p := find(in.Parameters, func(p *dataset.Scalar) string { return p.Name }, name)
			if p == nil {
				return axis, nil, missingInput(name)
			}
			at[c] = p.Values[i]
			key += strconv.FormatFloat(at[c], 'g', -1, 64) + " "
		}
		j, ok := known[key]
		if !ok {
			j = len(known)
			known[key], points, weights = j, append(points, at...), append(weights, 1)
		}
		of = append(of, j)
	}
	axis, err = mesh.Scattered(points, len(f.Names), weights, f.Names...)
	return axis, of, err
}

// KernelAt is the kernel of the parameters between θ and those of the data, the last axis
// of on.
func (f *family) KernelAt(theta []float64, on mesh.Mesh) ([]float64, error) {
	k, err := kernels.Compile(f.kernel, kernel.Space{Names: f.Names})
	if err != nil {
		return nil, err
	}
	axes := on.Axes()
	points, err := mesh.New(axes[len(axes)-1])
	if err != nil {
		return nil, err
	}
	row := make([]float64, points.Size())
	k.Row(row, theta, points.Columns())
	return row, nil
}

// At is the mesh x at the parameters θ.
func (f *family) At(x mesh.Mesh, theta []float64) (mesh.Mesh, error) {
	one, err := mesh.Scattered(theta, len(theta), []float64{1}, f.Names...)
	if err != nil {
		return mesh.Mesh{}, fmt.Errorf("parameters: %w", err)
	}
	return mesh.New(append(x.Axes(), one)...)
}
