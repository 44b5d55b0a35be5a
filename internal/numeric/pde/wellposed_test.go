package pde_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// define makes a steady problem on [0, 1].
func define(build func(u *pde.Operator) *pde.Operator, sides map[string]pde.Side) error {
	return defineOn(interval(21), build, sides)
}

func defineOn(m mesh.Mesh, build func(u *pde.Operator) *pde.Operator, sides map[string]pde.Side) error {
	_, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: build(pde.Unknown(m, mesh.Mesh{})), Boundary: sides})
	return err
}

// evolve makes a problem on [0, 1] in time.
func evolve(build func(u *pde.Operator) *pde.Operator, sides map[string]pde.Side) error {
	m, time := interval(41), axis(0, 1, 11, "t")
	_, err := pde.Define(ctx, pde.Definition{Mesh: m, Time: time, Operator: build(pde.Unknown(m, time)), Boundary: sides})
	return err
}

func TestIllPosedProblemsAreRefused(t *testing.T) {
	laplace := func(u *pde.Operator) *pde.Operator { return u.Laplacian().Neg() }
	helmholtz := func(square float64) func(u *pde.Operator) *pde.Operator {
		return func(u *pde.Operator) *pde.Operator { return u.Laplacian().Neg().Minus(u.Scale(square)) }
	}
	diffusion := func(sign float64) func(u *pde.Operator) *pde.Operator {
		return func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 2).Scale(sign)) }
	}
	transport := func(speed float64) func(u *pde.Operator) *pde.Operator {
		return func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 1).Scale(speed)) }
	}
	plane := func(build func(u *pde.Operator) *pde.Operator, s pde.Side) error {
		m := square(12)
		_, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: build(pde.Unknown(m, mesh.Mesh{})), Boundary: map[string]pde.Side{"x-": s, "x+": s, "y-": s, "y+": s}})
		return err
	}
	circle := func() error {
		m := mesh.Must(mesh.Periodic(0, 1, 20, "x"))
		_, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: laplace(pde.Unknown(m, mesh.Mesh{}))})
		return err
	}
	dispersion := func(order int) error {
		m, time := interval(41), axis(0, 1, 11, "t")
		v := pde.Unknown(m, time)
		_, err := pde.Define(ctx, pde.Definition{
			Mesh: m, Time: time, Operator: v.D("t", 1).Plus(v.D("x", 3)), Order: order,
			Boundary: map[string]pde.Side{"x-": fixed(0), "x+": {Dirichlet: pde.Constant(0), Second: pde.Constant(0)}},
		})
		return err
	}
	// flow in the plane given at x- and y-; without a flow, diffusion backwards in y.
	flow := func(vx, vy float64) error {
		m, time := square(9), axis(0, 1, 5, "t")
		v := pde.Unknown(m, time)
		o := v.D("t", 1).Plus(v.D("x", 1).Scale(vx), v.D("y", 1).Scale(vy))
		sides := map[string]pde.Side{"x-": fixed(0), "y-": fixed(0)}
		if vx == 0 {
			o = v.D("t", 1).Plus(v.D("x", 4), v.D("y", 2))
			clamped := pde.Side{Dirichlet: pde.Constant(0), Neumann: pde.Constant(0)}
			sides = map[string]pde.Side{"x-": clamped, "x+": clamped, "y-": fixed(0), "y+": fixed(0)}
		}
		_, err := pde.Define(ctx, pde.Definition{Mesh: m, Time: time, Operator: o, Boundary: sides})
		return err
	}
	slowing := pde.Func(func(x []float64) float64 {
		if x[0] < 0.3 {
			return 0
		}
		return 0.3 - x[0]
	})
	given := func(v float64) error {
		return define(func(u *pde.Operator) *pde.Operator { return laplace(u).PlusGiven(pde.Constant(v)) }, both(fixed(0)))
	}
	const constant = "u is determined up to a constant only"
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"neumann and robin":           {define(laplace, both(pde.Side{Neumann: pde.Constant(0), Robin: &pde.Robin{A: pde.Constant(1), B: pde.Constant(1)}})), `boundary: "x+": neumann and robin: give one of them`},
		"wall and robin":              {define(laplace, both(pde.Side{Reflecting: true, Robin: &pde.Robin{A: pde.Constant(1), B: pde.Constant(1)}})), `boundary: "x+": periodic and reflecting stand alone`},
		"a part without u":            {given(2), "operator: has a part without u"},
		"no condition":                {define(laplace, nil), `boundary: "x-": missing; the operator is of order 2 in x, so this side needs 1`},
		"one condition":               {define(laplace, map[string]pde.Side{"x-": fixed(0)}), `boundary: "x+": missing`},
		"two on one side":             {define(laplace, map[string]pde.Side{"x-": {Dirichlet: pde.Constant(0), Neumann: pde.Constant(1)}, "x+": fixed(0)}), `"x-": has 2 conditions, must be 1 for an operator of order 2`},
		"too few for a beam":          {define(func(u *pde.Operator) *pde.Operator { return u.D("x", 4) }, both(fixed(0))), `"x-": has 1 conditions, must be 2 for an operator of order 4`},
		"Neumann":                     {define(laplace, both(slope(0))), constant},
		"Neumann in the plane":        {plane(laplace, slope(0)), constant},
		"circle":                      {circle(), constant},
		"reflecting":                  {define(func(u *pde.Operator) *pde.Operator { return pde.Div(u.Grad()...) }, both(pde.Side{Reflecting: true})), constant},
		"free beam":                   {define(func(u *pde.Operator) *pde.Operator { return u.D("x", 4) }, both(pde.Side{Second: pde.Constant(0), Third: pde.Constant(0)})), constant},
		"hinged and guided by slopes": {define(func(u *pde.Operator) *pde.Operator { return u.D("x", 4).Minus(u.D("x", 1).D("x", 1)) }, both(pde.Side{Neumann: pde.Constant(0), Third: pde.Constant(0)})), constant},
		"eigenvalue π²":               {define(helmholtz(math.Pi*math.Pi), both(fixed(0))), "an eigenvalue that is zero, or too near for this mesh to tell"},
		"eigenvalue of Neumann":       {define(helmholtz(4*math.Pi*math.Pi), both(slope(0))), "an eigenvalue that is zero, or too near"},
		"eigenvalue of the square":    {plane(helmholtz(5*math.Pi*math.Pi), fixed(0)), "an eigenvalue that is zero, or too near"},
		"hyperbolic":                  {plane(func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Minus(u.D("y", 2)) }, fixed(0)), "is not elliptic: its part of order 2 changes sign"},
		"neither along an axis": {plane(func(u *pde.Operator) *pde.Operator {
			return u.D("x", 4).Plus(u.D("y", 4), u.D("x", 2).D("y", 2).Scale(-10))
		}, pde.Side{Dirichlet: pde.Constant(0), Neumann: pde.Constant(0)}), "is not elliptic: its part of order 4 changes sign"},
		"diffusion of both signs":      {define(func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Times(linear(-1, 2, ex)).Plus(u) }, both(fixed(0))), "is not elliptic"},
		"backwards in time":            {evolve(diffusion(1), both(fixed(0))), "short waves grow without bound, because the part of order 2 has the wrong sign"},
		"bending backwards":            {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 4)) }, both(pde.Side{Dirichlet: pde.Constant(0), Neumann: pde.Constant(0)})), "the part of order 4 has the wrong sign"},
		"elliptic in time":             {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Plus(u.D("x", 2)) }, both(fixed(0))), "short waves grow without bound"},
		"outflow":                      {evolve(transport(-1), map[string]pde.Side{"x-": fixed(0)}), `waves leave at "x-"`},
		"flow with two ends given":     {evolve(transport(1), both(fixed(0))), "is of order 1 in x, so it needs 1 conditions in all, 1 of them where waves come in; got 1 at \"x-\" and 1 at \"x+\""},
		"dispersion with two of three": {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 3)) }, both(fixed(0))), "is of order 3 in x, so it needs 3 conditions in all, 2 of them where waves come in; got 1 at \"x-\" and 1 at \"x+\""},
		"dispersion the wrong way":     {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 3)) }, map[string]pde.Side{"x-": fixed(0), "x+": {Dirichlet: pde.Constant(0), Neumann: pde.Constant(0)}}), `waves come in at "x-", and too few conditions say what`},
		"outflow in the plane":         {flow(1, -1), `waves leave at "y-"`},
		"anisotropic, one wrong sign":  {flow(0, 0), "the part of order 2 has the wrong sign"},
		"no inertia":                   {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Times(linear(-0.5, 1, ex)).Minus(u.D("x", 2)) }, both(fixed(0))), "coefficient of the derivative of order 1 in t is 0"},
		"no inertia at first":          {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Times(formula(et)).Minus(u.D("x", 2)) }, both(fixed(0))), "coefficient of the derivative of order 1 in t is 0"},
		"inflow without a condition":   {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 1).Times(linear(2, -4, ex))) }, map[string]pde.Side{"x-": fixed(0)}), `waves come in at "x+", and too few conditions say what`},
		"unstable differences":         {dispersion(4), "lets short waves grow without bound: at the rate"},
		"odd in space, second in time": {evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Minus(u.D("x", 1)) }, map[string]pde.Side{"x+": fixed(0)}), "of second order in time and of order 1 in x; that must be even"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, c.err, c.want)
		}
	}
	for name, err := range map[string]error{
		"nothing beside u":           given(0),
		"diffusion":                  evolve(diffusion(-1), both(fixed(0))),
		"the same of order 2":        dispersion(2),
		"flow in the plane":          flow(1, 1),
		"transport":                  evolve(transport(1), map[string]pde.Side{"x-": fixed(0)}),
		"waves that stop on the way": evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 1).Times(slowing)) }, map[string]pde.Side{"x+": fixed(0)}),
		"between eigenvalues":        define(helmholtz(25), both(fixed(0))),
		"near an eigenvalue":         define(helmholtz(math.Pi*math.Pi+0.2), both(fixed(0))),
		"growth that has a bound":    evolve(func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 2)).Minus(u.Scale(50)) }, both(fixed(0))),
		"walls with absorption":      define(func(u *pde.Operator) *pde.Operator { return pde.Div(u.Grad()...).Neg().Plus(u) }, both(pde.Side{Reflecting: true})),
		"one end of a steady stream": define(func(u *pde.Operator) *pde.Operator { return u.D("x", 1) }, map[string]pde.Side{"x+": fixed(0)}),
	} {
		if err != nil {
			t.Errorf("%s: refused: %v", name, err)
		}
	}
}

