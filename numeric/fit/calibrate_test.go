package fit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands for truths from the prior cover 95 %, for a kernel that is a product and
// for one that is none. 60 simulations of smooth functions are worth a few hundred
// independent points, so that 0.03 is three standard deviations.
func TestCalibrateOnThePrior(t *testing.T) {
	for name, s := range map[string]fit.Spec{
		"product":       {Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3},
		"not a product": {Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.5}}, Lambda: 1e-3, Rho: 1e-2},
	} {
		s.Data = pairs(t, interval(10), 15, 0.1, 8)
		e := mustFit(t, s)
		c := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 60, Seed: 3}))(t)
		if !(math.Abs(c.Coverage-0.95) <= 0.03) || !(math.Abs(c.Bias-0.95) <= 0.06) || c.N != 60 {
			t.Errorf("%s: coverage %.3f of G, %.3f of the bias, in %d simulations", name, c.Coverage, c.Bias, c.N)
		}
		again := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 60, Seed: 3}))(t)
		if !mat.Equal(again.Map, c.Map) {
			t.Error("the same seed gives another map")
		}
	}
}

// A smooth kernel covers the kink on the diagonal of the Poisson problem's G less
// often than the rest, and the map shows it.
func TestCalibrateOnATruth(t *testing.T) {
	m := interval(20)
	g := testmain.Must(pde.Green(ctx, pde.Poisson{Mesh: m}, m, m))(t)
	e := mustFit(t, fit.Spec{Data: pairs(t, m, 40, 0.1, 8), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}})
	c := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 10, Seed: 3, Truth: g}))(t)
	diagonal := 0.0
	for i := 5; i < 15; i++ {
		diagonal += c.Map.At(i, i) / 10
	}
	if !(diagonal < c.Coverage-0.1) {
		t.Errorf("coverage %.2f on the diagonal, %.2f everywhere", diagonal, c.Coverage)
	}
	if _, err := e.Calibrate(ctx, fit.Simulation{Truth: mat.NewDense(2, 2, nil)}); err == nil || !strings.Contains(err.Error(), "must be 20 × 20") {
		t.Errorf("%v", err)
	}
}

// Truths of a rougher kernel are covered less often than those of the estimate's own, and the
// estimate itself is no truth.
func TestCalibrateOnOtherTruths(t *testing.T) {
	e := mustFit(t, fit.Spec{Data: pairs(t, interval(12), 20, 0.1, 8), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}})
	rough := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}}
	c := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 15, Seed: 3, Kernel: rough}))(t)
	own := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 15, Seed: 3}))(t)
	if !(c.Coverage < 0.88) || !(own.Coverage > 0.9) {
		t.Errorf("coverage %.3f of rough truths, %.3f of smooth ones", c.Coverage, own.Coverage)
	}
	g := testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	if _, err := e.Calibrate(ctx, fit.Simulation{Truth: g}); err == nil || !strings.Contains(err.Error(), "the estimate itself") {
		t.Errorf("the estimate as its own truth: %v", err)
	}
	if _, err := e.Calibrate(ctx, fit.Simulation{Truth: g, Kernel: rough}); err == nil || !strings.Contains(err.Error(), "one of them") {
		t.Errorf("two truths: %v", err)
	}
}

