package kernels_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scripted is a kernel given by its expression only, as a script makes it.
type scripted struct {
	kernel.Kernel
	name string
	of   func(p, q []*expr.Node) *expr.Node
}

func (k scripted) Expr(p, q kernels.Point) (*expr.Node, error) { return k.of(p.X, q.X), nil }
func (k scripted) String() string                              { return k.name }

// scriptedMatern is the Matérn kernel of order 5/2 with lengthscale l, written
// out in another order than the built-in one.
func scriptedMatern(l float64) kernel.Kernel {
	return scripted{name: "scripted matern", of: func(p, q []*expr.Node) *expr.Node {
		c, sum := expr.Const, expr.Const(0)
		for i := range p {
			sum = expr.Add(expr.Pow(expr.Div(expr.Sub(q[i], p[i]), c(l)), c(2)), sum)
		}
		r := expr.Mul(c(math.Sqrt(5)), expr.Sqrt(sum))
		poly := expr.Add(expr.Add(expr.Div(expr.Pow(r, c(2)), c(3)), r), c(1))
		return expr.Mul(expr.Exp(expr.Neg(r)), poly)
	}}
}

// gibbs has a lengthscale that varies from place to place: no radial family.
func gibbs() kernel.Kernel {
	return scripted{name: "gibbs", of: func(p, q []*expr.Node) *expr.Node {
		c, out := expr.Const, expr.Const(1)
		for i := range p {
			lp := expr.Add(c(.1), expr.Mul(c(.3), expr.Mul(p[i], p[i])))
			lq := expr.Add(c(.1), expr.Mul(c(.3), expr.Mul(q[i], q[i])))
			s := expr.Add(expr.Mul(lp, lp), expr.Mul(lq, lq))
			d := expr.Sub(p[i], q[i])
			out = expr.Mul(out, expr.Mul(expr.Sqrt(expr.Div(expr.Mul(c(2), expr.Mul(lp, lq)), s)), expr.Exp(expr.Neg(expr.Div(expr.Mul(d, d), s)))))
		}
		return out
	}}
}

func scatter(n, dim int, shift float64, seed uint64) mesh.Mesh {
	rng := rand.New(rand.NewPCG(seed, 8))
	c := make([]float64, n*dim)
	for i := range c {
		c[i] = shift + rng.Float64()
	}
	return mesh.Must(mesh.Scattered(c, dim, nil))
}

func dims(d int) kernel.Space {
	s := kernel.Space{}
	for i := range d {
		s.Names = append(s.Names, fmt.Sprintf("x%d", i+1))
	}
	return s
}

// Rows, matrices and products agree with the interpreter to 1e-13 of the sum of
// absolute values, whether the kernel has fused loops or not, for sizes around
// every block, with some points common to both sides. Which kernels are fused is
// known.
func TestProductAgreesWithTheInterpreter(t *testing.T) {
	ctx := context.Background()
	l := kernel.Lengthscale{.3}
	for _, c := range []struct {
		k     kernel.Kernel
		fused bool
	}{
		{kernel.SE{Lengthscale: l}, true},
		{kernel.Exponential{Lengthscale: l}, true},
		{kernel.Matern{Nu: 1.5, Lengthscale: l}, true},
		{kernel.Matern{Nu: 2.5, Lengthscale: l}, true},
		{kernel.Scaled{Factor: 2.5, Kernel: kernel.Exponential{Lengthscale: l}}, true},
		{scriptedMatern(.3), true},
		{gibbs(), false},
		{kernel.RationalQuadratic{Alpha: 1, Lengthscale: l}, false},
		{kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}}}, false},
	} {
		for _, size := range [][3]int{{1, 1, 1}, {2, 7, 3}, {3, 97, 2}, {101, 3, 1}, {97, 260, 5}, {2, 2051, 2}, {3, 40, 6}} {
			p, q := scatter(size[0], size[2], 0, 1), scatter(size[1], size[2], 0, 1)
			f := compile(t, c.k, dims(size[2]))
			m, err := f.Matrix(p, q)
			if err != nil {
				t.Fatal(err)
			}
			if m.Fused() != c.fused {
				t.Errorf("%s: fused is %v, want %v", c.k, m.Fused(), c.fused)
			}
			want := interpreted(f, p, q)
			g, err := f.Gram(ctx, p, q)
			if err != nil {
				t.Fatal(err)
			}
			close13(t, c.k, "gram", g, want, ones(want))
			for _, cols := range []int{1, 2, 5} {
				b, bt := normal(size[1], cols), normal(size[0], cols)
				var product, transposed mat.Dense
				if err := productMat(ctx, f, &product, p, q, b); err != nil {
					t.Fatal(err)
				}
				close13(t, c.k, "product", &product, times(want, b), times(want, absolute(b)))
				if err := m.T().MulMat(ctx, &transposed, bt); err != nil {
					t.Fatal(err)
				}
				close13(t, c.k, "transposed", &transposed, times(want.T(), bt), times(want.T(), absolute(bt)))
			}
			v, dst := normal(size[1], 1), mat.NewDense(size[0], 1, nil)
			if err := product(ctx, f, dst.RawMatrix().Data, p, q, v.RawMatrix().Data); err != nil {
				t.Fatal(err)
			}
			close13(t, c.k, "vector", dst, times(want, v), times(want, absolute(v)))
		}
	}
}

