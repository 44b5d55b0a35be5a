package pde_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The walk around the boundary: a value put at one arc length appears at the point
// of the mesh that the documentation says, on a grid with different sides.
func TestSchrodingerWalksAroundTheBoundary(t *testing.T) {
	grid, err := mesh.Product(axis(0, 2, 9, "x"), axis(0, 1, 6, "y"))
	if err != nil {
		t.Fatal(err)
	}
	p := pde.Schrodinger{Mesh: grid, Potential: pde.Constant(0)}
	arc := pde.InputMesh(p)
	if arc.Size() != 2*(9+6)-3 || arc.Names()[0] != "s" || arc.Axes()[0].Upper[0] != 6 {
		t.Fatalf("input mesh %s", arc)
	}
	for _, c := range []struct{ s, x, y float64 }{{0.4, 0, 0.4}, {1, 0, 1}, {1.5, 0.5, 1}, {3, 2, 1}, {3.2, 2, 0.8}, {4, 2, 0}, {5, 1, 0}} {
		f := sample(arc, func(s []float64) float64 {
			if math.Abs(s[0]-c.s) < 1e-9 {
				return 1
			}
			return 0
		})
		u, err := pde.Solve(ctx, p, f)
		if err != nil {
			t.Fatal(err)
		}
		y, found := make([]float64, 2), false
		for k := range grid.Size() {
			grid.Point(y, k)
			onEdge := y[0] == 0 || y[0] == 2 || y[1] == 0 || y[1] == 1
			here := math.Abs(y[0]-c.x)+math.Abs(y[1]-c.y) < 1e-9
			if v := u.At(0, k); onEdge && v != 0 && !here || here && !(math.Abs(v-1) <= 1e-12) {
				t.Errorf("s = %g: u(%g, %g) = %g", c.s, y[0], y[1], v)
			}
			found = found || here
		}
		if !found {
			t.Errorf("s = %g: (%g, %g) is not on the mesh", c.s, c.x, c.y)
		}
	}
	// Both ends of the walk are the corner.
	f := mat.NewDense(1, arc.Size(), nil)
	f.Set(0, 0, 1)
	f.Set(0, arc.Size()-1, 3)
	u, err := pde.Solve(ctx, p, f)
	if err != nil || u.At(0, 0) != 2 {
		t.Errorf("corner %g, want 2 (%v)", u.At(0, 0), err)
	}
}

// Particles are neither made nor lost nor negative in number, and end up Boltzmann
// distributed whatever they started from: exp(-V/(D γ)).
func TestFokkerPlanckConservesAndRelaxes(t *testing.T) {
	p := pde.FokkerPlanck{Mesh: axis(-2, 2, 40, "x"), Time: axis(0, 200, 5, "t"), Potential: doubleWell(), Diffusivity: 0.5, Drag: 3}
	f := mat.NewDense(1, 40, nil)
	f.Set(0, 5, 1)
	u, err := pde.Solve(ctx, p, f)
	if err != nil {
		t.Fatal(err)
	}
	boltzmann := make([]float64, 40)
	for i, x := range p.Mesh.Points() {
		boltzmann[i] = math.Exp(-pde.At(p.Potential, []float64{x}) / 1.5)
	}
	floats.Scale(1/floats.Sum(boltzmann), boltzmann)
	for k := range 5 {
		total := 0.0
		for i := range 40 {
			v := u.At(0, i*5+k)
			total += v
			if !(v >= -1e-15) {
				t.Errorf("time %d: u = %g at point %d", k, v, i)
			}
			if k == 4 && !(math.Abs(v-boltzmann[i]) <= 1e-10) {
				t.Errorf("point %d: %g in the end, Boltzmann %g", i, v, boltzmann[i])
			}
		}
		if !(math.Abs(total-1) <= 1e-11) { // the exponential is a product of 2²² factors
			t.Errorf("time %d: %.15g particles", k, total)
		}
	}
}

// The two forms of the heat kernel agree where one takes over from the other, and
// ∫∫ G f is the answer mode by mode. The impulse at t = s is a square-root singularity
// in time after integrating over space; s = t - r² removes it.
func TestHeatGreenFunction(t *testing.T) {
	p := pde.Heat{Mesh: interval(5), Time: axis(0, 1, 5, "t"), Alpha: 0.1}
	g := func(x, y, lag float64) float64 { return pde.GreenAt(p, []float64{x, 0.2}, []float64{y, 0.2 + lag}) }
	for _, x := range []float64{0.1, 0.5, 0.9} {
		for _, y := range []float64{0.05, 0.5, 0.8} {
			if below, above := g(x, y, 1-1e-9), g(x, y, 1+1e-9); !(math.Abs(below-above) <= 1e-8) {
				t.Errorf("G(%g, %g) jumps from %.12g to %.12g", x, y, below, above)
			}
			if g(x, y, 0) != 0 || g(x, y, -0.1) != 0 {
				t.Errorf("G(%g, %g) is not zero before the impulse", x, y)
			}
			if a, b := g(x, y, 0.3), g(y, x, 0.3); !(math.Abs(a-b) <= 1e-14) {
				t.Errorf("G(%g, %g) = %g, exchanged %g", x, y, a, b)
			}
		}
	}
	input := contracts()["heat"].input
	gx, err := mesh.Gauss(0, 1, 200, "x")
	if err != nil {
		t.Fatal(err)
	}
	const y, at = 0.3, 0.7
	gr, err := mesh.Gauss(0.02, math.Sqrt(at), 60, "r") // the rest is below 1e-3 and added by its leading term
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.02 * 0.02 * input([]float64{y, at})
	for i, r := range gr.Coordinates {
		for j, x := range gx.Coordinates {
			sum += gr.Weights[i] * gx.Weights[j] * 2 * r * pde.GreenAt(p, []float64{x, at - r*r}, []float64{y, at}) * input([]float64{x, at - r*r})
		}
	}
	if want := warmed(nil, []float64{y, at}); !(math.Abs(sum-want) <= 1e-5) {
		t.Errorf("∫∫ G f = %.8g, want %.8g", sum, want)
	}
}

