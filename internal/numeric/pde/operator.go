package pde

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Operator is a differential expression in an unknown u: a sum of derivatives of u times
// coefficients, and perhaps a formula of u and derivatives that is not linear in them
// ([Combine], [Operator.Power]). [Unknown] returns u itself, and the methods build everything
// else from it. An Operator is immutable.
//
// A first derivative of a product, such as ∂(k ∂u/∂x)/∂x, is kept as the derivative
// of a flux and discretised conservatively; coefficients of fluxes may jump. Other
// derivatives of products are worked out by the product rule, which needs smooth
// coefficients.
//
// A mistake, such as an unknown coordinate, makes the result carry an error; [Operator.Err] returns it, as [Define] does.
type Operator struct {
	names  []string // of the coordinates, space first
	time   bool     // the last name is the time
	terms  []term
	fluxes []flux
	rest   *nonlinear // what is not linear in u; nil: nothing
	err    error
}

// term is coef times the derivative of u of the given order in each coordinate.
type term struct {
	orders []int
	coef   Coefficient
}

// flux is the first derivative along an axis of a sum of terms that are u or its
// first derivative along the same axis, times coefficients.
type flux struct {
	axis  int
	inner []term
}

// MaxOrder is the highest derivative along one coordinate, and of a term in all.
const MaxOrder = 4

// Unknown returns u as a function of the coordinates of space and, unless it has no
// points, of time.
func Unknown(space, time mesh.Mesh) *Operator {
	o := &Operator{names: space.Names()}
	if time.Size() > 0 {
		if named, err := nameTime(time); err == nil {
			time = named
		}
		o.names, o.time = append(o.names, time.Names()...), true
	}
	o.terms = []term{{make([]int, len(o.names)), Constant(1)}}
	return o
}

// Coordinates are the coordinates as variables, to write coefficients with.
func (o *Operator) Coordinates() []*expr.Node {
	x := make([]*expr.Node, len(o.names))
	for i, name := range o.names {
		x[i] = expr.Var(i, name)
	}
	return x
}

// Names are the names of the coordinates that D takes.
func (o *Operator) Names() []string { return slices.Clone(o.names) }

// Err returns the first mistake made in building the operator, or nil.
func (o *Operator) Err() error { return o.err }

func (o *Operator) failed(err error) *Operator {
	if o.err != nil {
		return o
	}
	return &Operator{names: o.names, time: o.time, err: err}
}

// with returns an operator on the same coordinates, made of merged terms.
func (o *Operator) with(terms []term, fluxes []flux) *Operator {
	return &Operator{names: o.names, time: o.time, terms: merge(terms), fluxes: fluxes}
}

// timeName is the name of the time; there must be one.
func (o *Operator) timeName() string { return o.names[len(o.names)-1] }

// space is the number of space coordinates.
func (o *Operator) space() int {
	if o.time {
		return len(o.names) - 1
	}
	return len(o.names)
}

// Plus is o + others.
func (o *Operator) Plus(others ...*Operator) *Operator {
	terms, fluxes, rest := slices.Clone(o.terms), slices.Clone(o.fluxes), o.rest
	for _, p := range others {
		switch {
		case o.err != nil:
			return o
		case p.err != nil:
			return p
		case !slices.Equal(o.names, p.names):
			return o.failed(fmt.Errorf("+: u of %s and u of %s are different unknowns", strings.Join(o.names, ", "), strings.Join(p.names, ", ")))
		}
		terms, fluxes, rest = append(terms, p.terms...), append(fluxes, p.fluxes...), rest.plus(o, p.rest)
	}
	sum := o.with(terms, fluxes)
	sum.rest = rest
	return sum
}

// Minus is o - p.
func (o *Operator) Minus(p *Operator) *Operator { return o.Plus(p.Neg()) }

// Neg is -o.
func (o *Operator) Neg() *Operator { return o.Scale(-1) }

// Scale is v times o.
func (o *Operator) Scale(v float64) *Operator { return o.Times(Constant(v)) }

