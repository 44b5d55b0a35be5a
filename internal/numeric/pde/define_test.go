package pde_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

func fixed(v float64) pde.Side { return pde.Side{Dirichlet: pde.Constant(v)} }

func slope(v float64) pde.Side { return pde.Side{Neumann: pde.Constant(v)} }

// both puts the same conditions at both ends of x.
func both(s pde.Side) map[string]pde.Side { return map[string]pde.Side{"x-": s, "x+": s} }

func TestBadDefinitionsAreRefusedByName(t *testing.T) {
	m := interval(21)
	u := pde.Unknown(m, mesh.Mesh{})
	base := func(change func(d *pde.Definition)) error {
		d := pde.Definition{Name: "mine", Mesh: m, Operator: u.D("x", 2).Neg().Plus(u), Boundary: both(fixed(0))}
		change(&d)
		_, err := pde.Define(ctx, d)
		return err
	}
	time := axis(0, 1, 5, "t")
	inTime := func(change func(d *pde.Definition)) error {
		v := pde.Unknown(m, time)
		d := pde.Definition{Name: "mine", Mesh: m, Time: time, Operator: v.D("t", 1).Minus(v.D("x", 2)), Boundary: both(fixed(0))}
		change(&d)
		_, err := pde.Define(ctx, d)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{base(func(d *pde.Definition) { d.Mesh = mesh.Mesh{} }), "mine: mesh: missing"},
		{base(func(d *pde.Definition) { d.Mesh = mesh.Must(mesh.Gauss(0, 1, 9, "x")) }), "must be uniform or periodic"},
		{base(func(d *pde.Definition) { d.Operator = nil }), "operator: missing"},
		{base(func(d *pde.Definition) { d.Operator = u.Minus(u) }), "operator: is zero"},
		{base(func(d *pde.Definition) { d.Operator = pde.Unknown(m, time).D("x", 2) }), "operator: is in x, t, the problem in x"},
		{base(func(d *pde.Definition) { d.Order = 3 }), "order 3: must be 2 or 4"},
		{base(func(d *pde.Definition) { d.Scheme = "euler" }), `scheme "euler": must be one of "backward_euler", "crank_nicolson", "exponential"`},
		{base(func(d *pde.Definition) { d.Input = "noise" }), `input "noise": must be one of`},
		{base(func(d *pde.Definition) { d.Input = pde.InputInitial }), `input "initial": the problem has no time`},
		{base(func(d *pde.Definition) { d.Input = pde.InputBoundary }), `input "boundary": no side says so`},
		{base(func(d *pde.Definition) { d.Initial = pde.Constant(1) }), "initial: the problem has no time"},
		{base(func(d *pde.Definition) { d.Source = formula(expr.Div(num(1), ex)) }), "source: 1/x: is +Inf at x = 0: must be finite"},
		{base(func(d *pde.Definition) { d.Boundary = map[string]pde.Side{"left": fixed(0)} }), `boundary: side "left": must be one of "x-", "x+"`},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Periodic: true}) }), `"x-": periodic: the mesh must be periodic in x too`},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Dirichlet: pde.InputValue{}}) }), `"x+": its value is the input, so input must be "boundary"`},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Robin: &pde.Robin{A: pde.Constant(1)}}) }), "robin: needs a and b"},
		{base(func(d *pde.Definition) {
			d.Boundary = both(pde.Side{Robin: &pde.Robin{A: pde.Constant(1), B: pde.Constant(0)}})
		}), "robin: b 0: must not be zero"},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Reflecting: true}) }), "reflecting: the operator has no flux with a derivative in x"},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Reflecting: true, Neumann: pde.Constant(0)}) }), "periodic and reflecting stand alone"},
		{base(func(d *pde.Definition) { d.Boundary = both(pde.Side{Second: pde.Constant(0)}) }), `"x-": second: a condition on the derivative of order 2 needs an operator of higher order`},
		{base(func(d *pde.Definition) {
			d.Mesh = interval(20001)
			v := pde.Unknown(d.Mesh, mesh.Mesh{})
			d.Operator = v.D("x", 4)
			d.Boundary = both(pde.Side{Dirichlet: pde.Constant(0), Neumann: pde.Constant(0)})
		}), "with 20001 points in x rounding leaves no digit of derivatives of order 4"},
		{base(func(d *pde.Definition) { d.Mesh = interval(5); d.Order = 4 }), "mesh: has 5 points in x, must be at least 6"},
		{base(func(d *pde.Definition) { d.Boundary["x-"] = pde.Side{Dirichlet: formula(expr.Log(ex))} }), `boundary: "x-": dirichlet: log(x): is -Inf at x = 0`},
		{inTime(func(d *pde.Definition) { d.Operator = pde.Unknown(m, time).D("x", 2) }), `operator: has no derivative in t; add the first derivative in t`},
		{inTime(func(d *pde.Definition) { d.Operator = d.Operator.Plus(pde.Unknown(m, time).D("x", 1).D("t", 1)) }), "a derivative in both space and time"},
		{inTime(func(d *pde.Definition) { d.Velocity = pde.Constant(1) }), "velocity: the operator is of first order in t"},
		{inTime(func(d *pde.Definition) { d.Input = pde.InputInitial; d.Initial = pde.Constant(1) }), "initial: is the input"},
		{inTime(func(d *pde.Definition) {
			d.Operator = d.Operator.Plus(pde.Unknown(m, time).Times(formula(et)))
			d.Scheme = pde.Exponential
		}), `scheme "exponential": the coefficients of the operator must not depend on t`},
		{inTime(func(d *pde.Definition) { d.Time = axis(0, 1, 5, "x") }), "operator: is in x, t, the problem in x, x"},
		{inTime(func(d *pde.Definition) {
			d.Mesh = interval(2100)
			d.Scheme = pde.Exponential
		}), "has 2098 unknowns, and a dense matrix for at most 2000"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// The input is what it is said to be: the same problem with its values given
// instead has the same solution.
func TestKindsOfInput(t *testing.T) {
	m, time := interval(21), axis(0, 1, 11, "t")
	u, ut := pde.Unknown(m, mesh.Mesh{}), pde.Unknown(m, time)
	absorbing, heat := u.D("x", 2).Neg().Plus(u), ut.D("t", 1).Minus(ut.D("x", 2))
	input := pde.Side{Dirichlet: pde.InputValue{}}
	rising := formula(expr.Sin(expr.Mul(num(2), et)))
	hill := formula(expr.Sin(expr.Mul(num(math.Pi), ex)))
	grid := square(9)
	lap := pde.Unknown(grid, mesh.Mesh{}).Laplacian().Neg()
	edge := formula(expr.Mul(ey, ey))
	ug := pde.Unknown(grid, time)
	flow := ug.D("t", 1).Minus(ug.Laplacian())
	later := pde.Side{Dirichlet: formula(expr.Sin(expr.Mul(num(2), expr.Var(2, "t"))))}
	four := func(s pde.Side) map[string]pde.Side {
		return map[string]pde.Side{"x-": fixed(0), "x+": s, "y-": fixed(0), "y+": slope(0)}
	}
	for name, c := range map[string]struct {
		asInput, given pde.Definition
		names          []string // of the input's coordinates
		input          func(x []float64) float64
	}{
		"both ends": {
			pde.Definition{Mesh: m, Operator: absorbing, Input: pde.InputBoundary, Boundary: both(input)},
			pde.Definition{Mesh: m, Operator: absorbing, Boundary: map[string]pde.Side{"x-": fixed(2), "x+": fixed(5)}},
			[]string{"x"},
			func(x []float64) float64 { return 2 + 3*x[0] },
		},
		"slope at an end": {
			pde.Definition{Mesh: m, Operator: absorbing, Input: pde.InputBoundary, Boundary: map[string]pde.Side{"x-": fixed(1), "x+": {Neumann: pde.InputValue{}}}},
			pde.Definition{Mesh: m, Operator: absorbing, Boundary: map[string]pde.Side{"x-": fixed(1), "x+": slope(-3)}},
			[]string{"x"},
			func([]float64) float64 { return -3 },
		},
		"an end in time": {
			pde.Definition{Mesh: m, Time: time, Operator: heat, Input: pde.InputBoundary, Boundary: map[string]pde.Side{"x-": input, "x+": slope(0)}},
			pde.Definition{Mesh: m, Time: time, Operator: heat, Boundary: map[string]pde.Side{"x-": {Dirichlet: rising}, "x+": slope(0)}},
			[]string{"t"},
			func(x []float64) float64 { return math.Sin(2 * x[0]) },
		},
		"both ends in time": {
			pde.Definition{Mesh: m, Time: time, Operator: heat, Input: pde.InputBoundary, Scheme: pde.Exponential, Boundary: both(input)},
			pde.Definition{Mesh: m, Time: time, Operator: heat, Scheme: pde.Exponential, Boundary: both(pde.Side{Dirichlet: rising})},
			[]string{"x", "t"},
			func(x []float64) float64 { return math.Sin(2 * x[1]) },
		},
		"start": {
			pde.Definition{Mesh: m, Time: time, Operator: heat, Input: pde.InputInitial, Source: rising, Boundary: both(fixed(0))},
			pde.Definition{Mesh: m, Time: time, Operator: heat, Initial: hill, Source: rising, Boundary: both(fixed(0))},
			[]string{"x"},
			func(x []float64) float64 { return math.Sin(math.Pi * x[0]) },
		},
		"all around a square in time": {
			pde.Definition{Mesh: grid, Time: time, Operator: flow, Input: pde.InputBoundary, Boundary: map[string]pde.Side{"x-": input, "x+": input, "y-": input, "y+": input}},
			pde.Definition{Mesh: grid, Time: time, Operator: flow, Boundary: map[string]pde.Side{"x-": later, "x+": later, "y-": later, "y+": later}},
			[]string{"s", "t"},
			func(x []float64) float64 { return math.Sin(2 * x[1]) },
		},
		"forcing": {
			pde.Definition{Mesh: m, Operator: absorbing, Boundary: both(fixed(1))},
			pde.Definition{Mesh: m, Operator: absorbing, Source: hill, Boundary: both(fixed(1))},
			[]string{"x"},
			func(x []float64) float64 { return math.Sin(math.Pi * x[0]) },
		},
		"a side of a square": {
			pde.Definition{Mesh: grid, Operator: lap, Input: pde.InputBoundary, Boundary: four(input)},
			pde.Definition{Mesh: grid, Operator: lap, Boundary: four(pde.Side{Dirichlet: edge})},
			[]string{"y"},
			func(x []float64) float64 { return x[0] * x[0] },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var outputs [2]*mat.Dense
			for k, d := range []pde.Definition{c.asInput, c.given} {
				p, err := pde.Define(ctx, d)
				if err != nil {
					t.Fatal(err)
				}
				f := mat.NewDense(1, pde.InputMesh(p).Size(), nil)
				if k == 0 {
					if fmt.Sprint(pde.InputMesh(p).Names()) != fmt.Sprint(c.names) {
						t.Errorf("input is a function of %v, want %v", pde.InputMesh(p).Names(), c.names)
					}
					if d.Input == pde.InputBoundary && d.Mesh.Dim() == 1 && c.names[0] == "x" && len(c.names) == 1 { // numbers at ends
						for _, w := range pde.InputMesh(p).Weights() {
							if w != 1 {
								t.Errorf("a number of the input has weight %g", w)
							}
						}
					}
					f = sample(pde.InputMesh(p), c.input)
				}
				if outputs[k], err = pde.Solve(ctx, p, f); err != nil {
					t.Fatal(err)
				}
			}
			if !mat.EqualApprox(outputs[0], outputs[1], 1e-12) {
				t.Error("outputs differ")
			}
		})
	}
}

