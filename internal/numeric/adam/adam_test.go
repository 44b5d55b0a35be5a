package adam_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/adam"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The paper's method comes down towards our minimum and never below it, and ends
// with weights that mean what those of the exact method mean.
func TestAdamApproachesTheMinimum(t *testing.T) {
	d := pairs(t, interval(20), 30, 0.1, 3)
	s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3}
	exact, err := fit.Fit(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	listening := progress.With(ctx, func(p progress.Step) {
		if p.Task == "adam" {
			steps++
		}
	})
	e, err := adam.Trainer{Epochs: 600, Seed: 1}.Fit(listening, s)
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
	re, err := stats.RelativeError(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if re > 0.2 {
		t.Errorf("G is %.2g from the exact one", re)
	}
	few := adam.Trainer{Epochs: 10, Batch: 8, Seed: 1}
	one, two := mustTrain(t, few, s).Report.History, mustTrain(t, few, s).Report.History
	if !floats.Equal(one, two) {
		t.Error("the same seed gives another history")
	}
	few.Seed = 2
	if floats.Equal(one, mustTrain(t, few, s).Report.History) {
		t.Error("another seed gives the same history")
	}
}

func mustTrain(t *testing.T, a adam.Trainer, s fit.Spec) *fit.Estimate {
	t.Helper()
	e, err := a.Fit(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// With all samples in one batch and a short rate, the objective falls at every
// step, as it must along minus the gradient: with and without a constraint, which
// the estimate satisfies at any time.
func TestAdamDescends(t *testing.T) {
	d := pairs(t, interval(15), 12, 0.05, 5)
	for name, c := range map[string]constraint.Constraint{
		"none": nil, "symmetric": constraint.Symmetric{Names: []string{"x", "y"}},
	} {
		s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3, Constraint: c}
		e := mustTrain(t, adam.Trainer{Epochs: 40, Rate: 2e-4}, s)
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
	for want, a := range map[string]adam.Trainer{
		"epochs -1: must be at least 1":                      {Epochs: -1},
		"batch -2: must be at least 1":                       {Batch: -2},
		`rate -0.5: must be > 0 and finite; 0 has it chosen`: {Rate: -0.5},
	} {
		if _, err := a.Fit(ctx, s); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	flat, gaps := s, s
	flat.Intercept = fit.Flat
	holed := *s.Data
	holed.Output = holed.Output.Copy()
	holed.Output.Data[3] = math.NaN()
	gaps.Data = &holed
	for want, s := range map[string]fit.Spec{"intercept \"flat\"": flat, "missing outputs": gaps, "data: missing": {}} {
		if _, err := (adam.Trainer{}).Fit(ctx, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	_, err := adam.Trainer{Epochs: 1 << 30}.Fit(progress.With(stopped, func(p progress.Step) {
		if p.Task == "adam" && p.Done == 3 {
			cancel()
		}
	}), s)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
}

var ctx = context.Background()

func interval(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }

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

// Constraints that keep the weights on the lags are trained from above too; what comes out
// is converged only if its residual is at most the tolerance.
func TestAdamInTime(t *testing.T) {
	s := fit.Spec{
		Data: pairs(t, interval(8), 6, 0.05, 1), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-2,
		Constraint: constraint.List{constraint.Causal{Input: "x", Output: "y"}, constraint.TimeInvariant{Input: "x", Output: "y"}},
	}
	for _, tolerance := range []float64{0, 0.1} {
		s.Tolerance = tolerance
		r := mustTrain(t, adam.Trainer{Epochs: 300, Batch: 4, Rate: 0.01}, s).Report
		if !(r.Objective < 1.2*r.Minimum && (tolerance > 0 || r.Objective >= r.Minimum)) {
			t.Errorf("adam ends with %g, the minimum is %g", r.Objective, r.Minimum)
		}
		if r.Converged != (tolerance > 0) {
			t.Errorf("residual %g at tolerance %g, converged %t", r.Residual, tolerance, r.Converged)
		}
	}
}
