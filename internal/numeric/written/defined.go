package written

import (
	"errors"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Defined is a constraint given by its maps, such as one that a script defines.
type Defined struct {
	constraint.Constraint `json:"-"` // nil: it has laws of its own

	Reduce  *Map             // to fewer coordinates; nil: none
	Average []Signed         // generators of a finite group; none: no average
	Mask    *kernels.Formula // 1 where the function may differ from zero, 0 elsewhere; nil: everywhere
	Text    string           // as it was written, for printing
}

// Map is a map of points. Image names the coordinates that its values are, those
// that are not named stay; without names the values are all coordinates in order.
type Map struct {
	Formula kernels.Formula
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
		var maps []laws.Image
		for i, m := range c.Average {
			nodes, err := m.Map.on(s)
			if err != nil {
				return fmt.Errorf("average: map %d: %w", i+1, err)
			}
			maps = append(maps, laws.Image{Sign: m.Sign, At: nodes})
		}
		if err := laws.Finite(s.Dim(), maps); err != nil {
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
	s = kernels.Unnamed(dim)
	return s, !slices.ContainsFunc(c.Average, func(g Signed) bool {
		_, err := g.Map.on(s)
		return err != nil
	})
}

func (m *Map) check() error { return m.Formula.Check(1, len(m.Image)) }

// Laws implements [constraint.Custom]. G obeys the maps of the average, everywhere, but for
// those that move the mask off itself, as exchanging two times does with t ≥ s: with
// such a map nothing of G would be left, so the kernel alone is symmetrised by it.
func (c Defined) Laws(s kernel.Space) (l laws.Laws, err error) {
	if c.Reduce != nil {
		if l.Reduce, err = c.Reduce.lag(s); err != nil {
			return laws.Laws{}, fmt.Errorf("%s: reduce: %w", c, err)
		}
	}
	if c.Mask != nil {
		p, _ := kernels.Points(s)
		if l.Masks, err = c.Mask.At(p); err != nil {
			return laws.Laws{}, fmt.Errorf("%s: mask: %w", c, err)
		}
	}
	for i, m := range c.Average {
		nodes, err := m.Map.on(s)
		if err != nil {
			return laws.Laws{}, fmt.Errorf("%s: average: map %d: %w", c, i+1, err)
		}
		image := laws.Image{Sign: m.Sign, At: nodes}
		if len(l.Masks) > 0 && image.Parts(l.Masks[0]) {
			l.Symmetrise = append(l.Symmetrise, image)
		} else {
			l.Obey = append(l.Obey, image)
		}
	}
	if err := laws.Finite(s.Dim(), slices.Concat(l.Obey, l.Symmetrise)); err != nil {
		return laws.Laws{}, fmt.Errorf("%s: average: %w", c, err)
	}
	return l, nil
}

func (c Defined) String() string { return c.Text }

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
	places, err := kernels.Places(names, s)
	if err != nil {
		return nil, nil, err
	}
	p, _ := kernels.Points(s)
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
	p, _ := kernels.Points(s)
	for i, k := range at {
		p.X[k] = nodes[i]
	}
	return p.X, nil
}

// lag recognises the one reduction there is: two times, one of the input and one
// of the output, become their difference.
func (m *Map) lag(s kernel.Space) (*laws.Lag, error) {
	image := slices.DeleteFunc(slices.Clone(m.Image), func(name string) bool { return name == laws.LagName })
	nodes, at, err := m.values(s, image)
	if err != nil {
		return nil, err
	}
	var lag *expr.Node
	var kept []*expr.Node
	for i, n := range nodes {
		switch {
		case m.Image != nil && m.Image[i] == laws.LagName, m.Image == nil && i == len(nodes)-1:
			lag = n
		default:
			kept = append(kept, n)
		}
	}
	p, _ := kernels.Points(s)
	for in := range s.Inputs {
		for out := s.Inputs; out < s.Dim() && lag != nil; out++ {
			l := &laws.Lag{Input: in, Output: out}
			rest := l.Point(p.X)
			if expr.Equal(expr.Simplify(lag), expr.Simplify(rest[len(rest)-1])) && keeps(rest[:len(rest)-1], kept, at, p.X) {
				return l, nil
			}
		}
	}
	return nil, remedy.LagPoint.For(errors.New("must keep all coordinates but one time of the input and one of the output, and give their difference a name"), laws.LagName)
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
