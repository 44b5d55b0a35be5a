package fit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// learnedPoisson is an accurate estimate of the Poisson problem's G.
func learnedPoisson(t *testing.T, m int, c constraint.Constraint) *fit.Estimate {
	t.Helper()
	return mustFit(t, fit.Spec{
		Data: pairs(t, interval(m), 40, 0, 4), Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.3}},
		Lambda: 1e-9, Constraint: c, Tolerance: 1e-8,
	})
}

// Predict is β plus Apply, and ⟨G f, v⟩ on the outputs is ⟨f, G* v⟩ on the inputs.
func TestApplyAndAdjoint(t *testing.T) {
	e := learnedPoisson(t, 20, nil)
	f := mat.NewDense(1, 20, nil)
	v := mat.NewDense(1, 20, nil)
	for i := range 20 {
		f.Set(0, i, math.Sin(3*float64(i)))
		v.Set(0, i, math.Cos(float64(i)))
	}
	var zero mesh.Mesh
	gf := testmain.Must(e.Apply(ctx, f, zero, zero))(t)
	u := testmain.Must(e.Predict(ctx, f, zero, zero))(t)
	beta := testmain.Must(e.Bias(ctx, zero))(t)
	for k, b := range beta {
		if !(math.Abs(u.At(0, k)-b-gf.At(0, k)) <= 1e-14) {
			t.Fatalf("prediction %g is not bias %g plus %g", u.At(0, k), b, gf.At(0, k))
		}
	}
	av := testmain.Must(fit.Adjoint{Estimate: e}.Apply(ctx, v, zero, zero))(t)
	left := inner(gf.RawRowView(0), v.RawRowView(0), e.OutputMesh.Weights())
	right := inner(f.RawRowView(0), av.RawRowView(0), e.InputMesh.Weights())
	if !(math.Abs(left-right) <= 1e-12*math.Abs(left)) {
		t.Errorf("⟨Gf, v⟩ = %g, ⟨f, G*v⟩ = %g", left, right)
	}
	if _, err := e.Apply(ctx, mat.NewDense(1, 3, nil), zero, zero); err == nil || !strings.HasPrefix(err.Error(), "f: has 3 values") {
		t.Errorf("%v", err)
	}
}

func inner(a, b, w []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i] * w[i]
	}
	return sum
}

