package laws

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Laws is what constraints ask of a function on one space. The zero value asks for
// nothing. The coordinates of a point are in the slots 0, 1, … of all expressions.
type Laws struct {
	Reduce     *Lag         // nil: no reduction
	Obey       []Image      // G(g p) = sign G(p)
	Symmetrise []Image      // maps that only the kernel obeys, before it is cut by a mask
	Masks      []*expr.Node // 1 where the function may differ from zero, 0 elsewhere

	// Exchanged lists coordinates that are exchanged with one another: they must
	// cover the same interval.
	Exchanged [][]int
}

// Image is a signed map of the points of a space to themselves.
type Image struct {
	Sign float64
	At   []*expr.Node // all coordinates of the image
	// Permutation, when the map only permutes, mirrors and moves coordinates:
	// coordinate i of the image depends on coordinate Permutation[i] of the point.
	Permutation []int
}

// Map returns the image of a point.
func (im Image) Map(x []*expr.Node) []*expr.Node { return substitute(im.At, x) }

// substitute puts coordinates in the place of the slots 0, 1, … .
func substitute(nodes, x []*expr.Node) []*expr.Node {
	by := map[int]*expr.Node{}
	for i, v := range x {
		by[i] = v
	}
	out := make([]*expr.Node, len(nodes))
	for i, n := range nodes {
		out[i] = expr.Substitute(n, by)
	}
	return out
}

// Coordinates are the variables of a point.
func Coordinates(dim int) []*expr.Node {
	x := make([]*expr.Node, dim)
	for i := range x {
		x[i] = expr.Var(i, fmt.Sprintf("x%d", i))
	}
	return x
}

// And is both; at most one of them reduces.
func (l Laws) And(m Laws) Laws {
	reduce := l.Reduce
	if reduce == nil {
		reduce = m.Reduce
	}
	return Laws{
		Reduce:     reduce,
		Obey:       slices.Concat(l.Obey, m.Obey),
		Symmetrise: slices.Concat(l.Symmetrise, m.Symmetrise),
		Masks:      slices.Concat(l.Masks, m.Masks),
		Exchanged:  slices.Concat(l.Exchanged, m.Exchanged),
	}
}
