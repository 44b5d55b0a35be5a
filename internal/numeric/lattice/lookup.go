package lattice

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// How far, relative to the extent of an axis, a point may be sent beside one of the axis: of the
// meshes of a fit, which may have been computed in any way, and of others, where the function
// is as easily found elsewhere.
const (
	besideOnMeshes = 1e-9
	besideOthers   = 1e-12
	rounding       = 4e-15 // relative to the coordinates
)

// lookup finds points of the weights' meshes by their coordinates.
type lookup struct {
	on      *Lattice
	beside  float64
	axes    []mesh.Axis
	order   [][]int     // of the points of each axis, by value
	values  [][]float64 // the coordinates of each axis, increasing
	strides []int
}

// newLookup returns why there is none where points are scattered.
func newLookup(on *Lattice, beside float64) (l *lookup, why string) {
	l = &lookup{on: on, beside: beside, axes: append(on.x.Axes(), on.y.Axes()...)}
	stride := 1
	l.strides = make([]int, len(l.axes))
	for k := len(l.axes) - 1; k >= 0; k-- {
		l.strides[k] = stride
		stride *= l.axes[k].Size()
	}
	for k, a := range l.axes {
		if a.Dim() != 1 {
			return nil, fmt.Sprintf("the points of %s are scattered", on.space.Names[k])
		}
		order := make([]int, a.Size())
		for i := range order {
			order[i] = i
		}
		sort.Slice(order, func(i, j int) bool { return a.Coordinates[order[i]] < a.Coordinates[order[j]] })
		sorted := make([]float64, a.Size())
		for i, o := range order {
			sorted[i] = a.Coordinates[o]
		}
		l.order, l.values = append(l.order, order), append(l.values, sorted)
	}
	return l, ""
}

// find returns the index of the image of every point, or says why there is none.
func (l *lookup) find(ctx context.Context, g laws.Image) (at []int32, why string, err error) {
	if from := sources(g); from != nil {
		return l.findAlongAxes(ctx, g, from)
	}
	columns := l.on.columns()
	at = make([]int32, l.on.Size())
	for k, n := range g.At {
		mapped, err := evaluate(n, columns)
		if err != nil {
			return nil, "", err
		}
		places, why, err := l.places(ctx, k, mapped)
		if err != nil || why != "" {
			return nil, why, err
		}
		for i, p := range places {
			at[i] += p
		}
	}
	return at, "", nil
}

// sources is, for each coordinate of an image, the only one that it depends on; nil where
// there is none, or one for two.
func sources(g laws.Image) []int {
	if g.Permutation != nil {
		return g.Permutation
	}
	var from []int
	for _, n := range g.At {
		slots := expr.Slots(n)
		if len(slots) != 1 || slices.Contains(from, slots[0]) {
			return nil
		}
		from = append(from, slots[0])
	}
	return from
}

// findAlongAxes finds where a map sends the points of the lattice, for a map whose coordinate
// k depends on the axis sources[k] only.
func (l *lookup) findAlongAxes(ctx context.Context, g laws.Image, sources []int) (at []int32, why string, err error) {
	places := make([][]int32, len(l.axes)) // of the points of each axis that is mapped
	for k, from := range sources {
		mapped, err := evaluate(g.At[k], l.on.alongAxis(from))
		if err != nil {
			return nil, "", err
		}
		if places[from], why, err = l.places(ctx, k, mapped); err != nil || why != "" {
			return nil, why, err
		}
	}
	at = []int32{0}
	for _, p := range places {
		next := make([]int32, 0, len(at)*len(p))
		for _, sum := range at {
			for _, v := range p {
				next = append(next, sum+v)
			}
		}
		at = next
	}
	return at, "", nil
}

// places are the indices of values on axis k, times its stride.
func (l *lookup) places(ctx context.Context, k int, mapped []float64) (at []int32, why string, err error) {
	sorted, a := l.values[k], l.axes[k]
	n := len(sorted)
	size := max(math.Abs(sorted[0]), math.Abs(sorted[n-1]))
	tol := l.beside*max(sorted[n-1]-sorted[0], a.Upper[0]-a.Lower[0]) + rounding*size
	at = make([]int32, len(mapped))
	for i, v := range mapped {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, "", linop.Stopped(ctx)
		}
		j := sort.SearchFloat64s(sorted, v-tol)
		if j == n || !(math.Abs(sorted[j]-v) <= tol) {
			return nil, fmt.Sprintf("a point of the meshes is sent to %s = %.6g, which is no point of that axis (%d points from %.6g to %.6g)",
				l.on.space.Names[k], v, n, sorted[0], sorted[n-1]), nil
		}
		at[i] = int32(l.order[k][j] * l.strides[k])
	}
	return at, "", nil
}
