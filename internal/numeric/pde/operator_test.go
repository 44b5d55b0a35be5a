package pde_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

func TestMistakesInOperatorsAreNamed(t *testing.T) {
	m := interval(11)
	u := pde.Unknown(m, axis(0, 1, 5, "t"))
	jump := formula(expr.Where(expr.LT(ex, num(0.5)), num(1), num(2)))
	for _, c := range []struct {
		o    *pde.Operator
		want string
	}{
		{u.D("z", 1), `axis "z": must be one of x, t`},
		{u.D("x", 5), "order 5: must be from 1 to 4"},
		{u.D("x", 0), "order 0: must be from 1 to 4"},
		{u.D("x", 3).D("x", 2), "a derivative of order 5: at most 4 is allowed"},
		{u.D("t", 3), "a derivative of order 3 in t: at most 2 is allowed"},
		{u.Plus(pde.Unknown(m, mesh.Mesh{})), "u of x, t and u of x are different unknowns"},
		{u.Times(nil), "coefficient: missing"},
		{u.Times(jump).D("x", 2), "is not smooth (where)"},
		{u.Times(pde.Func(func([]float64) float64 { return 1 })).D("x", 2), "is a Go function, which cannot be differentiated"},
		{pde.Div(), "flux: missing"},
		{pde.Div(u, u), "flux has 2 components, must be 1"},
	} {
		if err := c.o.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	v := pde.Unknown(m, mesh.Mesh{})
	if _, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: v.D("x", 2).PlusGiven(formula(ex)), Boundary: both(fixed(0))}); err == nil || !strings.Contains(err.Error(), "has a part without u, x") {
		t.Errorf("u″ + x: error %v", err)
	}
	if err := u.PlusGiven(pde.Constant(0)).Err(); err != nil {
		t.Errorf("u + 0: %v", err)
	}
	// A jump inside a flux is allowed, and what a factor does to it is not forgotten.
	if err := u.D("x", 1).Times(jump).D("x", 1).Err(); err != nil {
		t.Errorf("(k u′)′: %v", err)
	}
	if err := u.D("x", 1).Times(jump).D("x", 1).Times(formula(ex)).Err(); err == nil {
		t.Error("x (k u′)′ with a jump in k is accepted, though it is not the divergence of a flux")
	}
}

