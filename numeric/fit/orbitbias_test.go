package fit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// mirrors are constraints whose maps keep inputs and outputs apart.
func mirrors() map[string]constraint.Constraint {
	flip := func(odd bool, names ...string) constraint.Flip {
		return constraint.Flip{Names: names, About: .5, Odd: odd}
	}
	return map[string]constraint.Constraint{
		"even": flip(false, "x", "y"), "odd": flip(true, "x", "y"), "input": flip(false, "x"), "odd output": flip(true, "y"),
		"each": constraint.List{flip(false, "x"), flip(true, "y")},
	}
}

// With a bias that need not obey, the fit of the pairs with their images is that of the
// definition, a matrix of values of the constrained kernel, or with a free constant that of
// this kernel without a constraint, in G, β and objective: whether maps change signs, inputs,
// outputs, or both, for a bias of the kernel of G and of one of its own, for fewer pairs than
// points and for more. A bias whose kernel knows left from
// right goes another way, to the same fit.
func TestImagesWithBias(t *testing.T) {
	fine := mesh.Must(mesh.Uniform(0, 1, 23, ""))
	l := kernel.Lengthscale{.3}
	tilted := kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Polynomial{Degree: 1, Offset: 1}}}
	worst, cases := 0.0, 0
	for name, c := range mirrors() {
		for _, n := range []int{5, 14} {
			d := waves(t, n, 12, 1e-2)
			for i := range d.Output.Data { // a bias that is neither even nor odd
				y := float64(i%12) / 11
				d.Output.Data[i] += .3*y*y - .05
			}
			for _, k := range []struct {
				green, bias kernel.Kernel
				images      bool
			}{
				{kernel.SE{Lengthscale: l}, nil, true},
				{kernel.Matern{Nu: 1.5, Lengthscale: l}, nil, true},
				{kernel.SE{Lengthscale: l}, kernel.Exponential{Lengthscale: l}, true},
				{kernel.SE{Lengthscale: l}, tilted, name == "input"},
			} {
				for _, in := range []Intercept{Flat, NoIntercept} {
					if cases++; cases%testmain.Stride(7) != 0 {
						continue
					}
					what := fmt.Sprintf("%s, %d pairs, %v, bias %v, intercept %v", name, n, k.green, k.bias, in)
					s := Spec{Data: d, Kernel: k.green, Bias: k.bias, Constraint: c, Intercept: in, Lambda: 1e-4, Rho: 3e-3}
					e := testmain.Must(Fit(t.Context(), s))(t)
					if got := strings.Contains(e.Report.Reason, "taken with its images"); got != k.images {
						t.Errorf("%s: images %t: %s", what, got, e.Report.Reason)
					}
					other := composed(s)
					other.Dense = in == NoIntercept // a free constant is no part of it
					want := testmain.Must(Fit(t.Context(), other))(t)
					a, b := testmain.Must(e.Green(t.Context(), fine, fine))(t), testmain.Must(want.Green(t.Context(), fine, fine))(t)
					b.Sub(a, b)
					off := mat.Norm(b, 2) / mat.Norm(a, 2)
					u, v := testmain.Must(e.Bias(t.Context(), fine))(t), testmain.Must(want.Bias(t.Context(), fine))(t)
					off = max(off, floats.Distance(u, v, 2)/floats.Norm(u, 2), math.Abs(e.Report.Objective-want.Report.Objective)/want.Report.Objective)
					if worst = max(worst, off); !(off <= 1e-8) {
						t.Errorf("%s: off by %.2g", what, off)
					}
				}
			}
		}
	}
	t.Logf("largest deviation %.2g", worst)
}

