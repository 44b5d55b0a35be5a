package gram_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

func compile(t *testing.T, k kernel.Kernel, x, y mesh.Mesh) *kernels.Function {
	t.Helper()
	in, out := mesh.JointNames(x, y)
	f, err := kernels.Compile(k, kernel.Space{Names: append(in, out...), Inputs: x.Dim()})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func graded(n int) mesh.Mesh {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Pow(float64(i)/float64(n-1), 1.5)
	}
	return mesh.Must(mesh.Trapezoid(x, ""))
}

func cloud(n, dim int) mesh.Mesh {
	rng := rand.New(rand.NewPCG(5, 6))
	c := make([]float64, n*dim)
	for i := range c {
		c[i] = rng.Float64()
	}
	return mesh.Must(mesh.Scattered(c, dim, nil))
}

func product(t *testing.T, a, b mesh.Mesh) mesh.Mesh {
	t.Helper()
	m, err := mesh.Product(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// domains lists pairs of input and output meshes.
func domains(t *testing.T) map[string][2]mesh.Mesh {
	u := func(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }
	return map[string][2]mesh.Mesh{
		"uniform":           {u(7), u(6)},
		"graded × uniform":  {graded(6), u(7)},
		"graded":            {graded(6), graded(5)},
		"scattered":         {cloud(6, 1), u(5)},
		"two output axes":   {u(5), product(t, u(4), u(3))},
		"two input axes":    {product(t, u(4), graded(3)), u(4)},
		"two axes of each":  {product(t, u(3), u(2)), product(t, u(2), u(4))},
		"scattered in 2-D":  {u(4), cloud(7, 2)},
		"one point of each": {mesh.Must(mesh.Gauss(0, 1, 1, "")), mesh.Must(mesh.Gauss(0, 1, 1, ""))},
	}
}

// Every structure that applies to a kernel and meshes has the same matrix as the
// kernel evaluated pair by pair, and the same diagonal in an output basis as the
// definition.
func TestStructuresAgreeWithTheKernel(t *testing.T) {
	ctx := context.Background()
	for domain, xy := range domains(t) {
		x, y := xy[0], xy[1]
		for _, e := range kernels.Catalog() {
			in, out := mesh.JointNames(x, y)
			f, err := kernels.Compile(e.Example, kernel.Space{Names: append(in, out...), Inputs: x.Dim()})
			if err != nil {
				if e.Name == "kink" && x.Dim() != y.Dim() {
					continue // refused by design: nothing is the diagonal there
				}
				t.Fatal(err)
			}
			joint := product(t, rename(x, in), rename(y, out))
			want, err := f.Gram(ctx, joint, joint)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range append(gram.Structures(), gram.Automatic) {
				evaluated := s == gram.Automatic || s == gram.Blocks || s == gram.Full // by the kernel itself, or whatever there is
				p, _, err := gram.Self(ctx, f, x, y, gram.Options{Structure: s})
				if err != nil {
					if !evaluated {
						continue // does not apply here
					}
					t.Fatalf("%s on %s as %q: %v", e.Name, domain, s, err)
				}
				t.Run(fmt.Sprintf("%s/%s/%s", domain, e.Name, s), func(t *testing.T) {
					linoptest.Run(t, p, want, 1e-11)
					if !evaluated {
						checkDiagonalTo(t, diagonalTolerance(s), p, want, x, y)
					}
				})
			}
		}
	}
}

func rename(m mesh.Mesh, names []string) mesh.Mesh {
	r, err := m.Rename(names...)
	if err != nil {
		panic(err)
	}
	return r
}

// diagonalTolerance is how far the diagonal of a structure may be off, in parts: of the scaled sum it is that of
// terms whose small eigenvalues are left out.
func diagonalTolerance(s gram.Structure) float64 {
	if s == gram.Scaled {
		return gram.RoughTolerance
	}
	return 1e-11
}

func checkDiagonal(t *testing.T, p gram.Product, k *mat.Dense, x, y mesh.Mesh) {
	t.Helper()
	checkDiagonalTo(t, 1e-11, p, k, x, y)
}

// checkDiagonalTo allows tol, in parts.
func checkDiagonalTo(t *testing.T, tol float64, p gram.Product, k *mat.Dense, x, y mesh.Mesh) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 9))
	normal := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
		return m
	}
	var v gram.Basis
	for _, a := range y.Axes() {
		v = append(v, normal(a.Size(), a.Size()))
	}
	full := v[0]
	for _, a := range v[1:] {
		var kr mat.Dense
		kr.Kronecker(full, a)
		full = &kr
	}
	mx, my := x.Size(), y.Size()
	d, err := p.Diagonal(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	sum, b := mat.NewDense(mx, mx, nil), normal(mx, 3)
	forms := mat.NewDense(3, my, nil)
	for i := range mx {
		for j := range mx {
			var t2 mat.Dense
			t2.Mul(k.Slice(i*my, (i+1)*my, j*my, (j+1)*my), full)
			for c := range my {
				ck := mat.Dot(full.ColView(c), t2.ColView(c))
				sum.Set(i, j, sum.At(i, j)+ck)
				for r := range 3 {
					forms.Set(r, c, forms.At(r, c)+b.At(i, r)*ck*b.At(j, r))
				}
			}
		}
	}
	scale := mat.Norm(sum, 2)
	var diff mat.Dense
	gotSum, err := d.Sum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diff.Sub(gotSum, sum)
	if e := mat.Norm(&diff, 2); !(e <= tol*scale) {
		t.Errorf("sum of the diagonal is off by %.2g of %.2g", e, scale)
	}
	diff.Reset()
	gotForms, err := d.Forms(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	diff.Sub(gotForms, forms)
	if e := mat.Norm(&diff, 2); !(e <= tol*scale*mat.Norm(b, 2)*mat.Norm(b, 2)) {
		t.Errorf("forms are off by %.2g", e)
	}
	within, err := gram.SumWithin(t.Context(), d, b)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Product(b.T(), sum, b)
	diff.Reset()
	diff.Sub(within, &want)
	if e := mat.Norm(&diff, 2); !(e <= tol*scale*mat.Norm(b, 2)*mat.Norm(b, 2)) {
		t.Errorf("the sum within three vectors is off by %.2g", e)
	}
}

// Evaluating on other meshes agrees with the kernel, whatever the structure.
func TestCrossAgreesWithTheKernel(t *testing.T) {
	ctx := context.Background()
	fine := mesh.Must(mesh.Gauss(0, 1, 9, ""))
	for domain, xy := range domains(t) {
		x, y := xy[0], xy[1]
		xs, ys := x, y
		if x.Dim() == 1 {
			xs = fine
		}
		if y.Dim() == 1 {
			ys = fine
		}
		f := compile(t, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, x, y)
		in, out := mesh.JointNames(x, y)
		want, err := f.Gram(ctx, product(t, rename(xs, in), rename(ys, out)), product(t, rename(x, in), rename(y, out)))
		if err != nil {
			t.Fatal(err)
		}
		op, err := gram.Cross(ctx, f, xs, ys, x, y)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(domain, func(t *testing.T) { linoptest.Run(t, op, want, 1e-11) })
	}
}

// Meshes of other numbers of coordinates, on either side, are no meshes of the kernel; one side may be
// the same.
func TestCrossOfOtherMeshes(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	other := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	plane := product(t, rename(line, []string{"a"}), rename(line, []string{"b"}))
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, line, line)
	for _, m := range [][2]mesh.Mesh{{plane, line}, {line, plane}, {plane, plane}} {
		if _, err := gram.Cross(t.Context(), f, m[0], m[1], line, line); err == nil || !strings.Contains(err.Error(), "coordinates, the estimate 1 + 1") {
			t.Errorf("%d + %d coordinates: %v", m[0].Dim(), m[1].Dim(), err)
		}
	}
	for _, m := range [][2]mesh.Mesh{{line, line}, {other, line}, {line, other}, {other, other}} {
		op, err := gram.Cross(t.Context(), f, m[0], m[1], line, line)
		if err != nil {
			t.Fatal(err)
		}
		if rows, columns := op.Dims(); rows != m[0].Size()*m[1].Size() || columns != 16 {
			t.Errorf("%d + %d points: %d × %d", m[0].Size(), m[1].Size(), rows, columns)
		}
	}
}