// With a prior the rest is what the bands are of: an estimate is calibrated as one that was
// learned from the data without the prior's part, at a truth without it.
func TestCalibrationWithAPrior(t *testing.T) {
	m := interval(7)
	before := mustFit(t, fit.Spec{Data: pairs(t, m, 8, 0.05, 2), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: 1e-3})
	s := fit.Spec{Data: pairs(t, m, 6, 0.3, 3), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-3}
	rest := s
	s.Prior = before
	with := mustFit(t, s)
	var err error
	if rest.Data, _, err = known.Without(ctx, s.Data, before); err != nil {
		t.Fatal(err)
	}
	alone := mustFit(t, rest)
	g := testmain.Must(with.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	delta := testmain.Must(alone.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	for _, truth := range []*mat.Dense{g, delta} { // the estimate itself is refused
		truth.Apply(func(i, j int, v float64) float64 { return v + .01*float64(i-j) }, truth)
	}
	for _, truths := range [][2]*mat.Dense{{nil, nil}, {g, delta}} {
		got := testmain.Must(with.Calibrate(ctx, fit.Simulation{N: 4, Seed: 5, Truth: truths[0]}))(t)
		want := testmain.Must(alone.Calibrate(ctx, fit.Simulation{N: 4, Seed: 5, Truth: truths[1]}))(t)
		if !mat.EqualApprox(got.Map, want.Map, 1e-9) || !(math.Abs(got.Bias-want.Bias) <= 1e-9) {
			t.Errorf("coverage %v of G and %v of β with the prior, %v and %v of the rest", got.Coverage, got.Bias, want.Coverage, want.Bias)
		}
	}
}

// Bands of a fit on landmarks, of both sides or of one, cover as those of others do, at every point of the map, which has
// the meshes of the landmarks; a truth may be on the meshes of the data.
func TestCalibrateOnLandmarks(t *testing.T) {
	few, many := interval(8), interval(12)
	for name, c := range map[string]struct{ x, y mesh.Mesh }{"both": {many, many}, "input": {many, few}, "output": {few, many}} {
		of := pairs(t, c.x, 15, 0.1, 8)
		g := testmain.Must(pde.Green(ctx, pde.Poisson{Mesh: c.x}, c.x, c.y))(t)
		u := testmain.Must(of.Input.Matrix())(t)
		var out mat.Dense
		out.Mul(u, g)
		d := testmain.Must(dataset.New(dataset.Spec{Input: of.Input, Output: array.FromMatrix(&out), InputMesh: c.x, OutputMesh: c.y}))(t)
		e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3, Landmarks: 8})
		r := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 60, Seed: 3}))(t)
		if !(math.Abs(r.Coverage-0.95) <= 0.03) || !(math.Abs(r.Bias-0.95) <= 0.06) {
			t.Errorf("%s: coverage %.3f of G, %.3f of the bias", name, r.Coverage, r.Bias)
		}
		rows, columns := r.Map.Dims()
		if rows != r.X.Size() || columns != r.Y.Size() || rows != 8 || columns != 8 || !(mat.Min(r.Map) >= .8) {
			t.Errorf("%s: map of %d × %d, least %.2f", name, rows, columns, mat.Min(r.Map))
		}
		whole := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 3, Seed: 3, Truth: g}))(t)
		there := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: 3, Seed: 3, Truth: testmain.Must(pde.Green(ctx, pde.Poisson{Mesh: c.x}, r.X, r.Y))(t)}))(t)
		if !mat.Equal(whole.Map, there.Map) {
			t.Errorf("%s: a truth on the meshes of the data is another than on the landmarks", name)
		}
	}
}

// There are as many simulations as asked for, down to one, and 20 where nothing is asked; fewer than none are refused.
func TestCalibrateSimulatesAsOftenAsAsked(t *testing.T) {
	e := mustFit(t, fit.Spec{Data: pairs(t, interval(5), 4, 0.1, 8), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}, Lambda: 1e-2})
	for n, want := range map[int]int{0: 20, 1: 1, 3: 3} {
		c := testmain.Must(e.Calibrate(ctx, fit.Simulation{N: n, Seed: 3}))(t)
		if c.N != want {
			t.Errorf("%d simulations where %d are asked for, want %d", c.N, n, want)
		}
		for _, v := range c.Map.RawMatrix().Data {
			if times := v * float64(want); !(math.Abs(times-math.Round(times)) <= 1e-12) {
				t.Fatalf("a share of %g in %d simulations", v, want)
			}
		}
	}
	if _, err := e.Calibrate(ctx, fit.Simulation{N: -1}); err == nil || !strings.Contains(err.Error(), "at least 1") {
		t.Errorf("-1 simulations: %v", err)
	}
}

// A part with the bias of the whole has the residuals of the whole, whose data they are.
func TestResidualsOfAPartAreThoseOfTheWhole(t *testing.T) {
	e := mustFit(t, fit.Spec{Data: pairs(t, interval(5), 8, 0.1, 8), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}, Lambda: 1e-2})
	same := func(x, y mesh.Mesh) (mesh.Mesh, mesh.Mesh, error) { return x, y, nil }
	part := testmain.Must(e.Part(e.Kernel, e.InputMesh, e.OutputMesh, e.Weights, 1, same, ""))(t)
	want := testmain.Must(e.Residuals(ctx))(t)
	got := testmain.Must(part.WithBias(e.Report, nil).Residuals(ctx))(t)
	if !mat.Equal(got.Observed.Values, want.Observed.Values) || !mat.Equal(got.Observed.LeftOut, want.Observed.LeftOut) {
		t.Errorf("residuals %v, of the whole %v", mat.Formatted(got.Observed.Values), mat.Formatted(want.Observed.Values))
	}
	if _, err := part.Residuals(ctx); err == nil || !strings.Contains(err.Error(), "residuals need the data") {
		t.Errorf("of a part without the bias: %v", err)
	}
}
