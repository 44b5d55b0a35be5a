package pde_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// operatorCase is an operator to be tested with an exact solution chosen
// beforehand: the right-hand side and the boundary values follow from it by exact
// derivatives, independently of any difference.
type operatorCase struct {
	name  string
	order int // in x, of which follows what conditions it takes
	build func(u *pde.Operator) *pde.Operator
}

func formula(n *expr.Node) pde.Coefficient { return pde.Formula{Node: n} }

func num(v float64) *expr.Node { return expr.Const(v) }

var (
	ex = expr.Var(0, "x")
	ey = expr.Var(1, "y")
)

func linear(a, b float64, x *expr.Node) pde.Coefficient {
	return formula(expr.Add(num(a), expr.Mul(num(b), x)))
}

// oneDimensional lists operators in x.
func oneDimensional() []operatorCase {
	return []operatorCase{
		{"-u″ + u", 2, func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Neg().Plus(u) }},
		{"-u″ + 3u′ + (1+x)u", 2, func(u *pde.Operator) *pde.Operator {
			return u.D("x", 2).Neg().Plus(u.D("x", 1).Scale(3), u.Times(linear(1, 1, ex)))
		}},
		{"-(1+x)u″ + u", 2, func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Times(linear(-1, -1, ex)).Plus(u) }},
		{"-((1+x)u′ + x²u)′ + u", 2, func(u *pde.Operator) *pde.Operator {
			return pde.Div(u.D("x", 1).Times(linear(1, 1, ex)).Plus(u.Times(formula(expr.Mul(ex, ex))))).Neg().Plus(u)
		}},
		{"-((2+sin x)u′)′ + 2u′ + xu", 2, func(u *pde.Operator) *pde.Operator {
			return u.D("x", 1).Times(formula(expr.Add(num(2), expr.Sin(ex)))).D("x", 1).Neg().Plus(u.D("x", 1).Scale(2), u.Times(formula(ex)))
		}},
		{"u′ + (1+x)u", 1, func(u *pde.Operator) *pde.Operator { return u.D("x", 1).Plus(u.Times(linear(1, 1, ex))) }},
		{"((1+x)u)′ + u", 1, func(u *pde.Operator) *pde.Operator { return pde.Div(u.Times(linear(1, 1, ex))).Plus(u) }},
		{"u‴ + u", 3, func(u *pde.Operator) *pde.Operator { return u.D("x", 3).Plus(u) }},
		{"u⁗ + u", 4, func(u *pde.Operator) *pde.Operator { return u.D("x", 4).Plus(u) }},
		{"((1+x)u″)″ - u″ + u", 4, func(u *pde.Operator) *pde.Operator {
			return u.D("x", 2).Times(linear(1, 1, ex)).D("x", 2).Minus(u.D("x", 2)).Plus(u)
		}},
	}
}

// pairs are all pairs of conditions at both ends.
func pairs(kinds ...string) []string {
	var all []string
	for _, left := range kinds {
		for _, right := range kinds {
			all = append(all, left+"|"+right)
		}
	}
	return all
}

// withReflecting are the pairs of which one at least is a wall.
func withReflecting() []string {
	return slices.DeleteFunc(pairs("reflecting", "dirichlet", "neumann", "robin"), func(ends string) bool { return !strings.Contains(ends, "reflecting") })
}

// endsFor lists the pairs of conditions at both ends for an order.
func endsFor(order int) []string {
	switch order {
	case 1:
		return []string{"dirichlet|"}
	case 2:
		return pairs("dirichlet", "neumann", "robin")
	case 3:
		return []string{"dirichlet|dirichlet neumann", "dirichlet neumann|dirichlet", "dirichlet|neumann second", "dirichlet|dirichlet robin"}
	}
	return append(pairs("dirichlet neumann", "dirichlet second", "second third", "neumann third"), "dirichlet robin|robin third")
}

// side makes the conditions of given kinds on a side hold for an exact solution.
func side(kinds string, v *expr.Node, slot int, outward float64) pde.Side {
	derivative := func(k int) pde.Coefficient {
		d := v
		for range k {
			d = expr.Mul(num(outward), expr.Diff(d, slot))
		}
		return formula(d)
	}
	var s pde.Side
	for kind := range strings.FieldsSeq(kinds) {
		switch kind {
		case "dirichlet":
			s.Dirichlet = derivative(0)
		case "neumann":
			s.Neumann = derivative(1)
		case "second":
			s.Second = derivative(2)
		case "third":
			s.Third = derivative(3)
		case "robin":
			a := expr.Add(num(2), expr.Mul(ex, ex))
			s.Robin = &pde.Robin{A: formula(a), B: pde.Constant(1.5), Value: formula(expr.Add(expr.Mul(a, v), expr.Mul(num(1.5*outward), expr.Diff(v, slot))))}
		case "reflecting":
			s.Reflecting = true
		case "periodic":
			s.Periodic = true
		}
	}
	return s
}

