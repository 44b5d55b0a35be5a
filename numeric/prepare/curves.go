package prepare

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Measured are pairs as a table to be looked at: inputs that each have points of their own
// are on all of these, NaN where they were not measured, and not folded with the weights of
// their integrals.
func Measured(d *dataset.Dataset) *dataset.Table {
	t := d.Table()
	if d.Curves == nil {
		return t
	}
	all := d.InputMesh.Points()
	m := len(all)
	values := array.New(d.N(), m)
	for k := range values.Data {
		values.Data[k] = math.NaN()
	}
	for i := range d.N() {
		c := d.InputCurve(i)
		for k, x := range c.Points {
			if j, found := slices.BinarySearch(all, x); found {
				values.Data[i*m+j] = c.Values[k]
			}
		}
	}
	t.Fields[0].Values = values
	return t
}

// ConcatPairs is [Concat] for pairs, which may also have points of their own.
func ConcatPairs(all ...*dataset.Dataset) (*dataset.Dataset, error) {
	own := false
	var tables []*dataset.Table
	for _, d := range all {
		own = own || d.Curves != nil || ownPoints(d.InputMesh) || ownPoints(d.OutputMesh)
		tables = append(tables, d.Table())
	}
	if !own {
		t, err := Concat(tables...)
		if err != nil {
			return nil, err
		}
		return t.Pair(input, output)
	}
	s := dataset.CurvesSpec{InputName: all[0].InputMesh.Names()[0], OutputName: all[0].OutputMesh.Names()[0]}
	for _, d := range all {
		s.Missing = s.Missing || d.Missing
		for i := range d.N() {
			s.Input, s.Output = append(s.Input, d.InputCurve(i)), append(s.Output, d.OutputCurve(i))
		}
	}
	return dataset.NewCurves(s)
}

// ownPoints reports whether a mesh is of all points that curves have, each its own.
func ownPoints(m mesh.Mesh) bool { return len(m.Axes()) == 1 && m.Axes()[0].OfCurves() }
