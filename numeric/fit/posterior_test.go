package fit_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// gaussianProcess is the posterior by the textbook (Rasmussen and Williams,
// section 2.2): the covariance matrix of all n my raw outputs, one kernel value at a time.
type gaussianProcess struct {
	e          *fit.Estimate
	f          *mat.Dense // inputs times quadrature weights
	k, q       func(x, y, xi, eta float64) float64
	tau2       float64
	chol       mat.Cholesky
	x, y       []float64 // of the data
	outputs    int
	withoutBia bool
}

func newGaussianProcess(t *testing.T, e *fit.Estimate, s fit.Spec, space kernel.Space) *gaussianProcess {
	t.Helper()
	d := s.Data
	f := testmain.Must(kernels.Compile(s.Kernel, space))(t)
	g := &gaussianProcess{e: e, x: d.InputMesh.Points(), y: d.OutputMesh.Points(), withoutBia: s.NoBias}
	g.k = func(x, y, xi, eta float64) float64 { return f.At([]float64{x, y}, []float64{xi, eta}) }
	if !s.NoBias {
		q := testmain.Must(kernels.Compile(e.BiasKernel, kernel.Space{Names: d.OutputMesh.Names()}))(t)
		g.q = func(_, y, _, eta float64) float64 { return q.At([]float64{y}, []float64{eta}) }
	}
	n, my := d.N(), d.OutputMesh.Size()
	in := testmain.Must(d.Input.Matrix())(t)
	g.f = mat.DenseCopyOf(in)
	dx, dy := d.InputMesh.Weights(), d.OutputMesh.Weights()
	g.f.Apply(func(_, j int, v float64) float64 { return v * dx[j] }, g.f)
	g.tau2 = e.Report.Objective / float64(n*my)
	cov := mat.NewSymDense(n*my, nil)
	for a := range n * my {
		for b := a; b < n*my; b++ {
			v := g.covariance(g.f.RawRowView(a/my), g.x, g.y[a%my], g.f.RawRowView(b/my), g.x, g.y[b%my], true)
			if a == b {
				v += g.tau2 * float64(n) / dy[a%my]
			}
			cov.SetSym(a, b, v)
		}
	}
	if !g.chol.Factorize(cov) {
		t.Fatal("covariance of the outputs is not positive definite")
	}
	g.outputs = my
	return g
}

// covariance is that of Σ_j a_j G(x_j, y) + β(y) and Σ_j b_j G(ξ_j, η) + β(η).
func (g *gaussianProcess) covariance(a, x []float64, y float64, b, xi []float64, eta float64, bias bool) float64 {
	sum := 0.0
	for i, v := range a {
		for j, w := range b {
			sum += v * w * g.k(x[i], y, xi[j], eta)
		}
	}
	sum *= g.tau2 / g.e.Report.Lambda
	if bias && !g.withoutBia {
		sum += g.tau2 / g.e.Report.Rho * g.q(0, y, 0, eta)
	}
	return sum
}

// std is the posterior standard deviation of Σ_j a_j G(x_j, y), plus β(y).
func (g *gaussianProcess) std(a, x []float64, y float64, bias bool) float64 {
	n, _ := g.f.Dims()
	h := mat.NewVecDense(n*g.outputs, nil)
	for i := range n * g.outputs {
		v := g.covariance(a, x, y, g.f.RawRowView(i/g.outputs), g.x, g.y[i%g.outputs], false)
		if bias && !g.withoutBia {
			v += g.tau2 / g.e.Report.Rho * g.q(0, y, 0, g.y[i%g.outputs])
		}
		h.SetVec(i, v)
	}
	var z mat.VecDense
	if err := g.chol.SolveVecTo(&z, h); err != nil {
		panic(err)
	}
	return math.Sqrt(g.covariance(a, x, y, a, x, y, bias) - mat.Dot(h, &z))
}

