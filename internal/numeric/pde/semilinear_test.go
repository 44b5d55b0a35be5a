package pde_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

func cube(u *pde.Operator) *pde.Operator { return u.Power(3) }

func sine(u *pde.Operator) *pde.Operator {
	return pde.Combine(func(v []*expr.Node) *expr.Node { return expr.Sin(v[0]) }, u)
}

// What is not linear has no Green's function; the error names the problem, a defined one by the name that it was given.
func TestNonlinearProblemsHaveNoGreensFunction(t *testing.T) {
	m := interval(9)
	u := pde.Unknown(m, mesh.Mesh{})
	defined, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(u.Power(3)), Boundary: both(fixed(0)), Name: "cubic"})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]pde.Problem{
		"cubic":   defined,
		"burgers": pde.Burgers{Mesh: mesh.Must(mesh.Periodic(0, 1, 8, "x")), Time: axis(0, 1, 3, "t"), Viscosity: 1},
	} {
		if _, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{}); err == nil || err.Error() != name+": the problem is not linear, so it has no Green's function" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Steady problems that are not linear have the order of accuracy of linear ones, under each
// kind of condition, with and without fluxes, in one and two dimensions: exact solutions are
// chosen beforehand, and the forcing follows from them by exact derivatives.
func TestOrderOfSemilinearOperators(t *testing.T) {
	for _, c := range []struct {
		name  string
		ends  string
		build func(u *pde.Operator) *pde.Operator
	}{
		{"-u″ + u³", "dirichlet|dirichlet", func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Neg().Plus(cube(u)) }},
		{"-u″ + (1+x)u³ + u", "neumann|robin", func(u *pde.Operator) *pde.Operator {
			return u.D("x", 2).Neg().Plus(cube(u).Times(linear(1, 1, ex)), u)
		}},
		{"-u″ + uu′ + 3u", "dirichlet|neumann", func(u *pde.Operator) *pde.Operator {
			return u.D("x", 2).Neg().Plus(u.TimesOperator(u.D("x", 1)), u.Scale(3))
		}},
		{"-((1+x)u′)′ + sin u + u", "dirichlet|reflecting", func(u *pde.Operator) *pde.Operator {
			return pde.Div(u.D("x", 1).Times(linear(1, 1, ex))).Neg().Plus(sine(u), u)
		}},
		{"u⁗ + u³", "dirichlet second|dirichlet neumann", func(u *pde.Operator) *pde.Operator { return u.D("x", 4).Plus(cube(u)) }},
		{"u⁗ + (u²)″ + 9u", "dirichlet neumann|dirichlet neumann", func(u *pde.Operator) *pde.Operator {
			return u.D("x", 4).Plus(u.Power(2).D("x", 2).Scale(0.1), u.Scale(9))
		}},
	} {
		exact := waves()[:1]
		if strings.Contains(c.ends, "reflecting") { // no flux at x = 1
			exact = []*expr.Node{expr.Cos(expr.Mul(num(math.Pi), ex))}
		}
		left, right, _ := strings.Cut(c.ends, "|")
		for _, order := range []int{2, 4} {
			checkOrder(t, fmt.Sprintf("%s, order %d", c.name, order), float64(order), [2]int{41, 81}, exact, func(n int, v *expr.Node) pde.Definition {
				m := interval(n)
				return pde.Definition{
					Mesh: m, Operator: c.build(pde.Unknown(m, mesh.Mesh{})), Order: order,
					Boundary: map[string]pde.Side{"x-": side(left, v, 0, -1), "x+": side(right, v, 0, 1)},
				}
			})
		}
	}
	checkOrder(t, "-Δu + u³ + u u_y", 2, [2]int{11, 21}, plaids()[:1], func(n int, v *expr.Node) pde.Definition {
		m, err := mesh.Product(interval(n), axis(0, 1, 6*(n-1)/5+1, "y"))
		if err != nil {
			t.Fatal(err)
		}
		u := pde.Unknown(m, mesh.Mesh{})
		return pde.Definition{
			Mesh: m, Operator: u.Laplacian().Neg().Plus(cube(u), u.TimesOperator(u.D("y", 1))),
			Boundary: map[string]pde.Side{"x-": side("dirichlet", v, 0, -1), "x+": side("neumann", v, 0, 1), "y-": side("robin", v, 1, -1), "y+": side("dirichlet", v, 1, 1)},
		}
	})
}

