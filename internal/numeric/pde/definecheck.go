package pde

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// checkParts refuses a definition whose parts do not fit together.
func (p *Defined) checkParts() error {
	if p.Mesh.Size() == 0 {
		return remedy.GiveInterval.For(errors.New("mesh: missing"))
	}
	if p.Mesh.Dim() > 2 {
		return fmt.Errorf("mesh: has %d coordinates, must be 1 or 2", p.Mesh.Dim())
	}
	for _, a := range p.Mesh.Axes() {
		if a.Scattered() || a.Step == 0 {
			return remedy.EvenPoints.For(fmt.Errorf("mesh: %s: must be uniform or periodic", a))
		}
	}
	if p.Order != 2 && p.Order != 4 {
		return fmt.Errorf("order %d: must be 2 or 4", p.Order)
	}
	for _, c := range []struct{ name, value, allowed string }{
		{"input", p.Input, "forcing|initial|boundary"},
		{"scheme", p.Scheme, "backward_euler|crank_nicolson|exponential"},
	} {
		if !slices.Contains(strings.Split(c.allowed, "|"), c.value) {
			return fmt.Errorf("%s %q: must be one of %s", c.name, c.value, quoted(strings.Split(c.allowed, "|")))
		}
	}
	if err := p.checkOperator(); err != nil {
		return err
	}
	if err := p.checkTime(); err != nil {
		return err
	}
	if err := checkSides(p.Boundary, p.Mesh.Names()); err != nil {
		return err
	}
	for axis, a := range p.Mesh.Axes() {
		if err := p.checkAxis(axis, a); err != nil {
			return err
		}
	}
	return p.checkInput()
}

func (p *Defined) checkOperator() error {
	o := p.Operator
	if o == nil {
		return fmt.Errorf("operator: missing")
	}
	if o.err != nil {
		return fmt.Errorf("operator: %w", o.err)
	}
	want := Unknown(p.Mesh, p.Time).names
	if !slices.Equal(o.names, want) {
		return fmt.Errorf("operator: is in %s, the problem in %s", strings.Join(o.names, ", "), strings.Join(want, ", "))
	}
	if len(o.terms)+len(o.fluxes) == 0 {
		if o.isNonlinear() {
			return fmt.Errorf("operator: %s has no part that is linear in u: must have one, such as -u″", o)
		}
		if o.rest != nil {
			return withoutUnknown(Formula{o.rest.node})
		}
		return fmt.Errorf("operator: is zero")
	}
	return p.checkNonlinear()
}

// checkTime finds the order of the operator in time.
func (p *Defined) checkTime() error {
	o := p.Operator
	if !o.time {
		for _, c := range []struct {
			name  string
			value Coefficient
		}{{"initial", p.Initial}, {"velocity", p.Velocity}} {
			if v, ok := constantOf(c.value); !ok || v != 0 {
				return fmt.Errorf("%s: the problem has no time", c.name)
			}
		}
		if p.Input == InputInitial {
			return fmt.Errorf("input %q: the problem has no time", p.Input)
		}
		return nil
	}
	if err := checkTime(p.Time); err != nil {
		return err
	}
	name := o.names[o.space()]
	for _, t := range o.terms {
		k := t.orders[o.space()]
		if k > 0 && total(t.orders) > k {
			return fmt.Errorf("operator: %s: a derivative in both space and time; write the problem without it", o.with([]term{t}, nil))
		}
		p.timeOrder = max(p.timeOrder, k)
		p.timeVaries = p.timeVaries || p.variesInTime(t.coef)
	}
	for _, f := range o.fluxes {
		p.timeVaries = p.timeVaries || slices.ContainsFunc(f.inner, func(t term) bool { return p.variesInTime(t.coef) })
	}
	if p.timeOrder == 0 {
		return remedy.TimeDerivative.For(fmt.Errorf("operator: has no derivative in %s", name), name)
	}
	if v, ok := constantOf(p.Velocity); p.timeOrder == 1 && (!ok || v != 0) {
		return fmt.Errorf("velocity: the operator is of first order in %s, so only u itself can be given at the first time", name)
	}
	if p.timeVaries && p.Scheme == Exponential {
		return fmt.Errorf("scheme %q: the coefficients of the operator must not depend on %s; use %q", Exponential, name, CrankNicolson)
	}
	return nil
}