// That a solution is not unique is seen whatever the units of the operator.
func TestEigenvaluesOfScaledOperators(t *testing.T) {
	for _, scale := range []float64{1e-6, 1, 1e6} {
		for square, refused := range map[float64]bool{math.Pi * math.Pi: true, math.Pi*math.Pi + 0.2: false, 9 * math.Pi * math.Pi: true, 50: false} {
			operator := func(u *pde.Operator) *pde.Operator { return u.Laplacian().Neg().Minus(u.Scale(square)).Scale(scale) }
			if square == math.Pi*math.Pi { // also on the least mesh that better differences have room on
				if err := defineOn(interval(7), operator, both(fixed(0))); err == nil || !strings.Contains(err.Error(), "an eigenvalue that is zero, or too near") {
					t.Errorf("%g (-u″ - %g u) on seven points: %v", scale, square, err)
				}
			}
			err := define(operator, both(fixed(0)))
			if (err != nil) != refused || refused && !strings.Contains(err.Error(), "an eigenvalue that is zero, or too near") {
				t.Errorf("%g (-u″ - %g u): %v, refused: want %t", scale, square, err, refused)
			}
		}
	}
}

// One point of the wrong sign is enough, whichever of the mesh: where short waves grow there
// is no bound to how fast, and where an operator is not elliptic the boundary does not
// determine u.
func TestOnePointOfTheWrongSign(t *testing.T) {
	const n = 8
	circle, time := mesh.Must(mesh.Periodic(0, 1, n, "x")), axis(0, 1, 4, "t")
	for at := range n {
		turned := func(sign float64) pde.Coefficient {
			return pde.Func(func(x []float64) float64 {
				if math.Abs(x[0]-circle.Points()[at]) < 1e-9 {
					return -sign
				}
				return sign
			})
		}
		place := fmt.Sprint(circle.Points()[at])
		in, u := pde.Unknown(circle, time), pde.Unknown(circle, mesh.Mesh{})
		for want, d := range map[string]pde.Definition{
			"because the part of order 2 has the wrong sign": {Mesh: circle, Time: time, Operator: in.D("t", 1).Minus(in.D("x", 2).Times(turned(1)))},
			"because the part of order 4 has the wrong sign": {Mesh: circle, Time: time, Operator: in.D("t", 1).Minus(in.D("x", 4).Times(turned(-1)))},
			"negative in some at x = " + place:               {Mesh: circle, Operator: u.D("x", 2).Times(turned(1)).Minus(u)},
			"positive in some direction at x = " + place:     {Mesh: circle, Operator: u.D("x", 2).Times(turned(-1)).Plus(u)},
		} {
			if _, err := pde.Define(ctx, d); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("point %d of %d: error %v, want %q", at+1, n, err, want)
			}
		}
	}
}

