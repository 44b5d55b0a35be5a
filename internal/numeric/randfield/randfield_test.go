package randfield_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

const draws = 20000

// checkCovariance compares the sample covariance of draws with the kernel. The
// standard error of a sample covariance of Gaussians is √((k_ij² + k_ii k_jj)/n);
// five of them are exceeded once in two million entries.
func checkCovariance(t *testing.T, a *array.Array, k kernel.Kernel, m mesh.Mesh, scale float64) {
	t.Helper()
	f, err := kernels.Compile(k, kernel.Space{Names: m.Names()})
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Gram(context.Background(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	n, s := a.Shape[0], m.Size()
	for i := range s {
		for j := range s {
			got := 0.0
			for r := range n {
				got += a.Data[r*s+i] * a.Data[r*s+j]
			}
			got /= float64(n) * scale * scale
			kij := want.At(i, j)
			tol := 5*math.Sqrt((kij*kij+want.At(i, i)*want.At(j, j))/float64(n)) + 1e-12
			if math.Abs(got-kij) > tol {
				t.Fatalf("covariance of points %d and %d is %.4f, the kernel says %.4f ± %.4f", i, j, got, kij, tol)
			}
		}
	}
}

func TestSampleCovarianceIsTheKernel(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 12, "x"))
	circle := mesh.Must(mesh.Periodic(0, 4, 12, "x"))
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "x")), mesh.Must(mesh.Gauss(0, 1, 3, "t")))
	if err != nil {
		t.Fatal(err)
	}
	l := kernel.Lengthscale{.2}
	for _, c := range []struct {
		k kernel.Kernel
		m mesh.Mesh
	}{
		{kernel.SE{Lengthscale: l}, line},
		{kernel.Exponential{Lengthscale: l}, plane},
		{kernel.Periodic{Period: 4, Lengthscale: kernel.Lengthscale{.5}}, circle},
		{kernel.BrownianBridge{Lower: 0, Upper: 1}, line},
	} {
		a, err := randfield.Field{Kernel: c.k, Mesh: c.m, N: draws, Seed: 3, Scale: 10}.Draw(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		checkCovariance(t, a, c.k, c.m, 10)
	}
	for _, on := range []mesh.Mesh{line, mesh.Must(mesh.Uniform(-1, 7, 9, "x"))} {
		a, err := randfield.BrownianBridge(on, draws, 3)
		if err != nil {
			t.Fatal(err)
		}
		axis := on.Axes()[0]
		checkCovariance(t, a, kernel.BrownianBridge{Lower: axis.Lower[0], Upper: axis.Upper[0]}, on, 1)
	}
}

// Above 600 points Fourier transforms, where the axis is uniform, or a Cholesky factor
// take the place of eigenvectors; every 53rd point of 640 is checked.
func TestLargeMeshesHaveTheSameDistribution(t *testing.T) {
	uniform, graded := mesh.Must(mesh.Uniform(0, 1, 640, "x")), make([]float64, 640)
	for i := range graded {
		graded[i] = math.Pow(float64(i)/639, 1.1)
	}
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	for _, m := range []mesh.Mesh{uniform, mesh.Must(mesh.Trapezoid(graded, "x"))} {
		a, err := randfield.Field{Kernel: k, Mesh: m, N: 4000, Seed: 1, Scale: 10}.Draw(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var points []float64
		thin := array.New(4000, 13)
		for j := range 13 {
			points = append(points, m.Points()[j*53])
			for i := range 4000 {
				thin.Data[i*13+j] = a.Data[i*640+j*53]
			}
		}
		checkCovariance(t, thin, k, mesh.Must(mesh.Trapezoid(points, "x")), 10)
	}
}

func TestModesTruncateTheExpansion(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 30, "x"))
	k := kernel.Exponential{Lengthscale: kernel.Lengthscale{.5}}
	a, err := randfield.Field{Kernel: k, Mesh: m, N: 50, Seed: 1, Modes: 3}.Draw(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	mm, err := a.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	if r := rank(mm.RawMatrix().Data, 50, 30); r != 3 {
		t.Errorf("50 functions of 3 modes span %d dimensions", r)
	}
}

