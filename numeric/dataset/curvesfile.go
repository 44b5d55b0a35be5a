package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The arrays of a file with the inputs as they were measured: how many points each curve has,
// all points, coordinates of a point one after the other, and all values.
const (
	curveCounts = "curve_counts"
	curvePoints = "curve_points"
	curveValues = "curve_values"
)

// saveCurves adds the inputs as they were measured to what is saved, and returns the meshes
// of those that have one.
func (d *Dataset) saveCurves(arrays map[string]*array.Array) map[int]mesh.Mesh {
	if d.Curves == nil {
		return nil
	}
	var counts, points, values []float64
	given := make(map[int]mesh.Mesh)
	for i, c := range d.Curves {
		at := c.ordered()
		counts, points, values = append(counts, float64(len(c.Values))), append(points, at.Points...), append(values, c.Values...)
		if c.Mesh.Size() > 0 {
			given[i] = c.Mesh
		}
	}
	arrays[curveCounts], arrays[curvePoints], arrays[curveValues] = array.Vector(counts), array.Vector(points), array.Vector(values)
	return given
}

// readCurves reads what saveCurves has saved; nil where there are none.
func readCurves(f *arrays.File, h header) ([]Curve, error) {
	counts, err := f.Read(curveCounts)
	if err != nil {
		return nil, err
	}
	points, err := f.Read(curvePoints)
	if err != nil {
		return nil, err
	}
	values, err := f.Read(curveValues)
	if err != nil {
		return nil, err
	}
	dim, total := h.InputMesh.Dim(), 0
	for _, n := range counts.Data {
		if !(n >= 1) || n > float64(values.Size()-total) {
			return nil, fmt.Errorf("%s: do not fit the %d values", curveCounts, values.Size())
		}
		total += int(n)
	}
	if total != values.Size() || points.Size() != dim*total {
		return nil, fmt.Errorf("%s: %d points with %d values and %d coordinates: do not fit together", curveCounts, total, values.Size(), points.Size())
	}
	out, at := make([]Curve, counts.Size()), 0
	for i, n := range counts.Data {
		to := at + int(n)
		out[i] = Curve{Points: points.Data[at*dim : to*dim], Values: values.Data[at:to]}
		if m, ok := h.CurveMeshes[i]; ok {
			if m.Size() != int(n) || m.Dim() != dim {
				return nil, fmt.Errorf("%s: curve %d has %d values on a mesh of %d points", curveCounts, i+1, int(n), m.Size())
			}
			out[i] = Curve{Mesh: m, Values: out[i].Values}
		}
		at = to
	}
	return out, nil
}

// inputGaps reports whether inputs on one axis lack values, and may: they are curves, each at the points where it has
// values.
func (s Spec) inputGaps() bool {
	onAxes := func(a *array.Array, m mesh.Mesh) bool { return len(a.Shape) == 2 && a.Shape[1] == m.Size() }
	return s.Missing && onAxes(s.Input, s.InputMesh) && onAxes(s.Output, s.OutputMesh) && len(s.InputMesh.Axes()) == 1 &&
		slices.ContainsFunc(s.Input.Data, math.IsNaN)
}

// newOfGaps makes pairs of inputs with gaps.
func newOfGaps(s Spec) (*Dataset, error) {
	curves := func(a *array.Array, m mesh.Mesh) []Curve {
		all, n := make([]Curve, a.Shape[0]), a.Shape[1]
		for i := range all {
			all[i] = Curve{Values: a.Data[i*n : (i+1)*n], Mesh: m}
		}
		return all
	}
	return NewCurves(CurvesSpec{Input: curves(s.Input, s.InputMesh), Output: curves(s.Output, s.OutputMesh), Missing: true})
}