// For many pairs formulas are written anew. Values agree with those of single points to 1e-13, where points are far away,
// coincide or come in any unit; of a symmetric kernel the matrix is symmetric to the bit, and rows are those of products.
func TestManyPairsAgreeWithSinglePoints(t *testing.T) {
	const n = 520
	quadratic := scripted{name: "quadratic", of: func(p, q []*expr.Node) *expr.Node {
		s := expr.Add(expr.Exp(p[0]), expr.Exp(q[0]))
		return expr.Div(expr.Sqrt(s), expr.Add(s, expr.Div(expr.Pow(expr.Sub(p[0], q[0]), expr.Const(2)), expr.Mul(s, expr.Sqrt(s)))))
	}}
	scaled := func(unit, shift float64) mesh.Mesh {
		p := scatter(n, 2, 0, 6).Points()
		for i := range p {
			p[i] = unit*p[i] + shift
			if i%7 == 0 {
				p[i] = p[0] // some points coincide
			}
		}
		return mesh.Must(mesh.Scattered(p, 2, nil))
	}
	for _, k := range []kernel.Kernel{gibbs(), quadratic, kernel.RationalQuadratic{Alpha: 1.3, Lengthscale: kernel.Lengthscale{.3}}} {
		f := compile(t, k, dims(2))
		for _, p := range []mesh.Mesh{scaled(1, 0), scaled(1e-9, 0), scaled(100, -50), scaled(1, 500), scaled(1e150, 0), scaled(1e-200, 0)} {
			m, err := f.Matrix(p, p)
			if err != nil {
				t.Fatal(err)
			}
			rows, columns := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
			if err := m.Fill(context.Background(), rows); err != nil {
				t.Fatal(err)
			}
			if err := m.T().Fill(context.Background(), columns); err != nil {
				t.Fatal(err)
			}
			x, y, unit := make([]float64, 2), make([]float64, 2), make([]float64, n)
			for i := 0; i < n; i += 104 {
				for j := range n {
					p.Point(x, i)
					p.Point(y, j)
					got, want := rows.At(i, j), f.At(x, y)
					if !(math.Abs(got-want) <= 1e-13*math.Abs(want)+1e-300) && !(got != got && want != want) {
						t.Fatalf("%s at %g and %g is %v, want %v", k, x, y, got, want)
					}
					if a := rows.At(j, i); got != a && got == got || columns.At(j, i) != got && got == got {
						t.Fatalf("%s at %g and %g is %v, the other way round %v, transposed %v", k, x, y, got, a, columns.At(j, i))
					}
				}
				product := make([]float64, n)
				unit[i] = 1
				if err := m.T().MulVec(context.Background(), product, unit); err != nil {
					t.Fatal(err)
				}
				unit[i] = 0
				for j, v := range product {
					if w := rows.At(i, j); v != w && w == w {
						t.Fatalf("%s: product %v, matrix %v", k, v, w)
					}
				}
			}
		}
	}
}