// The bands are those of dense Gaussian-process regression on the raw outputs:
// to 1e-8 in closed form and by factors.
func TestPosteriorIsThatOfAGaussianProcess(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 8, "x")), mesh.Must(mesh.Gauss(0, 1, 7, "y"))
	d := noise(t, 6, x, y)
	length := kernel.Lengthscale{0.4}
	product := kernel.Tensor{Input: kernel.Matern{Nu: 1.5, Lengthscale: length}, Output: kernel.Exponential{Lengthscale: length}}
	space := kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	xs, ys := mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Uniform(0.1, 1.2, 4, "y"))
	for name, s := range map[string]fit.Spec{
		"product":         {Kernel: product, Lambda: 1e-3},
		"rho differs":     {Kernel: product, Lambda: 1e-3, Rho: 0.1},
		"no bias":         {Kernel: product, Lambda: 1e-2, NoBias: true},
		"se":              {Kernel: kernel.SE{Lengthscale: length}, Lambda: 1e-3},
		"another bias":    {Kernel: product, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Lambda: 1e-3},
		"not a product":   {Kernel: kernel.Matern{Nu: 1.5, Lengthscale: length}, Lambda: 1e-3},
		"sum of products": {Kernel: kernel.Sum{Terms: []kernel.Kernel{product, kernel.SE{Lengthscale: length}}}, Lambda: 1e-3},
	} {
		t.Run(name, func(t *testing.T) {
			s.Data = d
			e := mustFit(t, s)
			g := newGaussianProcess(t, e, s, space)
			compare := func(what string, got, want float64) {
				t.Helper()
				if math.IsNaN(got) || !(math.Abs(got-want) <= 1e-8*want) {
					t.Errorf("%s: %.12g, dense %.12g", what, got, want)
				}
			}
			std := testmain.Must(e.Std(ctx, xs, ys))(t)
			fs := mat.NewDense(2, 5, []float64{1, -1, 0.5, 2, 0, 0, 0, 0, 0, 0})
			band := testmain.Must(e.PredictStd(ctx, fs, xs, ys))(t)
			bias := testmain.Must(e.BiasStd(ctx, ys))(t)
			px, py, w := xs.Points(), ys.Points(), xs.Weights()
			for k, eta := range py {
				for i, xi := range px {
					compare("G", std.At(i, k), g.std([]float64{1}, []float64{xi}, eta, false))
				}
				for i := range 2 {
					a := append([]float64(nil), fs.RawRowView(i)...)
					for j := range a {
						a[j] *= w[j]
					}
					want := g.std(a, px, eta, true)
					if s.NoBias && i == 1 {
						want = 0
					}
					compare("prediction", band.At(i, k), want)
					if i == 1 {
						compare("bias", bias[k], want)
					}
				}
			}
		})
	}
}

// A band of few points is found by iterations, and one of many by factors: they differ by at
// most 1 %, the iterations' on the wide side, and predictions by products with the kernel are
// those by its rows. Also where outputs are missing.
func TestBandsOfFewAndOfMany(t *testing.T) {
	m := interval(24)
	for _, missing := range []bool{false, true} {
		d := pairs(t, m, 9, 0.05, 2)
		if missing {
			d.Missing = true
			for i := 0; i < d.Output.Size(); i += 7 {
				d.Output.Data[i] = math.NaN()
			}
		}
		e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-4})
		many := testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
		fs := mat.NewDense(2, 24, append([]float64(nil), d.Input.Data[:48]...))
		predicted := testmain.Must(e.PredictStd(ctx, fs, mesh.Mesh{}, mesh.Mesh{}))(t)
		for i := 0; i < 24; i += 5 {
			x, y := mesh.Must(mesh.Scattered(m.Points()[i:i+1], 1, nil, "x")), mesh.Must(mesh.Scattered(m.Points()[23-i:24-i], 1, nil, "y"))
			few := testmain.Must(e.Std(ctx, x, y))(t)
			if got, want := few.At(0, 0), many.At(i, 23-i); !(got >= want*(1-1e-8)) || !(got <= 1.01*want) {
				t.Errorf("band %g at %d, %d alone, %g among many", got, i, 23-i, want)
			}
			alone := testmain.Must(e.PredictStd(ctx, fs.Slice(0, 1, 0, 24).(*mat.Dense), mesh.Mesh{}, y))(t)
			if got, want := alone.At(0, 0), predicted.At(0, 23-i); !(got >= want*(1-1e-8)) || !(got <= 1.01*want) {
				t.Errorf("band %g of a prediction at %d alone, %g among many", got, 23-i, want)
			}
		}
	}
}

// The band of a constrained estimate is that of the constrained kernel: symmetric
// where G is, zero where G is known to be zero, and narrower than without.
func TestPosteriorUnderConstraints(t *testing.T) {
	m := interval(9)
	s := fit.Spec{Data: pairs(t, m, 5, 0.05, 2), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-4}
	free := testmain.Must(mustFit(t, s).Std(ctx, m, m))(t)
	s.Constraint = constraint.Symmetric{Names: []string{"x", "y"}}
	e := mustFit(t, s)
	std := testmain.Must(e.Std(ctx, m, m))(t)
	applied := fit.Spec{Data: s.Data, Kernel: constraint.Apply(s.Constraint, s.Kernel), Bias: e.BiasKernel, Lambda: s.Lambda}
	g := newGaussianProcess(t, e, applied, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	p := m.Points()
	for i := range 9 {
		for j := range 9 {
			want := g.std([]float64{1}, p[i:i+1], p[j], false)
			if got := std.At(i, j); !(got >= want*(1-1e-6)) || !(got <= 1.01*want) {
				t.Errorf("band %g at %d, %d; dense %g", got, i, j, want)
			}
		}
	}
	if a, b := mat.Norm(std, 2)/math.Sqrt(e.Report.Objective), mat.Norm(free, 2)/math.Sqrt(e.Report.Objective); !(a < b) {
		t.Errorf("band %g with symmetry, %g without", a, b)
	}
}

// The same for a causal, time-invariant estimate, whose weights are on the lags.
func TestPosteriorInTime(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 8, "t"))
	c := constraint.List{constraint.Causal{Input: "s", Output: "t"}, constraint.TimeInvariant{Input: "s", Output: "t"}}
	s := fit.Spec{Data: noise(t, 6, m, m), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-2, Constraint: c}
	e := mustFit(t, s)
	std := testmain.Must(e.Std(ctx, m, m))(t)
	applied := fit.Spec{Data: s.Data, Kernel: constraint.Apply(c, s.Kernel), Bias: e.BiasKernel, Lambda: s.Lambda}
	g := newGaussianProcess(t, e, applied, kernel.Space{Names: []string{"s", "t"}, Inputs: 1})
	p := m.Points()
	for i := range 8 {
		for j := range 8 {
			got := std.At(i, j)
			if j < i {
				if got != 0 {
					t.Errorf("band %g before the cause", got)
				}
				continue
			}
			want := g.std([]float64{1}, p[i:i+1], p[j], false)
			if !(got >= want*(1-1e-6)) || !(got <= 1.01*want) {
				t.Errorf("band %g at %d, %d; dense %g", got, i, j, want)
			}
		}
	}
}

