package lattice

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// takeAxis splits off the axis with one coordinate at the given place.
func takeAxis(m mesh.Mesh, coordinate int) (taken mesh.Axis, rest []mesh.Axis, err error) {
	c := 0
	for _, a := range m.Axes() {
		switch {
		case c > coordinate || c+a.Dim() <= coordinate:
			rest = append(rest, a)
		case a.Dim() != 1:
			return taken, nil, fmt.Errorf("its points are scattered; time must be an axis of its own")
		default:
			taken = a
		}
		c += a.Dim()
	}
	return taken, rest, nil
}

func renamed(axes []mesh.Axis, names []string) (mesh.Mesh, error) {
	m, err := mesh.New(axes...)
	if err != nil {
		return m, err
	}
	return m.Rename(names...)
}

// columnsOf are the coordinates of the points of a product of axes.
func columnsOf(axes []mesh.Axis) (columns [][]float64) {
	total := 1
	for _, a := range axes {
		total *= a.Size()
	}
	stride := total
	for _, a := range axes {
		n, d := a.Size(), a.Dim()
		stride /= n
		for k := range d {
			column := make([]float64, total)
			for at := range total / stride { // runs of one coordinate
				v := a.Coordinates[at%n*d+k]
				run := column[at*stride : (at+1)*stride]
				for i := range run {
					run[i] = v
				}
			}
			columns = append(columns, column)
		}
	}
	return columns
}

const fewPoints = 16 // for which no program is worth compiling

// evaluate computes an expression of coordinates at points given by their
// columns.
func evaluate(n *expr.Node, columns [][]float64) ([]float64, error) {
	if count := len(columns[0]); count <= fewPoints {
		out, p := make([]float64, count), make([]float64, len(columns))
		for i := range out {
			for k, c := range columns {
				p[k] = c[i]
			}
			out[i] = expr.Eval(n, p)
		}
		return out, nil
	}
	p, err := expr.Compile(n, len(columns))
	if err != nil {
		return nil, err
	}
	ops := make([]expr.Operand, len(columns))
	for i, c := range columns {
		ops[i].Vector = c
	}
	out := make([]float64, len(columns[0]))
	p.Block(out, ops)
	return out, nil
}

func evaluateAll(nodes []*expr.Node, columns [][]float64) ([][]float64, error) {
	out := make([][]float64, len(nodes))
	for i, n := range nodes {
		var err error
		if out[i], err = evaluate(n, columns); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func scattered(points []float64, name string) (mesh.Axis, error) {
	return mesh.Scattered(points, 1, ones(len(points)), name)
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

func unweighted(m mesh.Mesh) (mesh.Mesh, error) {
	var axes []mesh.Axis
	for _, a := range m.Axes() {
		b, err := mesh.Scattered(a.Coordinates, a.Dim(), ones(a.Size()), a.Names...)
		if err != nil {
			return m, err
		}
		axes = append(axes, b)
	}
	return mesh.New(axes...)
}

// lagTolerance merges lags that differ by rounding, relative to their range.
const lagTolerance = 1e-12

// samePoints reports whether two meshes have the same axes to rounding.
func samePoints(a, b mesh.Mesh) bool {
	return slices.EqualFunc(a.Axes(), b.Axes(), func(p, q mesh.Axis) bool {
		size := 0.0
		for i := range p.Lower {
			size = max(size, p.Upper[i]-p.Lower[i], math.Abs(p.Lower[i])*1e-3, math.Abs(p.Upper[i])*1e-3)
		}
		return p.Dim() == q.Dim() && slices.EqualFunc(p.Coordinates, q.Coordinates, func(v, w float64) bool { return math.Abs(v-w) <= lagTolerance*size })
	})
}
