package constraint

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Symmetric makes functions that do not change when the named coordinates are
// exchanged: G(x,y) = G(y,x) for self-adjoint operators (paper, appendix E.1).
type Symmetric struct {
	Names []string `lua:"names" pos:"list" doc:"coordinates that may be exchanged"`
}

// Transform implements Constraint.
func (c Symmetric) Transform(s kernel.Space) (Transform, error) {
	return permuted(c, s, [][]string{c.Names}, false)
}

func (c Symmetric) String() string { return "constraint.symmetric{" + quoteAll(c.Names) + "}" }

// Antisymmetric makes functions that change sign when two of the named
// coordinates are exchanged.
type Antisymmetric struct {
	Names []string `lua:"names" pos:"list" doc:"coordinates whose exchange changes the sign"`
}

// Transform implements Constraint.
func (c Antisymmetric) Transform(s kernel.Space) (Transform, error) {
	return permuted(c, s, [][]string{c.Names}, true)
}

func (c Antisymmetric) String() string { return "constraint.antisymmetric{" + quoteAll(c.Names) + "}" }

// Permute makes functions that do not change when the places of several lists of
// coordinates are permuted together: {"x1","y1"}, {"x2","y2"} exchanges x1 with y1
// and x2 with y2 at once, as a self-adjoint operator in the plane does.
type Permute struct {
	Lists [][]string `lua:"lists" pos:"list" doc:"lists of coordinates, equally long, permuted together"`
}

// Transform implements Constraint.
func (c Permute) Transform(s kernel.Space) (Transform, error) {
	return permuted(c, s, c.Lists, false)
}

func (c Permute) String() string {
	l := make([]string, len(c.Lists))
	for i, names := range c.Lists {
		l[i] = "{" + quoteAll(names) + "}"
	}
	return "constraint.permute{" + strings.Join(l, ", ") + "}"
}

// permuted averages over all permutations of the places of the lists.
func permuted(c Constraint, s kernel.Space, lists [][]string, alternating bool) (Transform, error) {
	if len(lists) == 0 {
		return Transform{}, fmt.Errorf("%s: got no coordinates, must be at least 2", c)
	}
	var places [][]int
	for _, names := range lists {
		at, err := indices(s, names, 2)
		if err != nil {
			return Transform{}, fmt.Errorf("%s: %w", c, err)
		}
		if len(at) != len(lists[0]) {
			return Transform{}, fmt.Errorf("%s: lists of %d and %d coordinates: must be equally long", c, len(lists[0]), len(at))
		}
		if len(at) > 5 {
			return Transform{}, fmt.Errorf("%s: %d coordinates have more than 120 permutations; give at most 5", c, len(at))
		}
		places = append(places, at)
	}
	var group []Image
	for _, perm := range permutations(len(lists[0])) {
		whole := make([]int, s.Dim())
		for i := range whole {
			whole[i] = i
		}
		for _, at := range places {
			for i, j := range perm {
				whole[at[i]] = at[j]
			}
		}
		sign := 1.0
		if alternating {
			sign = parity(perm)
		}
		group = append(group, Image{Sign: sign, Permutation: whole, Map: func(x []*expr.Node) []*expr.Node {
			out := make([]*expr.Node, len(x))
			for i, j := range whole {
				out[i] = x[j]
			}
			return out
		}})
	}
	return Transform{Groups: [][]Image{group}, Exchanged: places}, nil
}

// permutations lists those of 0 … n-1, the identity first.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for at := len(p); at >= 0; at-- {
			q := append(append(append([]int{}, p[:at]...), n-1), p[at:]...)
			out = append(out, q)
		}
	}
	return out
}

func parity(p []int) float64 {
	sign := 1.0
	for i := range p {
		for j := range i {
			if p[j] > p[i] {
				sign = -sign
			}
		}
	}
	return sign
}

// Flip makes functions that do not change when the named coordinates are
// mirrored together at a centre: G(-x,-y) = G(x,y) (paper, appendix E.2).
type Flip struct {
	Names []string `lua:"names" pos:"list" doc:"coordinates that are mirrored together"`
	About float64  `lua:"about" doc:"centre of the mirror" default:"0"`
	Odd   bool     `lua:"odd" doc:"the function changes sign" default:"false"`
}

// Transform implements Constraint.
func (c Flip) Transform(s kernel.Space) (Transform, error) {
	at, err := indices(s, c.Names, 1)
	if err != nil {
		return Transform{}, fmt.Errorf("%s: %w", c, err)
	}
	same := make([]int, s.Dim())
	for i := range same {
		same[i] = i
	}
	sign := 1.0
	if c.Odd {
		sign = -1
	}
	identity := Image{Sign: 1, Permutation: same, Map: func(x []*expr.Node) []*expr.Node { return x }}
	mirror := Image{Sign: sign, Permutation: same, Map: func(x []*expr.Node) []*expr.Node {
		out := append([]*expr.Node(nil), x...)
		for _, i := range at {
			out[i] = expr.Sub(expr.Const(2*c.About), x[i])
		}
		return out
	}}
	return Transform{Groups: [][]Image{{identity, mirror}}}, nil
}

func (c Flip) String() string {
	s := "constraint.flip{" + quoteAll(c.Names)
	if c.About != 0 {
		s += fmt.Sprintf(", about=%v", c.About)
	}
	if c.Odd {
		s += ", odd=true"
	}
	return s + "}"
}
