package pde

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The matrix of a self-adjoint problem is symmetric bit for bit, whatever the conditions
// at its ends and however its coefficient varies, and is factored by Cholesky: an entry
// that differs in its last place costs twice the time and, at natural ends, where a cell is
// half as long, a wrong weight would be a wrong problem.
func TestSelfAdjointProblemsHaveSymmetricMatrices(t *testing.T) {
	conditions := map[string]Side{
		"value": {Dirichlet: Constant(1)},
		"slope": {Neumann: Constant(1)},
		"robin": {Robin: &Robin{A: Constant(3), B: Constant(0.7)}},
		"wall":  {Reflecting: true},
	}
	line, plane := uniform(-0.3, 0.4, 9, "x"), product(uniform(0, 0.7, 6, "x"), uniform(-1, 2.3, 7, "y"))
	for left, a := range conditions {
		for right, b := range conditions {
			sides := map[string]Side{"x-": a, "x+": b, "y-": b, "y+": a}
			checkSymmetric(t, "plane "+left+" "+right, plane, diffusion(plane), sides)
			delete(sides, "y-")
			delete(sides, "y+")
			checkSymmetric(t, left+" "+right, line, diffusion(line), sides)
		}
	}
	circle := mesh.Must(mesh.Periodic(0, 1, 8, "x"))
	checkSymmetric(t, "circle", circle, diffusion(circle), map[string]Side{"x-": {Periodic: true}, "x+": {Periodic: true}})
	zero, hinged := Side{Dirichlet: Constant(0)}, Side{Dirichlet: Constant(0), Second: Constant(0)}
	laplace := Unknown(plane, mesh.Mesh{}).Laplacian()
	checkSymmetric(t, "Laplace", plane, laplace.Neg(), map[string]Side{"x-": zero, "x+": zero, "y-": zero, "y+": zero})
	checkSymmetric(t, "plate", plane, laplace.Laplacian(), map[string]Side{"x-": hinged, "x+": hinged, "y-": hinged, "y+": hinged})
}

// diffusion is -div(k grad u) + u with k = 1 + x² + …, a positive operator.
func diffusion(m mesh.Mesh) *Operator {
	u := Unknown(m, mesh.Mesh{})
	k := expr.Const(1)
	for _, x := range u.Coordinates() {
		k = expr.Add(k, expr.Mul(x, x))
	}
	o := u
	for _, axis := range u.Names() {
		o = o.Minus(u.D(axis, 1).Times(Formula{k}).D(axis, 1))
	}
	return o
}

func checkSymmetric(t *testing.T, name string, m mesh.Mesh, operator *Operator, sides map[string]Side) {
	t.Helper()
	p, err := Define(context.Background(), Definition{Mesh: m, Operator: operator, Boundary: sides})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	inside := p.solver.inside
	n, _ := inside.Dims()
	if inside.Symmetric() && p.solver.factors.Method == "band cholesky" {
		return
	}
	what := ""
	for i := range n {
		for j := range i {
			if inside.At(i, j) != inside.At(j, i) && what == "" {
				what = fmt.Sprintf(": entries (%d, %d) are %g and %g", i, j, inside.At(i, j), inside.At(j, i))
			}
		}
	}
	t.Errorf("%s: factored by %s%s", name, p.solver.factors.Method, what)
}

// The mean over the cell of a point, which at an end of a line is half as long, is exact for polynomials of degree below the order.
func TestMeansOverCells(t *testing.T) {
	const n, h = 9, 0.5
	for _, order := range []int{2, 4, 6} {
		l := &line{weights: stencils{}, n: n, h: h, order: order}
		for degree := range order {
			integral := func(x float64) float64 { return math.Pow(x, float64(degree+1)) / float64(degree+1) }
			for i := range n {
				got := 0.0
				for _, p := range l.mean(i).nodes {
					got += p.weight * math.Pow(h*float64(p.index), float64(degree))
				}
				from, to := h*max(0, float64(i)-.5), h*min(n-1, float64(i)+.5)
				if want := (integral(to) - integral(from)) / (to - from); !(math.Abs(got-want) <= 1e-11*(1+want)) {
					t.Errorf("order %d, x^%d at point %d: %g, want %g", order, degree, i, got, want)
				}
			}
		}
	}
}

// Waves that points on a circle can tell from one another are interpolated exactly, but for their mean, which is kept apart.
func TestInterpolationOnACircle(t *testing.T) {
	for _, coarse := range []int{7, 8, 9} {
		c := circle{coarse: coarse, fine: 4 * coarse}
		value, _ := c.interpolant()
		for k := 1; 2*k < coarse; k++ {
			for _, phase := range []float64{0, 1} {
				wave := func(i, n int) float64 { return math.Cos(2*math.Pi*float64(k*i)/float64(n) - phase) }
				for i := range c.fine {
					got := 0.0
					for j := range coarse {
						got += value.At(j, i) * wave(j, coarse)
					}
					if want := wave(i, c.fine); !(math.Abs(got-want) <= 1e-13) {
						t.Errorf("%d points, wave %d: %g at %d, want %g", coarse, k, got, i, want)
					}
				}
			}
		}
	}
}