// In time, too: of first and second order, by both schemes, with the space exact enough that
// the steps decide.
func TestOrderOfSemilinearEvolutions(t *testing.T) {
	et := expr.Var(1, "t")
	v := expr.Mul(expr.Sin(expr.Add(num(0.3), expr.Mul(num(2), ex))), expr.Cos(expr.Mul(num(2), et)))
	for _, c := range []struct {
		name, scheme string
		order        float64
		build        func(u *pde.Operator) *pde.Operator
	}{
		{"u_t - u″ + u u′", pde.CrankNicolson, 2, func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Plus(u.D("x", 2).Neg(), u.TimesOperator(u.D("x", 1)))
		}},
		{"u_t - u″ + t u³", pde.BackwardEuler, 1, func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Plus(u.D("x", 2).Neg(), cube(u).Times(formula(et)))
		}},
		{"u_tt - u″ + sin u", pde.CrankNicolson, 2, func(u *pde.Operator) *pde.Operator {
			return u.D("t", 2).Plus(u.D("x", 2).Neg(), sine(u))
		}},
	} {
		checkOrder(t, c.name, c.order, [2]int{11, 21}, []*expr.Node{v}, func(n int, v *expr.Node) pde.Definition {
			m, times := interval(n), axis(0, 1, n, "t")
			at0 := map[int]*expr.Node{1: num(0)}
			d := pde.Definition{
				Mesh: m, Time: times, Operator: c.build(pde.Unknown(m, times)), Scheme: c.scheme, Order: 4,
				Initial:  formula(expr.Substitute(v, at0)),
				Boundary: map[string]pde.Side{"x-": side("dirichlet", v, 0, -1), "x+": side("neumann", v, 0, 1)},
			}
			if strings.HasPrefix(c.name, "u_tt") {
				d.Velocity = formula(expr.Substitute(expr.Diff(v, 1), at0))
			}
			return d
		})
	}
}