// Bands of a file are refused with the reason.
func TestPosteriorOfAFile(t *testing.T) {
	e := mustFit(t, fit.Spec{Data: pairs(t, interval(8), 5, 0.05, 2), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-4})
	path := filepath.Join(t.TempDir(), "e.npz")
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	back := testmain.Must(fit.Load(t.Context(), path))(t)
	if _, err := back.Std(ctx, mesh.Mesh{}, mesh.Mesh{}); err == nil || !strings.Contains(err.Error(), "does not hold") {
		t.Errorf("%v, want that the file has no data", err)
	}
}

// An estimate that was saved with its data has its posterior to the last bit,
// with and without bias, constraint and chosen λ.
func TestPosteriorOfAFileWithData(t *testing.T) {
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	for name, s := range map[string]fit.Spec{
		"plain":      {Lambda: 1e-4},
		"chosen λ":   {},
		"no bias":    {Lambda: 1e-4, NoBias: true},
		"own ρ":      {Lambda: 1e-4, Rho: 1e-3},
		"constraint": {Lambda: 1e-4, Constraint: symmetric},
	} {
		s.Data, s.Kernel = pairs(t, interval(8), 5, 0.05, 2), kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}
		e := mustFit(t, s)
		path := filepath.Join(t.TempDir(), "e.npz")
		for range 2 { // what was read can be saved again
			if err := e.SaveWithData(t.Context(), path); err != nil {
				t.Fatal(name, err)
			}
			back, err := fit.Load(t.Context(), path)
			if err != nil {
				t.Fatal(name, err)
			}
			for _, m := range []mesh.Mesh{{}, interval(5)} {
				want, err := e.Std(ctx, m, m)
				if err != nil {
					t.Fatal(name, err)
				}
				got, err := back.Std(ctx, m, m)
				if err != nil || !mat.Equal(got, want) {
					t.Errorf("%s: standard deviations of the file differ: %v", name, err)
				}
			}
			f := mat.NewDense(1, 8, []float64{1, 2, 0, -1, 3, 1, 0, 2})
			want, err := e.Span(ctx, f, 1e-3)
			if err != nil {
				t.Fatal(name, err)
			}
			if got, err := back.Span(ctx, f, 1e-3); err != nil || got[0] != want[0] {
				t.Errorf("%s: span %v, want %v: %v", name, got, want, err)
			}
			e = back
		}
	}
}

// Bands at scattered points, many at a time, are those of each point by itself, of a fit on grids.
func TestBandsAtScatteredPoints(t *testing.T) {
	x, y := squareMesh(6, "a", "b"), squareMesh(6, "c", "d")
	e := mustFit(t, fit.Spec{Data: noise(t, 12, x, y), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4, .6, .5, .7}}, Lambda: 1e-2, Rho: 1e-2})
	at := func(n int, seed uint64, names ...string) mesh.Mesh {
		c := testmain.Must(randfield.Normal(seed, n, 2))(t).Map(func(v float64) float64 { return 1 / (1 + math.Exp(-v)) })
		return mesh.Must(mesh.Scattered(c.Data, 2, nil, names...))
	}
	xs, ys := at(31, 1, "a", "b"), at(30, 2, "c", "d")
	got := testmain.Must(e.Std(ctx, xs, ys))(t)
	for i := range 31 {
		k := i * 7 % 30
		p, q := make([]float64, 2), make([]float64, 2)
		xs.Point(p, i)
		ys.Point(q, k)
		want := testmain.Must(e.Std(ctx, mesh.Must(mesh.Scattered(p, 2, []float64{1}, "a", "b")), mesh.Must(mesh.Scattered(q, 2, []float64{1}, "c", "d"))))(t).At(0, 0)
		if v := got.At(i, k); !(math.Abs(v/want-1) <= .011) {
			t.Errorf("point %d, %d: %g, by itself %g", i, k, v, want)
		}
	}
}