// The transpose of a function that is not symmetric exchanges its arguments.
func TestTransposeExchangesArguments(t *testing.T) {
	k := scripted{name: "p0 - 2 q0", of: func(p, q []*expr.Node) *expr.Node { return expr.Sub(p[0], expr.Mul(expr.Const(2), q[0])) }}
	f := compile(t, k, dims(1))
	p, q := scatter(3, 1, 0, 1), scatter(4, 1, 0, 2)
	m, err := f.Matrix(p, q)
	if err != nil {
		t.Fatal(err)
	}
	g, v := mat.NewDense(4, 3, nil), normal(3, 1)
	if err := m.T().Fill(context.Background(), g); err != nil {
		t.Fatal(err)
	}
	close13(t, k, "transposed", g, mat.DenseCopyOf(interpreted(f, p, q).T()), ones(g))
	var product mat.Dense
	if err := m.T().MulMat(context.Background(), &product, v); err != nil {
		t.Fatal(err)
	}
	close13(t, k, "product", &product, times(g, v), times(absolute(g), absolute(v)))
}

// Points far from the origin lose no digits, though the fused loops scale before
// they subtract. The coordinates are whole multiples of 2^-20, so that moving
// them by 2^20 is exact.
func TestProductFarFromTheOrigin(t *testing.T) {
	at := func(shift float64) mesh.Mesh {
		p := scatter(50, 2, 0, 3).Points()
		for i := range p {
			p[i] = math.Round(p[i]*(1<<20))/(1<<20) + shift
		}
		return mesh.Must(mesh.Scattered(p, 2, nil))
	}
	f := compile(t, kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.02}}, dims(2))
	near, far := at(0), at(1<<20)
	g, err := f.Gram(context.Background(), far, far)
	if err != nil {
		t.Fatal(err)
	}
	close13(t, f.Kernel, "far", g, interpreted(f, near, near), ones(g))
}

// A product is the same to the last bit when it is computed again.
func TestProductIsDeterministic(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, gibbs()} {
		f := compile(t, k, dims(2))
		p := scatter(2100, 2, 0, 4)
		v := normal(2100, 1).RawMatrix().Data
		first, again := make([]float64, 2100), make([]float64, 2100)
		for _, dst := range [][]float64{first, again} {
			if err := product(context.Background(), f, dst, p, p, v); err != nil {
				t.Fatal(err)
			}
		}
		for i := range first {
			if first[i] != again[i] {
				t.Fatalf("%s: row %d is %g, then %g", k, i, first[i], again[i])
			}
		}
	}
}

func TestProductRefusals(t *testing.T) {
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, dims(2))
	p := scatter(3, 2, 0, 1)
	ctx, cancel := context.WithCancel(context.Background())
	for _, c := range [][2]mesh.Mesh{{p, scatter(3, 1, 0, 1)}, {scatter(3, 1, 0, 1), p}, {scatter(3, 3, 0, 1), p}} {
		if _, err := f.Matrix(c[0], c[1]); err == nil {
			t.Errorf("points of %d and %d coordinates are accepted", c[0].Dim(), c[1].Dim())
		}
	}
	if err := product(ctx, f, make([]float64, 3), p, p, make([]float64, 2)); err == nil {
		t.Error("a vector of another length is accepted")
	}
	if err := productMat(ctx, f, mat.NewDense(2, 2, nil), p, p, mat.NewDense(3, 2, nil)); err == nil {
		t.Error("a result of another shape is accepted")
	}
	cancel()
	if err := product(ctx, f, make([]float64, 3), p, p, make([]float64, 3)); err == nil {
		t.Error("a cancelled context went unnoticed")
	}
}

// interpreted is the matrix by the recursive interpreter, entry by entry.
func interpreted(f *kernels.Function, p, q mesh.Mesh) *mat.Dense {
	g := mat.NewDense(p.Size(), q.Size(), nil)
	d := p.Dim()
	vars := make([]float64, 2*d)
	for i := range p.Size() {
		for j := range q.Size() {
			p.Point(vars[:d], i)
			q.Point(vars[d:], j)
			g.Set(i, j, expr.Eval(f.Node, vars))
		}
	}
	return g
}

func normal(r, c int) *mat.Dense {
	rng := rand.New(rand.NewPCG(uint64(r), uint64(c)))
	m := mat.NewDense(r, c, nil)
	m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
	return m
}

func times(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Mul(a, b)
	return &m
}

func absolute(a *mat.Dense) *mat.Dense {
	var m mat.Dense
	m.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, a)
	return &m
}

func ones(a *mat.Dense) *mat.Dense {
	var m mat.Dense
	m.Apply(func(int, int, float64) float64 { return 1 }, a)
	return &m
}

