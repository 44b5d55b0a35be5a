package pde

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// nonlinear is the part of an operator that is not linear in u: a formula of the coordinates
// and of derivatives of u at a point. Slots of the formula are the coordinates, then atoms.
type nonlinear struct {
	node  *expr.Node
	atoms [][]int // orders of the derivative of u by each coordinate
}

// errCoefficient means that a coefficient has no formula to be part of another.
var errCoefficient = errors.New("a Go function cannot be part of what is nonlinear in u; write it as a formula")

// formula is the whole operator as one: sums of derivatives times coefficients, and fluxes by
// the product rule.
func (o *Operator) formula() (*nonlinear, error) {
	p := o.expanded()
	if p.err != nil {
		return nil, p.err
	}
	f := &nonlinear{node: expr.Const(0)}
	if p.rest != nil {
		f.node, f.atoms = p.rest.node, slices.Clone(p.rest.atoms)
	}
	for _, t := range p.terms {
		c, ok := nodeOf(t.coef)
		if !ok {
			return nil, fmt.Errorf("coefficient %s: %w", t.coef, errCoefficient)
		}
		f.node = expr.Add(f.node, expr.Mul(c, f.atom(p, t.orders)))
	}
	return f, nil
}

// atom is the variable of a derivative of u.
func (f *nonlinear) atom(o *Operator, orders []int) *expr.Node {
	k := slices.IndexFunc(f.atoms, func(a []int) bool { return slices.Equal(a, orders) })
	if k < 0 {
		k, f.atoms = len(f.atoms), append(f.atoms, orders)
	}
	name := "u"
	for axis, n := range orders {
		if n > 0 {
			name = fmt.Sprintf("d(%s, %s, %d)", name, o.names[axis], n)
		}
	}
	return expr.Var(len(o.names)+k, name)
}

// take is the formula of another part in the atoms of f.
func (f *nonlinear) take(o *Operator, g *nonlinear) *expr.Node {
	by := map[int]*expr.Node{}
	for k, orders := range g.atoms {
		by[len(o.names)+k] = f.atom(o, orders)
	}
	return expr.Substitute(g.node, by)
}

// Combine is a function of operators, such as their product or the sine of one: write makes
// the formula of the values of u and its derivatives at a point.
func Combine(write func(parts []*expr.Node) *expr.Node, parts ...*Operator) *Operator {
	if len(parts) == 0 {
		return (&Operator{}).failed(errors.New("operators: missing"))
	}
	o, f := parts[0], &nonlinear{}
	values := make([]*expr.Node, len(parts))
	for i, p := range parts {
		if p.err != nil {
			return p
		}
		if !slices.Equal(o.names, p.names) {
			return o.failed(errors.New("different unknowns"))
		}
		g, err := p.formula()
		if err != nil {
			return o.failed(err)
		}
		values[i] = f.take(o, g)
	}
	f.node = expr.Simplify(write(values))
	return (&Operator{names: o.names, time: o.time, rest: f}).sorted()
}

// sorted moves addends of the formula that are linear in u to the terms.
func (o *Operator) sorted() *Operator {
	if o.rest == nil {
		return o
	}
	terms := slices.Clone(o.terms)
	left := &nonlinear{node: expr.Const(0)}
	for _, n := range expr.Addends(o.rest.node) {
		if t, ok := o.linearAddend(n); ok {
			terms = append(terms, t)
		} else {
			left.node = expr.Add(left.node, left.take(o, &nonlinear{n, o.rest.atoms}))
		}
	}
	p := o.with(terms, o.fluxes)
	left.atoms = left.used(o)
	if p.rest = left; left.node.IsConst() && left.node.Value() == 0 {
		p.rest = nil
	}
	return p
}

// used drops atoms that are not in the formula, from the last one on.
func (f *nonlinear) used(o *Operator) [][]int {
	most := 0
	for _, s := range expr.Slots(f.node) {
		most = max(most, s-len(o.names)+1)
	}
	return f.atoms[:most]
}

// linearAddend is a derivative of u times a coefficient, if n is that.
func (o *Operator) linearAddend(n *expr.Node) (term, bool) {
	found := -1
	for _, s := range expr.Slots(n) {
		if s >= len(o.names) {
			if found >= 0 {
				return term{}, false
			}
			found = s
		}
	}
	if found < 0 {
		return term{}, false
	}
	slope := expr.Simplify(expr.Diff(n, found))
	zero := expr.Simplify(expr.Substitute(n, map[int]*expr.Node{found: expr.Const(0)}))
	if dependsOn(slope, found) || !zero.IsConst() || zero.Value() != 0 {
		return term{}, false
	}
	return term{o.rest.atoms[found-len(o.names)], Formula{slope}}, true
}

