package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Constraint is what is known of a function of input and output: a parameter struct such as
// [Causal], or a [List] of them. [Apply] makes a kernel whose functions obey it. A type of
// another package becomes one by embedding a Constraint and being [Custom].
type Constraint interface {
	laws(s kernel.Space) (laws.Laws, error)
	// String is the constraint as its name with its parameters.
	String() string
}

// Custom is a constraint of another package, whose own laws take the place of those of the
// Constraint it embeds, which may be nil.
type Custom interface {
	Constraint
	// Laws says what the constraint asks for on a space. It fails when the space
	// has no such coordinates.
	Laws(s kernel.Space) (laws.Laws, error)
}

// LawsOf says what a constraint asks for on a space. It fails when the space has no such
// coordinates.
func LawsOf(c Constraint, s kernel.Space) (laws.Laws, error) {
	if own, ok := c.(Custom); ok {
		return own.Laws(s)
	}
	return c.laws(s)
}

// List is all of its constraints at once, in any order.
type List []Constraint

func (l List) laws(s kernel.Space) (laws.Laws, error) {
	var out laws.Laws
	for _, c := range l {
		own, err := LawsOf(c, s)
		if err != nil {
			return laws.Laws{}, err
		}
		if own.Reduce != nil && out.Reduce != nil {
			return laws.Laws{}, fmt.Errorf("%s: time is reduced twice; give one time_invariant", c)
		}
		out = out.And(own)
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