// In every regime of damping the outputs for a force that is linear in time are
// exact, here u″ + c u′ + ω² u = 2 + t against variation of constants; without a
// spring or damping they are polynomials.
func TestOscillatorIsExactForLinearForces(t *testing.T) {
	times, err := mesh.Trapezoid([]float64{0, 0.1, 0.15, 0.5, 1.2, 2}, "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ c, omega float64 }{{0.3, 5}, {0, 2}, {4, 2}, {4 + 1e-7, 2}, {9, 2}, {3, 0}, {0, 0}} {
		p := pde.Oscillator{Time: mesh.Must(times, nil), C: c.c, Omega: c.omega}
		u, err := pde.Solve(ctx, p, sample(pde.InputMesh(p), func(t []float64) float64 { return 2 + t[0] }))
		if err != nil {
			t.Fatal(err)
		}
		for k, at := range times.Coordinates {
			want := 0.0
			if at > 0 {
				g, err := mesh.Gauss(0, at, 60, "s")
				if err != nil {
					t.Fatal(err)
				}
				for i, s := range g.Coordinates {
					want += g.Weights[i] * pde.GreenAt(p, []float64{s}, []float64{at}) * (2 + s)
				}
			}
			if !(math.Abs(u.At(0, k)-want) <= 1e-12) {
				t.Errorf("c %g, omega %g: u(%g) = %.15g, want %.15g", c.c, c.omega, at, u.At(0, k), want)
			}
		}
		if c.c == 0 && c.omega == 0 {
			if want := 4 + 8.0/6; !(math.Abs(u.At(0, 5)-want) <= 1e-12) {
				t.Errorf("u(2) = %g, want t² + t³/6 = %g", u.At(0, 5), want)
			}
		}
	}
}

// The random inputs of the paper's appendix A, on the meshes its problems need.
func TestInputsOfThePaper(t *testing.T) {
	line := kernel.Lengthscale{0.1}
	for name, c := range map[string]struct {
		problem pde.Problem
		kernel  kernel.Kernel
	}{
		"periodic on the boundary of the square": {pde.Schrodinger{Mesh: square(20), Potential: pde.Constant(0)}, kernel.Periodic{Period: 4, Lengthscale: line}},
		"exponential in space and time":          {pde.Heat{Mesh: interval(20), Time: axis(0, 1, 20, "t"), Alpha: 0.1}, kernel.Exponential{Lengthscale: line}},
	} {
		d, err := pde.Sample(ctx, c.problem, 3, randfield.Field{Kernel: c.kernel, Seed: 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p, ok := c.problem.(pde.Schrodinger); ok {
			m := pde.InputMesh(p).Size()
			if a, b := d.Input.Data[0], d.Input.Data[m-1]; !(math.Abs(a-b) <= 1e-6) {
				t.Errorf("%s: the ends of the walk have %g and %g", name, a, b)
			}
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name    string
		problem pde.Problem
		samples int
	}{
		{"schrodinger/50²", pde.Schrodinger{Mesh: square(50), Potential: pde.Hexagon{Height: 1000, Radius: 0.25, X: 0.5, Y: 0.5}}, 500},
		{"schrodinger/300²", pde.Schrodinger{Mesh: square(300), Potential: pde.Hexagon{Height: 1000, Radius: 0.25, X: 0.5, Y: 0.5}}, 500},
		{"heat/150²", pde.Heat{Mesh: interval(150), Time: axis(0, 1, 150, "t"), Alpha: 0.1}, 500},
		{"fokker_planck/300²", pde.FokkerPlanck{Mesh: axis(-2, 2, 300, "x"), Time: axis(0, 1, 300, "t"), Potential: doubleWell(), Diffusivity: 0.05, Drag: 20}, 500},
	} {
		b.Run(fmt.Sprintf("%s×%d", c.name, c.samples), func(b *testing.B) {
			f := mat.NewDense(c.samples, pde.InputMesh(c.problem).Size(), nil)
			f.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(i * j)) }, f)
			for b.Loop() {
				if _, err := pde.Solve(ctx, c.problem, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
