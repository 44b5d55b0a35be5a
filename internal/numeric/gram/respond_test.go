package gram_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

func random(r, c int) *mat.Dense {
	rng := rand.New(rand.NewPCG(uint64(r), uint64(c)))
	m := mat.NewDense(r, c, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// Responses are products with the matrix of kernel values, for few functions and
// many, whichever way they are computed: through G or not.
func TestRespond(t *testing.T) {
	ctx := context.Background()
	kernels := []kernel.Kernel{
		kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}},
		kernel.SE{Lengthscale: kernel.Lengthscale{.3}},
		kernel.Sum{Terms: []kernel.Kernel{kernel.Hat{Lengthscale: kernel.Lengthscale{1}}, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}},
	}
	u := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	targets := map[string][2]mesh.Mesh{
		"uniform": {u(9), graded(11)}, "two output axes": {u(30), product(t, u(9), graded(10))},
		"two input axes": {product(t, u(8), u(7)), u(12)}, "scattered": {cloud(8, 1), u(5)}, "scattered in 2-D": {u(8), cloud(15, 2)},
	}
	for domain, xy := range domains(t) {
		target, ok := targets[domain]
		if !ok {
			continue
		}
		for _, k := range kernels {
			f := compile(t, k, xy[0], xy[1])
			in, out := mesh.JointNames(xy[0], xy[1])
			joint := func(xy [2]mesh.Mesh) mesh.Mesh { return product(t, rename(xy[0], in), rename(xy[1], out)) }
			values, err := f.Gram(ctx, joint(target), joint(xy))
			if err != nil {
				t.Fatal(err)
			}
			op, err := gram.Cross(ctx, f, target[0], target[1], xy[0], xy[1])
			if err != nil {
				t.Fatal(err)
			}
			w, mx, my := random(xy[0].Size(), xy[1].Size()), target[0].Size(), target[1].Size()
			var g mat.VecDense
			g.MulVec(values, mat.NewVecDense(xy[0].Size()*xy[1].Size(), w.RawMatrix().Data))
			for _, n := range []int{1, 3, 200} {
				inputs, got := random(n, mx), mat.NewDense(n, my, nil)
				gram.Respond(t.Context(), op, got, inputs, w)
				var want mat.Dense
				want.Mul(inputs, mat.NewDense(mx, my, g.RawVector().Data))
				if !mat.EqualApprox(got, &want, 1e-9) {
					t.Errorf("%s, %s, %d functions: differs from the matrix", domain, k, n)
				}
			}
		}
	}
}

// Which way responses are computed follows from the multiplications of either: those of
// the three products of matrices, and those of the two that make G and of the one with it.
func TestMultiplicationsOfResponses(t *testing.T) {
	direct, through, err := gram.Multiplications([]*mat.Dense{random(5, 3), random(5, 3)}, []*mat.Dense{random(7, 4), random(7, 4)}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2. * 10 * (5*3 + 3*4 + 4*7); direct != want {
		t.Errorf("direct: %g multiplications, want %g", direct, want)
	}
	if want := 2.*(3*4*7+5*3*7) + 10*5*7; through != want {
		t.Errorf("through G: %g multiplications, want %g", through, want)
	}
}

// What a product is expected to take counts each number of each result: along axes on which the
// tensor shrinks first, so that of either order it is the cheaper one.
func TestMultiplicationsOfContractions(t *testing.T) {
	for _, c := range []struct {
		to, from []int
		want     float64
	}{
		{[]int{3}, []int{5}, 3 * 5},
		{[]int{3, 4}, []int{5, 6}, min(3*6*5+3*4*6, 5*4*6+3*4*5)},
		{[]int{2, 9}, []int{8, 3}, 2*3*8 + 2*9*3},
		{[]int{9, 2}, []int{3, 8}, 3*2*8 + 9*2*3},
		{[]int{7, 2, 5}, []int{7, 4, 20}, 7*4*5*20 + 7*2*5*4 + 7*2*5*7},
	} {
		if got := gram.Contractions(c.to, c.from); !(math.Abs(got-c.want) <= 1e-9) {
			t.Errorf("%v from %v: %g multiplications, want %g", c.to, c.from, got, c.want)
		}
	}
}

// What stands in for a kernel without structure is exact in the slices through the point
// where the kernel is largest: of x·x′ + y·y′ the corner (1, 1).
func TestSlicesMeetWhereTheKernelIsLargest(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 6, "")), mesh.Must(mesh.Uniform(0, 1, 9, ""))
	left, right, err := gram.Slices(t.Context(), compile(t, kernel.Linear{}, x, y), x, y)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if got, want := left.At(5, i)*right.At(8, 8), 1+float64(i)/5; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("along x, point %d: %g, want %g", i, got, want)
		}
	}
	for j := range 9 {
		if got, want := left.At(5, 5)*right.At(8, j), 1+float64(j)/8; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("along y, point %d: %g, want %g", j, got, want)
		}
	}
}

// Mixtures of Gaussians are the kernel on axes of any units and on points of several coordinates, by themselves and between meshes.
func TestMixturesOnAnyPoints(t *testing.T) {
	for name, c := range map[string]struct {
		x, y mesh.Mesh
		l    kernel.Lengthscale
	}{
		"small": {mesh.Must(mesh.Uniform(0, 1e-9, 6, "")), mesh.Must(mesh.Gauss(0, 1e-9, 5, "")), kernel.Lengthscale{.4e-9}},
		"large": {mesh.Must(mesh.Uniform(0, 1e9, 6, "")), mesh.Must(mesh.Gauss(0, 1e9, 5, "")), kernel.Lengthscale{.4e9}},
		"cloud": {cloud(7, 2), cloud(6, 2), kernel.Lengthscale{.5}},
	} {
		f := compile(t, kernel.Matern{Nu: 2.5, Lengthscale: c.l}, c.x, c.y)
		p, _, err := gram.Self(t.Context(), f, c.x, c.y, gram.Options{Structure: gram.Gaussians})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		linoptest.Run(t, p, exact(t, f, c.x, c.y), 1e-10)
	}
}

// What stands in for a kernel does not depend on the size of it.
func TestSlicesOfSmallKernels(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 6, ""))
	for _, size := range []float64{1e-12, 1, 1e12} {
		left, right, err := gram.Slices(t.Context(), compile(t, kernel.Scaled{Factor: size, Kernel: kernel.Linear{}}, x, x), x, x)
		if err != nil {
			t.Fatal(err)
		}
		if got := left.At(5, 5) * right.At(5, 5); !(math.Abs(got/size-2) <= 1e-12) {
			t.Errorf("at (1, 1): %g, want %g", got, 2*size)
		}
	}
}