// errorOf is the largest difference between the answer of a definition and its exact
// solution, whose forcing is the input.
func errorOf(t *testing.T, d pde.Definition, v *expr.Node) (float64, error) {
	t.Helper()
	f, err := d.Operator.Apply(v)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pde.Define(ctx, d)
	if err != nil {
		return 0, err
	}
	u, err := pde.Solve(ctx, p, sample(pde.InputMesh(p), compiled(t, f, pde.InputMesh(p))))
	if err != nil {
		return 0, err
	}
	want := sample(pde.OutputMesh(p), compiled(t, v, pde.OutputMesh(p)))
	var diff mat.Dense
	diff.Sub(u, want)
	return math.Max(mat.Max(&diff), -mat.Min(&diff)), nil
}

func compiled(t *testing.T, n *expr.Node, m mesh.Mesh) func(x []float64) float64 {
	t.Helper()
	prog, err := expr.Compile(n, m.Dim())
	if err != nil {
		t.Fatal(err)
	}
	return prog.Eval
}

// checkOrder holds the errors on meshes of two sizes to an order of accuracy. They
// are summed over several exact solutions, for that of a single one may pass through
// zero on the way.
func checkOrder(t *testing.T, name string, order float64, sizes [2]int, exact []*expr.Node, define func(n int, v *expr.Node) pde.Definition) {
	t.Helper()
	var errs [2]float64
	for k, n := range sizes {
		for _, v := range exact {
			e, err := errorOf(t, define(n, v), v)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			errs[k] += e
		}
	}
	got := math.Log(errs[0]/errs[1]) / math.Log(float64(sizes[1]-1)/float64(sizes[0]-1))
	if os.Getenv("SHOW") != "" {
		fmt.Printf("%-70s errors %.2g order %.2f\n", name, errs, got)
	}
	if !(got > order-0.35) {
		t.Errorf("%s: errors %.2g fall at order %.2f, want %g", name, errs, got, order)
	}
}

// waves are exact solutions in one space dimension.
func waves() []*expr.Node {
	var v []*expr.Node
	for _, phase := range []float64{0.3, 1.7} {
		v = append(v, expr.Add(expr.Sin(expr.Add(num(phase), expr.Mul(num(5), ex))), expr.Exp(expr.Mul(num(0.5), ex))))
	}
	return v
}

func TestOrderOfSteadyOperatorsInOneDimension(t *testing.T) {
	for _, c := range oneDimensional() {
		for _, ends := range endsFor(c.order) {
			left, right, _ := strings.Cut(ends, "|")
			for _, order := range []int{2, 4} {
				sizes := [2]int{41, 81}
				checkOrder(t, fmt.Sprintf("%s, %s, order %d", c.name, ends, order), float64(order), sizes, waves(), func(n int, v *expr.Node) pde.Definition {
					m := interval(n)
					return pde.Definition{
						Mesh: m, Operator: c.build(pde.Unknown(m, mesh.Mesh{})), Order: order,
						Boundary: map[string]pde.Side{"x-": side(left, v, 0, -1), "x+": side(right, v, 0, 1)},
					}
				})
			}
		}
	}
}

// Periodic and reflecting sides, with exact solutions that are periodic or have no
// flux at the ends.
func TestOrderWithPeriodicAndReflectingSides(t *testing.T) {
	circle := func(n int) mesh.Mesh { return mesh.Must(mesh.Periodic(0, 1, n-1, "x")) }
	angle := expr.Mul(num(2*math.Pi), ex)
	ring := []*expr.Node{expr.Exp(expr.Sin(angle)), expr.Sin(expr.Add(num(1), expr.Mul(num(2), angle)))}
	swell := formula(expr.Add(num(2), expr.Cos(angle)))
	still := []*expr.Node{expr.Add(num(2), expr.Cos(expr.Mul(num(math.Pi), ex))), expr.Cos(expr.Mul(num(2*math.Pi), ex))}
	drift := formula(expr.Sin(expr.Mul(num(math.Pi), ex)))
	for _, c := range []struct {
		name  string
		mesh  func(n int) mesh.Mesh
		exact []*expr.Node
		ends  string
		build func(u *pde.Operator) *pde.Operator
	}{
		{"-u″ + u′ + u on a circle", circle, ring, "periodic", func(u *pde.Operator) *pde.Operator { return u.D("x", 2).Neg().Plus(u.D("x", 1), u) }},
		{"-(su′ + su)′ + u on a circle", circle, ring, "", func(u *pde.Operator) *pde.Operator {
			return pde.Div(u.D("x", 1).Times(swell).Plus(u.Times(swell))).Neg().Plus(u)
		}},
		{"su⁗ + u on a circle", circle, ring, "periodic", func(u *pde.Operator) *pde.Operator { return u.D("x", 4).Times(swell).Plus(u) }},
		{"u‴ + u on a circle", circle, ring, "", func(u *pde.Operator) *pde.Operator { return u.D("x", 3).Plus(u) }},
		{"-((1+x)u′ + vu)′ + u between walls", interval, still, "walls", func(u *pde.Operator) *pde.Operator {
			return pde.Div(u.D("x", 1).Times(linear(1, 1, ex)).Plus(u.Times(drift))).Neg().Plus(u)
		}},
		{"-((1+x)u′ + vu)′ + u′ + u between walls", interval, still, "walls", func(u *pde.Operator) *pde.Operator {
			return pde.Div(u.D("x", 1).Times(linear(1, 1, ex)).Plus(u.Times(drift))).Neg().Plus(u.D("x", 1), u)
		}},
	} {
		pairs := []string{c.ends + "|" + c.ends}
		if c.ends == "walls" {
			pairs = withReflecting()
		}
		for _, ends := range pairs {
			left, right, _ := strings.Cut(ends, "|")
			for _, order := range []int{2, 4} {
				checkOrder(t, fmt.Sprintf("%s, %s, order %d", c.name, ends, order), float64(order), [2]int{41, 81}, c.exact, func(n int, v *expr.Node) pde.Definition {
					m := c.mesh(n)
					return pde.Definition{
						Mesh: m, Operator: c.build(pde.Unknown(m, mesh.Mesh{})), Order: order,
						Boundary: map[string]pde.Side{"x-": side(left, v, 0, -1), "x+": side(right, v, 0, 1)},
					}
				})
			}
		}
	}
}

