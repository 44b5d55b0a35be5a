package gram_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// kinks are kernels that are sums of scaled ones.
func kinks() []kernel.Kernel {
	l := kernel.Lengthscale{.4}
	se, ex := kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}
	return []kernel.Kernel{
		kernel.Kink{Base: se, Jump: se, Power: 1},
		kernel.Kink{Base: ex, Jump: se, Power: 3},
		kernel.Sum{Terms: []kernel.Kernel{ex, kernel.Kink{Base: se, Jump: ex, Power: 1}}},
	}
}

func exact(t *testing.T, f *kernels.Function, x, y mesh.Mesh) *mat.Dense {
	t.Helper()
	in, out := mesh.JointNames(x, y)
	joint := product(t, rename(x, in), rename(y, out))
	want, err := f.Gram(context.Background(), joint, joint)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// A sum of scaled kernels, each held with its own structure, is the kernel, on
// uniform, graded and scattered meshes; its diagonal, exact only as far as a
// preconditioner wants it, is that of the kernel.
func TestScaledSum(t *testing.T) {
	for _, xy := range [][2]mesh.Mesh{
		{mesh.Must(mesh.Uniform(0, 1, 12, "")), mesh.Must(mesh.Uniform(0, 1, 9, ""))},
		{graded(8), graded(11)},
		{cloud(9, 2), cloud(8, 2)},
	} {
		for _, k := range kinks() {
			f := compile(t, k, xy[0], xy[1])
			p, _, err := gram.Self(context.Background(), f, xy[0], xy[1], gram.Options{Structure: gram.Scaled})
			if err != nil {
				t.Fatal(err)
			}
			want := exact(t, f, xy[0], xy[1])
			linoptest.Run(t, p, want, 1e-11)
			checkRoughDiagonal(t, p, want, xy[0].Size(), xy[1].Size())
		}
	}
}

// checkRoughDiagonal holds the diagonal in the unit vectors against the matrix.
func checkRoughDiagonal(t *testing.T, p gram.Product, k *mat.Dense, mx, my int) {
	t.Helper()
	unit := mat.NewDense(my, my, nil)
	for i := range my {
		unit.Set(i, i, 1)
	}
	basis := make(gram.Basis, 1)
	basis[0] = unit
	d, err := p.Diagonal(t.Context(), basis)
	if err != nil {
		t.Fatal(err)
	}
	sum, one := mat.NewDense(mx, mx, nil), mat.NewDense(mx, 1, nil)
	forms := mat.NewDense(1, my, nil)
	for i := range mx {
		one.Set(i, 0, 1)
		for j := range mx {
			for c := range my {
				v := k.At(i*my+c, j*my+c)
				sum.Set(i, j, sum.At(i, j)+v)
				forms.Set(0, c, forms.At(0, c)+v)
			}
		}
	}
	var diff mat.Dense
	gotSum, err := d.Sum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diff.Sub(gotSum, sum)
	if e := mat.Norm(&diff, 2); !(e <= 0.02*mat.Norm(sum, 2)) {
		t.Errorf("sum of the diagonal is off by %.2g of %.2g", e, mat.Norm(sum, 2))
	}
	diff.Reset()
	gotForms, err := d.Forms(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	diff.Sub(gotForms, forms)
	if e := mat.Norm(&diff, 2); !(e <= 0.02*mat.Norm(forms, 2)) {
		t.Errorf("forms are off by %.2g of %.2g", e, mat.Norm(forms, 2))
	}
}

// A smooth kernel without other structure is held as Fᵀ F, to rounding.
func TestRanked(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{1}}
	x, y := graded(25), mesh.Must(mesh.Uniform(0, 1, 30, ""))
	f := compile(t, kernel.Kink{Base: se, Jump: se, Power: 1}, x, y)
	p, why, err := gram.Self(context.Background(), f, x, y, gram.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := p.(gram.Ranked); !ok {
		t.Fatalf("%s (%s), want a low rank", p.Describe(), why)
	}
	want := exact(t, f, x, y)
	linoptest.Run(t, p, want, 1e-12)
	checkDiagonal(t, p, want, x, y)
}

// The partial Cholesky factor leaves nothing larger than it promises; with a
// limit it is the best known until then, and what is left is positive.
func TestLowRank(t *testing.T) {
	x, y := cloud(20, 2), cloud(15, 2)
	f := compile(t, kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{1}}, x, y)
	want := exact(t, f, x, y)
	for _, c := range []struct {
		tol  float64
		rank int
	}{{1e-3, 300}, {1e-9, 300}, {1e-13, 300}, {1e-13, 60}} {
		l, err := gram.LowRank(context.Background(), f, x, y, c.tol, c.rank)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := l.Dims()
		if k > c.rank {
			t.Fatalf("%d rows, the limit is %d", k, c.rank)
		}
		var left mat.Dense
		left.Mul(l.T(), l)
		left.Sub(want, &left)
		largest := 0.0
		for i := range 300 {
			largest = max(largest, left.At(i, i))
			if !(left.At(i, i) >= -1e-13) {
				t.Fatalf("%d rows leave %g at %d", k, left.At(i, i), i)
			}
		}
		if e := max(mat.Max(&left), -mat.Min(&left)); c.rank == 300 && !(e <= 2*c.tol) || !(e <= largest+1e-13) {
			t.Errorf("%d rows leave %g, diagonal %g; wanted %g", k, e, largest, c.tol)
		}
	}
}

func TestLowRankStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := cloud(20, 2)
	if _, err := gram.LowRank(ctx, compile(t, kinks()[0], x, x), x, x, 1e-6, 50); err == nil {
		t.Error("a cancelled context went unnoticed")
	}
}

