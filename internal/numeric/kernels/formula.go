package kernels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Formula is a function of one or two points of a space that is not known yet,
// given by expressions: what remains of a script's function once it has been
// traced. It is data; it can be written to a file and compared.
//
// Coordinates are taken by name or by number. A formula that takes all its
// coordinates by name applies to every space with these names. One that takes
// them by number has a [Form] for every number of coordinates it works for.
type Formula struct {
	Points int       `json:"points"`           // how many points it is a function of: 1 or 2
	Names  []string  `json:"names,omitempty"`  // coordinates taken by name
	Forms  []Form    `json:"forms"`            // by increasing Dim; a Dim of 0 takes none by number
	Params []string  `json:"params,omitempty"` // parameters
	Values []float64 `json:"values,omitempty"` // and their values, one for each
}

// Form is a formula on points of Dim coordinates: one expression for every
// value that it returns. The variables are in the slots of [NumberSlot],
// [NameSlot] and [ParamSlot].
type Form struct {
	Dim   int          `json:"dim"`
	Nodes []*expr.Node `json:"nodes"`
}

// Limits of a formula.
const (
	MaxNumbered = 32 // coordinates by number
	MaxNamed    = 32 // coordinates by name
	MaxParams   = 64
)

// FormulaSlots is how many slots the expressions of a formula need.
const FormulaSlots = 2*(MaxNumbered+MaxNamed) + MaxParams

// NumberSlot is the slot of coordinate i of a point, both from 0.
func NumberSlot(point, i int) int { return point*(MaxNumbered+MaxNamed) + i }

// NameSlot is the slot of the coordinate Names[k] of a point.
func NameSlot(point, k int) int { return point*(MaxNumbered+MaxNamed) + MaxNumbered + k }

// ParamSlot is the slot of parameter k.
func ParamSlot(k int) int { return 2*(MaxNumbered+MaxNamed) + k }

// At returns the values at symbolic points of one space, one for each output,
// with the parameters at their values. It fails when the space does not have
// the coordinates that the formula takes.
func (f *Formula) At(points ...Point) ([]*expr.Node, error) {
	s := points[0].Space
	form, err := f.Form(s)
	if err != nil {
		return nil, err
	}
	at, err := Places(f.Names, s)
	if err != nil {
		return nil, err
	}
	return f.Apply(form,
		func(j, i int) *expr.Node { return points[j].X[i] },
		func(j, k int) *expr.Node { return points[j].X[at[k]] }), nil
}

// Apply returns the values of one form: number(j, i) is coordinate i of point j,
// name(j, k) its coordinate Names[k].
func (f *Formula) Apply(form *Form, number, name func(point, coordinate int) *expr.Node) []*expr.Node {
	by := map[int]*expr.Node{}
	for j := range f.Points {
		for i := range form.Dim {
			by[NumberSlot(j, i)] = number(j, i)
		}
		for k := range f.Names {
			by[NameSlot(j, k)] = name(j, k)
		}
	}
	for k, v := range f.Values {
		by[ParamSlot(k)] = expr.Const(v)
	}
	out := make([]*expr.Node, len(form.Nodes))
	for i, n := range form.Nodes {
		out[i] = expr.Substitute(n, by)
	}
	return out
}

// Form returns the form for points of a space.
func (f *Formula) Form(s kernel.Space) (*Form, error) {
	var dims []string
	for i := range f.Forms {
		if d := f.Forms[i].Dim; d == 0 || d == s.Dim() {
			return &f.Forms[i], nil
		}
		dims = append(dims, fmt.Sprint(f.Forms[i].Dim))
	}
	if len(dims) == 1 {
		err := fmt.Errorf("written for points of dimension %d, by number; the points here have dimension %d: %s",
			f.Forms[0].Dim, s.Dim(), strings.Join(s.Names, ", "))
		if f.Points == 2 && f.Forms[0].Dim < s.Dim() { // it does not look at every coordinate
			err = remedy.OtherDimension.For(err, s.Dim())
		}
		return nil, err
	}
	return nil, fmt.Errorf("works for points of %s coordinates; the points here have %d: %s", strings.Join(dims, ", "), s.Dim(), strings.Join(s.Names, ", "))
}

// canonical are the names of coordinates that were given none.
var canonical = [...]string{"x", "y", "z"}

// Places returns which coordinates of a space have the names. The names x, y, z
// together may also stand for the first, second and third coordinate of a space
// that has exactly so many, whatever it calls them.
func Places(names []string, s kernel.Space) ([]int, error) {
	at := make([]int, len(names))
	var missing []string
	for k, name := range names {
		if at[k] = slices.Index(s.Names, name); at[k] < 0 {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return at, nil
	}
	standing := len(names) == s.Dim() && s.Dim() <= len(canonical) && s.Names[0] != "[1]" // they have names
	for k, name := range names {
		at[k] = slices.Index(canonical[:min(len(canonical), s.Dim())], name)
		standing = standing && at[k] >= 0
	}
	if !standing {
		return nil, fmt.Errorf("no coordinate %q: the coordinates here are %s", missing[0], strings.Join(s.Names, ", "))
	}
	return at, nil
}

// Unnamed is a space of d coordinates that have numbers only.
func Unnamed(d int) kernel.Space {
	s := kernel.Space{}
	for i := range d {
		s.Names = append(s.Names, fmt.Sprintf("[%d]", i+1))
	}
	return s
}

// Check refuses a formula that is not of so many points with so many values, or
// that no program has written: formulas are read from files. No outputs means any
// number.
func (f *Formula) Check(points, outputs int) error {
	switch {
	case f.Points != points:
		return fmt.Errorf("formula of %d points: must be of %d", f.Points, points)
	case len(f.Forms) == 0:
		return fmt.Errorf("formula without a form")
	case len(f.Names) > MaxNamed || len(f.Params) > MaxParams:
		return fmt.Errorf("formula of %d names and %d parameters: must be at most %d and %d", len(f.Names), len(f.Params), MaxNamed, MaxParams)
	case len(f.Params) != len(f.Values):
		return fmt.Errorf("formula with %d parameters and %d values: must be equally many", len(f.Params), len(f.Values))
	}
	for k, name := range f.Names {
		if name == "" || slices.Contains(f.Names[:k], name) {
			return fmt.Errorf("formula with a coordinate %q: names must be given, and once", name)
		}
	}
	for i, form := range f.Forms {
		if form.Dim < 0 || form.Dim > MaxNumbered || i > 0 && form.Dim <= f.Forms[i-1].Dim {
			return fmt.Errorf("form of %d coordinates: must be increasing, from 0 to %d", form.Dim, MaxNumbered)
		}
		if len(form.Nodes) != outputs && outputs > 0 {
			return fmt.Errorf("form with %d values: must have %d", len(form.Nodes), outputs)
		}
		for _, n := range form.Nodes {
			if n == nil {
				return fmt.Errorf("form without an expression")
			}
			for _, slot := range expr.Slots(n) {
				if !f.has(form.Dim, slot) {
					return fmt.Errorf("formula %s: slot %d is no coordinate and no parameter", n, slot)
				}
			}
		}
	}
	return nil
}

// has reports whether a slot belongs to a form of dim coordinates.
func (f *Formula) has(dim, slot int) bool {
	if k := slot - ParamSlot(0); k >= 0 {
		return k < len(f.Params)
	}
	point, i := slot/(MaxNumbered+MaxNamed), slot%(MaxNumbered+MaxNamed)
	return point < f.Points && (i < dim || i >= MaxNumbered && i-MaxNumbered < len(f.Names))
}
