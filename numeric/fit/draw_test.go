package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// between is the posterior covariance of Σ_j a_j G(x_j, y) + β(y) and Σ_j b_j G(ξ_j, η) + β(η), or
// without β, by the textbook.
func (g *gaussianProcess) between(a, x []float64, y float64, b, xi []float64, eta float64, bias bool) float64 {
	with := func(a, x []float64, y float64) *mat.VecDense {
		n, _ := g.f.Dims()
		h := mat.NewVecDense(n*g.outputs, nil)
		for i := range n * g.outputs {
			h.SetVec(i, g.covariance(a, x, y, g.f.RawRowView(i/g.outputs), g.x, g.y[i%g.outputs], bias))
		}
		return h
	}
	var z mat.VecDense
	if err := g.chol.SolveVecTo(&z, with(b, xi, eta)); err != nil {
		panic(err)
	}
	return g.covariance(a, x, y, b, xi, eta, bias) - mat.Dot(with(a, x, y), &z)
}

// Draws of G and of predictions have the mean of the estimate and the covariance of a dense
// Gaussian process, to what so many draws tell, five standard errors: for a kernel that is a
// product and for one that is none. The same seed draws the same.
func TestDraws(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 8, "x")), mesh.Must(mesh.Gauss(0, 1, 7, "y"))
	d := noise(t, 6, x, y)
	xs, ys := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Uniform(0.1, 1.2, 4, "y"))
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	const n = 4000
	for name, k := range map[string]kernel.Kernel{
		"product": kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, "none": kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}},
	} {
		s := fit.Spec{Data: d, Kernel: k, Lambda: 1e-3}
		e := mustFit(t, s)
		g := newGaussianProcess(t, e, s, space)
		f := mat.NewDense(2, 3, []float64{1, -1, .5, 0, 0, 0})
		for _, asked := range []fit.Draws{{}, {F: f}, {F: f, Apart: true}} {
			inputs := asked.F
			asked.N, asked.Seed, asked.X, asked.Y = n, 3, xs, ys
			got, err := e.Draw(ctx, asked)
			if err != nil {
				t.Fatal(name, err)
			}
			again, err := e.Draw(ctx, asked)
			if err != nil || !mat.Equal(got, again) {
				t.Error(name, "the same seed draws otherwise", err)
			}
			mean, err := e.Green(ctx, xs, ys)
			if inputs != nil {
				mean, err = e.Predict(ctx, f, xs, ys)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			p, w := xs.Points(), xs.Weights()
			target := func(i int) (a, at []float64, y float64) {
				y = ys.Points()[i%4]
				if inputs == nil {
					return []float64{1}, p[i/4 : i/4+1], y
				}
				a = append(a, f.RawRowView(i/4)...)
				for j := range a {
					a[j] *= w[j]
				}
				return a, p, y
			}
			_, count := got.Dims()
			for i := range count {
				for j := range i + 1 {
					if asked.Apart && i/4 != j/4 { // of two predictions nothing is promised
						continue
					}
					a, xa, ya := target(i)
					b, xb, yb := target(j)
					cov := func(a, xa []float64, ya float64, b, xb []float64, yb float64) float64 {
						return g.between(a, xa, ya, b, xb, yb, inputs != nil)
					}
					want := cov(a, xa, ya, b, xb, yb)
					va, vb := cov(a, xa, ya, a, xa, ya), cov(b, xb, yb, b, xb, yb)
					sum, first := 0.0, 0.0
					for r := range n {
						u, v := got.At(r, i)-mean.RawMatrix().Data[i], got.At(r, j)-mean.RawMatrix().Data[j]
						sum += u * v / n
						first += u / n
					}
					if !(math.Abs(sum-want) <= 5*math.Sqrt((va*vb+want*want)/n)) {
						t.Errorf("%s: covariance %d, %d of draws %g, want %g", name, i, j, sum, want)
					}
					if !(math.Abs(first) <= 5*math.Sqrt(va/n)) {
						t.Errorf("%s: mean of draws of %d is off by %g, deviation %g", name, i, first, math.Sqrt(va))
					}
				}
			}
		}
	}
}

// Of few data draws are of all penalties and kernels that these allow, which again allow several penalties: their root mean
// square difference from the estimate is the band, of G, of predictions and of β, to five standard errors.
func TestDrawsOfFewDataHaveTheirBands(t *testing.T) {
	const n = 6000
	for _, pairs := range []int{1, 4} {
		m := mesh.Must(mesh.Uniform(0, 1, 5, ""))
		d := noise(t, pairs, m, m)
		for i, v := range d.Input.Data {
			d.Output.Data[i] = v + .3*d.Output.Data[i]
		}
		for _, s := range []fit.Spec{{Data: d}, {Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}}} {
			e := mustFit(t, s)
			in := mat.NewDense(3, 5, testmain.Must(randfield.Normal(8, 3, 5))(t).Data)
			in.Slice(2, 3, 0, 5).(*mat.Dense).Zero()
			for _, asked := range []fit.Draws{{}, {F: in}} {
				band := testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
				if asked.F != nil {
					band = testmain.Must(e.PredictStd(ctx, in, mesh.Mesh{}, mesh.Mesh{}))(t)
				}
				asked.N, asked.Seed = n, 3
				off := testmain.Must(e.Deviate(ctx, asked))(t)
				for k, v := range band.RawMatrix().Data {
					sum := 0.0
					for i := range n {
						sum += off.At(i, k) * off.At(i, k) / n
					}
					if r := math.Sqrt(sum) / v; !(math.Abs(r-1) <= 5*math.Sqrt(10./n)/2) { // a mixture has a kurtosis of at most about 10
						t.Errorf("%d pairs, kernel %v, predictions %v, value %d: draws differ by %.3f of the band %g", pairs, s.Kernel, asked.F != nil, k, r, v)
					}
				}
			}
		}
	}
}
