package pde

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// directions is how many directions of waves the principal part is looked at in.
const directions = 16

// checkPrincipalPart refuses operators of which no conditions make a well-posed
// problem, by their highest derivatives in space at every point, along the axes and
// in other directions: without time an operator of even order must be elliptic, and
// in time short waves must not grow. Of odd order, conditions belong where waves come
// in.
func (p *Defined) checkPrincipalPart() error {
	inertia, err := p.inertia()
	if err != nil {
		return err
	}
	terms := p.spaceTerms()
	for axis := range p.Mesh.Names() {
		k := p.Operator.orderIn(axis)
		if k == 0 {
			continue
		}
		leading, err := p.weighted(terms, inertia, func(orders []int) float64 {
			if orders[axis] == k && total(orders) == k {
				return 1
			}
			return 0
		})
		if err != nil {
			return err
		}
		if k%2 == 1 {
			err = p.checkInflow(axis, k, leading)
		} else {
			err = p.checkSign(k, [][]float64{leading})
		}
		if err != nil {
			return err
		}
	}
	highest := 0
	for _, t := range terms {
		highest = max(highest, total(t.orders))
	}
	if p.Mesh.Dim() == 1 || highest%2 == 1 {
		return nil
	}
	var symbol [][]float64
	for q := range directions {
		sin, cos := math.Sincos(math.Pi * (float64(q) + 0.5) / directions)
		values, err := p.weighted(terms, inertia, func(orders []int) float64 {
			if total(orders) != highest {
				return 0
			}
			return math.Pow(cos, float64(orders[0])) * math.Pow(sin, float64(orders[1]))
		})
		if err != nil {
			return err
		}
		symbol = append(symbol, values)
	}
	return p.checkSign(highest, symbol)
}

// spaceTerms are the terms without a derivative in time, with the fluxes' derivatives
// of highest order.
func (p *Defined) spaceTerms() []term {
	dim := p.Mesh.Dim()
	var terms []term
	for _, t := range p.Operator.terms {
		if total(t.orders[dim:]) == 0 {
			terms = append(terms, term{t.orders[:dim], t.coef})
		}
	}
	for _, f := range p.Operator.fluxes {
		for _, t := range f.inner {
			orders := slices.Clone(t.orders[:dim])
			orders[f.axis]++
			terms = append(terms, term{orders, t.coef})
		}
	}
	return terms
}

// weighted is the sum of the coefficients of the terms times a weight by their
// orders, over the coefficient of the highest derivative in time, at every point
// where u is not given.
func (p *Defined) weighted(terms []term, inertia []float64, weight func(orders []int) float64) ([]float64, error) {
	sum, cols := make([]float64, p.Mesh.Size()), p.grid.columns(-1)
	for _, t := range terms {
		w := weight(t.orders)
		if w == 0 {
			continue
		}
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), func(i int) bool { return !p.grid.given[i] })
		if err != nil {
			return nil, fmt.Errorf("operator: coefficient %w", err)
		}
		for i, v := range c {
			if !p.grid.given[i] {
				sum[i] += w * v / inertia[i]
			}
		}
	}
	return sum, nil
}

func (p *Defined) firstTime() float64 {
	if p.Time.Size() == 0 {
		return 0
	}
	return p.Time.Axes()[0].Coordinates[0]
}

// inertia is the coefficient of the highest derivative in time, which must not
// vanish; 1 without time.
func (p *Defined) inertia() ([]float64, error) {
	ones := make([]float64, p.Mesh.Size())
	for i := range ones {
		ones[i] = 1
	}
	dim := p.Mesh.Dim()
	for _, t := range p.Operator.terms {
		if p.timeOrder == 0 || t.orders[dim] != p.timeOrder {
			continue
		}
		cols := p.grid.columns(-1)
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), nil)
		if err != nil {
			return nil, fmt.Errorf("operator: coefficient %w", err)
		}
		for i, v := range c {
			if v == 0 || math.Signbit(v) != math.Signbit(c[0]) {
				return nil, fmt.Errorf("operator: the coefficient of the derivative of order %d in %s is %g at %s, must not be zero or change sign",
					p.timeOrder, p.Operator.names[dim], v, place(p.Mesh.Names(), cols, i))
			}
		}
		return c, nil
	}
	return ones, nil
}