// A kernel of rank one is held by one row.
func TestKernelsOfRankOne(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 9, "x")), mesh.Must(mesh.Uniform(0, 2, 8, "y"))
	f := compile(t, kernel.Tensor{Input: kernel.Linear{}, Output: kernel.Linear{}}, x, y)
	p, _, err := gram.Self(t.Context(), f, x, y, gram.Options{Structure: gram.Ranks})
	if err != nil {
		t.Fatal(err)
	}
	in, out := mesh.JointNames(x, y)
	joint := product(t, rename(x, in), rename(y, out))
	want, err := f.Gram(t.Context(), joint, joint)
	if err != nil {
		t.Fatal(err)
	}
	linoptest.Run(t, p, want, 1e-12)
}

// Functions of landmarks on another mesh are those on their own where points are the same, and
// their squares sum to the kernel, to the tolerance on the mesh and nearly so between its points.
func TestLandmarks(t *testing.T) {
	ctx := context.Background()
	f, err := kernels.Compile(kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, kernel.Space{Names: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	own, between := mesh.Must(mesh.Uniform(0, 1, 60, "x")), mesh.Must(mesh.Gauss(0, 1, 25, "x"))
	l, err := gram.NewLandmarks(ctx, f, own, 1e-13, 40)
	if err != nil || l == nil {
		t.Fatal("no landmarks", err)
	}
	again, err := l.On(ctx, own)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(again, l.Values, 1e-8) {
		t.Error("functions differ on the mesh that they are from")
	}
	for _, m := range []mesh.Mesh{own, between} {
		v, err := l.On(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Gram(ctx, m, m)
		if err != nil {
			t.Fatal(err)
		}
		var left mat.Dense
		left.Mul(v.T(), v)
		left.Sub(want, &left)
		if e := max(mat.Max(&left), -mat.Min(&left)); !(e <= 1e-12) {
			t.Errorf("%d functions leave %g", l.Count(), e)
		}
	}
	if few, err := gram.NewLandmarks(ctx, f, own, 1e-13, 5); few != nil || err != nil {
		t.Errorf("5 landmarks are not enough, got %v, %v", few, err)
	}
	for k, want := range map[kernel.Kernel]int{kernel.Linear{}: 1, kernel.Polynomial{Degree: 1, Offset: 1}: 2} {
		f, err := kernels.Compile(k, kernel.Space{Names: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		if few, err := gram.NewLandmarks(ctx, f, own, 1e-13, 5); err != nil || few == nil || few.Count() != want {
			t.Errorf("%s: not %d functions (%v)", k, want, err)
		}
	}
}
