package fit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// gibbs is the kernel of Gibbs (1997) with the lengthscale base + slope |x|², of all
// coordinates of the point together: neither stationary nor short as a sum of
// Kronecker products.
type gibbs struct {
	kernel.Kernel
	base, slope float64
}

func (k gibbs) Expr(p, q kernels.Point) (*expr.Node, error) {
	c := expr.Const
	length := func(x []*expr.Node) *expr.Node {
		sum := c(0)
		for _, v := range x {
			sum = expr.Add(sum, expr.Mul(v, v))
		}
		return expr.Add(c(k.base), expr.Mul(c(k.slope), sum))
	}
	a, b, d2 := length(p.X), length(q.X), c(0)
	for i := range p.X {
		d := expr.Sub(p.X[i], q.X[i])
		d2 = expr.Add(d2, expr.Mul(d, d))
	}
	s := expr.Add(expr.Mul(a, a), expr.Mul(b, b))
	front := expr.Pow(expr.Div(expr.Mul(c(2), expr.Mul(a, b)), s), c(float64(len(p.X))/2))
	return expr.Mul(front, expr.Exp(expr.Neg(expr.Div(d2, s)))), nil
}

func (k gibbs) String() string { return "gibbs" }

// sensors are points drawn evenly from the unit square.
func sensors(t *testing.T, n int, seed uint64) mesh.Mesh {
	t.Helper()
	c := testmain.Must(randfield.Uniform(seed, n, 2))(t)
	return mesh.Must(mesh.Scattered(c.Data, 2, nil))
}

// Kernels without the structures of regular meshes, between sensors of the input
// and others of the output: the minimiser is that of the dense route, after few
// iterations, and the report says how the preconditioner was made.
func TestIrregularKernelsAgreeWithDense(t *testing.T) {
	l := kernel.Lengthscale{.3}
	se, m := kernel.SE{Lengthscale: l}, kernel.Matern{Nu: 2.5, Lengthscale: l}
	d := noise(t, 8, sensors(t, 14, 1), sensors(t, 12, 2))
	for _, c := range []struct {
		k   kernel.Kernel
		why string
	}{
		{gibbs{base: .3, slope: .2}, "partial Cholesky"},
		{gibbs{base: .8, slope: 2}, "partial Cholesky"},
		{kernel.Kink{Base: se, Jump: se, Power: 1}, "scaled"},
		{kernel.Kink{Base: m, Jump: kernel.Exponential{Lengthscale: l}, Power: 3}, "scaled"},
		{m, "rank"},
	} {
		for _, lambda := range []float64{1e-2, 1e-5} {
			for _, none := range []bool{false, true} {
				s := fit.Spec{Data: d, Kernel: c.k, Lambda: lambda, NoBias: none}
				e := mustFit(t, s)
				s.Dense = true
				want := mustFit(t, s)
				r := e.Report
				if !r.Converged || r.Iterations > 60 || !strings.Contains(r.Reason, c.why) {
					t.Errorf("%s, lambda %g: %d iterations, %s", c.k, lambda, r.Iterations, r.Reason)
				}
				if !(math.Abs(r.Objective-want.Report.Objective) <= 1e-9*want.Report.Objective) {
					t.Errorf("%s, lambda %g: objective %.12g, dense %.12g", c.k, lambda, r.Objective, want.Report.Objective)
				}
				g := testmain.Must(e.Green(ctx, d.InputMesh, d.OutputMesh))(t)
				w := testmain.Must(want.Green(ctx, d.InputMesh, d.OutputMesh))(t)
				if off := floats.Distance(g.RawMatrix().Data, w.RawMatrix().Data, 2) / floats.Norm(w.RawMatrix().Data, 2); !(off <= 1e-9) {
					t.Errorf("%s, lambda %g: G is off by %.2g", c.k, lambda, off)
				}
			}
		}
	}
}

// A kink with smooth parts on the stored Helmholtz data is solved in a few
// iterations, at any λ that noise-free data may ask for, along a path too.
func TestKinkNeedsFewIterations(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	s := fit.Spec{Data: load(t, "helmholtz", "u", 30), Kernel: kernel.Kink{Base: se, Jump: se, Power: 1}}
	reports := testmain.Must(fit.Path(ctx, s, []float64{1e-3, 1e-6}))(t)
	for _, r := range reports {
		if !r.Converged || r.Iterations > 10 {
			t.Errorf("lambda %g: %d iterations, %s", r.Lambda, r.Iterations, r.Reason)
		}
	}
}

// A low-rank factor takes longer than some hundred iterations. It is made neither where the
// diagonal will do in these, nor where rounding stops both and the certificate does not mind.
func TestFactorOnlyWhereItPays(t *testing.T) {
	d := load(t, "helmholtz", "u", 40)
	for _, c := range []struct{ nu, lambda float64 }{{1.5, 1e-9}, {2.5, 1e-9}} {
		e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Matern{Nu: c.nu, Lengthscale: kernel.Lengthscale{1}}, Lambda: c.lambda})
		r := e.Report
		if !r.Converged || r.Iterations <= 80 || strings.Contains(r.Reason, "Cholesky") || !(r.Gap <= 1e-8*r.Objective) {
			t.Errorf("nu %g, lambda %g: %d iterations, gap %.1e of %.3g, %s", c.nu, c.lambda, r.Iterations, r.Gap, r.Objective, r.Reason)
		}
	}
}
