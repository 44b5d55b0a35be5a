package pde

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// discrete is an operator on a grid, at one time:
//
//	K u + M₁ ∂u/∂t + M₂ ∂²u/∂t² = S f + B g        where u is not given,
//	u = F g                                        where it is,
//
// f the forcing at the points and g the boundary data. Rows of the first kind are
// zero where u is given, and those of the second elsewhere.
type discrete struct {
	orders  [3]*linop.Sparse // K, M₁, M₂
	forcing *linop.Sparse    // S: the identity, or means over cells for fluxes
	data    *linop.Sparse    // B
	fixed   *linop.Sparse    // F
}

// assembly collects the entries of an operator: rows of K, M₁, M₂ and of what the
// data contribute to the left-hand side.
type assembly struct {
	*grid
	t      float64
	all    bool // also where u is given: means over cells look there
	orders [3][]linop.Entry
	data   []linop.Entry
}

// discretise assembles an operator at time t.
func (g *grid) discretise(ctx context.Context, o *Operator, t float64) (*discrete, error) {
	a := &assembly{grid: g, t: t, all: g.order > 2 && len(o.fluxes) > 0}
	lines := make([][]*line, len(g.axes))
	for axis := range g.axes {
		var err error
		if lines[axis], err = g.lines(axis, t); err != nil {
			return nil, err
		}
	}
	for _, tm := range o.terms {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		if err := a.term(tm, o.time, lines); err != nil {
			return nil, err
		}
	}
	n := g.mesh.Size()
	mean := g.mean(o, lines)
	d := &discrete{forcing: mean}
	plain := linop.NewSparse(n, g.data, a.data)
	for k := range d.orders {
		d.orders[k] = g.averaged(mean, linop.NewSparse(n, n, a.orders[k]))
	}
	d.data = g.averaged(mean, plain)
	if len(o.fluxes) == 0 {
		g.finish(d)
		return d, nil
	}
	operator, data := d.orders[0].Entries(1), d.data.Entries(1)
	for axis := range g.axes {
		if !slices.ContainsFunc(o.fluxes, func(f flux) bool { return f.axis == axis }) {
			continue
		}
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		f := &assembly{grid: g, t: t, all: a.all}
		if err := f.divergence(o.fluxes, axis, lines[axis]); err != nil {
			return nil, err
		}
		across := g.meanAcross(o, axis, lines)
		operator = append(operator, g.averaged(across, linop.NewSparse(n, n, f.orders[0])).Entries(1)...)
		data = append(data, g.averaged(across, linop.NewSparse(n, g.data, f.data)).Entries(1)...)
	}
	d.orders[0] = linop.NewSparse(n, n, operator)
	d.data = linop.NewSparse(n, g.data, data)
	g.finish(d)
	return d, nil
}

// wanted reports whether a row is needed.
func (a *assembly) wanted(row int) bool { return a.all || !a.given[row] }

// averaged is the product with an average over cells, which with differences of order
// 2 is the value at the point.
func (g *grid) averaged(mean, m *linop.Sparse) *linop.Sparse {
	if g.order == 2 {
		return m
	}
	return mean.Mul(m)
}

// term adds a coefficient times a derivative at every point. Derivatives along one
// axis see the conditions at its ends; a mixed derivative is made of differences
// within the grid.
func (a *assembly) term(tm term, time bool, lines [][]*line) error {
	orders, inTime := tm.orders, 0
	if time {
		orders, inTime = orders[:len(orders)-1], tm.orders[len(orders)-1]
	}
	coef, err := a.evaluate(tm.coef, a.columns(-1), a.t, a.wanted)
	if err != nil {
		return fmt.Errorf("operator: coefficient %w", err)
	}
	var along []int
	for axis, k := range orders {
		if k > 0 {
			along = append(along, axis)
		}
	}
	if len(along) > 1 {
		a.mixed(coef, orders, along, lines)
		return nil
	}
	if len(along) == 0 {
		for i, c := range coef {
			if a.wanted(i) {
				a.orders[inTime] = append(a.orders[inTime], linop.Entry{Row: i, Col: i, Value: c})
			}
		}
		return nil
	}
	axis := along[0]
	a.orders[0] = slices.Grow(a.orders[0], len(coef)*(a.order+1))
	for j, l := range lines[axis] {
		for i := range l.n {
			if row := a.node(axis, j, i); a.wanted(row) && coef[row] != 0 {
				a.row(row, coef[row], axis, j, l.derivative(orders[axis], i))
			}
		}
	}
	return nil
}

// row adds weight times a sum over a line to a row of K.
func (a *assembly) row(row int, weight float64, axis, j int, s sum) {
	for _, p := range s.nodes {
		a.orders[0] = append(a.orders[0], linop.Entry{Row: row, Col: a.node(axis, j, p.index), Value: weight * p.weight})
	}
	for _, p := range s.data {
		a.data = append(a.data, linop.Entry{Row: row, Col: p.index, Value: weight * p.weight})
	}
}

func (a *assembly) mixed(coef []float64, orders, along []int, lines [][]*line) {
	x, y := along[0], along[1]
	for j, l := range lines[x] {
		for i := range l.n {
			row := a.node(x, j, i)
			if coef[row] == 0 || !a.wanted(row) {
				continue
			}
			for _, p := range l.inner(orders[x], i).nodes {
				column := lines[y][p.index]
				for _, q := range column.inner(orders[y], j).nodes {
					a.orders[0] = append(a.orders[0], linop.Entry{Row: row, Col: a.node(y, p.index, q.index), Value: coef[row] * p.weight * q.weight})
				}
			}
		}
	}
}

