package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// smoothPairs are smooth random inputs, with outputs that are their running integrals and noise.
func smoothPairs(t *testing.T, x, y mesh.Mesh, n int, missing bool) *dataset.Dataset {
	t.Helper()
	waves := testmain.Must(randfield.Normal(3, n, 8))(t)
	f := testmain.Must(randfield.Normal(4, n, x.Size()))(t)
	u := testmain.Must(randfield.Normal(5, n, y.Size()))(t)
	px, py := x.Columns()[0], y.Columns()[0]
	for i := range n {
		wave := waves.Data[i*8 : (i+1)*8]
		for j, at := range px {
			sum := 0.0
			for k, a := range wave {
				sum += a * math.Cos(float64(k)*math.Pi*at)
			}
			f.Data[i*len(px)+j] = sum
		}
		for j, at := range py {
			sum := .3
			for k, a := range wave {
				sum += a * math.Sin(float64(k+1)*at) / float64(k+1)
			}
			u.Data[i*len(py)+j] = sum + .1*u.Data[i*len(py)+j]
			if missing && (i*len(py)+j)%13 < 2 {
				u.Data[i*len(py)+j] = math.NaN()
			}
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: missing}))(t)
}

// Bands from the leading directions of the data are those from all data, which are compared
// with a dense Gaussian process elsewhere: never narrower, and wider by no more than is stated,
// 1 %. With each kind of structure, a free constant, missing outputs and a constraint, on the
// meshes of the data and on others.
func TestBandsFromLeadingDirections(t *testing.T) {
	ctx := context.Background()
	x, y := mesh.Must(mesh.Uniform(0, 1, 28, "x")), mesh.Must(mesh.Uniform(0, 1, 22, "y"))
	xs, ys := mesh.Must(mesh.Gauss(0, 1, 12, "x")), mesh.Must(mesh.Uniform(-.1, 1.1, 9, "y"))
	length := kernel.Lengthscale{.3}
	se := kernel.SE{Lengthscale: length}
	for _, c := range []struct {
		name    string
		missing bool
		slow    bool
		s       spec
	}{
		{"symmetric on its meshes", false, false, spec{Kernel: kernel.Matern{Nu: 2.5, Lengthscale: length}, Lambda: 1e-5, Flat: true, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}},
		{"Matérn, free constant", false, false, spec{Kernel: kernel.Matern{Nu: 2.5, Lengthscale: length}, Lambda: 1e-5, Flat: true}},
		{"exponential, ρ is another", false, true, spec{Kernel: kernel.Exponential{Lengthscale: length}, Lambda: 1e-3, Rho: 1e-5}},
		{"kink", false, false, spec{Kernel: kernel.Kink{Base: se, Jump: se, Power: 1}, Lambda: 1e-5, NoBias: true}},
		{"missing outputs, free constant", true, false, spec{Kernel: kernel.Matern{Nu: 2.5, Lengthscale: length}, Lambda: 1e-5, Flat: true}},
		{"symmetric", false, true, spec{Kernel: kernel.Matern{Nu: 1.5, Lengthscale: length}, Lambda: 1e-4, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}},
	} {
		if c.slow && !testmain.EveryCase() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			y := y
			if c.name == "symmetric on its meshes" {
				y = mesh.Must(mesh.Uniform(0, 1, x.Size(), "y"))
			}
			c.s.Data = smoothPairs(t, x, y, 32, c.missing)
			p := c.s.posterior(t)
			all, err := p.factored(ctx)
			if err != nil || all == nil {
				t.Fatal("no factor", err)
			}
			for _, on := range []targets{
				{xs: x, ys: y},
				{xs: xs, ys: ys},
				{xs: x, ys: ys, weights: mat.NewDense(3, 28, append([]float64(nil), c.s.Data.Input.Data[:84]...))},
			} {
				got, err := p.byDirections(ctx, on)
				if err != nil || got == nil {
					t.Fatalf("no band by directions: %v", err)
				}
				l := p.factor.leading
				if n, _ := p.a.Dims(); len(l.at) > n/2 || !(l.excess <= bandTolerance) {
					t.Errorf("%d directions of %d, excess %g", len(l.at), n, l.excess)
				}
				root := testmain.Must(p.jointRoot(ctx, on))(t)
				for i, v := range got.RawMatrix().Data {
					if n := mat.Norm(root.ColView(i), 2); !(math.Abs(n-v) <= 6e-5*v) {
						t.Fatalf("draws have the standard deviation %g at %d, the band %g", n, i, v)
					}
				}
				if on.weights != nil {
					comparesApart(t, p, on)
				}
				at := make([]float64, 1)
				for k := 0; k < on.ys.Size(); k += 4 {
					on.ys.Point(at, k)
					f := testmain.Must(p.points(ctx, on.xs, at, on.weights != nil))(t)
					if on.weights != nil {
						if f = f.combined(ctx, on.weights); p.q != nil {
							if err := p.addBias(ctx, f, at); err != nil {
								t.Fatal(err)
							}
						}
					}
					want := testmain.Must(p.deviationsOf(ctx, f, all))(t)
					for i, w := range want {
						if v := got.At(i, k); !(v >= w*(1-1e-7) && v <= w*math.Sqrt(1+l.excess)*(1+1e-7)) {
							t.Fatalf("band %.10g at %d, %d; from all data %.10g, with an excess of at most %g", v, i, k, w, l.excess)
						}
					}
				}
			}
		})
	}
}