// plus is the sum of two parts of operators on the same coordinates.
func (f *nonlinear) plus(o *Operator, g *nonlinear) *nonlinear {
	if f == nil || g == nil {
		if f == nil {
			return g
		}
		return f
	}
	sum := &nonlinear{atoms: slices.Clone(f.atoms)}
	sum.node = expr.Add(f.node, sum.take(o, g))
	return sum
}

// times is the part times a coefficient.
func (f *nonlinear) times(c Coefficient) (*nonlinear, error) {
	if f == nil {
		return nil, nil
	}
	n, ok := nodeOf(c)
	if !ok {
		return nil, fmt.Errorf("coefficient %s: %w", c, errCoefficient)
	}
	return &nonlinear{expr.Mul(n, f.node), f.atoms}, nil
}

// derivative is the chain rule along an axis.
func (f *nonlinear) derivative(o *Operator, axis int) (*nonlinear, error) {
	if f == nil {
		return nil, nil
	}
	d := &nonlinear{atoms: slices.Clone(f.atoms)}
	d.node = expr.Diff(f.node, axis)
	for k, orders := range f.atoms {
		slot := len(o.names) + k
		if op, rough := roughIn(f.node, slot); rough {
			return nil, fmt.Errorf("u is inside %s, which is not smooth, so its derivative would be wrong", op)
		}
		raised := slices.Clone(orders)
		raised[axis]++
		d.node = expr.Add(d.node, expr.Mul(expr.Diff(f.node, slot), d.atom(o, raised)))
	}
	d.node = expr.Simplify(d.node)
	return d, nil
}

// isNonlinear tells whether u appears otherwise than linearly.
func (o *Operator) isNonlinear() bool { return o.rest != nil && len(o.rest.used(o)) > 0 }

// checkNonlinear refuses what is nonlinear in derivatives of the highest order, or in those in
// time, and a given part of an operator that is linear otherwise.
func (p *Defined) checkNonlinear() error {
	o := p.Operator
	if o.rest == nil {
		return nil
	}
	if !o.isNonlinear() {
		return withoutUnknown(Formula{o.rest.node})
	}
	highest := 0
	for _, t := range p.spaceTerms() {
		highest = max(highest, total(t.orders))
	}
	for k, orders := range o.rest.atoms {
		if !dependsOn(o.rest.node, len(o.names)+k) {
			continue
		}
		space := orders[:o.space()]
		d := (&nonlinear{}).atom(o, orders).Name()
		if o.time && orders[o.space()] > 0 {
			return fmt.Errorf("operator: %s is inside %s: derivatives in %s must be linear in u, with factors of the coordinates", d, o.rest.node, o.timeName())
		}
		if n := total(space); n > 0 && n >= highest {
			return fmt.Errorf("operator: %s is inside %s: the derivatives of highest order must be linear in u, with factors of the coordinates (a semilinear equation)", d, o.rest.node)
		}
		for axis, n := range space {
			if n > 0 && n >= o.orderIn(axis) {
				return fmt.Errorf("operator: %s is inside %s, and the linear part has no derivative of higher order in %s: must have one", d, o.rest.node, o.names[axis])
			}
		}
	}
	if p.Scheme == Exponential && o.time {
		return fmt.Errorf("scheme %q: the operator must be linear in u, and has %s; use %q", Exponential, o.rest.node, CrankNicolson)
	}
	return nil
}

// apply is what the part makes of a function of the coordinates.
func (f *nonlinear) apply(o *Operator, v *expr.Node) *expr.Node {
	if f == nil {
		return expr.Const(0)
	}
	by := map[int]*expr.Node{}
	for k, orders := range f.atoms {
		d := v
		for axis, n := range orders {
			for range n {
				d = expr.Diff(d, axis)
			}
		}
		by[len(o.names)+k] = d
	}
	return expr.Substitute(f.node, by)
}

// text is the part with derivatives of u as w writes them.
func (f *nonlinear) text(w writer) string {
	by := map[int]*expr.Node{}
	for k, orders := range f.atoms {
		d := "u"
		for axis, n := range orders {
			if n > 0 {
				d = w.derivative(d, w.names[axis], n)
			}
		}
		by[len(w.names)+k] = expr.Var(len(w.names)+k, d)
	}
	c := Formula{expr.Substitute(f.node, by)}
	if w.coefficient != nil {
		return strings.TrimSpace(w.coefficient(c))
	}
	return c.String()
}