// Times is the coefficient c, a function of the coordinates, times o. Times a
// coefficient that varies, a flux is worked out by the product rule.
func (o *Operator) Times(c Coefficient) *Operator {
	if o.err != nil {
		return o
	}
	if c == nil {
		return o.failed(errors.New("*: coefficient: missing"))
	}
	constant, isConstant := constantOf(c)
	p := o
	if !isConstant {
		if p = o.expanded(); p.err != nil {
			return p
		}
	}
	terms := scaleTerms(p.terms, c)
	if isConstant && constant == 0 {
		return o.with(terms, nil)
	}
	rest, err := p.rest.times(c)
	if err != nil {
		return o.failed(err)
	}
	fluxes := make([]flux, len(p.fluxes))
	for i, f := range p.fluxes {
		fluxes[i] = flux{f.axis, scaleTerms(f.inner, c)}
	}
	product := o.with(terms, fluxes)
	product.rest = rest
	return product
}

// TimesOperator is the product of two operators at every point.
func (o *Operator) TimesOperator(p *Operator) *Operator {
	return Combine(func(v []*expr.Node) *expr.Node { return expr.Mul(v[0], v[1]) }, o, p)
}

// Power is o to the power n at every point.
func (o *Operator) Power(n float64) *Operator {
	return Combine(func(v []*expr.Node) *expr.Node { return expr.Pow(v[0], expr.Const(n)) }, o)
}

// PlusGiven is o plus a function without u, which may be inside what is nonlinear in u.
// [Define] refuses it in a linear operator, where it belongs to the source.
func (o *Operator) PlusGiven(c Coefficient) *Operator {
	if v, ok := constantOf(c); ok && v == 0 || o.err != nil {
		return o
	}
	n, ok := nodeOf(c)
	if !ok {
		return o.failed(withoutUnknown(c))
	}
	sum := o.with(o.terms, o.fluxes)
	sum.rest = o.rest.plus(o, &nonlinear{node: n})
	return sum
}

// withoutUnknown says where a part without u belongs.
func withoutUnknown(c Coefficient) error {
	return remedy.SourceTerm.For(fmt.Errorf("operator: has a part without u, %s", c))
}

// D is the k-th derivative of o along a coordinate, k from 1 to 4.
func (o *Operator) D(name string, k int) *Operator {
	if o.err != nil {
		return o
	}
	axis := slices.Index(o.names, name)
	if axis < 0 {
		err := fmt.Errorf("axis %q: must be one of %s", name, strings.Join(o.names, ", "))
		if !o.time && name == "t" {
			err = remedy.NeedTimes.For(err)
		}
		return o.failed(err)
	}
	if k < 1 || k > MaxOrder {
		return o.failed(fmt.Errorf("order %d: must be from 1 to %d", k, MaxOrder))
	}
	p := o
	for range k {
		p = p.derivative(axis)
	}
	return p
}

func (o *Operator) derivative(axis int) *Operator {
	if o.err == nil && o.rest == nil && o.isFlux(axis) && slices.ContainsFunc(o.terms, func(t term) bool { return !isConstant(t.coef) }) {
		return o.with(nil, []flux{{axis, o.terms}})
	}
	p := o.expanded()
	if p.err != nil {
		return p
	}
	var terms []term
	for _, t := range p.terms {
		derived, err := derive(t, axis)
		if err != nil {
			return o.failed(fmt.Errorf("derivative: %w", err))
		}
		terms = append(terms, derived...)
	}
	q := o.with(terms, nil)
	rest, err := p.rest.derivative(o, axis)
	if err != nil {
		return o.failed(err)
	}
	q.rest = rest
	q = q.sorted()
	for _, t := range q.terms {
		if space := total(t.orders[:q.space()]); space > MaxOrder {
			return o.failed(fmt.Errorf("a derivative of order %d: at most %d is allowed", space, MaxOrder))
		}
		if q.time && t.orders[q.space()] > 2 {
			return o.failed(fmt.Errorf("a derivative of order %d in %s: at most 2 is allowed", t.orders[q.space()], q.names[q.space()]))
		}
	}
	return q
}