// checkSign refuses a part of even order that changes sign, and in time one of the
// wrong sign: e^(iξx) grows at the rate -(iξ)^order times it.
func (p *Defined) checkSign(order int, symbol [][]float64) error {
	positive, negative := -1, -1 // points where it is
	for _, values := range symbol {
		for i, v := range values {
			if v > 0 {
				positive = i
			} else if v < 0 {
				negative = i
			}
		}
	}
	at := func(i int) string { return place(p.Mesh.Names(), p.grid.columns(-1), i) }
	if p.timeOrder == 0 {
		if positive >= 0 && negative >= 0 {
			return fmt.Errorf("operator: is not elliptic: its part of order %d changes sign, positive in some direction at %s and negative in some at %s, so values on the boundary do not determine u",
				order, at(positive), at(negative))
		}
		return nil
	}
	growing := positive
	if order%4 == 0 {
		growing = negative
	}
	if growing >= 0 {
		return fmt.Errorf("operator: short waves grow without bound, because the part of order %d has the wrong sign at %s (as diffusion backwards in time); change its sign", order, at(growing))
	}
	return nil
}

// checkInflow refuses more conditions where waves leave than where they come in: of
// an odd order k, (k+1)/2 belong where they come in. Without time either end may have
// them.
func (p *Defined) checkInflow(axis, k int, leading []float64) error {
	if p.timeOrder == 0 {
		return nil
	}
	if p.timeOrder == 2 {
		return fmt.Errorf("operator: short waves grow without bound, because it is of second order in time and of order %d in %s; that must be even", k, p.Mesh.Names()[axis])
	}
	a, b := len(p.grid.sides[axis][0].all()), len(p.grid.sides[axis][1].all())
	if a == b {
		return nil // a circle
	}
	// With u′ + c ∂u/∂x = 0 waves run towards + for c > 0, with u′ + c ∂³u/∂x³ = 0
	// towards -.
	towards := 1.0
	if k == 3 {
		towards = -1
	}
	for s, inner := range [2]int{1, p.grid.axes[axis].Size() - 2} {
		more := (b > a) == (s == 1)
		for j := range p.grid.along(axis) {
			speed := towards * leading[p.grid.node(axis, j, inner)] * float64(1-2*s)
			if more && speed < 0 {
				return fmt.Errorf("boundary: waves leave at %q, where most conditions are; move them to the other side of %s", p.sideName(axis, s), p.Mesh.Names()[axis])
			}
			if !more && speed > 0 {
				return fmt.Errorf("boundary: waves come in at %q, and too few conditions say what", p.sideName(axis, s))
			}
		}
	}
	return nil
}

// checkGrowth refuses an evolution in one space dimension whose modes grow ever
// faster on finer meshes, which conditions that do not fit the operator cause: it
// compares the growth of the fastest mode on two coarse meshes, the same whatever the mesh is.
func (p *Defined) checkGrowth(ctx context.Context) error {
	const coarse, fine = 17, 33
	if p.Mesh.Dim() > 1 || p.timeVaries {
		return nil
	}
	var rates [2]float64
	for k, n := range [2]int{coarse, fine} {
		var err error
		if rates[k], err = p.growth(ctx, n); err != nil {
			return err
		}
	}
	duration := p.Time.Axes()[0].Length()
	if rates[1]*duration > 3 && rates[1] > 1.5*max(rates[0], 1/duration) {
		remedy := ""
		if p.Order > 2 {
			remedy = ", or use differences of order 2"
		}
		return fmt.Errorf("the operator with these conditions lets short waves grow without bound: at the rate %.3g on %d points and %.3g on %d; change the conditions%s", rates[0], coarse, rates[1], fine, remedy)
	}
	return nil
}

// growth is the rate at which the fastest mode grows on n points.
func (p *Defined) growth(ctx context.Context, n int) (float64, error) {
	q := &Defined{Definition: p.Definition, timeOrder: p.timeOrder}
	a := p.Mesh.Axes()[0]
	var err error
	if a.Period > 0 {
		a, err = mesh.Periodic(a.Lower[0], a.Upper[0], n, p.Mesh.Names()[0])
	} else {
		a, err = mesh.Uniform(a.Lower[0], a.Upper[0], n, p.Mesh.Names()[0])
	}
	if err != nil {
		return 0, err
	}
	if q.Mesh, err = mesh.New(a); err != nil {
		return 0, err
	}
	q.grid = newGrid(q.Mesh, p.Boundary, p.Operator, p.Order)
	e := &evolution{Defined: q, dt: 1}
	if e.at, err = q.grid.discretise(ctx, p.Operator, p.firstTime()); err != nil {
		return 0, err
	}
	m, err := e.modes(ctx)
	if err != nil {
		return 0, err
	}
	values, ok := linop.SmallEigenvalues(m.generator)
	if !ok {
		return 0, nil
	}
	rate := math.Inf(-1)
	for _, v := range values {
		rate = max(rate, real(v))
	}
	return rate, nil
}
