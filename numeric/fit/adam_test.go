package fit_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/pde"
	"github.com/greenbench/workbench/numeric/progress"
	"github.com/greenbench/workbench/numeric/randfield"
)

// The paper's method comes down towards our minimum and never below it, and ends
// with weights that mean what those of the exact method mean.
func TestAdamApproachesTheMinimum(t *testing.T) {
	d := pairs(t, interval(20), 30, 0.1, 3)
	s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3}
	exact := mustFit(t, s)
	steps := 0
	listening := progress.With(ctx, func(p progress.Step) {
		if p.Task == "adam" {
			steps++
		}
	})
	s.Adam = &fit.Adam{Epochs: 600, Seed: 1}
	e, err := fit.Fit(listening, s)
	if err != nil {
		t.Fatal(err)
	}
	h := e.Report.History
	if len(h) != 600 || steps < 600 {
		t.Fatalf("%d epochs in the history, %d reported", len(h), steps)
	}
	least := exact.Report.Objective
	if e.Report.Minimum != least {
		t.Errorf("minimum %g, the exact method has %g", e.Report.Minimum, least)
	}
	for i, v := range h {
		if v < least-exact.Report.Gap {
			t.Fatalf("epoch %d: objective %.12g is below the minimum %.12g", i+1, v, least)
		}
	}
	above := func(i int) float64 { return h[i]/least - 1 }
	t.Logf("above the minimum after 1, 10, 100, 600 epochs: %.3g %.3g %.3g %.3g; %s", above(0), above(9), above(99), above(599), e.Report.Method)
	if !(above(599) < 0.02*above(0)) {
		t.Errorf("objective %g after 1 epoch, %g after 600, minimum %g", h[0], h[599], least)
	}
	if e.Report.Gap < e.Report.Objective-least {
		t.Errorf("gap %g is no bound: the objective is %g above the minimum", e.Report.Gap, e.Report.Objective-least)
	}
	if math.Abs(e.Report.Objective-h[599]) > 1e-12*h[599] {
		t.Errorf("objective %g, the last epoch ended with %g", e.Report.Objective, h[599])
	}
	a, b := green(t, e), green(t, exact)
	re, err := fit.RelativeError(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if re > 0.2 {
		t.Errorf("G is %.2g from the exact one", re)
	}
	s.Adam = &fit.Adam{Epochs: 10, Batch: 8, Seed: 1}
	one, two := mustHistory(t, s), mustHistory(t, s)
	if !floats.Equal(one, two) {
		t.Error("the same seed gives another history")
	}
	s.Adam.Seed = 2
	if floats.Equal(one, mustHistory(t, s)) {
		t.Error("another seed gives the same history")
	}
}

func mustHistory(t *testing.T, s fit.Spec) []float64 {
	t.Helper()
	e, err := fit.Fit(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return e.Report.History
}

// With all samples in one batch and a short rate, the objective falls at every
// step, as it must along minus the gradient: with and without a constraint, which
// the estimate satisfies at any time.
func TestAdamDescends(t *testing.T) {
	d := pairs(t, interval(15), 12, 0.05, 5)
	for name, c := range map[string]constraint.Constraint{
		"none": nil, "symmetric": constraint.Symmetric{Names: []string{"x", "y"}},
	} {
		s := fit.Spec{
			Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3, Constraint: c,
			Adam: &fit.Adam{Epochs: 40, Rate: 2e-4},
		}
		e, err := fit.Fit(ctx, s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, h := range e.Report.History[1:] {
			if h >= e.Report.History[i] {
				t.Errorf("%s: objective rises from %g to %g", name, e.Report.History[i], h)
			}
		}
		if e.Report.Objective < e.Report.Minimum {
			t.Errorf("%s: objective %g below the minimum %g", name, e.Report.Objective, e.Report.Minimum)
		}
		if c == nil {
			continue
		}
		g := green(t, e)
		for i := range 15 {
			for j := range i {
				if math.Abs(g[15*i+j]-g[15*j+i]) > 1e-12 {
					t.Fatalf("G is not symmetric at %d, %d", i, j)
				}
			}
		}
	}
}

func TestAdamRefusesAndStops(t *testing.T) {
	s := fit.Spec{Data: pairs(t, interval(10), 8, 0, 1), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3}
	for want, a := range map[string]fit.Adam{
		"epochs -1: must be at least 1":     {Epochs: -1},
		"batch -2: must be at least 1":      {Batch: -2},
		`rate -0.5: must be > 0, or "auto"`: {Rate: -0.5},
	} {
		s.Adam = &a
		if _, err := fit.Fit(ctx, s); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	s.Adam = &fit.Adam{Epochs: 1 << 30}
	_, err := fit.Fit(progress.With(stopped, func(p progress.Step) {
		if p.Task == "adam" && p.Done == 3 {
			cancel()
		}
	}), s)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
}

// pairs are n noisy pairs of the Poisson problem on a mesh.
func pairs(t testing.TB, m mesh.Mesh, n int, noise float64, seed uint64) *dataset.Dataset {
	t.Helper()
	f, err := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Mesh: m, N: n, Seed: seed}.Draw(ctx)
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	u, err := pde.Solve(ctx, pde.Poisson{Mesh: m, Left: -0.1, Right: 0.1}, in)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	if noise == 0 {
		return d
	}
	if d, err = d.Noise(noise, seed); err != nil {
		t.Fatal(err)
	}
	return d
}

// green is G on the meshes of the data.
func green(t testing.TB, e *fit.Estimate) []float64 {
	t.Helper()
	g, err := e.Green(ctx, e.InputMesh, e.OutputMesh)
	if err != nil {
		t.Fatal(err)
	}
	return g.RawMatrix().Data
}