func (p *Defined) variesInTime(c Coefficient) bool {
	n, ok := nodeOf(c)
	return ok && dependsOn(n, p.Operator.space())
}

// orderIn is the order of the operator along a space coordinate.
func (o *Operator) orderIn(axis int) int {
	k := 0
	for _, t := range o.terms {
		k = max(k, t.orders[axis])
	}
	for _, f := range o.fluxes {
		for _, t := range f.inner {
			if f.axis == axis {
				k = max(k, 1+t.orders[axis])
			}
		}
	}
	return k
}

// checkAxis refuses sides with other than the number of conditions that the
// operator needs, and a mesh too small for the differences.
func (p *Defined) checkAxis(axis int, a mesh.Axis) error {
	name, k := p.Mesh.Names()[axis], p.Operator.orderIn(axis)
	sides := [2]Side{p.Boundary[name+"-"], p.Boundary[name+"+"]}
	least := max(3, k+p.Order)
	if p.Order == 2 && k <= 2 {
		least = 3
	}
	if a.Size() < least {
		return fmt.Errorf("mesh: has %d points in %s, must be at least %d for an operator of order %d with differences of order %d", a.Size(), name, least, k, p.Order)
	}
	var counts [2]int
	for s, side := range sides {
		key := p.sideName(axis, s)
		if a.Period > 0 {
			if side != (Side{}) && !side.Periodic {
				return fmt.Errorf("boundary: %q: the mesh is periodic in %s, so there is no side", key, name)
			}
			continue
		}
		if side.Periodic {
			return remedy.PeriodicPoints.For(fmt.Errorf("boundary: %q: periodic: the mesh must be periodic in %s too", key, name))
		}
		for _, c := range side.conditions() {
			if c.order >= k {
				return fmt.Errorf("boundary: %q: %s: a condition on the derivative of order %d needs an operator of higher order in %s, got order %d", key, c.name, c.order, name, k)
			}
			counts[s]++
		}
		if side.Reflecting {
			if err := p.checkReflecting(axis, key); err != nil {
				return err
			}
			counts[s]++
		}
	}
	if a.Period > 0 {
		return nil
	}
	return p.checkCounts(axis, k, counts)
}

func (p *Defined) checkReflecting(axis int, key string) error {
	for _, f := range p.Operator.fluxes {
		for _, t := range f.inner {
			if f.axis == axis && t.orders[axis] == 1 {
				return nil
			}
		}
	}
	return fmt.Errorf("boundary: %q: reflecting: the operator has no flux with a derivative in %s; write it with div(…), or give neumann", key, p.Mesh.Names()[axis])
}

func (p *Defined) checkCounts(axis, k int, counts [2]int) error {
	name := p.Mesh.Names()[axis]
	if k%2 == 1 {
		if counts[0]+counts[1] != k || max(counts[0], counts[1]) != (k+1)/2 {
			return fmt.Errorf("boundary: the operator is of order %d in %s, so it needs %d conditions in all, %d of them where waves come in; got %d at %q and %d at %q",
				k, name, k, (k+1)/2, counts[0], name+"-", counts[1], name+"+")
		}
		return nil
	}
	for s, got := range counts {
		key := p.sideName(axis, s)
		switch {
		case got == 0 && k > 0:
			return remedy.GiveCondition.For(fmt.Errorf("boundary: %q: missing; the operator is of order %d in %s, so this side needs %d", key, k, name, k/2))
		case got != k/2:
			return fmt.Errorf("boundary: %q: has %d conditions, must be %d for an operator of order %d in %s", key, got, k/2, k, name)
		}
	}
	return nil
}

// inputSide is a condition whose value the input gives.
type inputSide struct {
	axis, side int
	first      int // of its boundary data
}