// plaids are exact solutions in two space dimensions, of period 1 in y.
func plaids() []*expr.Node {
	var v []*expr.Node
	for _, phase := range []float64{0.3, 1.3} {
		v = append(v, expr.Add(
			expr.Mul(expr.Sin(expr.Add(num(phase), expr.Mul(num(3), ex))), expr.Cos(expr.Add(num(phase), expr.Mul(num(2*math.Pi), ey)))),
			expr.Exp(expr.Mul(num(0.5), ex))))
	}
	return v
}

func TestOrderOfSteadyOperatorsInTwoDimensions(t *testing.T) {
	mild := formula(expr.Add(num(1), expr.Mul(num(0.5), expr.Mul(ex, expr.Sin(expr.Mul(num(2*math.Pi), ey))))))
	second := []string{"dirichlet|dirichlet|dirichlet|dirichlet", "dirichlet|neumann|robin|dirichlet", "neumann|robin|neumann|neumann", "robin|dirichlet|periodic|periodic"}
	fourth := []string{"dirichlet neumann|dirichlet neumann|dirichlet neumann|dirichlet neumann", "dirichlet second|dirichlet second|dirichlet second|dirichlet second", "dirichlet neumann|dirichlet second|periodic|periodic"}
	for _, c := range []struct {
		name  string
		sides []string
		build func(u *pde.Operator) *pde.Operator
	}{
		{"-Δu + u", second[:3], func(u *pde.Operator) *pde.Operator { return u.Laplacian().Neg().Plus(u) }},
		{"-∇·(k∇u) + u", second, func(u *pde.Operator) *pde.Operator {
			g := u.Grad()
			return pde.Div(g[0].Times(mild), g[1].Times(mild)).Neg().Plus(u)
		}},
		{"-∇·(k∇u + (k, -k)u) + u_x + ku", second[1:3], func(u *pde.Operator) *pde.Operator {
			g := u.Grad()
			return pde.Div(g[0].Plus(u).Times(mild), g[1].Minus(u).Times(mild)).Neg().Plus(u.D("x", 1), u.Times(mild))
		}},
		{"-u_xx + u_xy - 2u_yy + ku", second[:1], func(u *pde.Operator) *pde.Operator {
			return u.D("x", 2).Plus(u.D("y", 2).Scale(2)).Neg().Plus(u.D("x", 1).D("y", 1), u.Times(mild))
		}},
		{"-(ku_x)_x - ku_yy + u", second[1:2], func(u *pde.Operator) *pde.Operator {
			return u.D("x", 1).Times(mild).D("x", 1).Plus(u.D("y", 2).Times(mild)).Neg().Plus(u)
		}},
		{"Δ²u + u", fourth, func(u *pde.Operator) *pde.Operator { return u.Laplacian().Laplacian().Plus(u) }},
	} {
		for _, sides := range c.sides {
			kinds := strings.Split(sides, "|")
			for _, order := range []int{2, 4} {
				checkOrder(t, fmt.Sprintf("%s, %s, order %d", c.name, sides, order), float64(order), [2]int{11, 21}, plaids()[:order/2], func(n int, v *expr.Node) pde.Definition {
					y := axis(0, 1, 6*(n-1)/5+1, "y")
					if kinds[2] == "periodic" {
						y = mesh.Must(mesh.Periodic(0, 1, n-1, "y"))
					}
					m, err := mesh.Product(interval(n), y)
					if err != nil {
						t.Fatal(err)
					}
					return pde.Definition{
						Mesh: m, Operator: c.build(pde.Unknown(m, mesh.Mesh{})), Order: order,
						Boundary: map[string]pde.Side{
							"x-": side(kinds[0], v, 0, -1), "x+": side(kinds[1], v, 0, 1),
							"y-": side(kinds[2], v, 1, -1), "y+": side(kinds[3], v, 1, 1),
						},
					}
				})
			}
		}
	}
}
