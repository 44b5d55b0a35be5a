package fit

import (
	"errors"
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
	full   kernel.Space // before the reduction
	lag    *constraint.Lag
	point  bool // the input had no coordinate but time; see gram.Point
	before int  // lags on the axis before those between the meshes

	images     []constraint.Image // the group on the grid's space
	generators []constraint.Image // of that group
	chi        *expr.Node         // the mask on the grid's space; nil: everywhere one

	maps   []indexMap // of the generators; nil: nothing to average
	orbits *orbits    // of these maps
	mask   []float64  // 0 or 1 for each weight; nil: all ones
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
	return g.pointed(g.lag.Point(x))
}

// seen is reduced for the mask.
func (g *grid) seen(x []*expr.Node) []*expr.Node {
	if g.lag == nil {
		return x
	}
	return g.pointed(g.lag.Seen(x))
}

func (g *grid) pointed(x []*expr.Node) []*expr.Node {
	if g.point {
		return append([]*expr.Node{expr.Const(0)}, x...)
	}
	return x
}

// newGrid finds the index maps of a constraint, nil constraints included. With an
// offGrid error comes a grid that has the meshes, but no maps.
func newGrid(c constraint.Constraint, x, y mesh.Mesh) (*grid, error) {
	g := &grid{x: x, y: y, full: space(x, y)}
	g.space = g.full
	if c == nil {
		return g, nil
	}
	t, err := constraint.On(c, g.full)
	if err != nil {
		return nil, err
	}
	err = g.apply(t)
	if off := (*offGrid)(nil); errors.As(err, &off) {
		return g, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	return g, nil
}

func (g *grid) apply(t *constraint.Transform) error {
	if err := checkExchanged(t.Exchanged, g.full.Names, g.x, g.y); err != nil {
		return err
	}
	x, y := g.x, g.y
	g.space, g.lag = t.Space, t.Reduce
	if g.lag != nil {
		if err := g.reduce(t.Images); err != nil {
			return err
		}
	}
	g.images, g.generators = g.lift(t.Images), g.lift(t.Generators)
	if t.Chi != nil {
		g.chi = g.lifted(t.Chi)
	}
	if err := g.checkMask(t, x, y); err != nil {
		return err
	}
	if err := g.findMaps(); err != nil {
		return err
	}
	return g.findMask(t)
}

// at is the grid's space on other meshes, to evaluate on.
func (g *grid) at(x, y mesh.Mesh) *grid { return &grid{x: x, y: y, space: g.space} }

// group is what is averaged over: at least the identity.
func (g *grid) group() []constraint.Image {
	if g.images != nil {
		return g.images
	}
	one := constraint.Image{Sign: 1}
	for i, name := range g.space.Names {
		one.At, one.Permutation = append(one.At, expr.Var(i, name)), append(one.Permutation, i)
	}
	return []constraint.Image{one}
}

// lift returns maps of the grid's space for maps of the reduced one, which may lack
// the one point of an input.
func (g *grid) lift(images []constraint.Image) []constraint.Image {
	if !g.point {
		return images
	}
	out := make([]constraint.Image, len(images))
	for i, im := range images {
		out[i] = constraint.Image{Sign: im.Sign, At: []*expr.Node{expr.Var(0, gram.PointName)}}
		for _, n := range im.At {
			out[i].At = append(out[i].At, g.lifted(n))
		}
		if im.Permutation != nil {
			out[i].Permutation = []int{0}
			for _, j := range im.Permutation {
				out[i].Permutation = append(out[i].Permutation, j+1)
			}
		}
	}
	return out
}

func (g *grid) lifted(n *expr.Node) *expr.Node {
	if !g.point {
		return n
	}
	by := map[int]*expr.Node{}
	for i := 1; i < g.space.Dim(); i++ {
		by[i-1] = expr.Var(i, g.space.Names[i])
	}
	return expr.Substitute(n, by)
}

// reduce replaces the two time axes by the axis of their lags, and of the images of
// these, as far as they have its step.
func (g *grid) reduce(images []constraint.Image) error {
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
	lags, before, err := lagAxis(s, t, images)
	if err != nil {
		return err
	}
	g.before = before
	if len(xs) == 0 { // time alone: one point keeps the side from being empty
		xs, g.point = []mesh.Axis{gram.Point()}, true
		g.space.Names, g.space.Inputs = append([]string{gram.PointName}, g.space.Names...), 1
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

// weights is the number of weights.
func (g *grid) weights() int { return g.x.Size() * g.y.Size() }

// columns are the coordinates of all weights in the grid's space.
func (g *grid) columns() [][]float64 {
	nx, ny := g.x.Size(), g.y.Size()
	var out [][]float64
	for _, c := range g.x.Columns() {
		column := make([]float64, 0, nx*ny)
		for _, v := range c {
			column = append(column, slices.Repeat([]float64{v}, ny)...)
		}
		out = append(out, column)
	}
	for _, c := range g.y.Columns() {
		out = append(out, slices.Repeat(c, nx))
	}
	return out
}

// along is columns for the points of axis k, of one coordinate like all others, with
// the first point of each other axis.
func (g *grid) along(k int) [][]float64 {
	var out [][]float64
	axes := append(g.x.Axes(), g.y.Axes()...)
	for i, a := range axes {
		column := a.Coordinates
		if i != k {
			column = slices.Repeat(a.Coordinates[:1], axes[k].Size())
		}
		out = append(out, column)
	}
	return out
}

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
