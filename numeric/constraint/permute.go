package constraint

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Symmetric makes functions that do not change when the named coordinates are
// exchanged: G(x,y) = G(y,x) for self-adjoint operators (paper, appendix E.1).
type Symmetric struct {
	Names []string `arg:"names" pos:"list" doc:"coordinates that may be exchanged"`
}

func (c Symmetric) laws(s kernel.Space) (laws.Laws, error) {
	return permuted(c, s, [][]string{c.Names}, false)
}

func (c Symmetric) String() string { return "symmetric{" + quoteAll(c.Names) + "}" }

// Antisymmetric makes functions that change sign when two of the named
// coordinates are exchanged.
type Antisymmetric struct {
	Names []string `arg:"names" pos:"list" doc:"coordinates whose exchange changes the sign"`
}

func (c Antisymmetric) laws(s kernel.Space) (laws.Laws, error) {
	return permuted(c, s, [][]string{c.Names}, true)
}

func (c Antisymmetric) String() string { return "antisymmetric{" + quoteAll(c.Names) + "}" }

// Permute makes functions that do not change when the places of several lists of
// coordinates are permuted together: {"x1","y1"}, {"x2","y2"} exchanges x1 with y1
// and x2 with y2 at once, as a self-adjoint operator in the plane does.
type Permute struct {
	Lists [][]string `arg:"lists" pos:"list" doc:"lists of coordinates, equally long, permuted together"`
}

func (c Permute) laws(s kernel.Space) (laws.Laws, error) {
	return permuted(c, s, c.Lists, false)
}

func (c Permute) String() string {
	l := make([]string, len(c.Lists))
	for i, names := range c.Lists {
		l[i] = "{" + quoteAll(names) + "}"
	}
	return "permute{" + strings.Join(l, ", ") + "}"
}

// permuted lets all permutations of the places of the lists be obeyed: those that
// exchange neighbours generate them.
func permuted(c Constraint, s kernel.Space, lists [][]string, alternating bool) (laws.Laws, error) {
	if len(lists) == 0 {
		return laws.Laws{}, fmt.Errorf("%s: got no coordinates, must be at least 2", c)
	}
	var places [][]int
	for _, names := range lists {
		at, err := indices(s, names, 2)
		if err != nil {
			return laws.Laws{}, fmt.Errorf("%s: %w", c, err)
		}
		if len(at) != len(lists[0]) {
			return laws.Laws{}, fmt.Errorf("%s: lists of %d and %d coordinates: must be equally long", c, len(lists[0]), len(at))
		}
		places = append(places, at)
	}
	sign := 1.0
	if alternating {
		sign = -1
	}
	l := laws.Laws{Exchanged: places}
	for i := range len(places[0]) - 1 {
		at := laws.Coordinates(s.Dim())
		for _, p := range places {
			at[p[i]], at[p[i+1]] = at[p[i+1]], at[p[i]]
		}
		l.Obey = append(l.Obey, laws.Image{Sign: sign, At: at})
	}
	return l, nil
}

// Flip makes functions that do not change when the named coordinates are
// mirrored together at a centre: G(-x,-y) = G(x,y) (paper, appendix E.2).
type Flip struct {
	Names []string `arg:"names" pos:"list" doc:"coordinates that are mirrored together"`
	About float64  `arg:"about" doc:"centre of the mirror" default:"0"`
	Odd   bool     `arg:"odd" doc:"the function changes sign" default:"false"`
}

func (c Flip) laws(s kernel.Space) (laws.Laws, error) {
	at, err := indices(s, c.Names, 1)
	if err != nil {
		return laws.Laws{}, fmt.Errorf("%s: %w", c, err)
	}
	image := laws.Image{Sign: 1, At: laws.Coordinates(s.Dim())}
	if c.Odd {
		image.Sign = -1
	}
	for _, i := range at {
		image.At[i] = expr.Sub(expr.Const(2*c.About), image.At[i])
	}
	return laws.Laws{Obey: []laws.Image{image}}, nil
}

func (c Flip) String() string {
	s := "flip{" + quoteAll(c.Names)
	if c.About != 0 {
		s += fmt.Sprintf(", about=%v", c.About)
	}
	if c.Odd {
		s += ", odd=true"
	}
	return s + "}"
}