// Inputs are taken in batches, one after the other and each once; the first that fails is the last that is taken.
func TestBatches(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "[0 1]", 192: "[0 192]", 500: "[0 192][192 384][384 500]"} {
		got := ""
		if err := batches(n, 1<<25, func(lo, hi int) error {
			got += fmt.Sprint([]int{lo, hi})
			return nil
		}); err != nil || got != want {
			t.Errorf("%d inputs: %s, %v; want %s", n, got, err, want)
		}
	}
	taken, failed := 0, errors.New("failed")
	if err := batches(500, 1<<25, func(lo, _ int) error {
		if taken++; lo > 0 {
			return failed
		}
		return nil
	}); !errors.Is(err, failed) || taken != 2 {
		t.Errorf("%d batches, %v", taken, err)
	}
}

// Rows that fix an unknown, wherever they are, are taken out: what is found solves all equations.
// Two rows that fix the same unknown are a singular matrix, whichever rows they are.
func TestEliminationOfGivenUnknowns(t *testing.T) {
	const n = 7
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 40 {
		of := rng.Perm(n) // the unknown that a row is about
		fixing := trial % (n + 1)
		var entries []linop.Entry
		for i, j := range of {
			entries = append(entries, linop.Entry{Row: i, Col: j, Value: 3 + rng.Float64()})
			for k := range n {
				if i >= fixing && k != j && rng.IntN(3) == 0 {
					entries = append(entries, linop.Entry{Row: i, Col: k, Value: rng.Float64()})
				}
			}
		}
		a := linop.NewSparse(n, n, entries)
		x, right := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
		right.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, right)
		x.Copy(right)
		e, err := (&grid{}).eliminate(ctx, a)
		if err == nil {
			err = e.solve(ctx, x)
		}
		if err != nil {
			t.Fatal(err)
		}
		a.AddMul(right, -1, x)
		if left := mat.Norm(right, math.Inf(1)); !(left < 1e-12) {
			t.Errorf("%d rows fix an unknown: the residual is %.2g", fixing, left)
		}
		first, second := rng.IntN(n), rng.IntN(n-1)
		if second >= first {
			second++
		}
		entries = nil
		for i, j := range of {
			if i == second {
				j = of[first]
			}
			entries = append(entries, linop.Entry{Row: i, Col: j, Value: 1})
		}
		if _, err := (&grid{}).eliminate(ctx, linop.NewSparse(n, n, entries)); !errors.Is(err, solve.ErrSingular) {
			t.Errorf("rows %d and %d fix the same unknown: error %v", first, second, err)
		}
	}
}

// What grows with u, and is of u alone, leaves one solution; what falls somewhere, or is of a derivative, is not known to.
func TestWhatGrowsWithU(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 9, "x"))
	u := Unknown(m, mesh.Mesh{})
	zero := Side{Dirichlet: Constant(0)}
	of := func(f func(*expr.Node) *expr.Node) *Operator {
		return Combine(func(v []*expr.Node) *expr.Node { return f(v[0]) }, u)
	}
	for name, c := range map[string]struct {
		rest *Operator
		want bool
	}{
		"u³": {u.Power(3), true}, "eᵘ": {of(expr.Exp), true}, "atan u + u³": {of(expr.Atan).Plus(u.Power(3)), true},
		"-u³": {u.Power(3).Neg(), false}, "u²": {u.Power(2), false}, "sin u": {of(expr.Sin), false}, "u³ - 2u²": {u.Power(3).Minus(u.Power(2).Scale(2)), false},
		"u u′": {u.TimesOperator(u.D("x", 1)), false}, "(u′)³": {u.D("x", 1).Power(3), false},
	} {
		p, err := Define(context.Background(), Definition{Mesh: m, Operator: u.D("x", 2).Neg().Plus(c.rest), Boundary: map[string]Side{"x-": zero, "x+": zero}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := p.curved.increasing(p.Operator); got != c.want {
			t.Errorf("%s grows with u: %t", name, got)
		}
	}
}

// A search for a solution begins at that of the linear part: of -u″ + u³ = 2 that of -u″ = 2, a parabola; and at none where that
// is no number.
func TestSearchesBeginAtTheLinearSolution(t *testing.T) {
	line := uniform(0, 1, 11, "x")
	u, zero := Unknown(line, mesh.Mesh{}), Side{Dirichlet: Constant(0)}
	p, err := Define(t.Context(), Definition{Mesh: line, Operator: u.D("x", 2).Neg().Plus(u.Power(3)), Boundary: map[string]Side{"x-": zero, "x+": zero}})
	if err != nil {
		t.Fatal(err)
	}
	right := make([]float64, 11)
	for i := range 9 {
		right[1+i] = 2
	}
	got, err := p.linearStart(t.Context(), &equation{right: right})
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	for i, x := range line.Points() {
		if want := x * (1 - x); !(math.Abs(got[i]-want) <= 1e-12) {
			t.Errorf("at %g it begins at %g, want %g", x, got[i], want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		right[3] = v
		if got, err := p.linearStart(t.Context(), &equation{right: right}); err != nil || got != nil {
			t.Errorf("with %g on the right it begins at %v, %v", v, got, err)
		}
	}
}
