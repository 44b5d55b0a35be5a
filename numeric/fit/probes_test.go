package fit

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// waves is n inputs of random cosines on m points and their integrals against
// min(x, y) - x y, with noise.
func waves(t *testing.T, n, m int, noise float64) *dataset.Dataset {
	t.Helper()
	x := mesh.Must(mesh.Uniform(0, 1, m, ""))
	w, p := x.Weights(), x.Points()
	r := testmain.Must(randfield.Normal(5, n, 12+m))(t)
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		for j := range m {
			v := 0.0
			for k := range 12 {
				v += r.At(i, k) * math.Cos(math.Pi*float64(k)*p[j]) / (1 + .3*float64(k))
			}
			f.Set(v, i, j)
		}
		for j := range m {
			v := noise * r.At(i, 12+j)
			for l := range m {
				v += w[l] * (min(p[l], p[j]) - p[l]*p[j]) * f.At(i, l)
			}
			u.Set(v, i, j)
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: x}))(t)
}

// roughKernels are far from products.
func roughKernels() []kernel.Kernel {
	l := kernel.Lengthscale{.5}
	return []kernel.Kernel{
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Kink{Base: kernel.SE{Lengthscale: l}, Jump: kernel.SE{Lengthscale: l}, Power: 1},
	}
}

// Of several kernels the one of the least exact REML wins, also where the values are
// estimated and a first block of random vectors does not decide.
func TestEstimatedCriteriaAreDecided(t *testing.T) {
	d := waves(t, 30, 30, 1e-3) // 900 unknowns
	var field []*criteria.Contender
	var exact []float64
	for _, l := range []float64{.3, .4, .5, .6, .8} {
		s := &Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{l}}, Intercept: Flat}
		sys, _, err := indata.SystemOf(context.Background(), s.setting())
		if err != nil {
			t.Fatal(err)
		}
		c := testmain.Must((&indata.Problem{Setting: s.setting(), Sys: sys}).Contend(context.Background()))(t)
		if c.Probed == nil {
			t.Fatal("the values are not estimated")
		}
		field = append(field, c)
		e := testmain.Must(Fit(context.Background(), *s))(t)
		exact = append(exact, *e.Report.REML)
	}
	if err := criteria.Settle(context.Background(), field, true); err != nil {
		t.Fatal(err)
	}
	best, _ := criteria.Winner(field)
	if off := exact[best] - floats.Min(exact); !(off <= 2*criteria.Undecided) {
		t.Errorf("kernel %d was chosen of REML %.8g; it is %.3g nats worse than the best", best, exact, off)
	}
	for i, c := range field {
		if !(math.Abs(c.Value-exact[i]) <= 4*c.Err+.05) {
			t.Errorf("kernel %d: REML %.8g ± %.2g, exactly %.8g", i, c.Value, c.Err, exact[i])
		}
	}
}

// λ and ρ that are both chosen are where REML is least, by its values around them.
func TestBothPenaltiesAreChosen(t *testing.T) {
	for _, k := range roughKernels() {
		s := Spec{Data: waves(t, 9, 12, 1e-2), Kernel: k, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, Intercept: Flat}
		e := testmain.Must(Fit(context.Background(), s))(t)
		for _, by := range [][2]float64{{1, 1.1}, {1, .9}, {1.1, 1}, {.9, 1}, {1.1, .9}, {.9, 1.1}} {
			s.Lambda, s.Rho = e.Report.Lambda*by[0], e.Report.Rho*by[1]
			other := testmain.Must(Fit(context.Background(), s))(t)
			if !(*other.Report.REML >= *e.Report.REML-1e-6) {
				t.Errorf("%v: REML %.9g at λ = %.4g, ρ = %.4g chosen, %.9g at %g and %g times them", k, *e.Report.REML, e.Report.Lambda, e.Report.Rho, *other.Report.REML, by[0], by[1])
			}
		}
	}
}

// imagesOf is the problem of the pairs of a spec with their images.
func imagesOf(t *testing.T, s *Spec) *pose.Images {
	t.Helper()
	p := testmain.Must(pose.New(t.Context(), s.setting()))(t)
	f, ok := p.Problem.(*pose.Images)
	if !ok {
		t.Fatalf("posed as %s", p.Name)
	}
	return f
}

// Of pairs with their images the estimated criteria are those of the constrained problem
// of the pairs, also where eigenvectors of both kinds share an eigenvalue.
func TestProbesOfOrbits(t *testing.T) {
	for _, n := range []int{5, 14} { // with the images fewer than points, and more
		d := waves(t, n, 20, 1e-3)
		s := &Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}, NoBias: true, Constraint: constraint.Flip{Names: []string{"x", "y"}, About: .5}}
		f := imagesOf(t, s)
		m := testmain.Must(indata.NewPreconditioner(context.Background(), f.Sys, f.Setting))(t)
		f.M = m
		if !f.Sys.Separates(context.Background(), m) {
			t.Fatal("the modes do not separate")
		}
		p := f.Probes(context.Background(), f.Closed(context.Background()))
		x := testmain.Must(f.Sys.Orbit.Exact(context.Background()))(t)
		for _, lambda := range []float64{1e-4, 1e-6} {
			got := testmain.Must(p.At(context.Background(), lambda, lambda))(t)
			want := testmain.Must(x.At(context.Background(), lambda, lambda))(t)
			if !(math.Abs(got.REML-want.REML) <= 3*got.REMLErr) || !(math.Abs(got.ResidualDF-want.ResidualDF) <= 3*got.DFError) {
				t.Errorf("%d pairs, λ = %g: REML %.8g ± %.2g, exactly %.8g; residual degrees of freedom %.6g ± %.2g, exactly %.6g", n, lambda, got.REML, got.REMLErr, want.REML, got.ResidualDF, got.DFError, want.ResidualDF)
			}
		}
	}
}
