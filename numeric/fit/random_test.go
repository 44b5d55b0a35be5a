package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// randomFit is a random fit: any rules, kernel and constraint, some outputs missing.
type randomFit struct {
	seed uint64
	spec fit.Spec
}

func (p randomFit) String() string {
	s := p.spec
	missing := 0
	for _, v := range s.Data.Output.Data {
		if math.IsNaN(v) {
			missing++
		}
	}
	return fmt.Sprintf("seed %d: %d pairs on %s (%v) and %s (%v), %d missing, %v, %v, λ %.3g, ρ %.3g, bias %t", p.seed, s.Data.N(), s.Data.InputMesh, s.Data.InputMesh.Names(),
		s.Data.OutputMesh, s.Data.OutputMesh.Names(), missing, s.Kernel, s.Constraint, s.Lambda, s.Rho, !s.NoBias)
}

// randomAxis is an axis of [0, 1] by any rule.
func randomAxis(rng *rand.Rand, name string) mesh.Mesh {
	n := 2 + rng.IntN(5)
	switch rng.IntN(9) {
	case 0:
		return mesh.Must(mesh.Simpson(0, 1, n, name))
	case 1:
		return mesh.Must(mesh.Gauss(0, 1, n, name))
	case 2:
		return mesh.Must(mesh.Chebyshev(0, 1, n, name))
	case 3:
		m, err := mesh.Must(mesh.Uniform(0, 1, n, name)).Right()
		if err != nil {
			panic(err)
		}
		return m
	case 4:
		return mesh.Must(mesh.Trapezoid([]float64{0, .1, .25, .5, .9, 1}, name))
	case 5:
		x, w := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], w[i] = rng.Float64(), rng.Float64()/float64(n)
		}
		w[0] = 0
		return mesh.Must(mesh.Scattered(x, 1, w, name))
	case 6:
		return mesh.Must(mesh.Periodic(0, 1, n, name))
	}
	return mesh.Must(mesh.Uniform(0, 1, n, name))
}

func uniformAxis(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }

func times(a, b mesh.Mesh) mesh.Mesh {
	m, err := mesh.Product(a, b)
	if err != nil {
		panic(err)
	}
	return m
}

// randomMeshes are meshes and the constraints that suit them.
func randomMeshes(rng *rand.Rand) (x, y mesh.Mesh, suit []constraint.Constraint) {
	flip := func(names ...string) constraint.Constraint {
		return constraint.Flip{Names: names, About: .5, Odd: rng.IntN(3) == 0}
	}
	near := constraint.Region{Where: func(p kernel.Point) (*expr.Node, error) {
		return expr.GE(expr.Const(.55), expr.Abs(expr.Sub(p.X[0], p.X[1]))), nil
	}}
	sym, anti := constraint.Symmetric{Names: []string{"x", "y"}}, constraint.Antisymmetric{Names: []string{"x", "y"}}
	inv, cau := constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}
	switch rng.IntN(5) {
	case 0: // a cloud to a line
		p := make([]float64, 10)
		for i := range p {
			p[i] = rng.Float64()
		}
		return mesh.Must(mesh.Scattered(p, 2, nil, "a", "b")), randomAxis(rng, "y"), []constraint.Constraint{nil, flip("y"), flip("a", "y")}
	case 1: // a line to space and time
		return randomAxis(rng, "x"), times(randomAxis(rng, "y"), randomAxis(rng, "t")),
			[]constraint.Constraint{nil, flip("x", "y"), flip("y"), flip("t"), sym, constraint.List{flip("x"), flip("y")}, near}
	case 2: // time
		n := 3 + rng.IntN(5)
		s, t := uniformAxis(n, "s"), uniformAxis(n, "t")
		if rng.IntN(2) == 0 {
			s, _ = s.Right()
		}
		if rng.IntN(3) == 0 {
			t, _ = t.Right()
		}
		return s, t, []constraint.Constraint{nil, inv, cau, constraint.List{inv, cau}, constraint.Anticausal{Input: "s", Output: "t"}, constraint.List{inv, flip("s", "t")}}
	case 3: // space and time
		n := 2 + rng.IntN(2)
		s := uniformAxis(n, "s")
		if rng.IntN(2) == 0 {
			s, _ = s.Right()
		}
		return times(randomAxis(rng, "x"), s), times(randomAxis(rng, "y"), uniformAxis(n, "t")),
			[]constraint.Constraint{nil, inv, cau, constraint.List{inv, cau}, constraint.List{inv, sym}, constraint.List{inv, flip("x", "y")}, constraint.List{cau, flip("x", "y")}, sym}
	}
	x, y = randomAxis(rng, "x"), randomAxis(rng, "y")
	if rng.IntN(2) == 0 {
		y, _ = x.Rename("y")
	}
	return x, y, []constraint.Constraint{nil, sym, anti, flip("x", "y"), flip("x"), flip("y"), near, constraint.List{sym, flip("x", "y")}, constraint.List{sym, near}}
}