// checkInput refuses conditions marked as input where the input is something else,
// and the other way round.
func (p *Defined) checkInput() error {
	marked := ""
	for _, key := range sideNames(p.Mesh.Names()) {
		side := p.Boundary[key]
		for _, c := range side.conditions() {
			if c.isInput() && marked == key {
				return fmt.Errorf("boundary: %q: two conditions are the input: must be one", key)
			}
			if c.isInput() {
				marked = key
			}
		}
		if r := side.Robin; r != nil {
			for _, c := range []Coefficient{r.A, r.B} {
				if _, ok := c.(InputValue); ok {
					return fmt.Errorf("boundary: %q: robin: a and b must be given; only the value can be the input", key)
				}
			}
		}
	}
	switch {
	case marked != "" && p.Input != InputBoundary:
		return fmt.Errorf("boundary: %q: its value is the input, so input must be %q, got %q", marked, InputBoundary, p.Input)
	case marked == "" && p.Input == InputBoundary:
		return remedy.MarkInput.For(fmt.Errorf("input %q: no side says so", InputBoundary))
	}
	if v, ok := constantOf(p.Initial); p.Input == InputInitial && (!ok || v != 0) {
		return fmt.Errorf("initial: is the input, so it cannot be given too")
	}
	return nil
}

// meshes says where input and output live, and which boundary data come from where
// in the input.
func (p *Defined) meshes() error {
	p.output = p.Mesh
	space, err := p.inputSpace()
	if err != nil {
		return err
	}
	p.input, p.perTime = space, space.Size()
	if p.Time.Size() == 0 {
		return nil
	}
	if p.output, err = spaceTime(p.Mesh, p.Time); err != nil {
		return err
	}
	time := p.Time
	if p.Scheme == BackwardEuler && p.Input == InputForcing {
		time = stepped(time)
	}
	switch {
	case p.Input == InputInitial:
	case p.perTime == 1:
		p.input, err = nameTime(time)
	default:
		p.input, err = spaceTime(space, time)
	}
	return err
}

// inputSpace is the input's mesh at one time.
func (p *Defined) inputSpace() (mesh.Mesh, error) {
	p.fromInput = linop.NewSparse(p.grid.data, 1, nil)
	if p.Input != InputBoundary {
		return p.Mesh, nil
	}
	var sides []inputSide
	for axis := range p.grid.sides {
		for s, side := range p.grid.sides[axis] {
			for _, b := range side.all() {
				if b.isInput() {
					sides = append(sides, inputSide{axis, s, b.first})
				}
			}
		}
	}
	if p.Mesh.Dim() == 1 {
		return p.inputEnds(sides)
	}
	return p.inputSides(sides)
}

// inputEnds is the input at one or both ends of an interval: numbers, each of
// weight 1.
func (p *Defined) inputEnds(sides []inputSide) (mesh.Mesh, error) {
	var at, weights []float64
	var entries []linop.Entry
	a, b := ends(p.Mesh)
	for k, s := range sides {
		at = append(at, [2]float64{a, b}[s.side])
		weights = append(weights, 1)
		entries = append(entries, linop.Entry{Row: s.first, Col: k, Value: 1})
	}
	p.fromInput = linop.NewSparse(p.grid.data, len(sides), entries)
	ax, err := mesh.Scattered(at, 1, weights, p.Mesh.Names()[0])
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(ax)
}

// inputSides is the input along one side of a rectangle, or around all four by arc
// length as [Schrodinger] has it.
func (p *Defined) inputSides(sides []inputSide) (mesh.Mesh, error) {
	var entries []linop.Entry
	var space mesh.Mesh
	nx, ny := p.grid.axes[0].Size(), p.grid.axes[1].Size()
	switch len(sides) {
	case 1:
		other := 1 - sides[0].axis
		ax := p.grid.axes[other]
		ax.Names = []string{p.Mesh.Names()[other]}
		space = mesh.Must(ax, nil)
		for j := range ax.Size() {
			entries = append(entries, linop.Entry{Row: sides[0].first + j, Col: j, Value: 1})
		}
	case 4:
		space = arcLength(p.Mesh)
		for _, s := range sides {
			for j := range p.grid.along(s.axis) {
				k := [2][2]int{{j, 2*ny + nx - 3 - j}, {2*(nx+ny) - 4 - j, ny - 1 + j}}[s.axis][s.side]
				entries = append(entries, linop.Entry{Row: s.first + j, Col: k, Value: 1})
			}
		}
	default:
		return mesh.Mesh{}, fmt.Errorf("boundary: the input is on %d sides: must be on one, or on all four", len(sides))
	}
	p.fromInput = linop.NewSparse(p.grid.data, space.Size(), entries)
	return space, nil
}
