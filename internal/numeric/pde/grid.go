package pde

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// grid is the mesh of a scripted problem with what holds on its sides. Points are
// numbered as on the mesh, the last axis fastest.
type grid struct {
	mesh    mesh.Mesh
	axes    []mesh.Axis
	points  [][]float64 // coordinates by axis, to be read only
	stride  []int
	order   int
	weights stencils
	sides   [][2]gridSide // by axis, lower and upper side
	data    int           // boundary data: one for every condition and point of its side
	given   []bool        // points where a side gives u
	highest []int         // order of the operator along each axis
	time    bool          // coefficients take the time after the coordinates
	strict  bool          // full order of accuracy at every point
}

// gridSide is one side of the grid.
type gridSide struct {
	periodic   bool
	reflecting bool
	fixed      *boundary  // the value of u, if it is given
	others     []boundary // conditions that make ghosts
}

// boundary is a condition on a side. Its data are numbered from first on, along the
// side.
type boundary struct {
	condition
	first int
}

func newGrid(m mesh.Mesh, sides map[string]Side, o *Operator, order int) *grid {
	g := &grid{mesh: m, axes: m.Axes(), points: m.Columns(), order: order, weights: stencils{}, time: o.time}
	for axis := range g.axes {
		g.highest = append(g.highest, o.orderIn(axis))
	}
	g.stride = make([]int, len(g.axes))
	step := 1
	for i := len(g.axes) - 1; i >= 0; i-- {
		g.stride[i] = step
		step *= g.axes[i].Size()
	}
	g.sides = make([][2]gridSide, len(g.axes))
	for i, name := range m.Names() {
		for s, key := range sideNames([]string{name}) {
			side := sides[key]
			at := &g.sides[i][s]
			at.periodic = side.Periodic || g.axes[i].Period > 0
			at.reflecting = side.Reflecting
			list := side.conditions()
			if side.Reflecting {
				list = append(list, reflection(o.fluxes, i, s))
			}
			for _, c := range list {
				b := boundary{c, g.data}
				g.data += g.along(i)
				if c.order == 0 && c.name == "dirichlet" {
					at.fixed = &b
				} else {
					at.others = append(at.others, b)
				}
			}
		}
	}
	g.given = make([]bool, m.Size())
	for axis := range g.axes {
		for s, side := range g.sides[axis] {
			for j := range g.along(axis) {
				if side.fixed != nil {
					g.given[g.node(axis, j, s*(g.axes[axis].Size()-1))] = true
				}
			}
		}
	}
	return g
}

// reflection is the condition that the flux along an axis is zero at its end.
func reflection(fluxes []flux, axis, side int) condition {
	c := condition{name: "reflecting", order: 1, value: Constant(0)}
	c.factors[0], c.factors[1] = Constant(0), Constant(0)
	outward := Constant(2*side - 1)
	for _, f := range fluxes {
		for _, t := range f.inner {
			switch {
			case f.axis != axis:
			case t.orders[axis] == 0:
				c.factors[0] = plus(c.factors[0], t.coef)
			default:
				c.factors[1] = plus(c.factors[1], times(outward, t.coef))
			}
		}
	}
	return c
}

// damping is how often the effect of an error of the differences near the side
// vanishes there: as Green's function does for the adjoint conditions, which set
// derivative highest-1-j for every j that the side does not set. With one spacing
// for the cell that the error fills, an error of order q does harm of order
// q + 1 + damping.
func (s gridSide) damping(highest int) int {
	set := map[int]bool{}
	for _, b := range s.all() {
		set[b.order] = true
	}
	k := 0
	for k < highest && !set[highest-1-k] {
		k++
	}
	return k
}

// along is the number of points of a side across an axis.
func (g *grid) along(axis int) int { return g.mesh.Size() / g.axes[axis].Size() }

// node is the number of point i of line j along an axis.
func (g *grid) node(axis, j, i int) int {
	inside := j % g.stride[axis]
	return (j-inside)*g.axes[axis].Size() + inside + i*g.stride[axis]
}

// columns are the coordinates of all points. With half set the coordinate along
// that axis is half a spacing further on.
func (g *grid) columns(half int) [][]float64 {
	cols := slices.Clone(g.points)
	if half >= 0 {
		cols[half] = slices.Clone(cols[half])
		for k := range cols[half] {
			cols[half][k] += g.axes[half].Step / 2
		}
	}
	return cols
}

// sideColumns are the coordinates of the points of a side.
func (g *grid) sideColumns(axis, side int) [][]float64 {
	all := g.points
	cols := make([][]float64, len(all))
	end := side * (g.axes[axis].Size() - 1)
	for j := range g.along(axis) {
		for c := range all {
			cols[c] = append(cols[c], all[c][g.node(axis, j, end)])
		}
	}
	return cols
}