func randomKernel(rng *rand.Rand, dim, inputs int, first string) kernel.Kernel {
	l := make(kernel.Lengthscale, dim)
	for i := range l {
		l[i] = .1 + rng.Float64()
	}
	if rng.IntN(2) == 0 {
		l = l[:1]
	}
	base := []kernel.Kernel{
		kernel.SE{Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Matern{Nu: 1.5, Lengthscale: l},
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.RationalQuadratic{Alpha: 1.5, Lengthscale: l},
	}[rng.IntN(5)]
	switch rng.IntN(8) {
	case 0:
		return kernel.Sum{Terms: []kernel.Kernel{base, kernel.Scaled{Factor: .3, Kernel: kernel.Polynomial{Degree: 2, Offset: 1}}}}
	case 1:
		return kernel.Product{Factors: []kernel.Kernel{base, kernel.Polynomial{Degree: 1, Offset: 1}}}
	case 2:
		return kernel.Vanishing{Base: base, Where: map[string][]float64{first: {-.2}}}
	case 3:
		if len(l) == 1 {
			return kernel.Tensor{Input: base, Output: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}}
		}
	case 4:
		if 2*inputs == dim && inputs == 1 {
			return kernel.Kink{Base: base, Jump: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Power: 1}
		}
	}
	return base
}

func newRandomFit(seed uint64) randomFit {
	rng := rand.New(rand.NewPCG(seed, 77))
	x, y, suit := randomMeshes(rng)
	c := suit[rng.IntN(len(suit))]
	n := 1 + rng.IntN(6)
	f, u := array.New(n, x.Size()), array.New(n, y.Size())
	missing := rng.IntN(4) == 0
	for i := range f.Data {
		f.Data[i] = rng.NormFloat64()
	}
	for i := range u.Data {
		u.Data[i] = rng.NormFloat64()
		if missing && rng.IntN(4) == 0 && i > 0 {
			u.Data[i] = math.NaN()
		}
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: missing})
	if err != nil {
		panic(err)
	}
	dim, inputs := x.Dim()+y.Dim(), x.Dim()
	first := x.Names()[0]
	if inv, ok := c.(constraint.TimeInvariant); ok && inv.Input == "s" || holdsInvariance(c) {
		dim, inputs = dim-1, inputs-1
		first = "x"
	}
	s := fit.Spec{Data: d, Constraint: c, Lambda: math.Pow(10, -4*rng.Float64()), Tolerance: 1e-12, NoBias: rng.IntN(2) == 0}
	for s.Kernel == nil {
		s.Kernel = randomKernel(rng, dim, inputs, first)
		if v, ok := s.Kernel.(kernel.Vanishing); ok && v.Where["x"] != nil && inputs == 0 {
			s.Kernel = nil
		}
		if _, ok := s.Kernel.(kernel.Tensor); ok && inputs == 0 {
			s.Kernel = nil
		}
	}
	if !s.NoBias {
		s.Bias = kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
		if rng.IntN(2) == 0 {
			s.Rho = math.Pow(10, -3*rng.Float64())
		}
	}
	return randomFit{seed, s}
}

func holdsInvariance(c constraint.Constraint) bool {
	list, _ := c.(constraint.List)
	for _, c := range list {
		if _, ok := c.(constraint.TimeInvariant); ok {
			return true
		}
	}
	return false
}

// Random problems have the solution that their definition has: the objective, G on the
// meshes and off them, and the posterior band, to the 2 % of its variance that it is
// computed to.
func TestRandomProblems(t *testing.T) {
	for seed := range uint64(60) {
		p := newRandomFit(seed)
		e, err := fit.Fit(ctx, p.spec)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		want := define(t, p.spec, p.spec.Constraint)
		if d := math.Abs(e.Report.Objective - want.objective); d > 1e-8*want.objective || !e.Report.Converged {
			t.Errorf("%v: objective %.10g, by the definition %.10g; converged %t", p, e.Report.Objective, want.objective, e.Report.Converged)
		}
		x, y := p.spec.Data.InputMesh, p.spec.Data.OutputMesh
		compareGreen(t, p, e, want, x, y)
		compareGreen(t, p, e, want, elsewhere(x), elsewhere(y))
	}
}

