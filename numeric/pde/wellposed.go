package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// directions is how many directions of waves the principal part is looked at in.
const directions = 16

// checkPrincipalPart refuses operators of which no conditions make a well-posed
// problem, by their highest derivatives in space at every point: without time an
// operator of even order must be elliptic, and in time short waves must not grow.
func (p *Defined) checkPrincipalPart() error {
	highest, symbol, err := p.symbol()
	if err != nil {
		return err
	}
	if p.timeOrder > 0 {
		if err := p.divideByInertia(symbol); err != nil {
			return err
		}
	}
	cols := p.grid.columns(-1)
	if highest%2 == 1 {
		return p.checkInflow(highest, symbol[0])
	}
	var above, below, zero int
	seen := [3]int{-1, -1, -1}
	for _, values := range symbol {
		for i, v := range values {
			if p.grid.given[i] {
				continue
			}
			switch {
			case v > 0:
				above++
				seen[0] = i
			case v < 0:
				below++
				seen[1] = i
			default:
				zero++
			}
		}
	}
	if p.timeOrder == 0 {
		if above > 0 && below > 0 {
			return fmt.Errorf("operator: is not elliptic: its part of order %d changes sign, positive in some direction at %s and negative in some at %s, so values on the boundary do not determine u",
				highest, place(p.Mesh.Names(), cols, seen[0]), place(p.Mesh.Names(), cols, seen[1]))
		}
		return nil
	}
	// e^(iξx) grows at the rate -(i|ξ|)^highest times the symbol.
	growing := seen[0]
	if highest%4 == 0 {
		growing = seen[1]
	}
	if growing >= 0 && highest > 0 {
		return fmt.Errorf("operator: short waves grow without bound, because the part of order %d has the wrong sign at %s (as diffusion backwards in time); change its sign", highest, place(p.Mesh.Names(), cols, growing))
	}
	return nil
}

// symbol is the highest order of the operator in space and, for every direction, the
// sum of its coefficients times that direction's powers at every point.
func (p *Defined) symbol() (highest int, symbol [][]float64, err error) {
	dim := p.Mesh.Dim()
	var principal []term
	add := func(t term) {
		if p.Operator.time && t.orders[dim] > 0 {
			return
		}
		k := total(t.orders)
		if k > highest {
			highest, principal = k, nil
		}
		if k == highest {
			principal = append(principal, t)
		}
	}
	for _, t := range p.Operator.terms {
		add(t)
	}
	for _, f := range p.Operator.fluxes {
		for _, t := range f.inner {
			orders := append([]int(nil), t.orders...)
			orders[f.axis]++
			add(term{orders, t.coef})
		}
	}
	count := 1
	if dim == 2 {
		count = directions
	}
	symbol = make([][]float64, count)
	for q := range symbol {
		symbol[q] = make([]float64, p.Mesh.Size())
	}
	cols := p.grid.columns(-1)
	for _, t := range principal {
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), func(i int) bool { return !p.grid.given[i] })
		if err != nil {
			return 0, nil, fmt.Errorf("operator: coefficient %w", err)
		}
		for q := range symbol {
			weight := 1.0
			if dim == 2 {
				sin, cos := math.Sincos(math.Pi * (float64(q) + 0.5) / directions)
				weight = math.Pow(cos, float64(t.orders[0])) * math.Pow(sin, float64(t.orders[1]))
			}
			floats.AddScaled(symbol[q], weight, c)
		}
	}
	return highest, symbol, nil
}

func (p *Defined) firstTime() float64 {
	if p.Time.Size() == 0 {
		return 0
	}
	return p.Time.Axes()[0].Coordinates[0]
}

// divideByInertia divides by the coefficient of the highest derivative in time,
// which must not vanish.
func (p *Defined) divideByInertia(symbol [][]float64) error {
	dim := p.Mesh.Dim()
	for _, t := range p.Operator.terms {
		if t.orders[dim] != p.timeOrder {
			continue
		}
		cols := p.grid.columns(-1)
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), nil)
		if err != nil {
			return fmt.Errorf("operator: coefficient %w", err)
		}
		for i, v := range c {
			if v == 0 || math.Signbit(v) != math.Signbit(c[0]) {
				return fmt.Errorf("operator: the coefficient of the derivative of order %d in %s is %g at %s, must not be zero or change sign", p.timeOrder, p.Operator.names[dim], v, place(p.Mesh.Names(), cols, i))
			}
			for q := range symbol {
				symbol[q][i] /= v
			}
		}
	}
	return nil
}

// checkInflow refuses more conditions where waves leave than where they come in: of
// an odd order k, (k+1)/2 belong where they come in. Without time either end of an
// interval may have them.
func (p *Defined) checkInflow(highest int, symbol []float64) error {
	if p.timeOrder == 0 {
		return nil
	}
	if p.timeOrder == 2 {
		return fmt.Errorf("operator: short waves grow without bound, because it is of second order in time and its part of highest order in space is of order %d; that must be even", highest)
	}
	// With u′ + c ∂u/∂x = 0 waves run towards + for c > 0, with u′ + c ∂³u/∂x³ = 0
	// towards -.
	towards := 1.0
	if highest == 3 {
		towards = -1
	}
	for axis := range p.Mesh.Names() {
		a, b := len(p.grid.sides[axis][0].all()), len(p.grid.sides[axis][1].all())
		if p.Mesh.Dim() > 1 || p.Operator.orderIn(axis) != highest || a == b {
			continue
		}
		n := p.grid.axes[axis].Size()
		for s, inner := range [2]int{1, n - 2} {
			incoming := towards*symbol[inner]*float64(1-2*s) > 0
			if more := (b > a) == (s == 1); more && !incoming {
				return fmt.Errorf("boundary: waves leave at %q, where most conditions are; move them to the other side of %s", p.sideName(axis, s), p.Mesh.Names()[axis])
			} else if !more && incoming {
				return fmt.Errorf("boundary: waves come in at %q, and too few conditions say what", p.sideName(axis, s))
			}
		}
	}
	return nil
}

// checkGrowth refuses an evolution in one space dimension whose modes grow ever
// faster on finer meshes, which conditions that do not fit the operator cause: it
// compares the growth of the fastest mode on two coarse meshes.
func (p *Defined) checkGrowth(ctx context.Context) error {
	const points = 33
	a := p.Mesh.Axes()[0]
	fine := min(points, a.Size())
	coarse := (fine + 1) / 2
	if p.Mesh.Dim() > 1 || p.timeVaries || coarse < p.Operator.orderIn(0)+p.Order+1 {
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
	var eigen mat.Eigen
	if !eigen.Factorize(m.generator, mat.EigenNone) {
		return 0, nil
	}
	rate := math.Inf(-1)
	for _, v := range eigen.Values(nil) {
		rate = max(rate, real(v))
	}
	return rate, nil
}