// Derivatives of products, kept as fluxes or worked out, are the derivatives that
// the rules of calculus give.
func TestOperatorsMeanWhatTheySay(t *testing.T) {
	u := pde.Unknown(square(5), mesh.Mesh{})
	a := expr.Add(num(1), expr.Mul(ex, expr.Sin(ey)))
	v := expr.Exp(expr.Add(expr.Mul(ex, ey), expr.Cos(ex)))
	A := formula(a)
	d := func(n *expr.Node, slots ...int) *expr.Node {
		for _, s := range slots {
			n = expr.Diff(n, s)
		}
		return n
	}
	g := u.Grad()
	for name, c := range map[string]struct {
		o    *pde.Operator
		want *expr.Node
	}{
		"(au)_x":             {u.Times(A).D("x", 1), d(expr.Mul(a, v), 0)},
		"(au)_xxxx":          {u.Times(A).D("x", 4), d(expr.Mul(a, v), 0, 0, 0, 0)},
		"(au_x)_x":           {g[0].Times(A).D("x", 1), d(expr.Mul(a, d(v, 0)), 0)},
		"(au_x)_y":           {g[0].Times(A).D("y", 1), d(expr.Mul(a, d(v, 0)), 1)},
		"x(au_x)_x":          {g[0].Times(A).D("x", 1).Times(formula(ex)), expr.Mul(ex, d(expr.Mul(a, d(v, 0)), 0))},
		"-3(au_x)_x":         {g[0].Times(A).D("x", 1).Scale(-3), expr.Mul(num(-3), d(expr.Mul(a, d(v, 0)), 0))},
		"((au_x)_x)_yy":      {g[0].Times(A).D("x", 1).D("y", 2), d(expr.Mul(a, d(v, 0)), 0, 1, 1)},
		"div(a(u_y), a u_x)": {pde.Div(g[1].Times(A), g[0].Times(A)), expr.Add(d(expr.Mul(a, d(v, 1)), 0), d(expr.Mul(a, d(v, 0)), 1))},
		"div grad":           {pde.Div(g...), expr.Add(d(v, 0, 0), d(v, 1, 1))},
		"Δ²":                 {u.Laplacian().Laplacian(), expr.Add(d(v, 0, 0, 0, 0), expr.Add(expr.Mul(num(2), d(v, 0, 0, 1, 1)), d(v, 1, 1, 1, 1)))},
		"u - u":              {u.Minus(u), num(0)},
		"0 (au_x)_x":         {g[0].Times(A).D("x", 1).Scale(0), num(0)},
		"(uu_x)_x":           {u.TimesOperator(g[0]).D("x", 1), d(expr.Mul(v, d(v, 0)), 0)},
		"(uu_y)_xx":          {u.TimesOperator(g[1]).D("x", 2), d(expr.Mul(v, d(v, 1)), 0, 0)},
		"a(u_xu_y)_y":        {g[0].TimesOperator(g[1]).D("y", 1).Times(A), expr.Mul(a, d(expr.Mul(d(v, 0), d(v, 1)), 1))},
		"div(u³ grad u)":     {pde.Div(u.Power(3).TimesOperator(g[0]), u.Power(3).TimesOperator(g[1])), expr.Add(d(expr.Mul(expr.Pow(v, num(3)), d(v, 0)), 0), d(expr.Mul(expr.Pow(v, num(3)), d(v, 1)), 1))},
	} {
		got, err := c.o.Apply(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, p := range [][]float64{{0.3, 0.7}, {1.1, -0.4}} {
			if g, w := expr.Eval(got, p), expr.Eval(c.want, p); !(math.Abs(g-w) <= 1e-10*(1+math.Abs(w))) {
				t.Errorf("%s: %.15g at %v, want %.15g", name, g, p, w)
			}
		}
	}
}

// Operators and problems print as formulas, and in the words of another language.
func TestDefinitionsPrint(t *testing.T) {
	m, time := square(9), axis(0, 1, 5, "t")
	u := pde.Unknown(m, time)
	g := u.Grad()
	k := formula(expr.Add(num(1), expr.Mul(ex, ey)))
	o := u.D("t", 1).Minus(pde.Div(g[0].Times(k), g[1].Scale(2))).Minus(u.Times(formula(ey)))
	if s := o.String(); s != "d(u, t, 1) + (-y)*u + d(((-1 - x*y)*d(u, x, 1)), x, 1) + d((-2*d(u, y, 1)), y, 1)" {
		t.Errorf("operator prints as %s", s)
	}
	s := o.Write(func(of, coordinate string, order int) string {
		return fmt.Sprintf("%s.diff(%s, %d)", of, coordinate, order)
	},
		func(c pde.Coefficient) string { return "c" })
	if s != "u.diff(t, 1) + (c)*u + ((c)*u.diff(x, 1)).diff(x, 1) + (c*u.diff(y, 1)).diff(y, 1)" {
		t.Errorf("operator prints in other words as %s", s)
	}
	p, err := pde.Define(ctx, pde.Definition{
		Name: "mine", Mesh: m, Time: time, Operator: u.D("t", 1).Minus(u.Laplacian()).Plus(u), Input: pde.InputForcing, Scheme: pde.BackwardEuler,
		Boundary: map[string]pde.Side{"x-": slope(1), "x+": slope(1), "y-": slope(1), "y+": slope(1)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.String(); s != `mine: d(u, t, 1) - d(u, x, 2) - d(u, y, 2) + u = f on uniform(0, 1, 9, "x") * uniform(0, 1, 9, "y") and uniform(0, 1, 5, "t")` {
		t.Errorf("problem prints as %s", s)
	}
}
