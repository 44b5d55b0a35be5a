package fit

import (
	"cmp"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// decaying is n samples of u(t) = ∫ G(t - s) f(s) ds with G(r) = e⁻³ʳ sin 9r for r ≥ 0,
// on nt times, with noise of 20 %. The inputs are Brownian paths; sigma is the
// standard deviation of the noise.
func decaying(t *testing.T, n, nt int) (d *dataset.Dataset, sigma float64) {
	t.Helper()
	steps := testmain.Must(randfield.Normal(3, n, nt))(t)
	noise := testmain.Must(randfield.Normal(4, n, nt))(t)
	time := mesh.Must(mesh.Uniform(0, 1, nt, "t"))
	points, weights := time.Points(), time.Weights()
	u := noise.Copy()
	var sum, square float64
	for i := range n {
		f := steps.Data[i*nt : (i+1)*nt]
		floats.CumSum(f, f)
		floats.Scale(1/math.Sqrt(float64(nt)), f)
		for j := range nt {
			v := 0.0
			for l := range j + 1 {
				r := points[j] - points[l]
				v += weights[l] * math.Exp(-3*r) * math.Sin(9*r) * f[l]
			}
			u.Data[i*nt+j] = v
			sum, square = sum+v, square+v*v
		}
	}
	size := float64(n * nt)
	sigma = 0.2 * math.Sqrt(square/size-sum*sum/size/size)
	for i, e := range noise.Data {
		u.Data[i] += sigma * e
	}
	d = testmain.Must(dataset.New(dataset.Spec{Input: steps, Output: u, InputMesh: time, OutputMesh: time}))(t)
	return d, sigma
}

func invariant(d *dataset.Dataset) Spec {
	return Spec{
		Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}},
		Constraint: constraint.List{constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}},
	}
}

// REML and GCV of a constrained fit are those of the matrix of all its data, by
// Cholesky and the inverse, also with a penalty of the bias of its own: to rounding
// with all eigenvalues, of the weights or of the data, and within the error of random
// traces with quadrature rules.
func TestConstrainedCriteria(t *testing.T) {
	testmain.Long(t)
	symmetric := constraint.Symmetric{Names: []string{"s", "t"}}
	for _, c := range []struct {
		n, nt      int
		constraint constraint.Constraint
		rho        float64
		tolerance  float64
	}{
		{9, 20, nil, 0, 1e-9}, {9, 20, nil, .3, 1e-7}, // 40 weights, 180 data
		{9, 20, symmetric, 0, 1e-9}, {9, 20, symmetric, .01, 1e-7}, // 420 weights
		{30, 22, symmetric, 0, .01}, // 506 weights, 660 data
	} {
		d, _ := decaying(t, c.n, c.nt)
		s := invariant(d)
		s.Rho = c.rho
		if c.constraint != nil {
			s.Constraint = c.constraint
		}
		e := testmain.Must(Fit(context.Background(), s))(t)
		s.Intercept = s.decidedIntercept()
		ratio := e.Report.Rho / e.Report.Lambda
		w, _, err := inweights.NewSpace(context.Background(), s.setting(), latticeOf(t, &s))
		if err != nil {
			t.Fatal(err)
		}
		reml, gcv := criteriaOfMatrix(t, w, e.Report.Lambda, e.Report.Rho)
		if !(math.Abs(*e.Report.REML-reml) <= c.tolerance*math.Abs(reml)) {
			t.Errorf("%d data, %v, rho %g: REML %.12g, from the determinant %.12g", len(w.T), s.Constraint, c.rho, *e.Report.REML, reml)
		}
		if !(math.Abs(*e.Report.GCV-gcv) <= 5*c.tolerance*gcv) {
			t.Errorf("%d data, %v, rho %g: GCV %.12g, from the trace %.12g", len(w.T), s.Constraint, c.rho, *e.Report.GCV, gcv)
		}
		checkDiagonalised(t, w, ratio)
		for _, factor := range []float64{.5, 2} {
			l := e.Report.Lambda * factor
			if other, _ := criteriaOfMatrix(t, w, l, cmp.Or(c.rho, ratio*l)); !(other >= reml) {
				t.Errorf("%d data, %v, rho %g: REML is %.6g at the λ chosen and %.6g at %g times it", len(w.T), s.Constraint, c.rho, reml, other, factor)
			}
		}
	}
}

