package posterior

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// On several axes the closed form of products is what one solve for each point
// gives; the latter is compared with dense Gaussian processes elsewhere.
func TestBandsOnSeveralAxes(t *testing.T) {
	ctx := context.Background()
	plane := func(n, m int, a, b string) mesh.Mesh {
		return testmain.Must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, n, a)), mesh.Must(mesh.Gauss(0, 1, m, b))))(t)
	}
	x, y := plane(4, 3, "x", "s"), plane(3, 4, "y", "t")
	f := testmain.Must(randfield.Normal(1, 7, x.Size()))(t)
	u := testmain.Must(randfield.Normal(2, 7, y.Size()))(t)
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y}))(t)
	p := spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.5, 0.3, 0.4, 0.6}}, Lambda: 1e-3, Rho: 1e-2}.posterior(t)
	if p.split == nil {
		t.Fatal("the product form was not found")
	}
	xs, ys := plane(2, 3, "x", "s"), plane(3, 2, "y", "t")
	inputs := mat.NewDense(2, xs.Size(), []float64{1, 0, -1, 2, 0.5, 0, 0, 0, 0, 0, 0, 0})
	bands := func() (g, u *mat.Dense) {
		g = testmain.Must(p.Std(ctx, xs, ys))(t)
		u = testmain.Must(p.PredictStd(ctx, inputs, xs, ys))(t)
		return g, u
	}
	g1, u1 := bands()
	p.split = nil
	g2, u2 := bands()
	for _, c := range []struct{ fast, slow *mat.Dense }{{g1, g2}, {u1, u2}} {
		for i, v := range c.slow.RawMatrix().Data {
			if !(math.Abs(c.fast.RawMatrix().Data[i]-v) <= 1e-8*v) {
				t.Errorf("closed form %.12g, by iterations %.12g", c.fast.RawMatrix().Data[i], v)
			}
		}
	}
}

// spot is a kernel and one that only lives about (.7, .3).
type spot struct{ kernel.SE }

func (k spot) Mixture([]float64, float64) []kernels.Gaussian { return nil }

func (k spot) Expr(p, q kernels.Point) (*expr.Node, error) {
	n, err := kernels.Symbolic(k.SE, p, q)
	if err != nil {
		return nil, err
	}
	for _, at := range []kernels.Point{p, q} {
		a, b := expr.Sub(at.X[0], expr.Const(.7)), expr.Sub(at.X[1], expr.Const(.3))
		far := expr.Mul(expr.Const(-1e5), expr.Add(expr.Mul(a, a), expr.Mul(b, b)))
		n = expr.Mul(n, expr.Add(expr.Const(1), expr.Exp(far)))
	}
	return n, nil
}

// A band at points where the kernel is no product, though it is one at all points of
// the data, is not that of the closed form.
func TestBandWhereTheKernelIsNoProduct(t *testing.T) {
	ctx := context.Background()
	m := mesh.Must(mesh.Uniform(0, 1, 6, ""))
	f := testmain.Must(randfield.Normal(1, 7, 6))(t)
	u := testmain.Must(randfield.Normal(2, 7, 6))(t)
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m}))(t)
	p := spec{Data: d, Kernel: spot{kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}, Lambda: 1e-3, NoBias: true}.posterior(t)
	if p.split == nil {
		t.Fatal("the product form was not found on the mesh of the data")
	}
	at := func(v float64) mesh.Mesh { return mesh.Must(mesh.Scattered([]float64{v}, 1, nil)) }
	got := testmain.Must(p.Std(ctx, at(.7), at(.3)))(t)
	p.split = nil
	want := testmain.Must(p.Std(ctx, at(.7), at(.3)))(t)
	if a, b := got.At(0, 0), want.At(0, 0); !(math.Abs(a-b) <= .01*b) {
		t.Errorf("band %g, by iterations %g", a, b)
	}
}

// Where an axis of the data has one point, or two that are as one, every kernel is a product on
// it, and every bias kernel has its shape: bands at other points are those of the kernels.
func TestBandsBesideOnePoint(t *testing.T) {
	ctx := context.Background()
	point := func(at ...float64) func(name string) mesh.Mesh {
		return func(name string) mesh.Mesh {
			return mesh.Must(mesh.Scattered(at, 1, slices.Repeat([]float64{1}, len(at)), name))
		}
	}
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, 4, name)) }
	sum := kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{2, 0.7}}}}
	meshes := []func(string) mesh.Mesh{point(0.3), point(0.3, 0.3+1e-12), line}
	inputs := mat.NewDense(2, 4, []float64{1, 0, -1, 2, 0.5, 0, 0, 0})
	for i, mx := range meshes {
		for j, my := range meshes {
			x, y := mx("x"), my("y")
			d := testmain.Must(dataset.New(dataset.Spec{
				Input:  testmain.Must(randfield.Normal(1, 7, x.Size()))(t),
				Output: testmain.Must(randfield.Normal(2, 7, y.Size()))(t), InputMesh: x, OutputMesh: y,
			}))(t)
			for _, s := range []spec{
				{Kernel: sum, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{0.5}}},
				{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}, Bias: kernel.Matern{Nu: 0.5, Lengthscale: kernel.Lengthscale{0.1}}, Flat: true},
				{Kernel: sum, NoBias: true},
			} {
				s.Data, s.Lambda, s.Rho = d, 1e-2, 1e-1
				p := s.posterior(t)
				xs, ys := line("x"), line("y")
				both := func() []*mat.Dense {
					g, u := testmain.Must(p.Std(ctx, xs, ys))(t), testmain.Must(p.PredictStd(ctx, inputs, xs, ys))(t)
					return []*mat.Dense{g, u}
				}
				got := both()
				p.split = nil
				for q, want := range both() {
					for k, v := range want.RawMatrix().Data {
						if a := got[q].RawMatrix().Data[k]; !(math.Abs(a-v) <= 1e-6*v) {
							t.Errorf("meshes %d, %d: band %g, by the kernels %g", i, j, a, v)
							break
						}
					}
				}
			}
		}
	}
}
