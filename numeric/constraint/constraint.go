package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Constraint is what is known of a function of input and output.
type Constraint interface {
	// Transform says what the constraint does to points of a space. It fails when
	// the space has no such coordinates.
	Transform(s kernel.Space) (Transform, error)
	// String is the Lua expression that makes the constraint.
	String() string
}

// Transform is a constraint on one space. The zero value constrains nothing.
type Transform struct {
	Reduce *Lag      // nil: no reduction
	Groups [][]Image // averages, one set for each constraint; their products are taken
	Masks  []Mask    // the product is taken

	// Exchanged lists coordinates that are exchanged with one another: they must
	// cover the same interval.
	Exchanged [][]int
}

// Image is one signed coordinate map of an average.
type Image struct {
	Sign float64
	Map  func(x []*expr.Node) []*expr.Node // all coordinates of the space
	// Permutation, when the map only permutes coordinates (and possibly mirrors
	// them): coordinate i of the image is coordinate Permutation[i] of the point.
	Permutation []int
}

// Mask is 1 where the function may differ from zero and 0 elsewhere.
type Mask func(x []*expr.Node) *expr.Node

// Lag is the reduction of two times to their difference: coordinates Input (s)
// and Output (t) are replaced by a last coordinate t - s.
type Lag struct{ Input, Output int }

// LagName is the name of the coordinate t - s.
const LagName = "lag"

// Space returns the reduced space.
func (l *Lag) Space(s kernel.Space) kernel.Space {
	r := kernel.Space{Inputs: s.Inputs}
	for i, n := range s.Names {
		switch {
		case i == l.Input || i == l.Output:
			if i < s.Inputs {
				r.Inputs--
			}
		default:
			r.Names = append(r.Names, n)
		}
	}
	r.Names = append(r.Names, LagName)
	return r
}

// Point reduces the coordinates of a point.
func (l *Lag) Point(x []*expr.Node) []*expr.Node {
	var r []*expr.Node
	for i, v := range x {
		if i != l.Input && i != l.Output {
			r = append(r, v)
		}
	}
	return append(r, expr.Sub(x[l.Output], x[l.Input]))
}

// Images returns the products of one image of each group, for points of dim
// coordinates; without groups that is the identity.
func (t Transform) Images(dim int) []Image {
	same := make([]int, dim)
	for i := range same {
		same[i] = i
	}
	out := []Image{{Sign: 1, Permutation: same, Map: func(x []*expr.Node) []*expr.Node { return x }}}
	for _, group := range t.Groups {
		var next []Image
		for _, a := range out {
			for _, b := range group {
				next = append(next, compose(a, b))
			}
		}
		out = next
	}
	return out
}

// compose applies b first, then a.
func compose(a, b Image) Image {
	c := Image{Sign: a.Sign * b.Sign, Map: func(x []*expr.Node) []*expr.Node { return a.Map(b.Map(x)) }}
	if a.Permutation == nil || b.Permutation == nil {
		return c
	}
	c.Permutation = make([]int, len(a.Permutation))
	for i, j := range a.Permutation {
		c.Permutation[i] = b.Permutation[j]
	}
	return c
}

// Chi returns the product of the masks at a point.
func (t Transform) Chi(x []*expr.Node) *expr.Node {
	product := expr.Const(1)
	for _, m := range t.Masks {
		product = expr.Mul(product, m(x))
	}
	return product
}

// Space returns the space that the kernel is given on.
func (t Transform) Space(s kernel.Space) kernel.Space {
	if t.Reduce == nil {
		return s
	}
	return t.Reduce.Space(s)
}

// List composes constraints.
type List []Constraint

// Transform implements Constraint.
func (l List) Transform(s kernel.Space) (Transform, error) {
	var out Transform
	for _, c := range l {
		t, err := c.Transform(s)
		if err != nil {
			return Transform{}, err
		}
		if t.Reduce != nil {
			if out.Reduce != nil {
				return Transform{}, fmt.Errorf("%s: time is reduced twice; give one time_invariant", c)
			}
			out.Reduce = t.Reduce
		}
		out.Groups = append(out.Groups, t.Groups...)
		out.Masks = append(out.Masks, t.Masks...)
		out.Exchanged = append(out.Exchanged, t.Exchanged...)
	}
	return out, nil
}

func (l List) String() string {
	s := make([]string, len(l))
	for i, c := range l {
		s[i] = c.String()
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// Apply returns the constrained kernel.
func Apply(c Constraint, k kernel.Kernel) kernel.Kernel { return Constrained{Kernel: k, Constraint: c} }

// Constrained is a kernel all of whose functions obey a constraint. Its own
// Kernel is on the reduced space when the constraint reduces.
type Constrained struct {
	Kernel     kernel.Kernel
	Constraint Constraint
}

// Check implements kernel.Checker.
func (k Constrained) Check() error {
	if c, ok := k.Kernel.(kernel.Checker); ok {
		return c.Check()
	}
	return nil
}

// Expr implements kernel.Kernel: |Γ|² terms.
func (k Constrained) Expr(p, q kernel.Point) (*expr.Node, error) {
	t, err := k.Constraint.Transform(p.Space)
	if err != nil {
		return nil, err
	}
	images := t.Images(p.Space.Dim())
	space := t.Space(p.Space)
	at := func(x []*expr.Node, g Image) kernel.Point {
		x = g.Map(x)
		if t.Reduce != nil {
			x = t.Reduce.Point(x)
		}
		return kernel.Point{X: x, Space: space}
	}
	sum := expr.Const(0)
	for _, g := range images {
		for _, h := range images {
			n, err := k.Kernel.Expr(at(p.X, g), at(q.X, h))
			if err != nil {
				return nil, err
			}
			sum = expr.Add(sum, expr.Mul(expr.Const(g.Sign*h.Sign), n))
		}
	}
	scale := 1 / float64(len(images)*len(images))
	return expr.Mul(expr.Mul(t.Chi(p.X), t.Chi(q.X)), expr.Mul(expr.Const(scale), sum)), nil
}

func (k Constrained) String() string {
	return fmt.Sprintf("%s:apply(%s)", k.Constraint, k.Kernel)
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

// quoteAll writes names as a Lua list body.
func quoteAll(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}
