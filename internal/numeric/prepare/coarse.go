package prepare

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Coarser returns data on every so many points of each axis. Outputs elsewhere are left
// out. Inputs are gathered: what one of them is integrated with stays the same for linear
// functions between the points that are left. Axes of scattered points stay as they are,
// and so do periodic ones whose number of points is no multiple.
func Coarser(d *dataset.Dataset, every int) (*dataset.Dataset, error) {
	in, x, err := alongAxes(d.Input.Data, d.N(), d.InputMesh, every, gathered)
	if err != nil {
		return nil, err
	}
	out, y, err := alongAxes(d.Output.Data, d.N(), d.OutputMesh, every, picked)
	if err != nil {
		return nil, err
	}
	thin, err := dataset.New(dataset.Spec{
		Input: matrix(in, x.Size()), Output: matrix(out, y.Size()),
		InputMesh: x, OutputMesh: y, Missing: d.Missing,
	})
	if err != nil || d.Errors == nil {
		return thin, err
	}
	numbers := make([]float64, d.OutputMesh.Size())
	for k := range numbers {
		numbers[k] = float64(k)
	}
	if numbers, _, err = alongAxes(numbers, 1, d.OutputMesh, every, picked); err != nil {
		return nil, err
	}
	left := make([]int, len(numbers))
	for k, v := range numbers {
		left[k] = int(v)
	}
	thin.Errors = errorsAt(d.Errors, left, d.OutputMesh.Size())
	return thin, nil
}

// WithoutUnused returns the pairs without those points of curves that none of them has, as after
// pairs were selected. All values and integrals stay what they are, and so do their weights.
func WithoutUnused(d *dataset.Dataset) (*dataset.Dataset, error) {
	out := *d
	var err error
	if out.Input, out.InputMesh, _, err = used(d.Input, d.InputMesh, func(v float64) bool { return v != 0 }); err != nil {
		return nil, err
	}
	var left []int
	out.Output, out.OutputMesh, left, err = used(d.Output, d.OutputMesh, func(v float64) bool { return !math.IsNaN(v) })
	if left != nil {
		out.Errors = errorsAt(d.Errors, left, d.OutputMesh.Size())
	}
	return &out, err
}

// used leaves out the points of curves where no row has a value that counts. left are the others;
// nil: all of them.
func used(a *array.Array, m mesh.Mesh, counts func(v float64) bool) (fewerValues *array.Array, on mesh.Mesh, left []int, err error) {
	if !ownPoints(m) {
		return a, m, nil, nil
	}
	n, size, axis := a.Shape[0], m.Size(), m.Axes()[0]
	var points []int
	for k := range size {
		for i := range n {
			if counts(a.Data[i*size+k]) {
				points = append(points, k)
				break
			}
		}
	}
	if len(points) == 0 {
		return a, m, nil, nil
	}
	out, dim := array.New(n, len(points)), axis.Dim()
	var at, weights []float64
	for j, k := range points {
		at, weights = append(at, axis.Coordinates[k*dim:(k+1)*dim]...), append(weights, axis.Weights[k])
		for i := range n {
			out.Data[i*len(points)+j] = a.Data[i*size+k]
		}
	}
	fewer, err := mesh.OfCurves(at, dim, weights, m.Names()...)
	if err != nil {
		return nil, m, nil, err
	}
	on, err = mesh.New(fewer)
	return out, on, points, err
}

// thinner is an axis with fewer points, and what each point of it takes from those of the
// old one.
type thinner func(a mesh.Axis, every int) (mesh.Axis, [][]share, error)

type share struct {
	from int
	part float64
}

