package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Constraint is what is known of a function of input and output: a parameter struct such as
// [Causal], of which [Catalog] lists the named ones, a [List] of them, or [Defined] by maps.
// [Apply] makes a kernel whose functions obey it. A type of another package becomes one by
// embedding a Constraint and being [Custom].
type Constraint interface {
	laws(s kernel.Space) (Laws, error)
	// String is the constraint as its name with its parameters.
	String() string
}

// Custom is a constraint of another package, whose own laws take the place of those of the
// Constraint it embeds, which may be nil.
type Custom interface {
	Constraint
	// Laws says what the constraint asks for on a space. It fails when the space
	// has no such coordinates.
	Laws(s kernel.Space) (Laws, error)
}

// LawsOf says what a constraint asks for on a space. It fails when the space has no such
// coordinates.
func LawsOf(c Constraint, s kernel.Space) (Laws, error) {
	if own, ok := c.(Custom); ok {
		return own.Laws(s)
	}
	return c.laws(s)
}

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

// coordinates are the variables of a point.
func coordinates(dim int) []*expr.Node {
	x := make([]*expr.Node, dim)
	for i := range x {
		x[i] = expr.Var(i, fmt.Sprintf("x%d", i))
	}
	return x
}

// List is all of its constraints at once, in any order.
type List []Constraint

func (l List) laws(s kernel.Space) (Laws, error) {
	var out Laws
	for _, c := range l {
		laws, err := LawsOf(c, s)
		if err != nil {
			return Laws{}, err
		}
		if laws.Reduce != nil && out.Reduce != nil {
			return Laws{}, fmt.Errorf("%s: time is reduced twice; give one time_invariant", c)
		}
		out = out.and(laws)
	}
	return out, nil
}

// and is both; at most one of them reduces.
func (l Laws) and(m Laws) Laws {
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

func (l List) String() string {
	s := make([]string, len(l))
	for i, c := range l {
		s[i] = c.String()
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// index returns the number of a coordinate, or an error that lists the names.
func index(s kernel.Space, name string) (int, error) {
	if i := slices.Index(s.Names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("no coordinate %q: the coordinates here are %s (input) and %s (output)",
		name, strings.Join(s.Names[:s.Inputs], ", "), strings.Join(s.Names[s.Inputs:], ", "))
}

// indices returns the numbers of at least two different coordinates.
func indices(s kernel.Space, names []string, least int) ([]int, error) {
	if len(names) < least {
		return nil, fmt.Errorf("got %d coordinates, must be at least %d", len(names), least)
	}
	out := make([]int, len(names))
	for i, n := range names {
		at, err := index(s, n)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out[:i], at) {
			return nil, fmt.Errorf("coordinate %q: named twice", n)
		}
		out[i] = at
	}
	return out, nil
}

// quoteAll writes names in quotes, with commas between.
func quoteAll(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