// A few rows of a product with a mixture are those of the whole, on one axis and on two, also
// where one of them is a point; so are entries.
func TestRowsOfMixtures(t *testing.T) {
	plane := product(t, rename(mesh.Must(mesh.Uniform(0, 1, 4, "")), []string{"a"}), rename(graded(3), []string{"b"}))
	point := mesh.Must(mesh.Scattered([]float64{.4}, 1, nil))
	fine := mesh.Must(mesh.Uniform(0, 1, 13, ""))
	for name, m := range map[string][4]mesh.Mesh{
		"line": {fine, graded(7), graded(6), fine}, "plane": {graded(5), plane, fine, plane}, "from a point": {fine, fine, point, graded(4)}, "to a point": {fine, point, graded(4), fine},
	} {
		f := compile(t, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, m[2], m[3])
		if off := gram.MixtureRows(t.Context(), f, m[0], m[1], m[2], m[3]); !(off < 1e-13) {
			t.Errorf("%s: rows and entries are off by %g of the largest", name, off)
		}
		if x, y := m[2], m[3]; len(x.Axes())+len(y.Axes()) == 2 {
			if off := gram.KroneckerRows(t.Context(), f, x, y); !(off < 1e-13) {
				t.Errorf("%s: rows and entries of a sum of products are off by %g of the largest", name, off)
			}
		}
	}
}

