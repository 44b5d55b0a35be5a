package gram_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A kernel is separable where it is one on the input times one on the output, on any meshes and in any unit.
func TestSeparable(t *testing.T) {
	line, graded := mesh.Must(mesh.Gauss(0, 1, 9, "x")), mesh.Must(mesh.Chebyshev(0, 1, 14, "y"))
	point := mesh.Must(gram.Point(), nil)
	matern := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.2}}
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x    mesh.Mesh
		want bool
	}{
		{"squared exponential", kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, line, true},
		{"product", kernel.Tensor{Input: matern, Output: matern}, line, true},
		{"one of distances", matern, line, false},
		{"one that grows", kernel.Tensor{Input: kernel.Polynomial{Degree: 3, Offset: 1}, Output: kernel.Linear{Offset: 9}}, line, true},
		{"a smooth one", kernel.RationalQuadratic{Alpha: 2, Lengthscale: kernel.Lengthscale{1}}, line, false},
		{"one point", matern, point, true},
	} {
		for _, unit := range []float64{1, 1e-9, 1e9} {
			f, err := kernels.Compile(kernel.Scaled{Factor: unit, Kernel: c.k}, kernel.Space{Names: []string{"x", "y"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := gram.Separable(f, c.x, graded); got != c.want {
				t.Errorf("%s times %g: %v, want %v", c.name, unit, got, c.want)
			}
		}
	}
}

// Times that are announced grow with what is done: with every weight and axis where Fourier transforms are, and as the
// products of matrices where terms are.
func TestTimesGrowWithTheWork(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) || want == 0 {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	for name, time := range map[string]func(mx, my, terms float64, axes int) float64{"holding": gram.Holding, "product": gram.ProductTime} {
		one := time(100, 80, 0, 2)
		near(name+" of twice the inputs", time(200, 80, 0, 2), 2*one)
		near(name+" of twice the outputs", time(100, 160, 0, 2), 2*one)
		near(name+" on twice the axes", time(100, 80, 0, 4), 2*one)
	}
	near("terms, each two products of matrices", gram.ProductTime(30, 20, 5, 1), 5*(2*30*30*20+2*30*20*20)*linop.PerFlop)

	// A sum of terms is found among the pairs of points of each side, held against all values of the kernel, or as many as are looked
	// at of many points, and rows of it are made.
	const pair, flops = 0.8e-9, 400
	check := func(mx, my, terms float64) float64 {
		return gram.Holding(mx, my, terms, 0) - pair*terms*terms*(mx*mx+my*my) - flops*terms*mx*my*linop.PerFlop
	}
	one, most := check(5, 4, 1)/400, check(1e3, 2e3, 3)
	for what, got := range map[string]float64{"of other few points": check(7, 6, 1) / (one * 42 * 42), "of many": check(1e4, 1e4, 1) / most, "of more terms": check(1e3, 2e3, 6) / most} {
		if !(math.Abs(got-1) <= 1e-6) { // what is left of larger numbers
			t.Errorf("values %s: %g times as many", what, got)
		}
	}
	if looked := most / one; !(looked > 1e6 && looked < 1e7) {
		t.Errorf("of many points as many as %g values are looked at", looked)
	}
}

// A congruence takes as long as finding the structure and turning it: every term on both sides, or a product by Fourier
// transforms for each pair of rows.
func TestTimesOfCongruences(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 41, "x")), mesh.Must(mesh.Uniform(0, 1, 31, "y"))
	compiled := func(k kernel.Kernel) *kernels.Function {
		f, err := kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const mx, my, rows, modes = 41., 31., 7., 5.
	near := func(what string, k kernel.Kernel, want float64) {
		if got := gram.CongruenceTime(compiled(k), x, y, rows, modes); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	terms := func(n float64) float64 {
		flops := 2*rows*mx*mx + 2*modes*my*my + rows*rows*modes*modes
		return gram.Holding(mx, my, n, 0) + n*flops*linop.PerFlop
	}
	near("a product", kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, terms(1))
	near("a sum of products", kernel.Polynomial{Degree: 3, Offset: 1}, terms(gram.UsualTerms))
	of := rows * modes * (gram.ProductTime(mx, my, 0, 2) + 2*rows*mx*my*linop.PerFlop)
	near("Fourier transforms", kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.2}}, gram.Holding(mx, my, 0, 2)+of)
}