// What flows out of one cell flows into the next: between walls the total stays,
// whatever the coefficients. The total is that of the means over cells, which with
// differences of order 4 reach over the neighbours.
func TestFluxesConserve(t *testing.T) {
	const n = 24
	m, time := interval(n), axis(0, 2, 9, "t")
	u := pde.Unknown(m, time)
	jump := formula(expr.Where(expr.LT(ex, num(0.4)), num(0.2), num(3)))
	o := u.D("t", 1).Minus(pde.Div(u.D("x", 1).Times(jump).Plus(u.Times(formula(expr.Sin(expr.Mul(num(9), ex)))))))
	for _, order := range []int{2, 4} {
		for _, scheme := range []string{pde.BackwardEuler, pde.CrankNicolson, pde.Exponential} {
			p, err := pde.Define(ctx, pde.Definition{Mesh: m, Time: time, Operator: o, Input: pde.InputInitial, Scheme: scheme, Order: order, Boundary: both(pde.Side{Reflecting: true})})
			if err != nil {
				t.Fatal(err)
			}
			out, err := pde.Solve(ctx, p, sample(m, func(x []float64) float64 { return math.Exp(-20 * (x[0] - 0.3) * (x[0] - 0.3)) }))
			if err != nil {
				t.Fatal(err)
			}
			weight := append([]float64(nil), m.Weights()...)
			if order == 4 {
				mean := func(i int) ([]float64, int) { return []float64{1. / 24, 22. / 24, 1. / 24}, i - 1 }
				end := []float64{119. / 192, 107. / 192, -43. / 192, 9. / 192} // cubic through four points, over half a cell
				clear(weight)
				for i := range n {
					w, at := mean(i)
					if i == 0 || i == n-1 {
						w, at = end, 0
					}
					for k, v := range w {
						j := at + k
						if i == n-1 {
							j = n - 1 - k
						}
						weight[j] += v * m.Weights()[i]
					}
				}
			}
			first := 0.0
			for k := range time.Size() {
				sum := 0.0
				for i := range n {
					sum += weight[i] * out.At(0, i*time.Size()+k)
				}
				if k == 0 {
					first = sum
				}
				if !(math.Abs(sum-first) <= 1e-12) {
					t.Errorf("order %d, %s: total %.15g at time %d, %.15g at the first", order, scheme, sum, k, first)
				}
			}
		}
	}
}

