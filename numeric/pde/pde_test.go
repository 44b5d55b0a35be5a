package pde_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/pde"
	"github.com/greenbench/workbench/numeric/randfield"
)

var ctx = context.Background()

func interval(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "x")) }

// The stored pairs were made by the paper's generators; solving for the stored
// inputs gives the stored outputs.
func TestStoredOutputsAreReproduced(t *testing.T) {
	for name, p := range map[string]pde.Problem{
		"poisson":   pde.Poisson{Mesh: interval(100), Left: -0.1, Right: 0.1},
		"helmholtz": pde.Helmholtz{Mesh: interval(100), Omega: 20, Left: -0.1, Right: 0.1},
	} {
		all, err := array.LoadAll("../../scripts/data/" + name + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		f, err := all["f"].Matrix()
		if err != nil {
			t.Fatal(err)
		}
		u, err := pde.Solve(ctx, p, f)
		if err != nil {
			t.Fatal(err)
		}
		want := all["u"].Data
		if e := floats.Distance(u.RawMatrix().Data, want, math.Inf(1)); e > 1e-10 {
			t.Errorf("%s: outputs differ by %.2g", name, e)
		}
	}
}

// problems with a mesh of n points, for convergence.
func withMesh(e pde.Entry, n int) pde.Problem {
	switch p := e.Example.(type) {
	case pde.Poisson:
		p.Mesh = interval(n)
		return p
	case pde.Helmholtz:
		p.Mesh = interval(n)
		return p
	}
	panic("no mesh is known for " + e.Name)
}

// The contract of the catalog: outputs converge at the stated order to
// β(y) + ∫ G(x,y) f(x) dx in closed form, the integral taken by Gauss points on
// both sides of the kink; and the output is an affine function of the input.
func TestCatalogConvergesToTheKnownAnswer(t *testing.T) {
	input := func(x float64) float64 { return math.Exp(x) * math.Cos(3*x) }
	for _, e := range pde.Catalog() {
		var errs, hs []float64
		for _, n := range []int{41, 81, 161, 321} {
			p := withMesh(e, n)
			k, ok := p.(pde.Known)
			if !ok {
				t.Fatalf("%s: the test of a problem without a closed form must be written", e.Name)
			}
			f := mat.NewDense(1, n, nil)
			for j, x := range p.InputMesh().Points() {
				f.Set(0, j, input(x))
			}
			u, err := pde.Solve(ctx, p, f)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for j, y := range p.OutputMesh().Points() {
				want := k.BiasAt([]float64{y}) + integrate(0, y, k, y, input) + integrate(y, 1, k, y, input)
				worst = max(worst, math.Abs(u.At(0, j)-want))
			}
			errs, hs = append(errs, worst), append(hs, 1/float64(n-1))
		}
		for i := 1; i < len(errs); i++ {
			order := math.Log(errs[i-1]/errs[i]) / math.Log(hs[i-1]/hs[i])
			if math.Abs(order-e.Order) > 0.15 {
				t.Errorf("%s: errors %.2g fall at order %.2f between spacings %.3g and %.3g, stated %g", e.Name, errs, order, hs[i-1], hs[i], e.Order)
			}
		}
	}
}

func integrate(a, b float64, p pde.Known, y float64, f func(float64) float64) float64 {
	if b <= a {
		return 0
	}
	ax, err := mesh.Gauss(a, b, 40, "x")
	if err != nil {
		return 0
	}
	s := 0.0
	for i, x := range ax.Coordinates {
		s += ax.Weights[i] * p.GreenAt([]float64{x}, []float64{y}) * f(x)
	}
	return s
}

func TestOutputsAreAffineInInputs(t *testing.T) {
	for _, e := range pde.Catalog() {
		m := e.Example.InputMesh().Size()
		f := mat.NewDense(4, m, nil)
		r, err := randfield.Normal(1, 2, m)
		if err != nil {
			t.Fatal(err)
		}
		copy(f.RawMatrix().Data, r.Data)
		for j := range m {
			f.Set(2, j, 2*f.At(0, j)-3*f.At(1, j))
		}
		u, err := pde.Solve(ctx, e.Example, f)
		if err != nil {
			t.Fatal(err)
		}
		for k := range e.Example.OutputMesh().Size() {
			b := u.At(3, k)
			if d := (u.At(2, k) - b) - 2*(u.At(0, k)-b) + 3*(u.At(1, k)-b); math.Abs(d) > 1e-9 {
				t.Errorf("%s: superposition fails by %.2g", e.Name, d)
			}
		}
	}
}

// columns hides the closed form of a problem.
type columns struct{ pde.Problem }

// Column by column, the Green's function of the discrete problem is close to the
// closed form, and the outputs are its integrals to rounding.
func TestGreenByColumns(t *testing.T) {
	for _, e := range pde.Catalog() {
		p := e.Example
		g, err := pde.Green(ctx, columns{p}, mesh.Mesh{}, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		var d mat.Dense
		d.Sub(g, want)
		if r := mat.Norm(&d, 2) / mat.Norm(want, 2); r > 0.2 { // ω h = 0.5: the differences are coarse for Helmholtz
			t.Errorf("%s: columns differ from the closed form by %.2g", e.Name, r)
		}
		b, err := pde.Bias(ctx, columns{p}, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		f := mat.NewDense(1, p.InputMesh().Size(), nil)
		f.Apply(func(_, j int, _ float64) float64 { return math.Sin(float64(j)) }, f)
		u, err := pde.Solve(ctx, p, f)
		if err != nil {
			t.Fatal(err)
		}
		for k := range b {
			sum := b[k]
			for j, w := range p.InputMesh().Weights() {
				sum += w * g.At(j, k) * f.At(0, j)
			}
			if math.Abs(sum-u.At(0, k)) > 1e-9 {
				t.Errorf("%s: ∫ G f + β = %.12g, u = %.12g", e.Name, sum, u.At(0, k))
			}
		}
	}
}

func TestBadInputIsRefusedByName(t *testing.T) {
	plane, _ := mesh.Product(interval(5), mesh.Must(mesh.Uniform(0, 1, 5, "y")))
	zeros := func(n int) *mat.Dense { return mat.NewDense(1, n, nil) }
	nan := zeros(5)
	nan.Set(0, 2, math.NaN())
	solve := func(p pde.Problem, f *mat.Dense) error { _, err := pde.Solve(ctx, p, f); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{solve(pde.Poisson{}, zeros(1)), "mesh: missing"},
		{solve(pde.Poisson{Mesh: plane}, zeros(25)), "mesh: has 2 coordinates"},
		{solve(pde.Poisson{Mesh: mesh.Must(mesh.Gauss(0, 1, 5, ""))}, zeros(5)), "must be uniform"},
		{solve(pde.Poisson{Mesh: interval(2)}, zeros(2)), "mesh: has 2 points, must be at least 3"},
		{solve(pde.Poisson{Mesh: interval(5)}, zeros(4)), "f: has 4 values per input, must be 5"},
		{solve(pde.Poisson{Mesh: interval(5)}, nan), "f[1][3] is NaN"},
		{solve(pde.Helmholtz{Mesh: interval(5)}, zeros(5)), "omega 0: must be > 0"},
		{solve(pde.Helmholtz{Mesh: interval(5), Omega: 2 * math.Pi}, zeros(5)), "an eigenvalue of the interval"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

func ExampleSolve() {
	p := pde.Poisson{Mesh: interval(5), Left: 0, Right: 1}
	u, err := pde.Solve(ctx, p, mat.NewDense(1, 5, []float64{2, 2, 2, 2, 2})) // u = x(1 - x) + x
	fmt.Printf("%.4f %v\n", u.RawRowView(0), err)
	// Output:
	// [0.0000 0.4375 0.7500 0.9375 1.0000] <nil>
}

func ExampleSample() {
	d, err := pde.Sample(ctx, pde.Helmholtz{Mesh: interval(50), Omega: 20}, 30, randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Seed: 1})
	fmt.Println(d.Input.Shape, d.Output.Shape, err)
	// Output:
	// [30 50] [30 50] <nil>
}
