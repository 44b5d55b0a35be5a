package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Few samples, a rough kernel and a small λ: there GMRES takes more iterations
// than there are data. The estimate is solved for directly then, to rounding, and
// is that of the dense route; a limit of the user's is kept, and said.
func TestConstrainedFewSamples(t *testing.T) {
	d := noise(t, 2, interval(30), interval(30))
	spec := fit.Spec{
		Data: d, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.05}},
		Constraint: constraint.Symmetric{Names: []string{"x", "y"}}, Lambda: 1e-7,
	}
	got := mustFit(t, spec)
	if r := got.Report; !r.Converged || !(r.Residual <= 1e-12) || !strings.Contains(r.Reason, "direct, with the matrix of 60 data") {
		t.Errorf("residual %.1e, reason %q: want a direct solve", r.Residual, r.Reason)
	}
	dense := spec
	dense.Dense = true
	want := mustFit(t, dense)
	a, b := got.Report, want.Report
	close8(t, "objective and parts", []float64{a.Objective, a.MSE, a.GreenNorm2, a.BiasNorm2}, []float64{b.Objective, b.MSE, b.GreenNorm2, b.BiasNorm2})
	fine := interval(41)
	g := testmain.Must(got.Green(ctx, fine, fine))(t)
	w := testmain.Must(want.Green(ctx, fine, fine))(t)
	close8(t, "G", g.RawMatrix().Data, w.RawMatrix().Data)

	spec.MaxIterations = 5
	limited := testmain.Must(fit.Fit(ctx, spec))(t)
	if r := limited.Report; r.Converged || r.Iterations != 5 || !(r.Residual >= 1e-9) {
		t.Errorf("with 5 iterations at most: converged %t after %d, residual %.1e", r.Converged, r.Iterations, r.Residual)
	}
}

// Data without noise, a symmetric G and a kink of a long lengthscale: the smallest λ is kept, for what
// rounding leaves of the equations says little of the solution, and a greater λ would only be worse.
// Where rounding keeps the error of left-out pairs from being known, the report says so.
func TestSmallLambdaIsKept(t *testing.T) {
	const n, m = 20, 15
	axis := mesh.Must(mesh.Uniform(0, 1, m, ""))
	se := func(l float64) kernel.Kernel { return kernel.SE{Lengthscale: kernel.Lengthscale{l}} }
	f := testmain.Must(randfield.Field{Mesh: axis, Kernel: se(.2), N: n, Seed: 1}.Draw(ctx))(t)
	x := axis.Columns()[0]
	g := func(x, y float64) float64 { return min(x, y) * (1 - max(x, y)) }
	u := array.New(n, m)
	for i := range n {
		for k, y := range x {
			for j, w := range axis.Weights() {
				u.Data[i*m+k] += w * g(x[j], y) * f.At(i, j)
			}
		}
	}
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: axis, OutputMesh: axis}))(t)
	for _, length := range []float64{.5, 2, 10} {
		for _, by := range []fit.Criterion{fit.REML, fit.LOO} {
			e := mustFit(t, fit.Spec{
				Data: d, Kernel: kernel.Kink{Base: se(.5), Jump: se(length), Power: 1}, Criterion: by,
				Constraint: constraint.Symmetric{Names: []string{"x", "y"}},
			})
			r := e.Report
			if !r.Converged || strings.Contains(r.Advice, "raised") {
				t.Errorf("lengthscale %g, %s: %+v", length, by, r)
			}
			if (r.LOO == nil) != strings.Contains(r.Advice, "loo is not known") {
				t.Errorf("lengthscale %g, %s: loo %v, advice %q", length, by, r.LOO, r.Advice)
			}
			got := testmain.Must(e.Green(ctx, axis, axis))(t)
			off, size := 0., 0.
			for i := range m {
				for k := range m {
					off += math.Pow(got.At(i, k)-g(x[i], x[k]), 2)
					size += math.Pow(g(x[i], x[k]), 2)
				}
			}
			if off = math.Sqrt(off / size); !(off <= 1e-4) {
				t.Errorf("lengthscale %g, %s: G is off by %.2g at λ = %g", length, by, off, r.Lambda)
			}
			t.Logf("lengthscale %g, %s: G is off by %.2g at λ = %g, residual %.2g", length, by, off, r.Lambda, r.Residual)
		}
	}
}
