package fit

import (
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// natural are the constraints that G obeys for many operators, as far as two meshes allow them: symmetric, for a self-adjoint
// operator, where input and output have as many space coordinates on the same intervals, and causal where both have a time, t. The
// coordinates have the names that [mesh.JointNames] gives them.
func natural(input, output mesh.Mesh) (all []constraint.Constraint) {
	in, out := mesh.JointNames(input, output)
	x, s := spaceAndTime(input, in)
	y, t := spaceAndTime(output, out)
	var pairs [][]string
	for i := 0; i < len(x) && len(x) == len(y) && x[i].from == y[i].from && x[i].to == y[i].to; i++ {
		pairs = append(pairs, []string{x[i].name, y[i].name})
	}
	switch {
	case len(pairs) == 0 || len(pairs) < len(x):
	case len(pairs) == 1:
		all = append(all, constraint.Symmetric{Names: pairs[0]})
	default:
		all = append(all, constraint.Permute{Lists: pairs})
	}
	if s != "" && t != "" {
		all = append(all, constraint.Causal{Input: s, Output: t})
	}
	return all
}

// interval is what a coordinate lies in.
type interval struct {
	name     string
	from, to float64
}

// spaceAndTime are the coordinates of a mesh under other names; time is "" where there is none.
func spaceAndTime(m mesh.Mesh, names []string) (space []interval, time string) {
	i, own := 0, m.Names()
	for _, a := range m.Axes() {
		for k := range a.Lower {
			if own[i] == "t" {
				time = names[i]
			} else {
				space = append(space, interval{names[i], a.Lower[k], a.Upper[k]})
			}
			i++
		}
	}
	return space, time
}