// divergence adds the differences of the fluxes along an axis between the sides of
// every cell. A cell reaches half way to its neighbours; at an end without given u
// it ends there, where the conditions tell the flux.
func (a *assembly) divergence(fluxes []flux, axis int, lines []*line) error {
	var inner []term
	for _, f := range fluxes {
		if f.axis == axis {
			inner = append(inner, f.inner...)
		}
	}
	cols, n := a.columns(axis), a.axes[axis].Size()
	periodic := lines[0].periodic
	for _, t := range inner {
		inside := func(k int) bool { return periodic || k/a.stride[axis]%n < n-1 }
		half, err := a.evaluate(t.coef, cols, a.t, inside)
		if err != nil {
			return fmt.Errorf("operator: coefficient %w", err)
		}
		whole, err := a.evaluate(t.coef, a.columns(-1), a.t, a.wanted)
		if err != nil {
			return fmt.Errorf("operator: coefficient %w", err)
		}
		for j, l := range lines {
			for i := range l.n {
				if at := a.node(axis, j, i); inside(at) {
					a.through(axis, j, l, i, half[at], l.between(t.orders[axis], i))
				}
			}
			a.ends(t, axis, j, l, whole)
		}
	}
	return nil
}

// through adds a flux between point i and the next: out of one cell, into the other.
func (a *assembly) through(axis, j int, l *line, i int, coef float64, s sum) {
	if coef == 0 {
		return
	}
	for side, k := range [2]int{i, (i + 1) % l.n} {
		if row := a.node(axis, j, k); a.wanted(row) {
			a.row(row, float64(1-2*side)*coef/l.h*l.part(k), axis, j, s)
		}
	}
}

// part is one over the length of the cell of point i, in spacings.
func (l *line) part(i int) float64 {
	if !l.periodic && (i == 0 || i == l.n-1) {
		return 2
	}
	return 1
}

// ends adds the flux of a term through the ends of a line.
func (a *assembly) ends(t term, axis, j int, l *line, coef []float64) {
	for s, side := range a.sides[axis] {
		if l.periodic || side.reflecting || side.fixed != nil {
			continue
		}
		end, sign := 0, -1.0
		if s == 1 {
			end, sign = l.n-1, 1
		}
		row := a.node(axis, j, end)
		if !a.wanted(row) { // a corner
			continue
		}
		a.row(row, sign*coef[row]/l.h*2, axis, j, l.derivative(t.orders[axis], end))
	}
}

// mean averages over the cells along all axes with fluxes.
func (g *grid) mean(o *Operator, lines [][]*line) *linop.Sparse {
	return g.meanAcross(o, -1, lines)
}

// meanAcross averages over the cells along the axes with fluxes other than one.
func (g *grid) meanAcross(o *Operator, except int, lines [][]*line) *linop.Sparse {
	n := g.mesh.Size()
	m := linop.NewSparse(n, n, diagonal(n))
	if g.order == 2 {
		return m
	}
	for axis := range g.axes {
		if axis == except || !slices.ContainsFunc(o.fluxes, func(f flux) bool { return f.axis == axis }) {
			continue
		}
		a := &assembly{grid: g}
		for j, l := range lines[axis] {
			for i := range l.n {
				a.row(a.node(axis, j, i), 1, axis, j, l.mean(i))
			}
		}
		m = linop.NewSparse(n, n, a.orders[0]).Mul(m)
	}
	return m
}

func diagonal(n int) []linop.Entry {
	e := make([]linop.Entry, n)
	for i := range e {
		e[i] = linop.Entry{Row: i, Col: i, Value: 1}
	}
	return e
}

// finish puts the given values of u in their rows and gives every other row the
// weight of its cell, which makes the matrices of self-adjoint operators symmetric.
func (g *grid) finish(d *discrete) {
	n := g.mesh.Size()
	var fixed []linop.Entry
	count := make([]int, n) // a corner has a value from either side, and takes the mean
	for axis := range g.axes {
		for s, side := range g.sides[axis] {
			if side.fixed == nil {
				continue
			}
			for j := range g.along(axis) {
				i := g.node(axis, j, s*(g.axes[axis].Size()-1))
				fixed = append(fixed, linop.Entry{Row: i, Col: side.fixed.first + j, Value: 1})
				count[i]++
			}
		}
	}
	for k := range fixed {
		fixed[k].Value /= float64(count[fixed[k].Row])
	}
	d.fixed = linop.NewSparse(n, g.data, fixed)
	weight := make([]float64, n)
	for i := range weight {
		if g.given[i] {
			continue
		}
		weight[i] = 1
		for axis := range g.axes {
			size := g.axes[axis].Size()
			if k := i / g.stride[axis] % size; !g.sides[axis][0].periodic && (k == 0 || k == size-1) {
				weight[i] /= 2
			}
		}
	}
	for k := range d.orders {
		d.orders[k] = d.orders[k].ScaleRows(weight)
	}
	d.forcing = d.forcing.ScaleRows(weight)
	floats.Scale(-1, weight)
	d.data = d.data.ScaleRows(weight)
}