// isFlux reports whether ∂o along a space axis can be kept as the derivative of a
// flux.
func (o *Operator) isFlux(axis int) bool {
	if len(o.fluxes) > 0 || axis >= o.space() {
		return false
	}
	return !slices.ContainsFunc(o.terms, func(t term) bool { return !fluxTerm(t, axis) })
}

func fluxTerm(t term, axis int) bool { return t.orders[axis] <= 1 && total(t.orders) == t.orders[axis] }

// expanded works fluxes out by the product rule.
func (o *Operator) expanded() *Operator {
	if len(o.fluxes) == 0 || o.err != nil {
		return o
	}
	terms := slices.Clone(o.terms)
	for _, f := range o.fluxes {
		for _, t := range f.inner {
			derived, err := derive(t, f.axis)
			if err != nil {
				return o.failed(err)
			}
			terms = append(terms, derived...)
		}
	}
	p := o.with(terms, nil)
	p.rest = o.rest
	return p
}

// derive is the product rule for ∂t along an axis.
func derive(t term, axis int) ([]term, error) {
	slope, err := diff(t.coef, axis)
	if err != nil {
		return nil, err
	}
	raised := slices.Clone(t.orders)
	raised[axis]++
	return []term{{raised, t.coef}, {t.orders, slope}}, nil
}

// Laplacian is the sum of the second derivatives along the space coordinates.
func (o *Operator) Laplacian() *Operator {
	sum := o.with(nil, nil)
	for _, name := range o.names[:o.space()] {
		sum = sum.Plus(o.D(name, 2))
	}
	return sum
}

// Grad lists the first derivatives along the space coordinates.
func (o *Operator) Grad() []*Operator {
	g := make([]*Operator, o.space())
	for i := range g {
		g[i] = o.D(o.names[i], 1)
	}
	return g
}

// Div is the divergence of a flux, one component for every space coordinate, kept
// in conservative form: ∂(flux 1)/∂x + ∂(flux 2)/∂y. What a component holds beside
// u and its derivative along its own coordinate is worked out by the product rule.
func Div(components ...*Operator) *Operator {
	if len(components) == 0 {
		return (&Operator{}).failed(errors.New("flux: missing"))
	}
	o := components[0]
	if len(components) != o.space() && o.err == nil {
		return o.failed(fmt.Errorf("flux has %d components, must be %d, one for every space coordinate", len(components), o.space()))
	}
	sum := o.with(nil, nil)
	for axis, c := range components {
		if c.err != nil {
			return c
		}
		kept, rest := c.with(nil, nil), c.with(nil, c.fluxes)
		rest.rest = c.rest
		for _, t := range c.terms {
			if fluxTerm(t, axis) {
				kept.terms = append(kept.terms, t)
			} else {
				rest.terms = append(rest.terms, t)
			}
		}
		if len(kept.terms) > 0 {
			sum = sum.Plus(o.with(nil, []flux{{axis, kept.terms}}))
		}
		sum = sum.Plus(rest.derivative(axis))
	}
	return sum
}

// merge adds up terms of the same derivative, in order of appearance, and leaves
// out those that are zero.
func merge(terms []term) []term {
	var sum []term
	for _, t := range terms {
		i := slices.IndexFunc(sum, func(s term) bool { return slices.Equal(s.orders, t.orders) })
		if i < 0 {
			sum = append(sum, t)
			continue
		}
		sum[i].coef = plus(sum[i].coef, t.coef)
	}
	return slices.DeleteFunc(sum, func(t term) bool { v, ok := constantOf(t.coef); return ok && v == 0 })
}

func scaleTerms(terms []term, c Coefficient) []term {
	scaled := make([]term, len(terms))
	for i, t := range terms {
		scaled[i] = term{t.orders, times(c, t.coef)}
	}
	return scaled
}

func total(orders []int) int {
	n := 0
	for _, k := range orders {
		n += k
	}
	return n
}
