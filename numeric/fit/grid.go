package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// grid is a constraint on meshes that its maps send to themselves: index maps and
// a mask on arrays of weights over X × Y, or over the reduced meshes when time is
// reduced to a lag.
type grid struct {
	x, y   mesh.Mesh    // of the weights; the lag is the last axis of y
	space  kernel.Space // of the kernel, on x then y
	images []indexMap
	mask   []float64 // 0 or 1 for each weight; nil: all ones
	lag    *constraint.Lag
	full   kernel.Space // before the reduction
	point  bool         // the input had no coordinate but time; see gram.Point
}

// kernel is the kernel on the grid's space.
func (g *grid) kernel(k kernel.Kernel) kernel.Kernel {
	if g.point {
		return gram.OnOutput{Kernel: k}
	}
	return k
}

// reduced returns the coordinates of a point in the grid's space.
func (g *grid) reduced(x []*expr.Node) []*expr.Node {
	if g.lag == nil {
		return x
	}
	x = g.lag.Point(x)
	if g.point {
		x = append([]*expr.Node{expr.Const(0)}, x...)
	}
	return x
}

// newGrid finds the index maps of a constraint, nil constraints included.
func newGrid(c constraint.Constraint, x, y mesh.Mesh) (*grid, error) {
	g := &grid{x: x, y: y, full: space(x, y)}
	var t constraint.Transform
	if c != nil {
		var err error
		if t, err = c.Transform(g.full); err != nil {
			return nil, err
		}
	}
	if err := checkExchanged(t.Exchanged, g.full.Names, x, y); err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	g.space = t.Space(g.full)
	if g.lag = t.Reduce; g.lag != nil {
		if err := g.reduce(); err != nil {
			return nil, fmt.Errorf("%s: %w", c, err)
		}
	}
	if err := g.findImages(t); err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	return g, g.findMask(t)
}

// reduce replaces the two time axes by the axis of their lags.
func (g *grid) reduce() error {
	s, xs, err := takeAxis(g.x, g.lag.Input)
	if err != nil {
		return fmt.Errorf("input time: %w", err)
	}
	t, ys, err := takeAxis(g.y, g.lag.Output-g.x.Dim())
	if err != nil {
		return fmt.Errorf("output time: %w", err)
	}
	if s.Step == 0 || t.Step == 0 || math.Abs(s.Step-t.Step) > 1e-9*s.Step {
		return fmt.Errorf("the time axes must be uniform with one step; that of the input is %s and that of the output %s: sample both on one step, or leave time invariance out",
			step(s), step(t))
	}
	n := s.Size() + t.Size() - 1
	lo := t.Coordinates[0] - s.Coordinates[s.Size()-1]
	lags, err := mesh.Uniform(lo, lo+float64(n-1)*t.Step, n, constraint.LagName)
	if err != nil {
		return err
	}
	if len(xs) == 0 { // time alone: one point keeps the side from being empty
		xs, g.point = []mesh.Axis{gram.Point()}, true
		g.space.Names, g.space.Inputs = append([]string{gram.PointName}, g.space.Names...), 1
	}
	for i := range lags.Coordinates { // exact zero where the times agree
		lags.Coordinates[i] = float64(i-s.Size()+1)*t.Step + (t.Coordinates[0] - s.Coordinates[0])
	}
	if g.x, err = renamed(xs, g.space.Names[:g.space.Inputs]); err != nil {
		return err
	}
	out, err := renamed(append(ys, lags), g.space.Names[g.space.Inputs:])
	g.y = out
	return err
}

func step(a mesh.Axis) string {
	switch {
	case a.Scattered():
		return "unknown, for it was made by mesh.points (mesh.trapezoid finds it)"
	case a.Step == 0:
		return "uneven"
	}
	return fmt.Sprintf("%.6g", a.Step)
}

// takeAxis splits off the axis with one coordinate at the given place.
func takeAxis(m mesh.Mesh, coordinate int) (taken mesh.Axis, rest []mesh.Axis, err error) {
	c := 0
	for _, a := range m.Axes() {
		switch {
		case c != coordinate:
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

// weights is the number of weights.
func (g *grid) weights() int { return g.x.Size() * g.y.Size() }

// representative returns, for every weight, coordinates in the full space that
// reduce to its own: columns of length weights. A lag is an output time, with
// the input time zero.
func (g *grid) representative() [][]float64 {
	xc, yc := g.x.Columns(), g.y.Columns()
	nx, ny := g.x.Size(), g.y.Size()
	var reduced [][]float64
	for k, col := range xc {
		if g.x.Names()[k] == gram.PointName {
			continue
		}
		out := make([]float64, nx*ny)
		for i := range out {
			out[i] = col[i/ny]
		}
		reduced = append(reduced, out)
	}
	for _, col := range yc {
		out := make([]float64, nx*ny)
		for i := range out {
			out[i] = col[i%ny]
		}
		reduced = append(reduced, out)
	}
	return g.expand(reduced)
}

// along is representative for the points of the reduced axis k, of one coordinate
// like all others, with the first point of each other axis.
func (g *grid) along(k int) [][]float64 {
	var reduced [][]float64
	axes := append(g.x.Axes(), g.y.Axes()...)
	for i, a := range axes {
		if a.Names[0] == gram.PointName {
			continue
		}
		column := a.Coordinates
		if i != k {
			column = slices.Repeat(a.Coordinates[:1], axes[k].Size())
		}
		reduced = append(reduced, column)
	}
	return g.expand(reduced)
}

// expand returns columns of full coordinates for columns of reduced ones.
func (g *grid) expand(reduced [][]float64) [][]float64 {
	if g.lag == nil {
		return reduced
	}
	lag := reduced[len(reduced)-1]
	full := make([][]float64, g.full.Dim())
	at := 0
	for i := range full {
		switch i {
		case g.lag.Input:
			full[i] = make([]float64, len(lag))
		case g.lag.Output:
			full[i] = lag
		default:
			full[i] = reduced[at]
			at++
		}
	}
	return full
}

// evaluate computes an expression of the full coordinates at points given by their
// columns.
func (g *grid) evaluate(n *expr.Node, columns [][]float64) ([]float64, error) {
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
