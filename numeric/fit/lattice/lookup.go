package lattice

import (
	"fmt"
	"math"
	"sort"
)

// lookup finds points of the weights' meshes by their coordinates.
type lookup struct {
	on      *Lattice
	axes    [][]int     // sizes are implicit; order of points by value, per coordinate
	values  [][]float64 // the coordinates of each axis, increasing
	strides []int
}

func newLookup(on *Lattice) *lookup {
	l := &lookup{on: on}
	axes := append(on.x.Axes(), on.y.Axes()...)
	stride := 1
	l.strides = make([]int, len(axes))
	for k := len(axes) - 1; k >= 0; k-- {
		l.strides[k] = stride
		stride *= axes[k].Size()
	}
	for _, a := range axes {
		order := make([]int, a.Size())
		for i := range order {
			order[i] = i
		}
		if a.Dim() == 1 {
			sort.Slice(order, func(i, j int) bool { return a.Coordinates[order[i]] < a.Coordinates[order[j]] })
		}
		sorted := make([]float64, a.Size())
		for i, o := range order {
			sorted[i] = a.Coordinates[o*a.Dim()]
		}
		l.axes, l.values = append(l.axes, order), append(l.values, sorted)
	}
	return l
}

// find returns the index of every mapped point, or says why there is none.
func (l *lookup) find(mapped [][]float64) (at []int32, why string) {
	axes := append(l.on.x.Axes(), l.on.y.Axes()...)
	at = make([]int32, l.on.Size())
	c := 0
	for k, a := range axes {
		if a.Dim() != 1 {
			return nil, fmt.Sprintf("the points of %s are scattered", l.on.space.Names[c])
		}
		sorted := l.values[k]
		n := len(sorted)
		tol := 1e-9 * max(math.Abs(sorted[0]), math.Abs(sorted[n-1]), sorted[n-1]-sorted[0])
		for i, v := range mapped[c] {
			j := sort.SearchFloat64s(sorted, v-tol)
			if j == n || math.Abs(sorted[j]-v) > tol {
				return nil, fmt.Sprintf("a point of the meshes is sent to %s = %.6g, which is no point of that axis (%d points from %.6g to %.6g)",
					l.on.space.Names[c], v, n, sorted[0], sorted[n-1])
			}
			at[i] += int32(l.axes[k][j] * l.strides[k])
		}
		c++
	}
	return at, ""
}
