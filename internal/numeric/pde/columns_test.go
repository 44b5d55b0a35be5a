package pde_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// columns hides the closed form of a problem.
type columns struct{ pde.Problem }

// Column by column, the Green's function of the discrete problem gives the outputs
// as its integrals, to rounding; where a closed form is known, it is close to it.
func TestGreenByColumns(t *testing.T) {
	for _, e := range pde.Catalog() {
		p := e.Example
		g, err := pde.Green(ctx, columns{p}, mesh.Mesh{}, mesh.Mesh{})
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		b, err := pde.Bias(ctx, columns{p}, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		f := mat.NewDense(1, pde.InputMesh(p).Size(), nil)
		f.Apply(func(_, j int, _ float64) float64 { return math.Sin(float64(j)) }, f)
		u, err := pde.Solve(ctx, p, f)
		if err != nil {
			t.Fatal(err)
		}
		for k := range b {
			sum := b[k]
			for j, w := range pde.InputMesh(p).Weights() {
				sum += w * g.At(j, k) * f.At(0, j)
			}
			if !(math.Abs(sum-u.At(0, k)) <= 1e-9) {
				t.Errorf("%s: ∫ G f + β = %.12g, u = %.12g", e.Name, sum, u.At(0, k))
			}
		}
		if _, ok := p.(pde.Known); ok {
			compareWithClosedForm(t, e, g)
		}
	}
}

// What backward Euler computes for the heat equation depends on t - s alone, to
// rounding: so the weights of its input mesh have it. With trapezoidal weights the
// forcing at the first and the last time would count twice as much as it does.
func TestBackwardEulerDependsOnTheLagAlone(t *testing.T) {
	p := pde.Heat{Mesh: mesh.Must(mesh.Uniform(0, 1, 6, "x")), Time: mesh.Must(mesh.Uniform(0, 1, 9, "t")), Alpha: 0.1}
	g, err := pde.Green(ctx, columns{p}, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	const x, y, times = 2, 3, 9
	at := func(s, t int) float64 { return g.At(x*times+s, y*times+t) }
	if !(at(1, 1) >= 0.1) {
		t.Fatalf("G at lag 0 is %g", at(1, 1))
	}
	for s := 1; s < times; s++ {
		for u := range times {
			want := 0.0
			if u >= s {
				want = at(1, 1+u-s)
			}
			if d := math.Abs(at(s, u) - want); !(d <= 1e-12) {
				t.Errorf("G from time %d to %d is %g, from 1 to %d %g", s, u, at(s, u), 1+u-s, want)
			}
		}
	}
}
