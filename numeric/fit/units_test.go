package fit_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// units are what the same measurements may be written in: inputs s f, outputs c u + d,
// with d in standard deviations of u, and axes that are ℓ times as long.
type units struct{ s, c, d, l float64 }

func (u units) String() string {
	return fmt.Sprintf("f × %g, u × %g + %g sd, axis × %g", u.s, u.c, u.d, u.l)
}

// measurement is a linear experiment, and how it is fitted.
type measurement struct {
	name       string
	constraint constraint.Constraint
	bias       bool
	holes      bool
	criterion  fit.Criterion
	auto       bool    // lengthscale
	n, m       int     // pairs and points; 0: 14 and 9
	noise      float64 // of outputs of about .3; 0: .05
	seed       uint64  // 0: 11
}

// measured returns n pairs in some units: u(y) = m(y) + ∫ g f + noise, with g symmetric,
// or a decaying function of the lag for causal experiments.
func (e measurement) measured(t *testing.T, in units, seed uint64) *dataset.Dataset {
	t.Helper()
	n, m := cmp.Or(e.n, 14), cmp.Or(e.m, 9)
	axis := mesh.Must(mesh.Uniform(0, in.l, m, ""))
	f := testmain.Must(randfield.Normal(seed, n, m))(t)
	noise := testmain.Must(randfield.Normal(seed+1, n, m))(t)
	g := func(x, y float64) float64 { return math.Min(x, y) * (1 - math.Max(x, y)) * 5 }
	if _, lag := e.constraint.(constraint.List); lag {
		g = func(x, y float64) float64 {
			if y < x {
				return 0
			}
			return math.Exp(-4 * (y - x))
		}
	}
	const sd = .3 // of the outputs, about
	input, output := f.Copy(), noise.Copy()
	for i := range n {
		for k := range m {
			y, u := float64(k)/float64(m-1), 0.
			for j, w := range mesh.Must(mesh.Uniform(0, 1, m, "")).Weights() {
				u += w * g(float64(j)/float64(m-1), y) * f.At(i, j)
			}
			if e.bias {
				u += .4*math.Cos(3*y) + .2
			}
			output.Data[i*m+k] = in.c*(u+cmp.Or(e.noise, .05)*noise.At(i, k)) + in.d*sd*in.c
			if e.holes && (7*i+3*k)%11 == 0 && i%3 == 0 {
				output.Data[i*m+k] = math.NaN()
			}
		}
	}
	for i := range input.Data {
		input.Data[i] *= in.s
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: input, Output: output, InputMesh: axis, OutputMesh: axis, Missing: e.holes}))(t)
}

// seeded is the seed of its data.
func (e measurement) seeded() uint64 { return cmp.Or(e.seed, 11) }

// fitted returns predictions in the units of the first row of the table, and the report.
func (e measurement) fitted(t *testing.T, in units, seed uint64) (*array.Array, *fit.Estimate) {
	t.Helper()
	d := e.measured(t, in, seed)
	length := kernel.Lengthscale{.4 * in.l}
	if e.auto {
		length = nil
	}
	s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: length}, NoBias: !e.bias, Constraint: e.constraint, Criterion: e.criterion}
	est, err := fit.Fit(ctx, s)
	if err != nil {
		t.Fatalf("%s, %v: %v", e.name, in, err)
	}
	f := testmain.Must(d.Input.Matrix())(t)
	u := testmain.Must(est.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	out := array.FromMatrix(u)
	for i, v := range out.Data {
		out.Data[i] = (v - in.d*.3*in.c) / in.c
	}
	return out, est
}