// The singular values of the Poisson problem's G are 1/(kπ)², with the functions
// √2 sin(kπx) on both sides; all of them together are G.
func TestSVD(t *testing.T) {
	e := learnedPoisson(t, 40, nil)
	fine := interval(101)
	svd := testmain.Must(e.SVD(ctx, 3, fine, fine))(t)
	x, w := fine.Points(), fine.Weights()
	for k, s := range svd.Values {
		want := 1 / math.Pow(float64(k+1)*math.Pi, 2)
		if !(math.Abs(s-want) <= 0.01*want) {
			t.Errorf("singular value %d is %g, want %g", k+1, s, want)
		}
		for l := range svd.Values {
			for _, f := range []*mat.Dense{svd.Left, svd.Right} {
				if d := inner(f.RawRowView(k), f.RawRowView(l), w); !(math.Abs(d-b2f(k == l)) <= 1e-12) {
					t.Errorf("⟨%d, %d⟩ = %g", k, l, d)
				}
			}
		}
	}
	for i, v := range x {
		want := math.Sqrt2 * math.Sin(math.Pi*v)
		if !(math.Abs(svd.Left.At(0, i)-want) <= 0.05) || !(math.Abs(svd.Right.At(0, i)-want) <= 0.05) {
			t.Fatalf("at %g: %g and %g, want %g", v, svd.Left.At(0, i), svd.Right.At(0, i), want)
		}
	}
	all := testmain.Must(e.SVD(ctx, 0, fine, interval(30)))(t)
	var sum, g mat.Dense
	sum.Mul(mat.NewDiagDense(30, all.Values), all.Right)
	g.Mul(all.Left.T(), &sum)
	want := testmain.Must(e.Green(ctx, fine, interval(30)))(t)
	if !mat.EqualApprox(&g, want, 1e-13) {
		t.Error("the sum of all terms is not G")
	}
	if _, err := e.SVD(ctx, 31, fine, interval(30)); err == nil || !strings.Contains(err.Error(), "at most 30") {
		t.Errorf("%v", err)
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// A slice is a row, or a column, of G.
func TestSlice(t *testing.T) {
	e := learnedPoisson(t, 15, nil)
	values, rest, err := e.Slice(ctx, map[string]float64{"x": 0.3})
	if err != nil {
		t.Fatal(err)
	}
	if rest.Names()[0] != "y" || rest.Size() != 15 || len(values) != 15 {
		t.Fatalf("%d values on %s", len(values), rest)
	}
	column, rest, err := e.Slice(ctx, map[string]float64{"y": 0.7})
	if err != nil {
		t.Fatal(err)
	}
	if rest.Names()[0] != "x" {
		t.Errorf("the rest is %s", rest)
	}
	for i, p := range interval(15).Points() {
		row := testmain.Must(e.At(ctx, []float64{0.3}, []float64{p}))(t)
		col := testmain.Must(e.At(ctx, []float64{p}, []float64{0.7}))(t)
		if !(math.Abs(values[i]-row) <= 1e-12) || !(math.Abs(column[i]-col) <= 1e-12) {
			t.Fatalf("at %g: %g and %g, want %g and %g", p, values[i], column[i], row, col)
		}
	}
	for want, at := range map[string]map[string]float64{
		`no coordinate "z": the coordinates of G are x, y`: {"z": 1},
		"all coordinates are held":                         {"x": 1, "y": 0},
	} {
		if _, _, err := e.Slice(ctx, at); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Derivatives of G are its difference quotients: O(h²) from them.
func TestDiff(t *testing.T) {
	const h = 1e-4
	m := interval(12)
	d := pairs(t, m, 10, 0.02, 4)
	se := kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
	for name, s := range map[string]fit.Spec{
		"se":        {Kernel: se},
		"matern":    {Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.4}}},
		"symmetric": {Kernel: se, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
		"product":   {Kernel: kernel.Tensor{Input: se, Output: kernel.Matern{Nu: 3.5, Lengthscale: kernel.Lengthscale{0.4}}}},
	} {
		s.Data, s.Lambda = d, 1e-4
		e := mustFit(t, s)
		at := func(x, y float64) float64 {
			return testmain.Must(e.At(ctx, []float64{x}, []float64{y}))(t)
		}
		for _, ms := range []mesh.Mesh{m, interval(5)} {
			dx, err := e.Diff(ctx, []string{"x"}, ms, m)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			dyy, err := e.Diff(ctx, []string{"y", "y"}, ms, m)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			size := mat.Norm(dx, math.Inf(1))
			size2 := mat.Norm(dyy, math.Inf(1))
			for i, x := range ms.Points() {
				for k, y := range m.Points() {
					if want := (at(x+h, y) - at(x-h, y)) / (2 * h); !(math.Abs(dx.At(i, k)-want) <= 1e-5*size) {
						t.Fatalf("%s: dG/dx(%g, %g) = %g, want %g", name, x, y, dx.At(i, k), want)
					}
					if want := (at(x, y+h) - 2*at(x, y) + at(x, y-h)) / (h * h); !(math.Abs(dyy.At(i, k)-want) <= 1e-3*size2) {
						t.Fatalf("%s: d²G/dy²(%g, %g) = %g, want %g", name, x, y, dyy.At(i, k), want)
					}
				}
			}
		}
	}
	// exp(-|d|) has no derivative where d = 0, Matérn 3/2 has two, the kink on the
	// diagonal of a Green's function none across it but all elsewhere.
	rough := kernel.Lengthscale{0.3}
	for _, tt := range []struct {
		k     kernel.Kernel
		along []string
		want  string
	}{
		{kernel.Exponential{Lengthscale: rough}, []string{"y"}, "derivative 1"},
		{kernel.Exponential{Lengthscale: rough}, []string{"y", "y"}, "derivative 1"},
		{kernel.BrownianBridge{Upper: 1}, []string{"x"}, "derivative 1"},
		{kernel.Matern{Nu: 1.5, Lengthscale: rough}, []string{"y", "y"}, ""},
		{kernel.Matern{Nu: 1.5, Lengthscale: rough}, []string{"y", "y", "y"}, "derivative 3"},
		{kernel.Kink{Base: se, Jump: se, Power: 1}, []string{"x"}, ""},
	} {
		e := mustFit(t, fit.Spec{Data: d, Kernel: tt.k, Lambda: 1e-4})
		_, err := e.Diff(ctx, tt.along, m, m)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %v: %v, want %q", tt.k, tt.along, err, tt.want)
		}
	}
	e := mustFit(t, fit.Spec{Data: d, Kernel: se, Lambda: 1e-4})
	if _, err := e.Diff(ctx, []string{"t"}, m, m); err == nil || !strings.HasPrefix(err.Error(), `no coordinate "t"`) {
		t.Errorf("%v", err)
	}
}

// Inputs that were trained on are inside their span, what is orthogonal to them is
// outside, and energies add.
func TestSpan(t *testing.T) {
	x := interval(10)
	d := noise(t, 4, x, interval(6))
	e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3})
	in := testmain.Must(d.Input.Matrix())(t)
	// Orthogonal to all rows, by Gram-Schmidt in the inner product of the mesh.
	w := x.Weights()
	var basis [][]float64
	orthogonal := func(f []float64) []float64 {
		f = append([]float64(nil), f...)
		for range 2 {
			for _, b := range basis {
				floats.AddScaled(f, -inner(f, b, w), b)
			}
		}
		floats.Scale(1/math.Sqrt(inner(f, f, w)), f)
		return f
	}
	for i := range 4 {
		basis = append(basis, orthogonal(in.RawRowView(i)))
	}
	outside := orthogonal([]float64{1, 2, 3, 0, 0, 1, 0, 0, 5, 0})
	mixed := append([]float64(nil), outside...)
	floats.AddScaled(mixed, 2, basis[1]) // a fifth of its energy is outside
	f := mat.NewDense(4, 10, nil)
	f.SetRow(0, in.RawRowView(2))
	f.SetRow(1, outside)
	f.SetRow(2, mixed)
	got := testmain.Must(e.Span(ctx, f, 0))(t)
	for i, want := range []float64{0, 1, 0.2, 0} {
		if !(math.Abs(got[i]-want) <= 1e-12) {
			t.Errorf("share %d is %g, want %g", i, got[i], want)
		}
	}
}