// close13 holds every entry to 1e-13 of its scale.
func close13(t *testing.T, k kernel.Kernel, what string, got, want, scale *mat.Dense) {
	t.Helper()
	r, c := want.Dims()
	for i := range r {
		for j := range c {
			if g, w := got.At(i, j), want.At(i, j); !(math.Abs(g-w) <= 1e-13*math.Abs(scale.At(i, j))+1e-300) {
				t.Fatalf("%s: %s [%d, %d] of %d × %d is %.17g, want %.17g", k, what, i, j, r, c, g, w)
			}
		}
	}
}

// product stores Σ_j k(p_i, q_j) v_j in dst[i].
func product(ctx context.Context, f *kernels.Function, dst []float64, p, q mesh.Mesh, v []float64) error {
	m, err := f.Matrix(p, q)
	if err != nil {
		return err
	}
	return m.MulVec(ctx, dst, v)
}

// productMat stores the kernel matrix times b in dst.
func productMat(ctx context.Context, f *kernels.Function, dst *mat.Dense, p, q mesh.Mesh, b *mat.Dense) error {
	m, err := f.Matrix(p, q)
	if err != nil {
		return err
	}
	return m.MulMat(ctx, dst, b)
}

// Products in pieces of few rows are those in one, to the last bit, by loops and by tapes, of a vector
// and of matrices, and so are the values.
func TestProductsInPieces(t *testing.T) {
	p := mesh.Must(mesh.Uniform(0, 1, 13, "x"))
	q := mesh.Must(mesh.Uniform(-1, 2, 17, "x"))
	for _, k := range []kernel.Kernel{kernel.Scaled{Factor: 3, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}, kernel.Polynomial{Degree: 2, Offset: 1}} {
		whole, err := compile(t, k, kernels.Line()).Matrix(p, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, cols := range []int{1, 3, 20} {
			b := mat.NewDense(17, cols, nil)
			b.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + 5*j)) }, b)
			want, values := mat.NewDense(13, cols, nil), mat.NewDense(13, 17, nil)
			vector := make([]float64, 13)
			if err := errors.Join(whole.MulMat(t.Context(), want, b), whole.Fill(t.Context(), values), whole.MulVec(t.Context(), vector, mat.Col(nil, 0, b))); err != nil {
				t.Fatal(err)
			}
			for _, pairs := range []int{1, 35, 70, 170, 221, 1000} {
				m := whole.InPieces(pairs)
				got, own, v := mat.NewDense(13, cols, nil), mat.NewDense(13, 17, nil), make([]float64, 13)
				if err := errors.Join(m.MulMat(t.Context(), got, b), m.Fill(t.Context(), own), m.MulVec(t.Context(), v, mat.Col(nil, 0, b))); err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(got, want) || !mat.Equal(own, values) || !slices.Equal(v, vector) {
					t.Errorf("%s by %d columns, pieces of %d pairs: products are the same %t, values %t, those of a vector %t", k, cols, pairs, mat.Equal(got, want), mat.Equal(own, values), slices.Equal(v, vector))
				}
			}
		}
	}
}

// Where coordinates are so far apart that those of one mesh cannot be scaled, the matrix is evaluated as
// the kernel is, whichever side that mesh is on.
func TestMatricesOfFarPoints(t *testing.T) {
	f := compile(t, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, dims(1))
	at := func(x ...float64) mesh.Mesh { return mesh.Must(mesh.Scattered(x, 1, nil)) }
	for _, c := range [][2]mesh.Mesh{{at(0, .5, 1), at(.2, .4)}, {at(0, 1e308), at(.2, .4)}, {at(1e308), at(0, 1e308)}, {at(0, 1e308), at(1e308, 0, 1e308)}} {
		m, err := f.Matrix(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		var got mat.Dense
		eye := mat.NewDense(c[1].Size(), c[1].Size(), nil)
		for i := range c[1].Size() {
			eye.Set(i, i, 1)
		}
		if err := m.MulMat(t.Context(), &got, eye); err != nil {
			t.Fatal(err)
		}
		if want := interpreted(f, c[0], c[1]); !mat.EqualApprox(&got, want, 1e-13) {
			t.Errorf("between %v and %v: %v, want %v", c[0].Points(), c[1].Points(), mat.Formatted(&got), mat.Formatted(want))
		}
	}
}