// rank counts the pivots of Gaussian elimination with full pivoting.
func rank(data []float64, rows, cols int) int {
	a := slices.Clone(data)
	for r := 0; ; r++ {
		best, at := 0.0, 0
		for i, v := range a {
			if math.Abs(v) > best {
				best, at = math.Abs(v), i
			}
		}
		if best < 1e-9 {
			return r
		}
		pi, pj := at/cols, at%cols
		row := slices.Clone(a[pi*cols : (pi+1)*cols])
		for i := range rows {
			f := a[i*cols+pj] / row[pj]
			for j := range cols {
				a[i*cols+j] -= f * row[j]
			}
		}
	}
}

func TestSameSeedSameBits(t *testing.T) {
	f := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Mesh: mesh.Must(mesh.Uniform(0, 1, 40, "x")), N: 5, Seed: 7}
	a, err := f.Draw(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, _ := f.Draw(context.Background())
	if !slices.Equal(a.Data, b.Data) {
		t.Error("two draws of one seed differ")
	}
	f.Seed = 8
	c, _ := f.Draw(context.Background())
	if slices.Equal(a.Data, c.Data) {
		t.Error("two seeds gave the same functions")
	}
	// First numbers of seed 7, from this generator: a change of generator changes
	// everybody's experiments.
	n, err := randfield.Normal(7, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%.12f", n.Data); got != goldenNormal {
		t.Errorf("standard normal numbers of seed 7 are %s, were %s", got, goldenNormal)
	}
}

const goldenNormal = "[-0.296540043663 -0.338631219960 0.804655606474]"

func TestBadInputIsRefusedByName(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 10, "x"))
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
	plane, _ := mesh.Product(m, mesh.Must(mesh.Uniform(0, 1, 3, "y")))
	_, bridge := randfield.BrownianBridge(plane, 1, 1)
	for _, c := range []struct {
		f    randfield.Field
		want string
	}{
		{randfield.Field{Kernel: k, Mesh: m}, "n 0: must be at least 1"},
		{randfield.Field{Kernel: k, N: 1}, "mesh: missing"},
		{randfield.Field{Mesh: m, N: 1}, "kernel: missing"},
		{randfield.Field{Kernel: k, Mesh: m, N: 1, Modes: 11}, "modes 11"},
		{randfield.Field{Kernel: k, Mesh: m, N: 1, Scale: math.NaN()}, "scale NaN"},
		{randfield.Field{Kernel: kernel.SE{}, Mesh: m, N: 1}, "auto"},
	} {
		if _, err := c.f.Draw(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if bridge == nil || !strings.Contains(bridge.Error(), "2 coordinates") {
		t.Errorf("bridge in the plane: %v", bridge)
	}
}

func ExampleField() {
	m, _ := mesh.Uniform(0, 1, 100, "x")
	x, _ := mesh.New(m)
	f, err := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Mesh: x, N: 500, Seed: 1}.Draw(context.Background())
	fmt.Println(f.Shape, err)
	// Output:
	// [500 100] <nil>
}

// Each number of the range appears about equally often (five standard deviations of the
// binomial distribution), and none outside of it.
func TestIntegersAreUniform(t *testing.T) {
	const n, lo, hi = 60000, -2, 3
	a, err := randfield.Integers(context.Background(), lo, hi, 5, n)
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[float64]int)
	for _, v := range a.Data {
		counts[v]++
	}
	p := 1.0 / (hi - lo + 1)
	for v := lo; v <= hi; v++ {
		if d := math.Abs(float64(counts[float64(v)]) - n*p); d > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%d appears %d times of %d", v, counts[float64(v)], n)
		}
		delete(counts, float64(v))
	}
	if len(counts) > 0 {
		t.Errorf("outside of the range: %v", counts)
	}
	for _, bad := range [][2]int64{{2, 1}, {0, 1 << 54}, {-1 << 54, 0}} {
		if _, err := randfield.Integers(context.Background(), bad[0], bad[1], 1, 1); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// A permutation holds each number once, and its first number is each equally often.
func TestPermutations(t *testing.T) {
	const n, tries = 5, 4000
	first := make([]int, n+1)
	for seed := range uint64(tries) {
		a, err := randfield.Permutation(t.Context(), n, seed)
		if err != nil {
			t.Fatal(err)
		}
		first[int(a.Data[0])]++
		slices.Sort(a.Data)
		if !slices.Equal(a.Data, []float64{1, 2, 3, 4, 5}) {
			t.Fatalf("seed %d: %v", seed, a.Data)
		}
	}
	for v, count := range first[1:] {
		if d := math.Abs(float64(count) - tries/n); d > 5*math.Sqrt(tries/n*(1-1.0/n)) {
			t.Errorf("%d comes first %d times of %d", v+1, count, tries)
		}
	}
}
