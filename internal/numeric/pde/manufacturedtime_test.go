package pde_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// et is time next to one space coordinate.
var et = expr.Var(1, "t")

// travelling are exact solutions in x and t.
func travelling() []*expr.Node {
	var v []*expr.Node
	for _, phase := range []float64{0.3, 1.3} {
		v = append(v, expr.Add(
			expr.Sin(expr.Sub(expr.Add(num(phase), expr.Mul(num(4), ex)), expr.Mul(num(2), et))),
			expr.Exp(expr.Mul(num(0.5), expr.Sub(ex, et)))))
	}
	return v
}

// evolutionCase is an operator in x and t with exact solutions.
type evolutionCase struct {
	name  string
	ends  []string // pairs of conditions at both ends
	exact []*expr.Node
	build func(u *pde.Operator) *pde.Operator
	mesh  func(n int) mesh.Mesh // nil: n points on [0, 1]
}

// schemes are the schemes with their order in time: exponentials are of second order
// because forces and boundary values are taken as linear between times.
var schemes = []struct {
	name  string
	order int
}{{pde.BackwardEuler, 1}, {pde.CrankNicolson, 2}, {pde.Exponential, 2}}

// checkSchemes holds every scheme to the order of its differences in space, when
// steps shrink as h^(order/order in time), with every pair of ends.
func checkSchemes(t *testing.T, c evolutionCase) {
	t.Helper()
	if c.mesh == nil {
		c.mesh = interval
	}
	for _, ends := range c.ends {
		left, right, _ := strings.Cut(ends, "|")
		for _, scheme := range schemes {
			if scheme.name == pde.Exponential && strings.Contains(c.name, "tx") {
				continue // refused: the coefficient depends on time
			}
			for _, order := range []int{2, 4} {
				sizes, steps := [2]int{17, 33}, [2]int{8, 8 << (order / scheme.order)}
				switch {
				case order == 4 && scheme.order == 1:
					steps = [2]int{32, 512}
				case order == 4 && scheme.name == pde.Exponential:
					steps = [2]int{32, 128} // below, the order in time shows late
				}
				checkOrder(t, fmt.Sprintf("%s, %s, %s, order %d", c.name, ends, scheme.name, order), float64(order), sizes, c.exact, func(n int, v *expr.Node) pde.Definition {
					k := steps[0]
					if n == sizes[1] {
						k = steps[1]
					}
					m, time := c.mesh(n), axis(0, 0.5, k+1, "t")
					at0 := map[int]*expr.Node{1: num(0)}
					d := pde.Definition{
						Mesh: m, Time: time, Operator: c.build(pde.Unknown(m, time)), Order: order, Scheme: scheme.name,
						Boundary: map[string]pde.Side{"x-": side(left, v, 0, -1), "x+": side(right, v, 0, 1)},
						Initial:  formula(expr.Substitute(v, at0)),
					}
					if strings.Contains(c.name, "u_tt") {
						d.Velocity = formula(expr.Substitute(expr.Diff(v, 1), at0))
					}
					return d
				})
			}
		}
	}
}