// sampled is a coefficient at fixed points, to be evaluated at many times.
type sampled struct {
	Coefficient
	names []string
	time  bool        // the coefficient takes the time too
	cols  [][]float64 // coordinates of the points
	used  func(i int) bool
	prog  *expr.Program // nil: not a formula
	known []float64     // the values, when they do not depend on time
}

// sample prepares a coefficient for points given by columns; used may restrict it to
// some of them.
func (g *grid) sample(c Coefficient, cols [][]float64, used func(i int) bool) (*sampled, error) {
	s := &sampled{Coefficient: c, names: g.mesh.Names(), time: g.time, cols: cols, used: used}
	n, ok := nodeOf(c)
	if !ok {
		return s, nil
	}
	var err error
	if s.prog, err = expr.Compile(n, len(s.point(0))); err != nil {
		return nil, fmt.Errorf("%s: uses more than the %d coordinates of the problem", c, len(s.point(0)))
	}
	if !dependsOn(n, len(cols)) {
		if s.known, err = s.at(0); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// point is room for the coordinates of a point, with the time where it counts.
func (s *sampled) point(t float64) []float64 {
	if s.time {
		x := make([]float64, len(s.cols)+1)
		x[len(s.cols)] = t
		return x
	}
	return make([]float64, len(s.cols))
}

// at returns the values at time t, which are to be read, not written. They must be
// finite.
func (s *sampled) at(t float64) ([]float64, error) {
	if s.known != nil {
		return s.known, nil
	}
	v, x := make([]float64, len(s.cols[0])), s.point(t)
	if s.prog != nil {
		vars := make([]expr.Operand, len(x))
		for i := range vars {
			vars[i].Scalar = x[i]
			if i < len(s.cols) {
				vars[i].Vector = s.cols[i]
			}
		}
		s.prog.Block(v, vars)
	} else {
		for i := range v {
			if s.used != nil && !s.used(i) {
				continue
			}
			for k := range s.cols {
				x[k] = s.cols[k][i]
			}
			v[i] = s.Coefficient.at(x)
		}
	}
	for i, y := range v {
		if (s.used == nil || s.used(i)) && (math.IsNaN(y) || math.IsInf(y, 0)) {
			return nil, fmt.Errorf("%s: is %g at %s: must be finite", s.Coefficient, y, place(s.names, s.cols, i))
		}
	}
	return v, nil
}

// evaluate returns a coefficient at points given by columns, at one time.
func (g *grid) evaluate(c Coefficient, cols [][]float64, t float64, used func(i int) bool) ([]float64, error) {
	s, err := g.sample(c, cols, used)
	if err != nil {
		return nil, err
	}
	return s.at(t)
}

// place writes the coordinates of a point.
func place(names []string, cols [][]float64, i int) string {
	s := make([]string, len(cols))
	for k := range cols {
		s[k] = fmt.Sprintf("%s = %.6g", names[k], cols[k][i])
	}
	return strings.Join(s, ", ")
}

// lineAlong is line j along an axis, with the ghosts that its ends have.
func (g *grid) lineAlong(axis, j int, factors [2][][MaxOrder][]float64) (*line, error) {
	a := g.axes[axis]
	l := &line{weights: g.weights, n: a.Size(), h: a.Step, order: g.order, periodic: g.sides[axis][0].periodic}
	for s := range l.relaxed {
		side := g.sides[axis][s]
		l.relaxed[s] = !g.strict && side.damping(g.highest[axis]) >= 1 && 2*len(side.all()) >= g.highest[axis]
	}
	for s, side := range g.sides[axis] {
		var list []closing
		for q, b := range side.others {
			c := closing{data: b.first + j}
			for k, f := range factors[s][q] {
				if f != nil {
					c.factors[k] = f[j]
				}
			}
			list = append(list, c)
		}
		if err := l.close(s, list); err != nil {
			return nil, fmt.Errorf("boundary: %q: %w", sideNames(g.mesh.Names())[2*axis+s], err)
		}
	}
	return l, nil
}

// lines are the lines along an axis, at time t.
func (g *grid) lines(axis int, t float64) ([]*line, error) {
	var factors [2][][MaxOrder][]float64
	for s, side := range g.sides[axis] {
		cols := g.sideColumns(axis, s)
		for _, b := range side.others {
			var values [MaxOrder][]float64
			for k, f := range b.factors {
				if f == nil {
					continue
				}
				v, err := g.evaluate(f, cols, t, nil)
				if err != nil {
					return nil, fmt.Errorf("boundary: %q: %w", sideNames(g.mesh.Names())[2*axis+s], err)
				}
				values[k] = v
			}
			factors[s] = append(factors[s], values)
		}
	}
	lines := make([]*line, g.along(axis))
	for j := range lines {
		l, err := g.lineAlong(axis, j, factors)
		if err != nil {
			return nil, err
		}
		lines[j] = l
	}
	return lines, nil
}
