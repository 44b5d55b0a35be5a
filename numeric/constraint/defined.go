package constraint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Defined is a constraint given by its maps, such as one that a script defines.
type Defined struct {
	Reduce  *Map            // to fewer coordinates; nil: none
	Average []Signed        // generators of a finite group; none: no average
	Mask    *kernel.Formula // 1 where the function may differ from zero, 0 elsewhere; nil: everywhere
	Text    string          // the Lua expression that makes it
}

// Map is a map of points. Image names the coordinates that its values are, those
// that are not named stay; without names the values are all coordinates in order.
type Map struct {
	Formula kernel.Formula
	Image   []string
}

// Signed is a map under which the function keeps its value or, with Sign -1,
// changes its sign.
type Signed struct {
	Sign float64
	Map  Map
}

// Check refuses what was damaged in a file, and maps that form no finite group on
// any space.
func (c Defined) Check() error {
	if c.Reduce != nil {
		if err := c.Reduce.check(); err != nil {
			return fmt.Errorf("reduce: %w", err)
		}
	}
	for i, g := range c.Average {
		if g.Sign != 1 && g.Sign != -1 {
			return fmt.Errorf("average[%d]: sign %g: must be 1 or -1", i+1, g.Sign)
		}
		if err := g.Map.check(); err != nil {
			return fmt.Errorf("average[%d]: map: %w", i+1, err)
		}
	}
	if s, ok := c.least(); ok {
		if _, err := c.group(s); err != nil {
			return fmt.Errorf("average: %w", err)
		}
	}
	if c.Mask != nil {
		if err := c.Mask.Check(1, 1); err != nil {
			return fmt.Errorf("mask: %w", err)
		}
	}
	return nil
}

// least is the smallest space that the maps of the average apply to, if they tell:
// their coordinates, all by name or all by number.
func (c Defined) least() (s kernel.Space, ok bool) {
	dim := 0
	for _, g := range c.Average {
		f := g.Map.Formula
		for _, name := range slices.Concat(f.Names, g.Map.Image) {
			if !slices.Contains(s.Names, name) {
				s.Names = append(s.Names, name)
			}
		}
		dim = max(dim, f.Forms[0].Dim)
	}
	switch {
	case dim == 0:
		return s, len(s.Names) > 0
	case len(s.Names) > 0:
		return s, false
	}
	s = kernel.Unnamed(dim)
	return s, !slices.ContainsFunc(c.Average, func(g Signed) bool {
		_, err := g.Map.on(s)
		return err != nil
	})
}

func (m *Map) check() error { return m.Formula.Check(1, len(m.Image)) }

// Transform implements Constraint.
func (c Defined) Transform(s kernel.Space) (t Transform, err error) {
	if c.Reduce != nil {
		if t.Reduce, err = c.Reduce.lag(s); err != nil {
			return Transform{}, fmt.Errorf("%s: reduce: %w", c, err)
		}
	}
	if len(c.Average) > 0 {
		group, err := c.group(s)
		if err != nil {
			return Transform{}, fmt.Errorf("%s: average: %w", c, err)
		}
		t.Groups = [][]Image{group}
	}
	if c.Mask != nil {
		p, _ := kernel.Points(s)
		chi, err := c.Mask.At(p)
		if err != nil {
			return Transform{}, fmt.Errorf("%s: mask: %w", c, err)
		}
		t.Masks = []Mask{func(x []*expr.Node) *expr.Node { return substitute(chi, x)[0] }}
	}
	return t, nil
}

func (c Defined) String() string { return c.Text }

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

