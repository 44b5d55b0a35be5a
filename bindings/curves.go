package bindings

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// isPlaces reports whether an argument for meshes is positions, or a list.
func isPlaces(m sampled) bool { return m.IsB && m.B.IsB }

// ofCurves reports whether the pairs are curves: on points of their own, or with gaps in inputs.
func (p newData) ofCurves() bool {
	if p.Input.IsB && p.Input.B.IsB || p.Output.IsB && p.Output.B.IsB || isPlaces(p.InputMesh) || isPlaces(p.OutputMesh) {
		return true
	}
	a, m := p.Input.A, p.InputMesh.A
	return p.Missing && !p.Input.IsB && a.Rank() == 2 && m.Size() == a.Shape[1] && len(m.Axes()) == 1 && slices.ContainsFunc(a.Data, math.IsNaN)
}

// curves makes pairs of curves.
func (p newData) curves() (samples, error) {
	if p.Axis == "columns" {
		return samples{}, errors.New("axis: is for arrays on one mesh; of curves each is an array")
	}
	if p.InputMesh.A.Size() == 0 && !p.InputMesh.IsB {
		return samples{}, errors.New("input_mesh: missing; want the points of each input, {x1, x2, …}, arrays of positions or meshes")
	}
	if p.OutputMesh.A.Size() == 0 && !p.OutputMesh.IsB {
		p.OutputMesh = p.InputMesh
	}
	in, err := curvesOf("input", p.Input, p.InputMesh)
	if err != nil {
		return samples{}, err
	}
	out, err := curvesOf("output", p.Output, p.OutputMesh)
	if err != nil {
		return samples{}, err
	}
	d, err := dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out, Missing: p.Missing})
	return bind.First[*dataset.Dataset, frame](d), err
}

// curvesOf takes values and points together.
func curvesOf(name string, values oneOrMore, at sampled) ([]dataset.Curve, error) {
	rows, err := curveValues(name, values)
	if err != nil {
		return nil, err
	}
	if at.IsB && !at.B.IsB {
		return nil, fmt.Errorf("%s_mesh: names go with named inputs and outputs", name)
	}
	out := make([]dataset.Curve, len(rows))
	for i := range rows {
		out[i].Values = rows[i]
		if !at.IsB {
			out[i].Mesh = at.A
		}
	}
	if at.IsB {
		err = putPoints(name, out, at.B.B)
	}
	if err != nil {
		return nil, err
	}
	for i, c := range out {
		if n := max(len(c.Points), c.Mesh.Size()); n != len(c.Values) {
			return nil, fmt.Errorf("%s[%d] has %s, and its mesh %s: want one value for each point; points of its own are given as %s_mesh = {x1, x2, …}", name, i+1, spelling.Count(len(c.Values), "value"), spelling.Count(n, "point"), name)
		}
	}
	return out, nil
}

// curveValues are those of each curve: of the arrays of a list, or the rows of an array.
func curveValues(name string, values oneOrMore) (rows [][]float64, err error) {
	switch {
	case values.IsB && values.B.IsB:
		for i, a := range values.B.B {
			if a.Rank() != 1 {
				return nil, fmt.Errorf("%s[%d]: has the shape %s: want a list of numbers, the values of one curve", name, i+1, dense.ShapeString(a.Shape))
			}
			rows = append(rows, a.Data)
		}
	case values.IsB:
		return nil, fmt.Errorf("%s: inputs and outputs by name are on common meshes: give %s = {u1, u2, …}, an array for each pair, or resample the curves", name, name)
	default:
		a := values.A
		if a.Rank() != 2 {
			return nil, fmt.Errorf("%s: has the shape %s: want a list of arrays, one for each pair, or pairs × points", name, dense.ShapeString(a.Shape))
		}
		for i := range a.Shape[0] {
			rows = append(rows, a.Data[i*a.Shape[1]:(i+1)*a.Shape[1]])
		}
	}
	return rows, nil
}

// putPoints gives the curves their points.
func putPoints(name string, curves []dataset.Curve, at places) error {
	list := at.A
	if !at.IsB && allNumbers(list) {
		all := make([]float64, len(list))
		for i, x := range list {
			all[i] = x.B.A
		}
		at = places{IsB: true, B: positions{array.Vector(all)}}
	}
	if at.IsB {
		return putPositions(name, curves, at.B.Array)
	}
	if len(list) != len(curves) {
		return fmt.Errorf("%s_mesh: has the points of %d curves, and there are %d: want those of each", name, len(list), len(curves))
	}
	for i, x := range list {
		switch {
		case !x.IsB:
			curves[i].Mesh = x.A
		case !x.B.IsB:
			curves[i].Points = []float64{x.B.A}
		case x.B.B.Rank() == 1:
			curves[i].Points = x.B.B.Data
		default:
			return fmt.Errorf("%s_mesh[%d]: has the shape %s: want the positions of one curve, or a mesh", name, i+1, dense.ShapeString(x.B.B.Shape))
		}
	}
	return nil
}

// putPositions gives the curves the positions of all, or of each a row.
func putPositions(name string, curves []dataset.Curve, a *array.Array) error {
	switch {
	case a.Rank() == 1:
		for i := range curves {
			curves[i].Points = a.Data
		}
		return nil
	case a.Rank() != 2 || a.Shape[0] != len(curves):
		return fmt.Errorf("%s_mesh: has the shape %s: want the positions of all curves, or a row of them for each of the %d", name, dense.ShapeString(a.Shape), len(curves))
	}
	for i := range curves {
		curves[i].Points = a.Data[i*a.Shape[1] : (i+1)*a.Shape[1]]
	}
	return nil
}

// allNumbers reports whether a list of points is one of positions.
func allNumbers(list []ownPoints) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(x ownPoints) bool { return !x.IsB || x.B.IsB })
}

// curveMethod is dataset:curve.
func curveMethod() bind.Func {
	type curve struct {
		X *array.Array `arg:"x"`
		F *array.Array `arg:"f"`
		Y *array.Array `arg:"y"`
		U *array.Array `arg:"u"`
	}
	return bind.Fn("curve", "A pair as it was measured: the points of its input and of its output, and the values there, without those that are missing.",
		func(_ *bind.Call, p *struct {
			Data *dataset.Dataset `arg:"self"`
			Pair int              `arg:"pair" pos:"1" doc:"which, from 1" allow:">=1"`
		},
		) (curve, error) {
			if n := p.Data.N(); p.Pair > n {
				return curve{}, fmt.Errorf("pair %d: there are %d", p.Pair, n)
			}
			points := func(c dataset.Curve, m mesh.Mesh) *array.Array {
				if m.Dim() == 1 || len(c.Points) == 0 {
					return array.Vector(c.Points)
				}
				return &array.Array{Shape: []int{len(c.Values), m.Dim()}, Data: c.Points}
			}
			in, out := p.Data.InputCurve(p.Pair-1), p.Data.OutputCurve(p.Pair-1)
			return curve{points(in, p.Data.InputMesh), array.Vector(in.Values), points(out, p.Data.OutputMesh), array.Vector(out.Values)}, nil
		},
		bind.Example(`d = data.new{
  input = {{1, 2, 4}, {3, 0}}, input_mesh = {{0, 0.2, 1}, {1, 0}},
  output = {{5}, {7, 8}}, output_mesh = {{0.5}, {0, 1}}}
c = d:curve(2)
print(c.f[1], c.x[1], #c.u)  --> 0	0	2`),
		bind.ReturnsAs("{x=, f=, y=, u=}", "arrays: points and values of the input, points and values of the output"), bind.See("data.new", "dataset:resample"))
}