// Every scheme converges with every kind of operator and condition.
func TestOrderOfSchemes(t *testing.T) {
	grown := linear(1, 1, ex)
	for i, c := range []evolutionCase{
		{name: "u_t - u_xx + u", ends: pairs("dirichlet", "neumann", "robin"), build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 2)).Plus(u) }},
		{name: "u_t + u_x", ends: []string{"dirichlet|"}, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 1)) }},
		{name: "(1+x)u_t - ((1+x)u_x + xu)_x", ends: []string{"dirichlet|dirichlet", "neumann|robin"}, build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Times(grown).Minus(pde.Div(u.D("x", 1).Times(grown).Plus(u.Times(formula(ex)))))
		}},
		{name: "u_t + u_xxx", ends: []string{"dirichlet|dirichlet neumann"}, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 3)) }},
		{name: "u_t + u_xxxx", ends: []string{"dirichlet neumann|dirichlet second", "dirichlet neumann|second third"}, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 4)) }},
		{name: "-u_t + u_xx", ends: []string{"dirichlet|neumann"}, build: func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Minus(u.D("t", 1)) }},
		{name: "u_tt - u_xx", ends: pairs("dirichlet", "neumann", "robin"), build: func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Minus(u.D("x", 2)) }},
		{name: "u_tt + u_t/2 - ((1+x)u_x)_x", ends: []string{"robin|neumann"}, build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 2).Plus(u.D("t", 1).Scale(0.5)).Minus(pde.Div(u.D("x", 1).Times(grown)))
		}},
		{name: "u_tt + u_xxxx", ends: []string{"dirichlet neumann|second third"}, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Plus(u.D("x", 4)) }},
		{name: "u_t - (1+tx)u_xx", ends: []string{"dirichlet|neumann"}, build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Minus(u.D("x", 2).Times(formula(expr.Add(num(1), expr.Mul(et, ex)))))
		}},
	} {
		if i%testmain.Stride(2) != 0 {
			continue
		}
		c.exact = travelling()
		checkSchemes(t, c)
	}
}

// Every scheme converges on a circle, and between walls that let nothing pass, alone
// or opposite another condition. Exact solutions have period 1, or slope 0 at both
// ends, where the drift v vanishes as well.
func TestOrderOfSchemesWithPeriodicAndReflectingSides(t *testing.T) {
	testmain.Long(t)
	angle := expr.Mul(num(2*math.Pi), ex)
	swell := formula(expr.Add(num(2), expr.Cos(angle)))
	drift := formula(expr.Sin(expr.Mul(num(math.Pi), ex)))
	ring := []*expr.Node{expr.Exp(expr.Sin(expr.Sub(angle, et))), expr.Mul(expr.Cos(et), expr.Sin(expr.Add(num(1), angle)))}
	still := []*expr.Node{
		expr.Mul(expr.Cos(et), expr.Add(num(2), expr.Cos(expr.Mul(num(math.Pi), ex)))),
		expr.Mul(expr.Exp(et), expr.Cos(expr.Mul(num(2*math.Pi), ex))),
	}
	circle := func(n int) mesh.Mesh { return mesh.Must(mesh.Periodic(0, 1, n-1, "x")) }
	for _, c := range []evolutionCase{
		{name: "u_t - u_xx + u_x + u", mesh: circle, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.D("x", 2)).Plus(u.D("x", 1), u) }},
		{name: "u_t - (su_x + su)_x", mesh: circle, build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Minus(pde.Div(u.D("x", 1).Times(swell).Plus(u.Times(swell))))
		}},
		{name: "u_t + su_x", mesh: circle, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 1).Times(swell)) }},
		{name: "u_t + u_xxx", mesh: circle, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 3)) }},
		{name: "u_t + u_xxxx", mesh: circle, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Plus(u.D("x", 4)) }},
		{name: "u_tt - u_xx", mesh: circle, build: func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Minus(u.D("x", 2)) }},
		{name: "u_tt + u_xxxx/100", mesh: circle, exact: ring[1:], build: func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Plus(u.D("x", 4).Scale(0.01)) }},
		{name: "u_t - ((1+x)u_x + vu)_x + u", ends: withReflecting(), build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 1).Minus(pde.Div(u.D("x", 1).Times(linear(1, 1, ex)).Plus(u.Times(drift)))).Plus(u)
		}},
		{name: "u_tt - ((1+x)u_x)_x", ends: withReflecting(), build: func(u *pde.Operator) *pde.Operator {
			return u.D("t", 2).Minus(pde.Div(u.D("x", 1).Times(linear(1, 1, ex))))
		}},
	} {
		switch {
		case c.mesh == nil:
			c.exact = still
		case c.exact == nil:
			c.exact = ring
		}
		if c.mesh != nil {
			c.ends = []string{"periodic|periodic"}
		}
		checkSchemes(t, c)
	}
}

