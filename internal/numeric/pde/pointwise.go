package pde

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// pointwise is the part of an operator that is not linear in u, on a grid: a formula of the
// coordinates and of derivatives of u, which are D u + E g with g the data of the conditions.
type pointwise struct {
	*grid
	text   string
	value  *expr.Program
	slopes []*expr.Program // by the derivatives of u
	take   []*linop.Sparse // D
	data   []*linop.Sparse // E
	cols   [][]float64
	all    bool // also where u is given
}

func (p *Defined) pointwise() (*pointwise, error) {
	o, g := p.Operator, p.grid
	w := &pointwise{grid: g, text: o.rest.node.String(), cols: g.columns(-1), all: g.order > 2 && len(o.fluxes) > 0}
	lines := make([][]*line, len(g.axes))
	for axis := range g.axes {
		var err error
		if lines[axis], err = g.lines(axis, p.firstTime()); err != nil {
			return nil, err
		}
	}
	n := g.mesh.Size()
	slots := len(o.names) + len(o.rest.atoms)
	var err error
	if w.value, err = expr.Compile(o.rest.node, slots); err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	for k, orders := range o.rest.atoms {
		a := &assembly{grid: g, t: p.firstTime(), all: w.all}
		if err := a.term(term{orders, Constant(1)}, o.time, lines); err != nil {
			return nil, err
		}
		slope, err := expr.Compile(expr.Simplify(expr.Diff(o.rest.node, len(o.names)+k)), slots)
		if err != nil {
			return nil, fmt.Errorf("operator: %w", err)
		}
		w.slopes = append(w.slopes, slope)
		w.take = append(w.take, linop.NewSparse(n, n, a.orders[0]))
		w.data = append(w.data, linop.NewSparse(n, max(1, g.data), a.data))
	}
	return w, nil
}

// operands are what the formulas take at the points: coordinates, the time, derivatives of u.
func (w *pointwise) operands(u, edge []float64, t float64) []expr.Operand {
	var vars []expr.Operand
	for _, c := range w.cols {
		vars = append(vars, expr.Operand{Vector: c})
	}
	if w.time {
		vars = append(vars, expr.Operand{Scalar: t})
	}
	for k, d := range w.take {
		v, given := make([]float64, len(u)), make([]float64, len(u))
		d.MulVec(v, u)
		if len(edge) > 0 {
			w.data[k].MulVec(given, edge)
			for i, x := range given {
				v[i] += x
			}
		}
		vars = append(vars, expr.Operand{Vector: v})
	}
	return vars
}

// at returns the values at all points, zero where they are not wanted, and stores derivatives
// by each derivative of u in slopes, if there is room.
func (w *pointwise) at(u, edge []float64, t float64, slopes [][]float64) []float64 {
	vars := w.operands(u, edge, t)
	fill := func(p *expr.Program) []float64 {
		v := make([]float64, len(u))
		p.Block(v, vars)
		for i, given := range w.given {
			if given && !w.all {
				v[i] = 0
			}
		}
		return v
	}
	for k := range slopes {
		slopes[k] = fill(w.slopes[k])
	}
	return fill(w.value)
}

// increasing tells whether the part grows with u, of which it takes no derivatives, at all
// points and for values of u over many orders of magnitude.
func (w *pointwise) increasing(o *Operator) bool {
	for _, orders := range o.rest.atoms {
		if total(orders) > 0 {
			return false
		}
	}
	const least, most, factor = 1e-6, 1e6, 3
	values := []float64{0}
	for v := least; v < most; v *= factor {
		values = append(values, v, -v)
	}
	n := w.mesh.Size()
	u, slopes := make([]float64, n), make([][]float64, 1)
	for _, v := range values {
		for i := range u {
			u[i] = v
		}
		w.at(u, nil, 0, slopes)
		for _, s := range slopes[0] {
			if s < 0 || math.IsNaN(s) {
				return false
			}
		}
	}
	return true
}