// comparesApart compares the covariance of each prediction by itself with that of a root of them all.
func comparesApart(t *testing.T, p *Posterior, on targets) {
	t.Helper()
	root := testmain.Must(p.root(t.Context(), on))(t)
	each := testmain.Must(p.ofEach(t.Context(), on))(t)
	rows, _ := root.Dims()
	my := on.ys.Size()
	for i := range on.count() {
		c := testmain.Must(each(t.Context(), i))(t)
		own := root.Slice(0, rows, i*my, (i+1)*my)
		var want mat.Dense
		want.Mul(own.T(), own)
		for k := range my {
			for l := range my {
				if d := p.Tau2*c.At(k, l) - want.At(k, l); !(math.Abs(d) <= 2e-4*math.Sqrt(want.At(k, k)*want.At(l, l))) {
					t.Fatalf("prediction %d by itself: the covariance at %d, %d is off by %g of %g", i, k, l, d, want.At(k, k))
				}
			}
		}
	}
}

// What the directions leave out is bounded by the largest eigenvalue of it that Lanczos' method
// finds, which is that of the matrix itself.
func TestLargestLeft(t *testing.T) {
	ctx := t.Context()
	x, y := mesh.Must(mesh.Uniform(0, 1, 28, "x")), mesh.Must(mesh.Uniform(0, 1, 22, "y"))
	for _, missing := range []bool{false, true} {
		p := spec{Data: smoothPairs(t, x, y, 32, missing), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-6, Flat: true}.posterior(t)
		l := newLeading(p, 100) // few, so that much is left
		if l == nil {
			t.Fatal("no directions")
		}
		if err := l.make(ctx, p); err != nil {
			t.Fatal(err)
		}
		bound := testmain.Must(l.mostLeft(ctx, p))(t)
		got := testmain.Must(l.largestLeft(ctx, p, lanczosSteps))(t)
		n, _ := p.a.Dims()
		v, want := linop.Normal(rand.New(rand.NewPCG(1, 9)), n), 0.
		for range 400 { // the power method
			if err := l.takeOut(ctx, v); err != nil {
				t.Fatal(err)
			}
			floats.Scale(1/floats.Norm(v, 2), v)
			v = testmain.Must(l.leftOf(ctx, p, v))(t)
			want = floats.Norm(v, 2)
		}
		if !(want > .01) || !(math.Abs(got-want) <= .01*want) {
			t.Errorf("missing outputs %v: %d of %d directions leave %g, by the power method %g", missing, len(l.at), n, got, want)
		}
		if more := testmain.Must(l.largestLeft(ctx, p, 2*lanczosSteps))(t); !(math.Abs(more-want) <= 1e-4*want) {
			t.Errorf("missing outputs %v: twice the steps find %g, by the power method %g", missing, more, want)
		}
		if bound > 0 == missing || !missing && !(bound >= want) {
			t.Errorf("missing outputs %v: at most %g is said to be left, by the power method %g", missing, bound, want)
		}
	}
}
