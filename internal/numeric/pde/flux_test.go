package pde

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The derivative of a flux is kept where the flux has a coefficient that varies, and nothing but u
// and its first derivative along the same axis; other fluxes are worked out, in Div as well.
func TestFluxesThatAreKept(t *testing.T) {
	plane := product(uniform(0, 1, 9, "x"), uniform(0, 1, 9, "y"))
	time := uniform(0, 1, 5, "t")
	u := Unknown(plane, time)
	x := Coefficient(Formula{expr.Add(expr.Const(1), u.Coordinates()[0])})
	for name, c := range map[string]struct {
		o    *Operator
		axis int
		kept bool
	}{
		"x u":                   {u.Times(x), 0, true},
		"x u across":            {u.Times(x), 1, true},
		"x ∂u/∂x":               {u.D("x", 1).Times(x), 0, true},
		"x ∂u/∂x + u":           {u.D("x", 1).Times(x).Plus(u), 0, true},
		"x ∂u/∂x across":        {u.D("x", 1).Times(x), 1, false},
		"x ∂²u/∂x²":             {u.D("x", 2).Times(x), 0, false},
		"x ∂²u/∂x∂y":            {u.D("x", 1).D("y", 1).Times(x), 0, false},
		"x ∂u/∂x + ∂u/∂y":       {u.D("x", 1).Times(x).Plus(u.D("y", 1)), 0, false},
		"x ∂u/∂t":               {u.D("t", 1).Times(x), 0, false},
		"x u along the time":    {u.Times(x), 2, false},
		"∂u/∂x":                 {u.D("x", 1), 0, false}, // its coefficient is the same everywhere
		"a flux of a flux":      {u.Times(x).derivative(0), 0, false},
		"a flux beside x ∂u/∂x": {u.Times(x).derivative(1).Plus(u.D("x", 1).Times(x)), 0, false},
	} {
		d := c.o.derivative(c.axis)
		if d.Err() != nil {
			t.Errorf("%s: %v", name, d.Err())
			continue
		}
		if kept := len(d.fluxes) == 1 && len(d.terms) == 0; kept != c.kept || !kept && len(d.fluxes) > 0 {
			t.Errorf("%s: kept %t, want %t: %s", name, kept, c.kept, d)
		}
	}
	still := Unknown(plane, mesh.Mesh{})
	flux := Div(still.D("x", 1).Times(x).Plus(still.D("x", 2), still.D("y", 1)), still.Times(x))
	if len(flux.fluxes) != 2 || len(flux.terms) != 2 { // ∂³u/∂x³ and ∂²u/∂x∂y are none
		t.Errorf("%d fluxes and %d terms: %s", len(flux.fluxes), len(flux.terms), flux)
	}
}

// Without time, and where the highest derivative in time has no coefficient, inertia is one; otherwise it is that coefficient.
func TestInertia(t *testing.T) {
	line, time := uniform(0, 1, 9, "x"), uniform(0, 1, 5, "t")
	still, moving := Unknown(line, mesh.Mesh{}), Unknown(line, time)
	x := Coefficient(Formula{expr.Add(expr.Const(2), moving.Coordinates()[0])})
	for name, c := range map[string]struct {
		o    *Operator
		time mesh.Mesh
		want func(x float64) float64
	}{
		"no time":        {still.D("x", 2), mesh.Mesh{}, func(float64) float64 { return 1 }},
		"plain":          {moving.D("t", 1).Minus(moving.D("x", 2)), time, func(float64) float64 { return 1 }},
		"a number":       {moving.D("t", 1).Scale(3).Minus(moving.D("x", 2)), time, func(float64) float64 { return 3 }},
		"varies":         {moving.D("t", 2).Times(x).Plus(moving.D("t", 1)).Minus(moving.D("x", 2)), time, func(x float64) float64 { return 2 + x }},
		"the sum of two": {moving.D("t", 1).Times(x).Plus(moving.D("t", 1).Scale(2)).Minus(moving.D("x", 2)), time, func(x float64) float64 { return 4 + x }},
	} {
		zero := Side{Dirichlet: Constant(0)}
		p, err := Define(t.Context(), Definition{Mesh: line, Time: c.time, Operator: c.o, Boundary: map[string]Side{"x-": zero, "x+": zero}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := p.inertia()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, v := range got {
			if want := c.want(float64(i) / 8); !(math.Abs(v-want) <= 1e-15*want) {
				t.Errorf("%s: %g at point %d, want %g", name, v, i, want)
			}
		}
	}
}

// Of an even order each side needs half of the conditions; of an odd one there is one more where waves come in. What is
// missing, too few and too many are told apart.
func TestNumbersOfConditions(t *testing.T) {
	p := &Defined{}
	p.Mesh = uniform(0, 1, 9, "x")
	for _, c := range []struct {
		order  int
		counts [2]int
		want   string
	}{
		{0, [2]int{0, 0}, ""},
		{2, [2]int{1, 1}, ""},
		{4, [2]int{2, 2}, ""},
		{1, [2]int{1, 0}, ""},
		{1, [2]int{0, 1}, ""},
		{3, [2]int{2, 1}, ""},
		{3, [2]int{1, 2}, ""},
		{2, [2]int{0, 1}, `"x-": missing; the operator is of order 2 in x, so this side needs 1`},
		{2, [2]int{1, 0}, `"x+": missing`},
		{4, [2]int{1, 2}, `"x-": has 1 conditions, must be 2`},
		{4, [2]int{2, 3}, `"x+": has 3 conditions, must be 2`},
		{0, [2]int{1, 0}, `"x-": has 1 conditions, must be 0`},
		{1, [2]int{1, 1}, "needs 1 conditions in all"},
		{1, [2]int{0, 0}, "needs 1 conditions in all"},
		{3, [2]int{3, 0}, "needs 3 conditions in all, 2 of them"},
	} {
		if err := p.checkCounts(0, c.order, c.counts); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("order %d, %v conditions: %v, want %q", c.order, c.counts, err, c.want)
		}
	}
}