func compareGreen(t *testing.T, p randomFit, e *fit.Estimate, want *definition, x, y mesh.Mesh) {
	t.Helper()
	g, err := e.Green(ctx, x, y)
	if err != nil {
		t.Errorf("%v: %v", p, err)
		return
	}
	var std *mat.Dense
	if !p.spec.Data.Missing {
		if std, err = e.Std(ctx, x, y); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
	both, err := mesh.Product(renamedTo(x, numbered("in", x.Dim())), renamedTo(y, numbered("out", y.Dim())))
	if err != nil {
		t.Fatal(err)
	}
	point := make([]float64, both.Dim())
	var off, size, offStd float64
	for i, got := range g.RawMatrix().Data {
		both.Point(point, i)
		v, variance, prior := want.green(point)
		off, size = max(off, math.Abs(v-got)), max(size, math.Abs(v))
		if std != nil && variance > 1e-6*prior {
			offStd = max(offStd, math.Abs(std.RawMatrix().Data[i]/math.Sqrt(variance)-1))
		}
	}
	if off > 1e-6*max(size, 1e-6) {
		t.Errorf("%v: G differs by %.2g of %.2g", p, off, size)
	}
	if offStd > 0.011 {
		t.Errorf("%v: the band differs by %.2g, relative", p, offStd)
	}
}

func numbered(name string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(name, i)
	}
	return names
}

// The λ chosen for random problems with a signal is where REML by the definition is
// least, to within one unit of the logarithm of the likelihood, or a little above the
// least λ that is considered where there is none.
func TestRandomChoicesOfLambda(t *testing.T) {
	for seed := range uint64(12) {
		p := newRandomFit(seed)
		p.addSignal()
		s := p.spec
		s.Lambda, s.Rho = 0, 0
		e, err := fit.Fit(ctx, s)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		s.Intercept = fit.NoIntercept
		if !s.NoBias {
			s.Intercept = fit.Flat
		}
		reml := func(lambda float64) float64 {
			s.Lambda, s.Rho = lambda, lambda*e.Report.Rho/e.Report.Lambda
			return define(t, s, s.Constraint).reml()
		}
		chosen := e.Report.Lambda
		got, best := reml(chosen), math.Inf(1)
		if math.Abs(got-e.Report.REML) > 1e-3*math.Abs(got) && e.Report.REML != 0 {
			t.Logf("%v: REML %.6g, by the definition %.6g", p, e.Report.REML, got)
		}
		for decade := max(-10, math.Log10(chosen)-3); decade < 3; decade += .25 {
			best = min(best, reml(math.Pow(10, decade)))
		}
		if got > best+1 && chosen > 1e-10 {
			t.Errorf("%v: REML is %.6g at the λ chosen, %.3g, and %.6g at the best", p, got, chosen, best)
		}
	}
}

// addSignal replaces the outputs by responses to the inputs with a tenth of the noise.
func (p randomFit) addSignal() {
	d := p.spec.Data
	my, dx := d.OutputMesh.Size(), d.InputMesh.Weights()
	for i := range d.N() {
		sum := 0.0
		for j, w := range dx {
			sum += w * d.Input.At(i, j)
		}
		for k := range my {
			d.Output.Data[i*my+k] = .1*d.Output.Data[i*my+k] + sum*math.Sin(3*float64(k)/float64(my))
		}
	}
}

// With a free constant, random problems have the solution that the definition has with
// one, and their bands.
func TestRandomProblemsWithIntercept(t *testing.T) {
	for seed := uint64(100); seed < 140; seed++ {
		p := newRandomFit(seed)
		if p.spec.NoBias {
			continue
		}
		p.spec.Intercept = fit.Flat
		e, err := fit.Fit(ctx, p.spec)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		want := define(t, p.spec, p.spec.Constraint)
		if d := math.Abs(e.Report.Objective - want.objective); d > 1e-8*want.objective || !e.Report.Converged {
			t.Errorf("%v: objective %.10g, by the definition %.10g; converged %t", p, e.Report.Objective, want.objective, e.Report.Converged)
		}
		if d := math.Abs(e.Intercept - want.constant); d > 1e-6*(math.Abs(want.constant)+1) {
			t.Errorf("%v: constant %.10g, by the definition %.10g", p, e.Intercept, want.constant)
		}
		x, y := p.spec.Data.InputMesh, p.spec.Data.OutputMesh
		compareGreen(t, p, e, want, elsewhere(x), elsewhere(y))
	}
}