// values returns the values of the map at the symbolic point of a space, and which
// coordinates they are.
func (m *Map) values(s kernel.Space, image []string) (nodes []*expr.Node, at []int, err error) {
	form, err := m.Formula.Form(s)
	if err != nil {
		return nil, nil, err
	}
	names := slices.Clone(m.Formula.Names)
	for _, name := range image {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	places, err := kernel.Places(names, s)
	if err != nil {
		return nil, nil, err
	}
	p, _ := kernel.Points(s)
	nodes = m.Formula.Apply(form,
		func(_, i int) *expr.Node { return p.X[i] },
		func(_, k int) *expr.Node { return p.X[places[k]] })
	for _, name := range image {
		at = append(at, places[slices.Index(names, name)])
	}
	return nodes, at, nil
}

// on is the map of a space to itself: all coordinates of the image.
func (m *Map) on(s kernel.Space) ([]*expr.Node, error) {
	nodes, at, err := m.values(s, m.Image)
	switch {
	case err != nil:
		return nil, err
	case m.Image == nil && len(nodes) != s.Dim():
		return nil, fmt.Errorf("map: returns %d coordinates, the points here have %d", len(nodes), s.Dim())
	case m.Image == nil:
		return nodes, nil
	}
	p, _ := kernel.Points(s)
	for i, k := range at {
		p.X[k] = nodes[i]
	}
	return p.X, nil
}

// lag recognises the one reduction there is: two times, one of the input and one
// of the output, become their difference.
func (m *Map) lag(s kernel.Space) (*Lag, error) {
	image := slices.DeleteFunc(slices.Clone(m.Image), func(name string) bool { return name == LagName })
	nodes, at, err := m.values(s, image)
	if err != nil {
		return nil, err
	}
	var lag *expr.Node
	var kept []*expr.Node
	for i, n := range nodes {
		switch {
		case m.Image != nil && m.Image[i] == LagName, m.Image == nil && i == len(nodes)-1:
			lag = n
		default:
			kept = append(kept, n)
		}
	}
	p, _ := kernel.Points(s)
	for in := range s.Inputs {
		for out := s.Inputs; out < s.Dim() && lag != nil; out++ {
			l := &Lag{Input: in, Output: out}
			rest := l.Point(p.X)
			if expr.Equal(expr.Simplify(lag), expr.Simplify(rest[len(rest)-1])) && keeps(rest[:len(rest)-1], kept, at, p.X) {
				return l, nil
			}
		}
	}
	return nil, fmt.Errorf("must keep all coordinates but one time of the input and one of the output, and give their difference the name %q, as in {x = p.x, y = p.y, %s = p.t - p.s}; other kernels of functions of the coordinates are written with kernel.define",
		LagName, LagName)
}

// keeps reports whether the values are the coordinates rest, each under its own
// name or, without names, in order.
func keeps(rest, values []*expr.Node, at []int, x []*expr.Node) bool {
	if len(rest) != len(values) {
		return false
	}
	for i, v := range values {
		want := rest[i]
		if at != nil {
			want = x[at[i]]
		}
		if !expr.Equal(v, want) || !slices.ContainsFunc(rest, func(n *expr.Node) bool { return expr.Equal(n, v) }) {
			return false
		}
	}
	return true
}

const (
	maxGroup     = 120 // images of a group
	groupSamples = 8   // points at which maps are compared
	sameImage    = 1e-9
)

// element is a map of the group with its values at the sample points.
type element struct {
	sign   float64
	nodes  []*expr.Node
	values []float64
}

// group completes the generators to the finite group that they generate, so that
// every function of the constrained space obeys every map.
func (c Defined) group(s kernel.Space) ([]Image, error) {
	g := newGrouping(s)
	p, _ := kernel.Points(s)
	all := []element{g.element(1, p.X)}
	var generators []element
	for i, m := range c.Average {
		nodes, err := m.Map.on(s)
		if err != nil {
			return nil, fmt.Errorf("map %d: %w", i+1, err)
		}
		generators = append(generators, g.element(m.Sign, nodes))
	}
	for i := 0; i < len(all); i++ {
		for _, e := range generators {
			next := g.element(all[i].sign*e.sign, substitute(e.nodes, all[i].nodes))
			known := slices.IndexFunc(all, next.is)
			switch {
			case known >= 0 && all[known].sign != next.sign:
				return nil, fmt.Errorf("the signs contradict each other: some map would both keep and change the sign, and only zero obeys")
			case known >= 0:
			case len(all) == maxGroup:
				return nil, fmt.Errorf("the maps and their compositions are more than %d: they must form a finite group, such as reflections and rotations of a square", maxGroup)
			default:
				all = append(all, next)
			}
		}
	}
	// A finite set closed under composition is a group if every map can be undone.
	images := make([]Image, len(all))
	for i, e := range all {
		undone := slices.ContainsFunc(all, func(f element) bool {
			return all[0].is(g.element(1, substitute(f.nodes, e.nodes)))
		})
		if !undone {
			return nil, fmt.Errorf("a map is not undone by repeating it: the maps must form a finite group, such as reflections and rotations of a square")
		}
		images[i] = e.image()
	}
	return images, nil
}

// is reports whether two maps agree at the sample points, to rounding.
func (e element) is(f element) bool {
	for i, v := range e.values {
		if !(math.Abs(v-f.values[i]) <= sameImage*(1+math.Abs(v))) {
			return false
		}
	}
	return true
}

func (e element) image() Image {
	return Image{Sign: e.sign, Permutation: permutationOf(e.nodes), Map: func(x []*expr.Node) []*expr.Node { return substitute(e.nodes, x) }}
}

// permutationOf is the permutation of a map that only permutes coordinates, and
// mirrors or moves them; nil for others.
func permutationOf(nodes []*expr.Node) []int {
	var p []int
	for _, n := range nodes {
		slots := expr.Slots(n)
		if len(slots) != 1 || slices.Contains(p, slots[0]) {
			return nil
		}
		slope := expr.Simplify(expr.Diff(n, slots[0]))
		if !slope.IsConst() || math.Abs(slope.Value()) != 1 {
			return nil
		}
		p = append(p, slots[0])
	}
	return p
}

// grouping evaluates maps at sample points.
type grouping struct{ points [][]float64 }

func newGrouping(s kernel.Space) grouping {
	rng := rand.New(rand.NewPCG(7, 8))
	g := grouping{}
	for range groupSamples {
		x := make([]float64, s.Dim())
		for i := range x {
			x[i] = rng.Float64()
		}
		g.points = append(g.points, x)
	}
	return g
}

func (g grouping) element(sign float64, nodes []*expr.Node) element {
	e := element{sign: sign, nodes: nodes}
	for _, x := range g.points {
		for _, n := range nodes {
			e.values = append(e.values, expr.Eval(n, x))
		}
	}
	return e
}