// checkDiagonalised compares the criteria at a ρ/λ by the eigenvectors at others with the matrix,
// at a λ beside which the rounding of the largest eigenvalue is nothing. Eigenvectors from the
// weights are those of a squared matrix: those of its least eigenvalues are known to 1e-2.
func checkDiagonalised(t *testing.T, w *inweights.Space, ratio float64) {
	t.Helper()
	to := 1e-8
	if unknowns, _ := w.Dims(); unknowns < len(w.T) {
		to = 1e-3
	}
	for _, from := range []float64{.2, 1, 1e4} {
		d := testmain.Must(w.Diagonalised(context.Background(), from*ratio))(t)
		curve := d.At(ratio)
		lambda := 1e-5 * curve.Top()
		v := testmain.Must(curve.Sheet(context.Background(), lambda))(t)
		if reml, gcv := criteriaOfMatrix(t, w, lambda, ratio*lambda); !(math.Abs(v.REML-reml) <= to*math.Abs(reml)) || !(math.Abs(v.GCV-gcv) <= to*gcv) {
			t.Errorf("%d data, by the eigenvectors at ρ/λ × %g: REML %.12g, GCV %.12g; from the matrix %.12g, %.12g", len(w.T), from, v.REML, v.GCV, reml, gcv)
		}
	}
}