// The values on a side may be the input of a problem that is not linear, in u or in a derivative, for which
// they count at the side itself.
func TestSemilinearBoundaryInput(t *testing.T) {
	m := interval(21)
	u := pde.Unknown(m, mesh.Mesh{})
	for name, rest := range map[string]*pde.Operator{"u³": cube(u), "u u′": u.TimesOperator(u.D("x", 1)), "(u′)²/9": u.D("x", 1).Power(2).Scale(1. / 9)} {
		o := u.D("x", 2).Neg().Plus(rest)
		p, err := pde.Define(ctx, pde.Definition{
			Mesh: m, Operator: o, Input: pde.InputBoundary,
			Boundary: map[string]pde.Side{"x-": {Dirichlet: pde.InputValue{}}, "x+": {Neumann: pde.InputValue{}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := pde.Solve(ctx, p, mat.NewDense(2, 2, []float64{1, 0.5, 2, -1}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		given, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: o, Boundary: map[string]pde.Side{"x-": fixed(2), "x+": slope(-1)}})
		if err != nil {
			t.Fatal(err)
		}
		want, err := pde.Solve(ctx, given, mat.NewDense(1, 21, nil))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want.RawRowView(0) {
			if !(math.Abs(got.At(1, i)-v) <= 1e-11) {
				t.Fatalf("%s: at point %d: %.15g, want %.15g", name, i, got.At(1, i), v)
			}
		}
	}
}

// What has no solution, no unique one, or no meaning is refused, and says why.
func TestSemilinearProblemsThatAreRefused(t *testing.T) {
	m := interval(31)
	u := pde.Unknown(m, mesh.Mesh{})
	times := axis(0, 2, 41, "t")
	ut := pde.Unknown(m, times)
	exponential := pde.Combine(func(v []*expr.Node) *expr.Node { return expr.Exp(v[0]) }, u)
	walls := map[string]pde.Side{"x-": slope(0), "x+": slope(0)}
	for _, c := range []struct {
		d     pde.Definition
		input float64
		want  string
	}{
		{pde.Definition{Mesh: m, Operator: u.D("x", 2).TimesOperator(u).Minus(u)}, 0, "the derivatives of highest order must be linear in u"},
		{pde.Definition{Mesh: m, Operator: u.TimesOperator(u)}, 0, "has no part that is linear in u"},
		{pde.Definition{Mesh: m, Operator: u.D("x", 1).Plus(u.TimesOperator(u.D("x", 1)))}, 0, "the derivatives of highest order must be linear in u"},
		{pde.Definition{Mesh: m, Time: times, Operator: ut.D("t", 1).TimesOperator(ut).Plus(ut.D("t", 1), ut.D("x", 2).Neg())}, 0, "derivatives in t must be linear in u"},
		{pde.Definition{Mesh: m, Time: times, Scheme: pde.Exponential, Operator: ut.D("t", 1).Plus(ut.D("x", 2).Neg(), cube(ut))}, 0, `scheme "exponential": the operator must be linear in u`},
		{pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(cube(u)), Boundary: map[string]pde.Side{"x-": fixed(0)}}, 0, `"x+": missing`},
		// Bratu's -u″ = 8 eᵘ has no solution: 3.51 is the most.
		{pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Minus(exponential.Scale(8))}, 0, "no solution"},
		// -u″ - 40u + u³ = 0 has u = 0 and, as 40 > 4π², four others.
		{pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(u.Scale(-40), cube(u))}, 3, "not the only one"},
		// ∫(u² + 1) is positive, and ∫u″ is zero between walls.
		{pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(u.Power(2)), Boundary: walls}, -1, "no solution"},
		// u′ = u² + 1 is infinite at π/2 < 2.
		{pde.Definition{Mesh: m, Time: times, Operator: ut.D("t", 1).Plus(ut.D("x", 2).Neg(), ut.Power(2).Neg()), Boundary: walls}, 1, "may grow without bound"},
	} {
		if c.d.Boundary == nil {
			c.d.Boundary = both(fixed(0))
		}
		p, err := pde.Define(ctx, c.d)
		if err == nil {
			f := mat.NewDense(1, pde.InputMesh(p).Size(), nil)
			for i := range f.RawRowView(0) {
				f.Set(0, i, c.input)
			}
			_, err = pde.Solve(ctx, p, f)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.d.Operator, err, c.want)
		}
	}
	// In the plane derivatives along each axis count by themselves, and a factor u needs none.
	plane := square(7)
	v := pde.Unknown(plane, mesh.Mesh{})
	ends := map[string]pde.Side{"x-": fixed(0), "x+": fixed(0), "y-": fixed(0), "y+": fixed(0)}
	for _, c := range []struct {
		o     *pde.Operator
		sides map[string]pde.Side
		want  string
	}{
		{v.D("x", 2).Neg().Plus(cube(v)), both(fixed(0)), ""},
		{v.D("x", 2).Neg().Plus(v.TimesOperator(v.D("y", 1))), ends, "the linear part has no derivative of higher order in y: must have one"},
		{v.Laplacian().Neg().Plus(v.TimesOperator(v.D("y", 1))), ends, ""},
		{v.D("x", 4).Plus(v.D("y", 2).TimesOperator(v), v.D("y", 2).Neg()), ends, "the linear part has no derivative of higher order in y: must have one"},
	} {
		_, err := pde.Define(ctx, pde.Definition{Mesh: plane, Operator: c.o, Boundary: c.sides})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.o, err, c.want)
		}
	}
	inside := pde.Combine(func(v []*expr.Node) *expr.Node { return expr.Sub(expr.Pow(v[1], expr.Const(3)), v[0]) }, u.D("x", 2), u)
	if _, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: inside, Boundary: both(fixed(0))}); err != nil {
		t.Errorf("a linear part that is written inside of a formula: %v", err)
	}
	between, err := pde.Define(ctx, pde.Definition{Several: true, Mesh: m, Operator: u.D("x", 2).Neg().Plus(u.Power(2)), Boundary: walls})
	if err != nil {
		t.Fatal(err)
	}
	second := mat.NewDense(2, m.Size(), nil)
	for i := range m.Size() {
		second.Set(0, i, 1)
		second.Set(1, i, -1)
	}
	if _, err := pde.Solve(ctx, between, second); err == nil || !strings.Contains(err.Error(), "f[2]: ") {
		t.Errorf("the second of two inputs: error %v", err)
	}
	// u′ - u″ - u³ = 0 grows without bound from the second first value.
	later := axis(0, 1, 5, "t")
	v = pde.Unknown(m, later)
	grows, err := pde.Define(ctx, pde.Definition{Input: pde.InputInitial, Mesh: m, Time: later, Operator: v.D("t", 1).Minus(v.D("x", 2)).Minus(v.Power(3)), Boundary: both(fixed(0))})
	if err != nil {
		t.Fatal(err)
	}
	many := mat.NewDense(3, m.Size(), nil)
	many.SetRow(1, slices.Repeat([]float64{30}, m.Size()))
	if _, err := pde.Solve(ctx, grows, many); err == nil || !strings.Contains(err.Error(), "f[2]: no solution at t = ") {
		t.Errorf("the second of three first values: error %v", err)
	}
	p, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(cube(u)), Boundary: both(fixed(0))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{}); err == nil || !strings.Contains(err.Error(), "not linear") {
		t.Errorf("Green: error %v", err)
	}
}

// Outputs do not depend on units: f and u times any factor, with the coefficient that goes
// with it.
func TestSemilinearUnits(t *testing.T) {
	m := interval(41)
	u := pde.Unknown(m, mesh.Mesh{})
	solve := func(scale float64) []float64 {
		p, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(cube(u).Scale(1 / scale / scale)), Boundary: both(fixed(scale))})
		if err != nil {
			t.Fatal(err)
		}
		v, err := pde.Solve(ctx, p, sample(m, func(x []float64) float64 { return 30 * scale * math.Sin(5*x[0]) }))
		if err != nil {
			t.Fatalf("scale %g: %v", scale, err)
		}
		return v.RawRowView(0)
	}
	want := solve(1)
	for _, scale := range []float64{1e-9, 1e9, -1e3} {
		for i, v := range solve(scale) {
			if !(math.Abs(v/scale-want[i]) <= 1e-10) {
				t.Fatalf("scale %g: u(%d) = %g, want %g", scale, i, v/scale, want[i])
			}
		}
	}
}