// Predictions do not depend on the units of the data, of 1e-9 to 1e9 for inputs, outputs
// and axes and an origin up to 1e6 standard deviations off: to 1e-6 of their spread, for
// every criterion, constraint and way to solve. An origin so far off costs digits of the
// outputs themselves, 1e-10 of the spread, which choices magnify.
func TestUnitsDoNotMatter(t *testing.T) {
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	odd := constraint.Flip{Names: []string{"x", "y"}, About: .5}
	impulse := constraint.List{constraint.TimeInvariant{Input: "x", Output: "y"}, constraint.Causal{Input: "x", Output: "y"}}
	alone := []units{{1e-9, 1, 0, 1}, {1e9, 1, 0, 1}, {1, 1e-9, 0, 1}, {1, 1e9, 0, 1}, {1, 1, 0, 1e-9}, {1, 1, 0, 1e9}}
	// All at once, in two ways that no product of small powers of the three units survives.
	together := []units{{1e9, 1e-4, 0, 1e7}, {1e-7, 1e-9, 0, 1e-2}, {1, 1, 1, 1}, {1e6, 1, 1e3, 1}, {1, 1, -1e6, 1}, {1e-9, 1e5, 1e6, 1e3}}
	for i, e := range []measurement{
		{name: "reml", bias: true},
		{name: "gcv", bias: true, criterion: fit.GCV},
		{name: "loo", bias: true, criterion: fit.LOO},
		{name: "cv", bias: true, criterion: fit.CV},
		{name: "lengthscale", bias: true, auto: true},
		{name: "symmetric", bias: true, constraint: symmetric},
		{name: "symmetric gcv", bias: true, constraint: symmetric, criterion: fit.GCV},
		{name: "symmetric loo", bias: true, constraint: symmetric, criterion: fit.LOO},
		{name: "impulse response", bias: true, constraint: impulse},
		{name: "missing", bias: true, holes: true},
		{name: "missing, symmetric", bias: true, holes: true, constraint: symmetric},
		{name: "flip, no bias", constraint: odd},
		{name: "no bias"},
		{name: "two points", bias: true, n: 3, m: 2},
		{name: "few points", bias: true, n: 20, m: 3, constraint: symmetric},
		{name: "few pairs", bias: true, n: 2, m: 12, auto: true},
		{name: "few pairs, missing", bias: true, n: 4, m: 5, holes: true},
		{name: "few pairs, symmetric", bias: true, n: 3, m: 7, constraint: symmetric, criterion: fit.GCV},
		// Where all small λ predict alike, and where no λ is large enough.
		{name: "flat, loo", bias: true, n: 3, m: 9, constraint: symmetric, criterion: fit.LOO, seed: 6},
		{name: "flat, impulse response", bias: true, n: 21, m: 12, constraint: impulse, criterion: fit.LOO, seed: 12, noise: .001},
		{name: "flat, cv", bias: true, n: 21, m: 12, constraint: impulse, criterion: fit.CV, seed: 12, noise: .001},
		{name: "flat, lengthscale", bias: true, n: 15, m: 9, auto: true, constraint: symmetric, criterion: fit.GCV, seed: 8, noise: .001},
		{name: "few, missing, gcv", bias: true, n: 3, m: 8, holes: true, criterion: fit.GCV, seed: 9},
		{name: "few, missing, symmetric, gcv", bias: true, n: 3, m: 8, holes: true, constraint: symmetric, criterion: fit.GCV, seed: 9},
		{name: "missing, noise", bias: true, n: 7, m: 8, holes: true, criterion: fit.GCV, seed: 10, noise: .3},
		{name: "noise alone", bias: true, n: 3, m: 4, constraint: symmetric, seed: 11, noise: 1},
	} {
		first := units{1, 1, 0, 1}
		want, reference := e.fitted(t, first, e.seeded())
		size := spread(want)
		changes := append(slices.Clone(alone), together...)
		if i > 0 && !testmain.EveryCase() {
			changes = []units{together[0], together[len(together)-1]} // without an origin, and with all units and an origin
		}
		for _, in := range changes {
			if in.d != 0 && !e.bias {
				continue // without a bias the origin of u has a meaning
			}
			if flip, ok := e.constraint.(constraint.Flip); ok && in.l != 1 {
				scaled := flip
				scaled.About *= in.l
				at := e
				at.constraint = scaled
				compareUnits(t, at, in, want, size, reference)
				continue
			}
			compareUnits(t, e, in, want, size, reference)
		}
	}
}

func compareUnits(t *testing.T, e measurement, in units, want *array.Array, size float64, reference *fit.Estimate) {
	t.Helper()
	got, est := e.fitted(t, in, e.seeded())
	worst := 0.0
	for i, v := range got.Data {
		worst = max(worst, math.Abs(v-want.Data[i])/size)
	}
	t.Logf("%-20s %-45v %.1e", e.name, in, worst)
	if !(worst <= 1e-6) {
		t.Errorf("%s, %v: predictions differ by %.2g of their spread; λ %.6g and ρ %.6g, in the first units %.6g and %.6g",
			e.name, in, worst, est.Report.Lambda, est.Report.Rho, reference.Report.Lambda, reference.Report.Rho)
	}
	if e.auto && est.Kernel.String() == reference.Kernel.String() && in.l != 1 {
		t.Errorf("%s, %v: the lengthscale stayed %v", e.name, in, est.Kernel)
	}
}

func spread(a *array.Array) float64 {
	var sum, squares float64
	for _, v := range a.Data {
		sum += v
		squares += v * v
	}
	n := float64(len(a.Data))
	return math.Sqrt(squares/n - sum*sum/n/n)
}