// A jump in the conductivity at a point of the mesh: the solution without sources is
// linear on both sides with the same flux, and found exactly.
func TestJumpInTheConductivity(t *testing.T) {
	m := interval(21)
	k := formula(expr.Where(expr.LT(ex, num(0.5)), num(1), num(10)))
	u := pde.Unknown(m, mesh.Mesh{})
	p, err := pde.Define(ctx, pde.Definition{Mesh: m, Operator: pde.Div(u.D("x", 1).Times(k)).Neg(), Boundary: map[string]pde.Side{"x-": fixed(0), "x+": fixed(1)}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := pde.Solve(ctx, p, mat.NewDense(1, 21, nil))
	if err != nil {
		t.Fatal(err)
	}
	flux := 1 / (0.5/1 + 0.5/10)
	for i, x := range m.Points() {
		want := flux * (min(x, 0.5) + max(0, x-0.5)/10)
		if !(math.Abs(out.At(0, i)-want) <= 1e-12) {
			t.Errorf("u(%g) = %.15g, want %.15g", x, out.At(0, i), want)
		}
	}
}

// A Defined may be used from several goroutines, and solves without factoring anew.
func TestDefinedIsSafeForConcurrentUse(t *testing.T) {
	m, time := interval(31), axis(0, 1, 11, "t")
	u := pde.Unknown(m, time)
	p, err := pde.Define(ctx, pde.Definition{Mesh: m, Time: time, Operator: u.D("t", 1).Minus(u.D("x", 2)), Boundary: both(fixed(0))})
	if err != nil {
		t.Fatal(err)
	}
	f := sample(pde.InputMesh(p), func(x []float64) float64 { return math.Sin(5*x[0]) + x[1] })
	want, err := pde.Solve(ctx, p, f)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			got, err := pde.Solve(ctx, p, f)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("differs from a solution alone (%v)", err)
			}
		})
	}
	wait.Wait()
}