// alongAxes takes values in n rows to thinner axes.
func alongAxes(values []float64, n int, m mesh.Mesh, every int, thin thinner) ([]float64, mesh.Mesh, error) {
	axes, left := m.Axes(), n
	right := m.Size()
	for i, a := range axes {
		right /= a.Size()
		coarse, shares, err := thin(a, every)
		if err != nil {
			return nil, m, err
		}
		next := make([]float64, left*len(shares)*right)
		for l := range left {
			for c, from := range shares {
				row := next[(l*len(shares)+c)*right:][:right]
				for _, s := range from {
					for k, v := range values[(l*a.Size()+s.from)*right:][:right] {
						row[k] += s.part * v
					}
				}
			}
		}
		values, axes[i] = next, coarse
		left *= len(shares)
	}
	m, err := mesh.New(axes...)
	return values, m, err
}

// thins reports whether an axis can have fewer points.
func thins(a mesh.Axis, every int) bool {
	return a.Dim() == 1 && !a.Scattered() && a.Size() > 2*every && (a.Period == 0 || a.Size()%every == 0)
}

func picked(a mesh.Axis, every int) (mesh.Axis, [][]share, error) {
	if !thins(a, every) {
		every = 1
	}
	var shares [][]share
	var points []float64
	for i := 0; i < a.Size(); i += every {
		shares = append(shares, []share{{i, 1}})
		points = append(points, a.Coordinates[i])
	}
	if every == 1 {
		return a, shares, nil
	}
	out, err := thinned(a, points)
	return out, shares, err
}

// gathered takes hat functions around the points that are left. A last one of a uniform
// axis can lie beyond its end.
func gathered(a mesh.Axis, every int) (mesh.Axis, [][]share, error) {
	if !thins(a, every) {
		return picked(a, 1)
	}
	var points []float64
	for i := 0; i < a.Size(); i += every {
		points = append(points, a.Coordinates[i])
	}
	last := a.Coordinates[a.Size()-1]
	switch end := points[len(points)-1]; {
	case a.Period > 0 || end == last:
	case a.Step > 0:
		points = append(points, end+float64(every)*a.Step)
	default:
		points = append(points, last)
	}
	out, err := thinned(a, points)
	if err != nil {
		return a, nil, err
	}
	shares := make([][]share, len(points))
	for i, w := range a.Weights {
		c := i / every
		from, to := points[c], a.Lower[0]+a.Period
		if c+1 < len(points) {
			to = points[c+1]
		}
		far := 0.0
		if to > from {
			far = (a.Coordinates[i] - from) / (to - from)
		}
		next := (c + 1) % len(points)
		shares[c] = append(shares[c], share{i, (1 - far) * w / out.Weights[c]})
		if far > 0 {
			shares[next] = append(shares[next], share{i, far * w / out.Weights[next]})
		}
	}
	return out, shares, nil
}

// thinned is an axis of the kind of a with fewer points.
func thinned(a mesh.Axis, points []float64) (mesh.Axis, error) {
	n := len(points)
	switch {
	case a.Period > 0:
		return mesh.Periodic(points[0], points[0]+a.Period, n, a.Names[0])
	case a.Step > 0:
		return mesh.Uniform(points[0], points[n-1], n, a.Names[0])
	}
	return mesh.Trapezoid(points, a.Names[0])
}

// errorsAt are the errors at some of so many output points.
func errorsAt(e *dataset.Errors, points []int, of int) *dataset.Errors {
	if e == nil {
		return nil
	}
	out := *e
	if e.Points != nil {
		out.Points = nil
		for _, k := range points {
			out.Points = append(out.Points, e.Points[k])
		}
	}
	if e.Values != nil {
		n := e.Values.Size() / of
		out.Values = array.New(n, len(points))
		for i := range n {
			for j, k := range points {
				out.Values.Data[i*len(points)+j] = e.Values.Data[i*of+k]
			}
		}
	}
	if e.Covariance != nil {
		out.Covariance = mat.NewSymDense(len(points), nil)
		for i, k := range points {
			for j := range i + 1 {
				out.Covariance.SetSym(i, j, e.Covariance.At(k, points[j]))
			}
		}
	}
	return &out
}
