package prepare

import (
	"encoding/binary"
	"math"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Measured are pairs as a table to be looked at: inputs that each have points of their own
// are on all of these, NaN where they were not measured, and not folded with the weights of
// their integrals.
func Measured(d *dataset.Dataset) *dataset.Table {
	t := d.Table()
	t.Fields[0].Values = MeasuredInputs(d)
	return t
}

// MeasuredInputs are the inputs as they were measured, pairs × points of InputMesh: Input, and of
// curves on points of their own the values, NaN where a curve has none.
func MeasuredInputs(d *dataset.Dataset) *array.Array {
	if d.Curves == nil {
		return d.Input
	}
	m, dim := d.InputMesh.Size(), d.InputMesh.Dim()
	place, at := make(map[string]int, m), make([]float64, dim)
	for k := range m {
		d.InputMesh.Point(at, k)
		place[pointKey(at)] = k
	}
	out := array.New(d.N(), m)
	for k := range out.Data {
		out.Data[k] = math.NaN()
	}
	for i := range d.Curves {
		c := d.InputCurve(i)
		for k, v := range c.Values {
			if j, ok := place[pointKey(c.Points[k*dim:(k+1)*dim])]; ok {
				out.Data[i*m+j] = v
			}
		}
	}
	return out
}

// pointKey tells points apart; 0 and -0 are one.
func pointKey(at []float64) string {
	var key []byte
	for _, x := range at {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x+0))
	}
	return string(key)
}

// ConcatPairs is [Concat] for pairs, which may also have points of their own: inputs
// keep the quadrature that they have.
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
			s.Input, s.Output = append(s.Input, measured(d, i)), append(s.Output, d.OutputCurve(i))
		}
	}
	return dataset.NewCurves(s)
}

// measured is the input of a pair with the quadrature that it has.
func measured(d *dataset.Dataset, pair int) dataset.Curve {
	switch {
	case d.Curves != nil:
		return d.Curves[pair]
	case ownPoints(d.InputMesh):
		return d.InputCurve(pair)
	}
	return dataset.Curve{Mesh: d.InputMesh, Values: row(d.Table().Fields[0], pair)}
}

// ownPoints reports whether a mesh is of all points that curves have, each its own.
func ownPoints(m mesh.Mesh) bool { return len(m.Axes()) == 1 && m.Axes()[0].OfCurves() }
