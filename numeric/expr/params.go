package expr

import (
	"fmt"
	"slices"
)

// Params are the named parameters of a formula, each a variable in a slot of
// its own with a current value: lengthscale, amplitude, ... They come after
// the coordinates, in the order they were declared. The zero value has its
// first parameter in slot 0.
type Params struct {
	First  int // slot of the first parameter
	Names  []string
	Values []float64
}

// Declare adds a parameter and returns its variable. A name is an error if it
// is empty or taken.
func (p *Params) Declare(name string, value float64) (*Node, error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("parameter name %q: must not be empty", name)
	case slices.Contains(p.Names, name):
		return nil, fmt.Errorf("parameter name %q: is already declared", name)
	}
	p.Names = append(p.Names, name)
	p.Values = append(p.Values, value)
	return Var(p.First+len(p.Names)-1, name), nil
}

// Slot returns the slot of the named parameter.
func (p *Params) Slot(name string) (int, bool) {
	i := slices.Index(p.Names, name)
	return p.First + i, i >= 0
}

// Bind replaces every parameter in n by its current value.
func (p *Params) Bind(n *Node) *Node {
	by := map[int]*Node{}
	for i, v := range p.Values {
		by[p.First+i] = Const(v)
	}
	return Substitute(n, by)
}

// Gradient returns the derivatives of n with respect to the parameters, in
// order, the parameters still being variables.
func (p *Params) Gradient(n *Node) []*Node {
	g := make([]*Node, len(p.Names))
	for i := range g {
		g[i] = Diff(n, p.First+i)
	}
	return g
}

// Set writes the current values into their slots of vars, for Eval and Block.
func (p *Params) Set(vars []Operand) {
	for i, v := range p.Values {
		vars[p.First+i] = Operand{Scalar: v}
	}
}