// criteriaOfMatrix computes REML and GCV from the matrix A/λ + I.
func criteriaOfMatrix(t *testing.T, w *inweights.Space, lambda, rho float64) (reml, gcv float64) {
	t.Helper()
	at := *w
	at.Lambda, at.Rho = lambda, rho
	m := linoptest.Matrix(at.InData())
	data, size := len(w.T), float64(w.N*len(w.Rdy))
	sym := mat.NewSymDense(data, nil)
	for i := range data {
		for j := i; j < data; j++ {
			sym.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var ch mat.Cholesky
	if !ch.Factorize(sym) {
		t.Fatal("A/λ + I is not positive definite")
	}
	var z mat.VecDense
	var inverse mat.SymDense
	if err := ch.SolveVecTo(&z, mat.NewVecDense(data, w.T)); err != nil {
		t.Fatal(err)
	}
	if err := ch.InverseTo(&inverse); err != nil {
		t.Fatal(err)
	}
	quad := w.RSS0 + mat.Dot(&z, mat.NewVecDense(data, w.T))
	free, values := size-float64(data)+mat.Trace(&inverse), size
	if w.Flat != nil { // the matrix is that of the contrasts, and one in the direction of the constant
		free, values = free-1, values-1
	}
	return 0.5 * (values*math.Log(quad/values) + ch.LogDet()), size * (w.RSS0 + mat.Dot(&z, &z)) / (free * free)
}

// Where hardly any residual degrees of freedom are left, far less than the rounding of the number of values,
// GCV is finite: the closed form, of pairs and of pairs with their images, and that of
// all eigenvalues.
func TestGCVWithHardlyAnyFreedom(t *testing.T) {
	const lambda = 1e-24
	d, _ := decaying(t, 3, 6)
	e := kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}
	s := &Spec{Data: d, Kernel: kernel.Tensor{Input: e, Output: e}, NoBias: true}
	held := *s
	held.Constraint = constraint.Flip{Names: []string{"s", "t"}, About: .5}
	free, _, err := indata.SystemOf(context.Background(), s.setting())
	if err != nil {
		t.Fatal(err)
	}
	for _, sys := range []*indata.System{free, imagesOf(t, &held).Sys} {
		m := testmain.Must(indata.NewPreconditioner(t.Context(), sys, s.setting()))(t)
		c := (&indata.Problem{Sys: sys, Setting: s.setting(), M: m}).Closed(t.Context())
		var left, zz float64
		for i, v := range m.At(lambda, lambda).D {
			share := 1.0
			if c.Shares != nil {
				share = c.Shares.RawMatrix().Data[i]
			}
			z := sys.T.RawMatrix().Data[i] / v
			left, zz = left+share/v, zz+z*z
		}
		want := 18 * zz / (left * left)
		if got, err := c.At(t.Context(), lambda, lambda); err != nil || !(math.Abs(got.GCV-want) <= 1e-6*want) {
			t.Errorf("orbit %t: GCV %g, want %g; %v", sys.Orbit != nil, got.GCV, want, err)
		}
	}
	w := criteria.Rules{Outputs: 2, Values: 2, T: criteria.Rule{Nodes: []float64{1, 2}, Weights: []float64{3, 4}}, Probes: []criteria.Rule{{Nodes: []float64{1, 2}, Weights: []float64{1, 1}}}}
	if got, err := w.Value(t.Context(), GCV, lambda); err != nil || !(math.Abs(got-2*(3+4./4)/(1.5*1.5)) <= 1e-6*got) {
		t.Errorf("all eigenvalues: GCV %g; %v", got, err)
	}
}

// The λ that REML chooses for a time-invariant G is nearly the best of a grid of λ for
// the error of G, which is known here, and the noise found is that of the data.
func TestAutomaticLambdaOfConvolutions(t *testing.T) {
	testmain.Long(t)
	for _, nt := range []int{15, 60} { // 375 data, and 1500
		d, sigma := decaying(t, 25, nt)
		s := invariant(d)
		s.NoBias = true
		e := testmain.Must(Fit(context.Background(), s))(t)
		got, best := decayingError(t, e), math.Inf(1)
		for decade := -8.0; decade <= 0; decade += .5 {
			s.Lambda = math.Pow(10, decade)
			other := testmain.Must(Fit(context.Background(), s))(t)
			best = min(best, decayingError(t, other))
		}
		t.Logf("%d times: error of G %.4f at λ = %.3g, %.4f at the best λ; noise %.4g, made with %.4g", nt, got, e.Report.Lambda, best, e.Report.Sigma, sigma)
		if !(got <= 1.3*best) {
			t.Errorf("%d times: error of G %.4f at λ = %.3g, the best λ gives %.4f", nt, got, e.Report.Lambda, best)
		}
		if !(math.Abs(e.Report.Sigma/sigma-1) <= .06) {
			t.Errorf("%d times: noise %.4g, it was made with %.4g", nt, e.Report.Sigma, sigma)
		}
	}
}

// decayingError is the relative error of G(s, t) at t - s in (0, 1).
func decayingError(t *testing.T, e *Estimate) float64 {
	t.Helper()
	zero := mesh.Must(mesh.Scattered([]float64{0}, 1, []float64{1}, "s"))
	times := mesh.Must(mesh.Uniform(.05, .95, 100, "t"))
	g := testmain.Must(e.Green(context.Background(), zero, times))(t)
	var off, size float64
	for j, r := range times.Points() {
		want := math.Exp(-3*r) * math.Sin(9*r)
		off += (g.At(0, j) - want) * (g.At(0, j) - want)
		size += want * want
	}
	return math.Sqrt(off / size)
}

// Without noise REML of a constrained problem is followed to a very small λ, and G comes
// out as without the constraint. The outputs are ∫ G f by the rule of the mesh,
// G = min(x, y) - x y.
func TestConstrainedWithoutNoise(t *testing.T) {
	const n, m = 30, 20
	x := mesh.Must(mesh.Uniform(0, 1, m, ""))
	f := testmain.Must(randfield.Normal(5, n, m))(t)
	green, points, weights := mat.NewDense(m, m, nil), x.Points(), x.Weights()
	for i, p := range points {
		for j, q := range points {
			green.Set(i, j, min(p, q)-p*q)
		}
	}
	u := f.Copy()
	for i := range n {
		for j := range m {
			v := 0.0
			for l := range m {
				v += weights[l] * green.At(l, j) * f.At(i, l)
			}
			u.Set(v, i, j)
		}
	}
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: x}))(t)
	off := map[bool]float64{}
	for _, constrained := range []bool{false, true} {
		s := Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}}
		if constrained {
			s.Constraint = constraint.Symmetric{Names: []string{"x", "y"}}
		}
		e, err := Fit(context.Background(), s)
		if err != nil || !e.Report.Converged {
			t.Fatal(e.Report, err)
		}
		g := testmain.Must(e.Green(context.Background(), x, x))(t)
		g.Sub(g, green)
		off[constrained] = mat.Norm(g, 2) / mat.Norm(green, 2)
		t.Logf("constrained %t: error of G %.2e at λ = %.2g; %s", constrained, off[constrained], e.Report.Lambda, e.Report.Advice)
	}
	if !(off[true] <= 1e-5) {
		t.Errorf("error of G %.2e with the constraint, %.2e without", off[true], off[false])
	}
}
