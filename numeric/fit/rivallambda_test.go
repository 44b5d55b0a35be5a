package fit

import (
	"context"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Of many values λ of a kernel that may be better is not searched for: the error of pairs that are left
// out is within 2 % of the least.
func TestLambdaOfARivalIsNearTheOneSearchedFor(t *testing.T) {
	testmain.Long(t)
	const n, points = 40, 25
	m := mesh.Must(mesh.Uniform(0, 1, points, "x"))
	compared := 0
	for seed := range uint64(4) {
		f, err := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, Mesh: m, N: n, Seed: seed}.Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		u := array.New(n, points)
		for i := range n {
			for k, y := range m.Points() {
				for j, x := range m.Points() {
					u.Data[i*points+k] += m.Weights()[j] * min(x, y) * (1 - max(x, y)) * f.Data[i*points+j]
				}
			}
		}
		d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m})
		if err != nil {
			t.Fatal(err)
		}
		if d, err = d.Noise(.2, seed); err != nil {
			t.Fatal(err)
		}
		e, err := Fit(t.Context(), Spec{Data: d})
		if err != nil {
			t.Fatal(err)
		}
		others, err := e.learned.others.get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(others) == 0 {
			continue
		}
		compared++
		quick := others[0].estimate
		if quick.Report.Criterion != "given" {
			t.Fatalf("lambda was searched for: %s", quick.Report.Criterion)
		}
		error := func(s Spec) float64 {
			s.Data, s.Kernel = d, quick.Kernel
			e, err := Fit(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return *e.Report.LOO
		}
		own, least := error(Spec{Lambda: quick.Report.Lambda, Rho: quick.Report.Rho}), error(Spec{Criterion: LOO})
		t.Logf("seed %d: share %.2g, error %.4f times the least", seed, others[0].share, own/least)
		if !(own <= 1.02*least) {
			t.Errorf("seed %d: the error of left-out pairs is %.4f times the least", seed, own/least)
		}
	}
	if compared < 2 {
		t.Errorf("%d data sets with a rival", compared)
	}
}

// λ of a rival is searched for anew where outputs are few or nothing is known of it; otherwise it is that of the estimate
// times the ratio that was found, with the same ρ.
func TestRivalsOfManyOutputsKeepTheRatioOfLambdas(t *testing.T) {
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	than := Report{Lambda: 3e-4, Rho: 7e-3}
	for _, c := range []struct {
		pairs    int
		ratio    float64
		searched bool
	}{{36, 2, true}, {37, 2, false}, {37, .1, false}, {37, 0, true}} {
		d := waves(t, c.pairs, 25, .1) // 36 pairs of 25 points are 900 outputs
		got, err := rival{kernel: k, share: .5, ratio: c.ratio}.fit(t.Context(), Spec{Data: d}, than)
		if err != nil {
			t.Fatal(err)
		}
		lambda, rho := c.ratio*than.Lambda, than.Rho
		if c.searched {
			own := testmain.Must(Fit(t.Context(), Spec{Data: d, Kernel: k}))(t)
			lambda, rho = own.Report.Lambda, own.Report.Rho
		}
		if got.Report.Lambda != lambda || got.Report.Rho != rho {
			t.Errorf("%d pairs, ratio %g: lambda %g and rho %g, want %g and %g", c.pairs, c.ratio, got.Report.Lambda, got.Report.Rho, lambda, rho)
		}
	}
}

// What the fits of rivals take is said before they begin: the sum for all, and beside a loss a fit with squares for each.
func TestFitsOfRivalsAreAnnounced(t *testing.T) {
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	e := testmain.Must(Fit(t.Context(), Spec{Data: waves(t, 12, 9, .1), Kernel: k}))(t)
	large := Spec{Data: waves(t, 400, 900, .1)}
	r := &rivals{spec: large, of: []rival{{kernel: k, share: .3, ratio: 2}, {kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{1}}, share: .2}}}
	few := &rivals{spec: e.learned.spec, of: r.of} // whose own fits take next to nothing
	one := few.expected(t.Context(), e).Seconds
	e.Report.Amplitude = 1
	e.learned.spec.Data = large.Data
	if with := few.expected(t.Context(), e).Seconds; !(one > 0) || !(with > 10*one) {
		t.Errorf("expected %g s, with a loss %g s", one, with)
	}
	e.learned.rivals = r
	e.uncertain()
	ctx, stop := context.WithCancel(t.Context())
	var said []string
	ctx = progress.With(ctx, func(s progress.Step) {
		if s.About != "" {
			said = append(said, s.Task)
			stop()
		}
	})
	if _, err := e.learned.others.get(ctx); err == nil || len(said) == 0 || said[0] != "fits of kernels that may be better" {
		t.Errorf("said %q, error %v", said, err)
	}
}

// The fit of a kernel that may be better has noise that is as much louder than its residuals tell as that of the estimate is; with a loss
// its amplitude and noise are as much larger than the estimate's as its objective is.
func TestNoiseOfARivalIsAsLoud(t *testing.T) {
	s := Spec{Data: waves(t, 12, 9, .1), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-3, Rho: 1e-2}
	e := testmain.Must(Fit(t.Context(), s))(t)
	other := rival{kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, share: .5}
	alone := testmain.Must(minimiseAsGiven(t.Context(), other.in(s, e.Report)))(t)
	e.Report.Sigma *= 3
	beside := testmain.Must(other.beside(t.Context(), s, e))(t)
	near(t, "noise", beside.Report.Sigma, 3*alone.Report.Sigma)
	if beside.Report.Amplitude != 0 {
		t.Errorf("amplitude %g", beside.Report.Amplitude)
	}
	e.Report.Amplitude = 7
	beside = testmain.Must(other.beside(t.Context(), s, e))(t)
	more := alone.Report.Objective / e.Report.Objective
	near(t, "amplitude with a loss", beside.Report.Amplitude, 7*more)
	near(t, "noise with a loss", beside.Report.Sigma, e.Report.Sigma*math.Sqrt(more))
	s.Data = nil
	if _, err := other.beside(t.Context(), s, e); err == nil {
		t.Error("a fit without data")
	}
}

// Amplitude and noise of what an estimate may be instead are as much larger as its objective is than that of squares, times what
// Student's distribution is wider; where there is nothing to compare with, they stay as they are.
func TestAmplitudeOfOthers(t *testing.T) {
	s := Spec{Data: waves(t, 4, 5, .1), NoBias: true} // 20 values
	of := Report{Sigma: 2}
	for _, c := range []struct{ base, amplitude, given, want, sigma float64 }{
		{.5, 0, 0, .6 / .5 * criteria.Wider(20) * .5 / 20, 2 * math.Sqrt(.6/.5*criteria.Wider(20))},
		{.5, 3, 0, .6 / .5 * criteria.Wider(20) * 3, 2 * math.Sqrt(.6/.5*criteria.Wider(20))},
		{0, 3, 9, 9, 8},
		{0, 0, 9, 9, 8},
	} {
		e := &Estimate{learned: &learned{spec: s}, Report: Report{Objective: .6, Sigma: 8, Amplitude: c.given}}
		of.Amplitude = c.amplitude
		e.asOther(of, c.base)
		near(t, "amplitude", e.Report.Amplitude, c.want)
		near(t, "sigma", e.Report.Sigma, c.sigma)
	}
}