// A product that is computed in several blocks, along an axis between two others, is put
// together in the right order.
func TestBlocksOfMixtures(t *testing.T) {
	matrix := func(rows, cols int, of float64) *mat.Dense {
		e := mat.NewDense(rows, cols, nil)
		for i := range rows {
			for j := range cols {
				e.Set(i, j, math.Cos(of*float64(i*cols+j)))
			}
		}
		return e
	}
	terms := [][]*mat.Dense{
		{matrix(4200, 1, .3), matrix(24, 8, .7), matrix(4, 1, 1.1)},
		{matrix(4200, 1, .9), matrix(24, 8, .2), matrix(4, 1, .5)},
	}
	if off, first := gram.MixtureProduct(t.Context(), terms); first != 1 || !(off < 1e-13) {
		t.Errorf("off by %g of the largest, contracted first along axis %d", off, first)
	}
}

// Between different meshes a kernel with a kink keeps its structure: no pair of
// points is evaluated, whether its terms are mixtures of Gaussians or Kronecker sums.
func TestCrossOfScaledTerms(t *testing.T) {
	ctx := context.Background()
	x, y := mesh.Must(mesh.Uniform(0, 1, 9, "")), graded(7)
	xs, ys := mesh.Must(mesh.Gauss(0, 1, 8, "")), mesh.Must(mesh.Uniform(0, 1, 11, ""))
	l := kernel.Lengthscale{.3}
	kink := func(base kernel.Kernel) kernel.Kernel { return kernel.Kink{Base: base, Jump: base, Power: 1} }
	for _, c := range []struct {
		text string
		k    kernel.Kernel
	}{
		{"scaled mixture of", kink(kernel.SE{Lengthscale: l})},
		{"scaled sum of 2 Kronecker products", kink(kernel.Linear{})},
		{"scaled", local{Kernel: kernel.Matern{Nu: 2.5, Lengthscale: l}, centre: []float64{.3, .6}, width: .5, amplitude: 1, length: 1}}, // one term
	} {
		f := compile(t, c.k, x, y)
		in, out := mesh.JointNames(x, y)
		want, err := f.Gram(ctx, product(t, rename(xs, in), rename(ys, out)), product(t, rename(x, in), rename(y, out)))
		if err != nil {
			t.Fatal(err)
		}
		ops, verdicts, err := gram.CrossForms(ctx, f, xs, ys, x, y)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		var forms []string
		for i, op := range ops {
			forms = append(forms, linop.Describe(op))
			found = found || verdicts[i] == "" && strings.Contains(forms[i], c.text)
			linoptest.Run(t, op, want, 1e-11)
		}
		if !found {
			t.Errorf("no %s among %q, %q", c.text, forms, verdicts)
		}
	}
}