// Whether short waves grow without bound does not depend on the unit of time: of u′ + ∂³u/∂x³ with differences of order 4 they
// do, with those of order 2 they do not, nor where all of u grows.
func TestGrowthInOtherUnitsOfTime(t *testing.T) {
	m := interval(21)
	for _, unit := range []float64{1e-6, 1, 1e6} {
		time := axis(0, unit, 5, "t")
		u := pde.Unknown(m, time)
		for name, c := range map[string]struct {
			space  *pde.Operator
			plus   pde.Side
			order  int
			refuse bool
		}{
			"unstable": {u.D("x", 3), pde.Side{Dirichlet: pde.Constant(0), Second: pde.Constant(0)}, 4, true},
			"stable":   {u.D("x", 3), pde.Side{Dirichlet: pde.Constant(0), Second: pde.Constant(0)}, 2, false},
			"growing":  {u.D("x", 2).Neg().Minus(u.Scale(50)), fixed(0), 2, false},
		} {
			_, err := pde.Define(ctx, pde.Definition{
				Mesh: m, Time: time, Operator: u.D("t", 1).Scale(unit).Plus(c.space), Order: c.order,
				Boundary: map[string]pde.Side{"x-": fixed(0), "x+": c.plus},
			})
			if (err != nil) != c.refuse || err != nil && !strings.Contains(err.Error(), "short waves grow without bound: at the rate") {
				t.Errorf("%s, in units of %g: %v", name, unit, err)
			}
		}
	}
}

