package gram

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// An axis of n points has n distances, or 2n - 1 lags.
func TestNumbersOfLags(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 1}, 2: {2, 3}, 5: {5, 9}} {
		if got := [2]int{lagAxisInfo{n, true}.lags(), lagAxisInfo{n, false}.lags()}; got != want {
			t.Errorf("%d points have %d lags, want %d", n, got, want)
		}
	}
}

// Lags of an axis are all that it has, once each, in order; those of an even kernel are distances.
func TestLagsOfAxes(t *testing.T) {
	a := mesh.Must(mesh.Uniform(1, 3, 5, "x")).Axes()[0]
	for even, first := range map[bool]int{true: 0, false: -4} {
		s := lagsOf(a, even)
		if s.count() != 5-first || s.rows != 5-first {
			t.Fatalf("even %t: %d lags", even, s.count())
		}
		for i := range s.count() {
			if got, want := s.p[0][i]-s.q[0][i], .5*float64(first+i); !(math.Abs(got-want) <= 1e-15) || s.at(i, 0) != i {
				t.Errorf("even %t: lag %d is %g, want %g", even, i, got, want)
			}
		}
	}
	if got := (&pairSet{cols: 5}).at(2, 3); got != 13 {
		t.Errorf("the pair of the points 2 and 3 of 5 is number %d", got)
	}
}

// Structures of sides whose pairs are too many, and of meshes that do not have the axes for them, are none.
func TestStructuresThatMeshesDoNotHave(t *testing.T) {
	line := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	plane := mesh.Must(mesh.Scattered([]float64{0, 0, 1, 2, 3, 1}, 2, nil, "a", "b"))
	beside, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 3, "c")), plane)
	if err != nil {
		t.Fatal(err)
	}
	swapped, err := mesh.Product(plane, mesh.Must(mesh.Uniform(0, 1, 3, "c")))
	if err != nil {
		t.Fatal(err)
	}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	f, err := kernels.Compile(se, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]mesh.Mesh{{line(3000), line(3)}, {line(3), line(3000)}} {
		r := &reference{ctx: t.Context(), f: f}
		if p, err := (&crosser{reference: r, xs: c[0], ys: c[1], x: c[0], y: c[1]}).kronecker(); p != nil || err != nil {
			t.Errorf("of %d × %d points: %v, %v", c[0].Size(), c[1].Size(), p, err)
		}
	}
	of := func(k kernel.Kernel, x, y mesh.Mesh) *chooser {
		return &chooser{reference: &reference{ctx: t.Context(), f: &kernels.Function{Kernel: k}}, x: x, y: y}
	}
	for _, x := range []mesh.Mesh{line(4), beside} {
		if p, err := of(kernels.OfParameter{Kernel: se, Parameter: se, Parameters: 1}, x, line(3)).family(); p != nil || err != nil {
			t.Errorf("a family on %s: %v, %v", x, p, err)
		}
	}
	for _, y := range []mesh.Mesh{line(2), swapped} {
		if p, err := of(kernels.Coregional{Kernel: se, Covariance: []float64{1}}, line(3), y).coupled(); p != nil || err != nil {
			t.Errorf("coupled outputs on %s: %v, %v", y, p, err)
		}
	}
}

// Which lags are told from their opposites is that of each axis: a kernel that couples two axes of the input is even in the
// output alone.
func TestLagsThatAreTold(t *testing.T) {
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 4, "a")), mesh.Must(mesh.Uniform(0, 2, 3, "b")))
	if err != nil {
		t.Fatal(err)
	}
	y := mesh.Must(mesh.Uniform(0, 1, 5, "y"))
	f, err := kernels.Compile(slanted{}, kernel.Space{Names: []string{"a", "b", "y"}, Inputs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if f.Even(0) || f.Even(1) || !f.Even(2) {
		t.Fatal("even in", f.Even(0), f.Even(1), f.Even(2))
	}
	p, _, err := Self(t.Context(), f, plane, y, Options{Structure: FFT})
	if err != nil {
		t.Fatal(err)
	}
	joint, err := mesh.Product(plane, y)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Gram(t.Context(), joint, joint)
	if err != nil {
		t.Fatal(err)
	}
	linoptest.Run(t, p, want, 1e-12)
}

// slanted is exp(-(a² + b² + ab) - y²) of differences a, b and y.
type slanted struct{ kernel.Kernel }

func (slanted) String() string { return "slanted" }

func (slanted) Expr(p, q kernels.Point) (*expr.Node, error) {
	d := make([]*expr.Node, 3)
	for i := range d {
		d[i] = expr.Sub(p.X[i], q.X[i])
	}
	sum := expr.Mul(d[0], d[1])
	for _, v := range d {
		sum = expr.Add(sum, expr.Mul(v, v))
	}
	return expr.Exp(expr.Neg(sum)), nil
}

// What a kernel of differences holds are its lags, beside the transform that they are for. The sizes alone say so where
// there are more than two axes: of two, and of other kernels, they say nothing.
func TestMemoryOfLags(t *testing.T) {
	line := func(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }
	plane, err := mesh.Product(line(4, "a"), line(3, "b"))
	if err != nil {
		t.Fatal(err)
	}
	graded := mesh.Must(mesh.Chebyshev(0, 1, 5, "y"))
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.2}}
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x, y mesh.Mesh
		lags float64
		even bool
	}{
		{"even", se, plane, line(5, "y"), 4 * 3 * 5, true},
		{"even in the output alone", slanted{}, plane, line(5, "y"), 7 * 5 * 5, false},
		{"two axes", se, line(4, "a"), line(5, "y"), 0, true},
		{"not of differences", kernel.Polynomial{Degree: 2, Offset: 1}, plane, line(5, "y"), 0, true},
		{"on points of other distances", se, plane, graded, 0, true},
	} {
		in, out := mesh.JointNames(c.x, c.y)
		f, err := kernels.Compile(c.k, kernel.Space{Names: append(in, out...), Inputs: c.x.Dim()})
		if err != nil {
			t.Fatal(err)
		}
		making, held := 0.0, 0.0
		if c.lags > 0 {
			making, held = linop.ToeplitzSize([]int{4, 3, 5}, c.even)
		}
		if m, h := Memory(f, c.x, c.y); m != c.lags+making || h != c.lags+held {
			t.Errorf("%s: %g numbers, then %g; want %g, then %g", c.name, m, h, c.lags+making, c.lags+held)
		}
	}
}

// A mixture is made where its matrices, one for each term and axis, have no more numbers than there may be.
func TestMostOfAMixture(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 4, "x")), mesh.Must(mesh.Uniform(0, 1, 3, "y"))
	f, err := kernels.Compile(kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.2}}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	made := func(most float64) *mixture {
		m, err := newMixture(t.Context(), f, x, y, x, y, most)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all := made(math.Inf(1))
	if all == nil {
		t.Fatal("none")
	}
	numbers := float64(len(all.terms) * (4*4 + 3*3))
	if made(numbers) == nil || made(numbers-1) != nil {
		t.Errorf("of %g numbers: made %t where there may be as many, %t where there may be one fewer", numbers, made(numbers) != nil, made(numbers-1) != nil)
	}
}