// The choice and its reason are part of what users see. Structures are chosen for the
// kernels and meshes that they are made for, and not for others.
func TestChoice(t *testing.T) {
	u, g := mesh.Must(mesh.Uniform(0, 1, 30, "")), graded(30)
	small, uneven := mesh.Must(mesh.Uniform(0, 1, 5, "")), graded(5)
	l := kernel.Lengthscale{.2}
	for _, c := range []struct {
		k     kernel.Kernel
		x, y  mesh.Mesh
		want  gram.Structure
		words string
	}{
		{kernel.SE{Lengthscale: l}, u, u, gram.Kronecker, "Kronecker"},
		{kernel.Exponential{Lengthscale: l}, u, u, gram.FFT, "Toeplitz"},
		{kernel.Exponential{Lengthscale: l}, g, u, gram.Kronecker, "Kronecker"},
		{kernel.Tensor{Input: kernel.Exponential{Lengthscale: l}, Output: kernel.BrownianBridge{Lower: 0, Upper: 1}}, u, u, gram.Kronecker, "Kronecker"},
		{kernel.Matern{Nu: 2.5, Lengthscale: l}, product(t, small, small), small, gram.FFT, "Toeplitz"},
		{kernel.SE{Lengthscale: l}, product(t, small, small), small, gram.FFT, "Toeplitz"},
		{kernel.Matern{Nu: 2.5, Lengthscale: l}, product(t, uneven, small), small, gram.Gaussians, "mixture"},
		{kinks()[0], graded(8), graded(11), gram.Scaled, "Kronecker product of 8 × 8 and 11 × 11 + scaled Kronecker product of 8 × 8 and 11 × 11"},
		{kernel.Sum{Terms: []kernel.Kernel{kinks()[0], kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 3}}}, graded(8), graded(11), gram.Scaled, "sum of 2 Kronecker products of 8 × 8 and 11 × 11 + 2 times a scaled Kronecker product of 8 × 8 and 11 × 11"},
	} {
		p, why, err := gram.Self(context.Background(), compile(t, c.k, c.x, c.y), c.x, c.y, gram.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := p.Describe()
		if why == "" || !strings.Contains(d, c.words) {
			t.Errorf("%s: %s (%s), want %s", c.k, d, why, c.want)
		}
		if c.want != gram.Kronecker && c.want != gram.FFT {
			continue
		}
		for _, unit := range []float64{1e-9, 1e9} { // in which values are the same
			q, _, err := gram.Self(context.Background(), compile(t, kernel.Scaled{Factor: unit, Kernel: c.k}, c.x, c.y), c.x, c.y, gram.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if other := q.Describe(); other != d {
				t.Errorf("%s times %g: %s, without it %s", c.k, unit, other, d)
			}
		}
	}
}

func TestCancelledContextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := graded(20)
	f := compile(t, kernel.Exponential{Lengthscale: kernel.Lengthscale{.1}}, g, g)
	if _, _, err := gram.Self(ctx, f, g, g, gram.Options{}); err == nil {
		t.Error("a cancelled context went unnoticed")
	}
}

// Between meshes of one long axis a mixture would have dozens of matrices, each as large as
// that of the kernel: it is evaluated.
func TestCrossMakesNoMoreThanTheKernel(t *testing.T) {
	point, err := mesh.New(gram.Point())
	if err != nil {
		t.Fatal(err)
	}
	long, axis := mesh.Must(mesh.Uniform(.003, .99, 9001, "y")), mesh.Must(mesh.Uniform(0, 1, 200, "y"))
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.2}}
	f, err := kernels.Compile(gram.OnOutput{Kernel: k}, kernel.Space{Names: []string{gram.PointName, "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	op, err := gram.Cross(t.Context(), f, point, long, point, axis)
	if err != nil {
		t.Fatal(err)
	}
	if how := linop.Describe(op); strings.Contains(how, "mixture") {
		t.Errorf("%s between one axis and another", how)
	}
}

// Every structure that is asked for is made, or refused with a reason.
func TestEveryStructureMayBeAskedFor(t *testing.T) {
	names := gram.Structures()
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(distinct) != len(names) || distinct[0] == gram.Automatic || slices.Contains(names, gram.Parts) {
		t.Errorf("structures %v: one has two lines or no name, or only a kernel asks for it", names)
	}
	x, y := mesh.Must(mesh.Uniform(0, 1, 4, "x")), graded(5)
	for _, k := range []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, kernel.Matern{Nu: .5, Lengthscale: kernel.Lengthscale{.1}}} {
		for _, s := range gram.Structures() {
			p, _, err := gram.Self(t.Context(), compile(t, k, x, y), x, y, gram.Options{Structure: s})
			if (p == nil) == (err == nil) || err != nil && !strings.Contains(err.Error(), string(s)) {
				t.Errorf("structure %s of %s: %v, %v", s, k, p, err)
			}
		}
	}
}