// On each mesh that is fine enough for its differences an operator may evolve: the coarser meshes
// that are looked at on the way ask for nothing. What is refused is the mesh itself, by its points.
func TestFewestPointsInTime(t *testing.T) {
	time, tried := axis(0, 1, 3, "t"), map[int]bool{}
	for _, c := range oneDimensional() {
		if tried[c.order] {
			continue
		}
		tried[c.order] = true
		left, right, _ := strings.Cut(endsFor(c.order)[0], "|")
		for _, order := range []int{2, 4} {
			for n := 3; n < 18; n++ {
				m := interval(n)
				u := pde.Unknown(m, time)
				_, err := pde.Define(ctx, pde.Definition{
					Mesh: m, Time: time, Operator: u.D("t", 1).Plus(c.build(u)), Order: order,
					Boundary: map[string]pde.Side{"x-": side(left, num(0), 0, -1), "x+": side(right, num(0), 0, 1)},
				})
				if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("mesh: has %d points in x, must be at least", n)) {
					t.Errorf("%s, differences of order %d on %d points: %v", c.name, order, n, err)
				}
			}
		}
	}
}

// What is given may be inside of what is nonlinear in u: (u + 1)² is u² + 2 u beside the source.
func TestGivenInsideOfWhatIsNonlinear(t *testing.T) {
	m := interval(9)
	solved := func(build func(u *pde.Operator) *pde.Operator, source float64) []float64 {
		t.Helper()
		u := pde.Unknown(m, mesh.Mesh{})
		p, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(build(u)), Boundary: both(fixed(0)), Several: true})
		if err != nil {
			t.Fatal(err)
		}
		out, err := pde.Solve(ctx, p, sample(m, func([]float64) float64 { return source }))
		if err != nil {
			t.Fatal(err)
		}
		return out.RawMatrix().Data
	}
	given := solved(func(u *pde.Operator) *pde.Operator { return u.PlusGiven(pde.Constant(1)).Power(2) }, 3)
	for i, want := range solved(func(u *pde.Operator) *pde.Operator { return u.Power(2).Plus(u.Scale(2)) }, 2) {
		if !(math.Abs(given[i]-want) <= 1e-12) {
			t.Errorf("at point %d: %g, want %g", i, given[i], want)
		}
	}
}