// A problem says its operator, with coordinates, u and derivatives of u where they are.
func TestTextOfWhatIsNonlinear(t *testing.T) {
	m := interval(5)
	u := pde.Unknown(m, mesh.Mesh{})
	x := u.Coordinates()[0]
	product := pde.Combine(func(parts []*expr.Node) *expr.Node {
		return expr.Mul(x, expr.Mul(expr.Exp(parts[0]), parts[1]))
	}, u, u.D("x", 1))
	p, err := pde.Define(ctx, pde.Definition{Name: "p", Mesh: m, Operator: u.D("x", 2).Neg().Plus(product), Boundary: map[string]pde.Side{"x-": fixed(1), "x+": fixed(1)}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(p), `p: -d(u, x, 2) + x*d(u, x, 1)*exp(u) = f`; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func ExampleDefine() {
	m := interval(5)
	u := pde.Unknown(m, mesh.Mesh{})
	p, err := pde.Define(ctx, pde.Definition{
		Name:     "airy",
		Mesh:     m,
		Operator: u.D("x", 2).Neg().Plus(u.Times(formula(ex))),
		Boundary: map[string]pde.Side{"x-": fixed(1), "x+": slope(0)},
	})
	fmt.Println(p, err)
	_, err = pde.Define(ctx, pde.Definition{Mesh: m, Operator: u.D("x", 2).TimesOperator(u)})
	fmt.Println(err)
	// Output:
	// airy: -d(u, x, 2) + x*u = f on uniform(0, 1, 5, "x") <nil>
	// pde: operator: d(u, x, 2)*u has no part that is linear in u: must have one, such as -u″
}