// In two space dimensions, with conditions of all kinds that depend on time. The walls
// are for solutions of slope 0 there.
func TestOrderOfSchemesInTwoDimensions(t *testing.T) {
	testmain.Long(t)
	time := expr.Var(2, "t")
	at0 := map[int]*expr.Node{2: num(0)}
	moving := func(v []*expr.Node) (out []*expr.Node) {
		for _, v := range v {
			out = append(out, expr.Mul(v, expr.Cos(expr.Add(time, expr.Mul(num(0.5), ey)))))
		}
		return out
	}
	still := expr.Mul(expr.Cos(time), expr.Add(num(1), expr.Mul(expr.Cos(expr.Mul(num(math.Pi), ex)), expr.Sin(expr.Mul(num(2*math.Pi), ey)))))
	mild := formula(expr.Add(num(1), expr.Mul(num(0.5), expr.Mul(ex, expr.Sin(expr.Mul(num(2*math.Pi), ey))))))
	round := "dirichlet|neumann|robin|dirichlet"
	for _, c := range []struct {
		name, sides string
		exact       []*expr.Node
		build       func(u *pde.Operator) *pde.Operator
	}{
		{"u_t - Δu", round, moving(plaids()), func(u *pde.Operator) *pde.Operator { return u.D("t", 1).Minus(u.Laplacian()) }},
		{"u_tt - ∇·(∇u)", round, moving(plaids()), func(u *pde.Operator) *pde.Operator { return u.D("t", 2).Minus(pde.Div(u.Grad()...)) }},
		{"u_t - ∇·(k∇u)", "reflecting|dirichlet|periodic|periodic", []*expr.Node{still}, func(u *pde.Operator) *pde.Operator {
			g := u.Grad()
			return u.D("t", 1).Minus(pde.Div(g[0].Times(mild), g[1].Times(mild)))
		}},
		{"u_tt - ∇·(k∇u)", "reflecting|reflecting|periodic|periodic", []*expr.Node{still}, func(u *pde.Operator) *pde.Operator {
			g := u.Grad()
			return u.D("t", 2).Minus(pde.Div(g[0].Times(mild), g[1].Times(mild)))
		}},
	} {
		kinds := strings.Split(c.sides, "|")
		for s, scheme := range schemes {
			if (s+len(c.name))%testmain.Stride(2) != 0 {
				continue
			}
			for _, order := range []int{2, 4} {
				steps, exact := [2]int{16, 16 << (order / scheme.order)}, c.exact
				if order == 4 {
					exact = exact[:1] // for the time it takes
				}
				checkOrder(t, fmt.Sprintf("%s, %s, %s, order %d", c.name, c.sides, scheme.name, order), float64(order), [2]int{9, 17}, exact, func(n int, v *expr.Node) pde.Definition {
					k, y := steps[n/17], axis(0, 1, n, "y")
					if kinds[2] == "periodic" {
						y = mesh.Must(mesh.Periodic(0, 1, n-1, "y"))
					}
					m, err := mesh.Product(interval(n), y)
					if err != nil {
						t.Fatal(err)
					}
					tm := axis(0, 0.25, k/2+1, "t")
					d := pde.Definition{
						Mesh: m, Time: tm, Operator: c.build(pde.Unknown(m, tm)), Scheme: scheme.name, Order: order,
						Initial: formula(expr.Substitute(v, at0)),
						Boundary: map[string]pde.Side{
							"x-": side(kinds[0], v, 0, -1), "x+": side(kinds[1], v, 0, 1),
							"y-": side(kinds[2], v, 1, -1), "y+": side(kinds[3], v, 1, 1),
						},
					}
					if strings.Contains(c.name, "u_tt") {
						d.Velocity = formula(expr.Substitute(expr.Diff(v, 2), at0))
					}
					return d
				})
			}
		}
	}
}