// The criteria of pairs with their images are those of the constrained problem of the pairs,
// by its matrix: to rounding where the kernel is separable, by random vectors within their
// error elsewhere.
func TestCriteriaOfImagesWithBias(t *testing.T) {
	ctx, cases := t.Context(), 0
	for name, c := range mirrors() {
		for _, n := range []int{5, 14} {
			for _, k := range []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}} {
				for _, in := range []Intercept{Flat, NoIntercept} {
					if cases++; cases%testmain.Stride(5) != 0 {
						continue
					}
					f := imagesOf(t, &Spec{Data: waves(t, n, 20, 1e-3), Kernel: k, Constraint: c, Intercept: in})
					if err := f.Prepare(ctx, nil); err != nil {
						t.Fatal(err)
					}
					if !f.Sys.Separates(ctx, f.M) {
						t.Fatal("the modes do not separate")
					}
					x := testmain.Must(f.Sys.Orbit.Exact(ctx))(t)
					for _, at := range []problem.Penalty{problem.At(1e-4, 1e-4), problem.At(1e-6, 1e-3)} {
						what := fmt.Sprintf("%s, %d pairs, %v, intercept %v, λ = %g", name, n, k, in, at.Lambda)
						want := testmain.Must(x.At(ctx, at.Lambda, at.Rho))(t)
						if _, separable := k.(kernel.SE); separable {
							got := testmain.Must(f.Closed(ctx).At(ctx, at.Lambda, at.Rho))(t)
							if !(math.Abs(got.REML-want.REML) <= 1e-9*math.Abs(want.REML)) || !(math.Abs(got.GCV-want.GCV) <= 1e-8*want.GCV) {
								t.Errorf("%s: REML %.12g, GCV %.12g; of the matrix %.12g, %.12g", what, got.REML, got.GCV, want.REML, want.GCV)
							}
							continue
						}
						got := testmain.Must(f.Probes(ctx, f.Closed(ctx)).At(ctx, at.Lambda, at.Rho))(t)
						if !(math.Abs(got.REML-want.REML) <= 4*got.REMLErr) {
							t.Errorf("%s: REML %.8g ± %.2g, exactly %.8g", what, got.REML, got.REMLErr, want.REML)
						}
					}
				}
			}
		}
	}
}

// The same on a plane of outputs, of which one coordinate is mirrored, far from zero, on
// points that are not evenly spaced: G and β are those of the constrained kernel at the λ
// and ρ that were chosen, and so is REML.
func TestImagesWithBiasOnPlane(t *testing.T) {
	axis := func(n int, name string) mesh.Axis { return testmain.Must(mesh.Gauss(1e3, 1e3+1, n, name))(t) }
	x, y := mesh.Must(axis(9, "x"), nil), testmain.Must(mesh.New(axis(6, "y"), axis(5, "z")))(t)
	const n = 7
	f, u := array.New(n, x.Size()), array.New(n, y.Size())
	r := testmain.Must(randfield.Normal(6, n, x.Size()+y.Size()))(t)
	for i := range n {
		copy(f.Data[i*x.Size():(i+1)*x.Size()], r.Data[i*(x.Size()+y.Size()):])
		for k := range y.Size() {
			u.Set(r.At(i, x.Size()+k)+float64(k), i, k)
		}
	}
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y}))(t)
	for _, odd := range []bool{false, true} {
		s := Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Constraint: constraint.Flip{Names: []string{"x", "z"}, About: 1e3 + .5, Odd: odd}}
		e := testmain.Must(Fit(t.Context(), s))(t)
		if !strings.Contains(e.Report.Reason, "taken with its images") {
			t.Fatalf("posed otherwise: %s", e.Report.Reason)
		}
		s.Lambda, s.Rho, s.Intercept = e.Report.Lambda, e.Report.Rho, Flat
		want := testmain.Must(Fit(t.Context(), composed(s)))(t)
		a, b := testmain.Must(e.Green(t.Context(), x, y))(t), testmain.Must(want.Green(t.Context(), x, y))(t)
		b.Sub(a, b)
		v, w := testmain.Must(e.Bias(t.Context(), y))(t), testmain.Must(want.Bias(t.Context(), y))(t)
		if g, beta := mat.Norm(b, 2)/mat.Norm(a, 2), floats.Distance(v, w, 2)/floats.Norm(v, 2); !(max(g, beta) <= 1e-8) {
			t.Errorf("odd %t: G is off by %.2g, β by %.2g", odd, g, beta)
		}
		if got, reml := *e.Report.REML, *want.Report.REML; !(math.Abs(got-reml) <= 1e-9*math.Abs(reml)) {
			t.Errorf("odd %t: REML %.12g, of the constrained kernel %.12g", odd, got, reml)
		}
	}
}

// composed is a spec with its constraint as a part of the kernel.
func composed(s Spec) Spec {
	on := s.setting().Composed()
	s.Kernel, s.Bias, s.Constraint = on.Kernel, on.Bias, nil
	return s
}
