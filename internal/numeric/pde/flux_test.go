package pde

import (
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
