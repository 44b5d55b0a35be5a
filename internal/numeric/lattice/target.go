package lattice

import (
	"context"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// target is where a function is asked for, in the coordinates of a lattice: on a product of
// meshes, or at points.
type target struct {
	x, y   mesh.Mesh
	points [][]float64 // their columns; nil for the product
	seen   [][]float64 // the points as the mask sees them
	size   [2]int      // of the meshes that were asked for

	lattice *Lattice // of the points, see on; nil: there is none, or nobody has asked
	asked   bool

	lags, s, t []float64 // the distinct lags on the last axis of y of these times; nil without
}

// target takes a product where there is one, and more than a few points.
func (l *Lattice) target(xs, ys mesh.Mesh) (*target, error) {
	t := &target{size: [2]int{xs.Size(), ys.Size()}}
	if xs.Size()*ys.Size() > fewPoints {
		if ok, err := l.setProduct(t, xs, ys); ok || err != nil {
			return t, err
		}
	}
	symbols, _ := kernels.Points(l.full)
	all := On(xs, ys).columns()
	var err error
	if t.points, err = evaluateAll(l.reduced(symbols.X), all); err != nil || l.chi == nil {
		return t, err
	}
	t.seen, err = evaluateAll(l.seen(symbols.X), all)
	return t, err
}

// setProduct fills the product in: of a time-invariant function on the distinct lags between
// two meshes with time axes. It declines meshes whose points are scattered in time.
func (l *Lattice) setProduct(t *target, xs, ys mesh.Mesh) (ok bool, err error) {
	if l.lag == nil {
		t.x, t.y = xs, ys
		return true, nil
	}
	s, xrest, err := takeAxis(xs, l.lag.Input)
	if err != nil {
		return false, nil
	}
	tt, yrest, err := takeAxis(ys, l.lag.Output-xs.Dim())
	if err != nil {
		return false, nil
	}
	t.s, t.t = s.Coordinates, tt.Coordinates
	t.lags = distinctLags(t.s, t.t)
	axis, err := scattered(t.lags, laws.LagName)
	if err != nil {
		return false, err
	}
	if len(xrest) == 0 {
		xrest = []mesh.Axis{gram.Point()}
	}
	if t.x, err = renamed(xrest, l.space.Names[:l.space.Inputs]); err != nil {
		return false, err
	}
	t.y, err = renamed(append(yrest, axis), l.space.Names[l.space.Inputs:])
	return true, err
}

// columns are the coordinates of all points.
func (t *target) columns() [][]float64 {
	if t.points != nil {
		return t.points
	}
	return On(t.x, t.y).columns()
}

// shape is that of the product.
func (t *target) shape() []int { return append(t.x.Shape(), t.y.Shape()...) }

// spread copies values at the points to the pairs of points that were asked for, the times
// last on each side.
func (t *target) spread(values []float64) *mat.Dense {
	nx, ny := t.size[0], t.size[1]
	if t.lags == nil {
		return mat.NewDense(nx, ny, values)
	}
	reduced := mat.NewDense(t.x.Size(), t.y.Size(), values)
	place := make([]int, len(t.s)*len(t.t))
	for j, a := range t.s {
		for k, b := range t.t {
			place[j*len(t.t)+k] = nearest(t.lags, b-a)
		}
	}
	out := mat.NewDense(nx, ny, nil)
	for i := range nx {
		from, row := reduced.RawRowView(i/len(t.s)), out.RawRowView(i)
		at := place[(i%len(t.s))*len(t.t):]
		for k := range row {
			row[k] = from[(k/len(t.t))*len(t.lags)+at[k%len(t.t)]]
		}
	}
	return out
}

// on is the lattice of the points of a target: that of the weights, or one of its group on the
// product. It is nil where the maps do not send the points to one another.
func (l *Lattice) on(ctx context.Context, t *target) (on *Lattice, err error) {
	if !t.asked {
		if t.lattice, err = l.findOn(ctx, t); err != nil {
			return nil, err
		}
		t.asked = true
	}
	return t.lattice, nil
}

func (l *Lattice) findOn(ctx context.Context, t *target) (*Lattice, error) {
	switch {
	case t.points != nil || l.off != "":
		return nil, nil
	case samePoints(t.x, l.x) && samePoints(t.y, l.y):
		return l, nil
	}
	on := &Lattice{x: t.x, y: t.y, space: l.space, generators: l.generators}
	if err := on.findMaps(ctx, besideOthers); err != nil || on.off != "" {
		return nil, linop.Stopped(ctx)
	}
	return on, nil
}

// imageMeshes are what a map makes of a product of axes, if that is one again.
type imageMeshes struct {
	x, y  mesh.Mesh
	order []int // the axes of the other product, those of the first axis of this one first
}

// imageOf finds, from the first coordinate of the image to the last, the axes that it varies
// with, and the coordinates that vary with these: together an axis of the image. It is nil
// where such an axis mixes coordinates of input and output, or is not in one piece.
func (l *Lattice) imageOf(g laws.Image, t *target) (*imageMeshes, error) {
	if t.points != nil {
		return nil, nil
	}
	axes := append(t.x.Axes(), t.y.Axes()...)
	uses := dependence(g, axes)
	out := &imageMeshes{}
	var x, y []mesh.Axis
	for first := 0; first < len(uses); {
		block, last := slices.Clone(uses[first]), first+1
		for c := 0; c < len(uses); c++ {
			switch within := first <= c && c < last; {
			case !within && !block.meets(uses[c]):
			case c < first:
				return nil, nil
			case block.add(uses[c]) || !within:
				last, c = max(last, c+1), -1 // with all in between; start again
			}
		}
		if first < l.space.Inputs && last > l.space.Inputs || len(block.axes()) == 0 {
			return nil, nil
		}
		a, err := imageAxis(g.At[first:last], l.space.Names[first:last], axes, block.axes())
		if err != nil {
			return nil, err
		}
		out.order = append(out.order, block.axes()...)
		if first < l.space.Inputs {
			x = append(x, a)
		} else {
			y = append(y, a)
		}
		first = last
	}
	var err error
	if out.x, err = mesh.New(x...); err != nil {
		return nil, err
	}
	out.y, err = mesh.New(y...)
	return out, err
}

// axisSet says of each axis whether it is in a set.
type axisSet []bool

func (s axisSet) meets(o axisSet) bool {
	for k, in := range o {
		if in && s[k] {
			return true
		}
	}
	return false
}

// add reports whether the set has grown.
func (s axisSet) add(o axisSet) (grown bool) {
	for k, in := range o {
		grown = grown || in && !s[k]
		s[k] = s[k] || in
	}
	return grown
}

func (s axisSet) axes() (list []int) {
	for k, in := range s {
		if in {
			list = append(list, k)
		}
	}
	return list
}

// dependence is, for each coordinate of the image, the set of axes that it varies with.
func dependence(g laws.Image, axes []mesh.Axis) []axisSet {
	var of []int // the axis of each coordinate
	for k, a := range axes {
		of = append(of, slices.Repeat([]int{k}, a.Dim())...)
	}
	uses := make([]axisSet, len(g.At))
	for i, n := range g.At {
		uses[i] = make(axisSet, len(axes))
		for _, c := range expr.Slots(n) {
			uses[i][of[c]] = true
		}
	}
	return uses
}

// imageAxis is the axis of some coordinates of an image that vary with some axes only.
func imageAxis(at []*expr.Node, names []string, axes []mesh.Axis, with []int) (mesh.Axis, error) {
	some := slices.Clone(axes)
	for k, a := range axes {
		if !slices.Contains(with, k) {
			some[k].Coordinates, some[k].Weights = a.Coordinates[:a.Dim()], a.Weights[:1]
		}
	}
	columns, err := evaluateAll(at, columnsOf(some))
	if err != nil {
		return mesh.Axis{}, err
	}
	d := len(at)
	points := make([]float64, d*len(columns[0]))
	for k, c := range columns {
		for i, v := range c {
			points[i*d+k] = v
		}
	}
	if own := axes[with[0]]; len(with) == 1 && own.Dim() == d && slices.Equal(own.Coordinates, points) {
		own.Names = names // keeps what is known of the axis
		return own, nil
	}
	return mesh.Scattered(points, d, ones(len(columns[0])), names...)
}

// unpermute reorders an array whose axis i has the length of shape[p[i]] into one of the
// given shape.
func unpermute(values []float64, p, shape []int) []float64 {
	if slices.IsSorted(p) {
		return values
	}
	strides, stride := make([]int, len(p)), 1
	for i := len(p) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= shape[p[i]]
	}
	along := make([]int, len(p)) // stride in values of each axis of the result
	for i, from := range p {
		along[from] = strides[i]
	}
	out, index, at := make([]float64, len(values)), make([]int, len(shape)), 0
	for i := range out {
		out[i] = values[at]
		for k := len(shape) - 1; k >= 0; k-- {
			index[k]++
			at += along[k]
			if index[k] < shape[k] {
				break
			}
			at -= along[k] * shape[k]
			index[k] = 0
		}
	}
	return out
}

func distinctLags(s, t []float64) []float64 {
	var all []float64
	size := 0.0
	for _, a := range s {
		for _, b := range t {
			all = append(all, b-a)
			size = max(size, math.Abs(a), math.Abs(b))
		}
	}
	sort.Float64s(all)
	tol := max(lagTolerance*(all[len(all)-1]-all[0]), 1e-15*size)
	out := all[:1]
	for _, v := range all[1:] {
		if v-out[len(out)-1] > tol {
			out = append(out, v)
		}
	}
	for i, v := range out { // the mask must see zero, not its rounding
		if v < tol && v > -tol {
			out[i] = 0
		}
	}
	return out
}

func nearest(sorted []float64, v float64) int {
	i := sort.SearchFloat64s(sorted, v)
	if i == len(sorted) || i > 0 && v-sorted[i-1] < sorted[i]-v {
		i--
	}
	return i
}
