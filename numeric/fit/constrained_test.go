package fit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// timed is a small problem in space and time: m points in space (none for 0), nt
// times. Its outputs are noise: the two routes must agree on any data.
func timed(t *testing.T, n, m, nt int) *dataset.Dataset {
	t.Helper()
	time := mesh.Must(mesh.Uniform(0, 1, nt, "t"))
	both := time
	if m > 0 {
		both = testmain.Must(mesh.Product(mesh.Must(mesh.Uniform(-1, 1, m, "x")), time))(t)
	}
	return noise(t, n, both, both)
}

// noise is a dataset of independent normal numbers.
func noise(t testing.TB, n int, x, y mesh.Mesh) *dataset.Dataset {
	t.Helper()
	f := testmain.Must(randfield.Normal(1, n, x.Size()))(t)
	u := testmain.Must(randfield.Normal(2, n, y.Size()))(t)
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y}))(t)
}

// systems are small versions of every kind of problem, with the constraints that
// make sense for them. The kernels are anisotropic, so that no invariance of the
// kernel hides a mistake.
func systems(t *testing.T) []struct {
	name string
	d    *dataset.Dataset
	k    kernel.Kernel
	c    constraint.Constraint
} {
	t.Helper()
	ex := func(l ...float64) kernel.Kernel { return kernel.Exponential{Lengthscale: l} }
	sym := constraint.Symmetric{Names: []string{"x", "y"}}
	inv, cau := constraint.TimeInvariant{Input: "s", Output: "t"}, constraint.Causal{Input: "s", Output: "t"}
	line := noise(t, 9, interval(6), interval(6))
	centred := mesh.Must(mesh.Uniform(-1, 1, 6, ""))
	graded := mesh.Must(mesh.Trapezoid([]float64{-1, -.6, -.1, .1, .6, 1}, ""))
	square := testmain.Must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, 3, "x1")), mesh.Must(mesh.Uniform(0, 1, 2, "x2"))))(t)
	image := testmain.Must(square.Rename("y1", "y2"))(t)
	even := testmain.Must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, 3, "y1")), mesh.Must(mesh.Uniform(0, 1, 3, "y2"))))(t)
	around := mesh.Must(mesh.Periodic(0, 4, 8, ""))
	later := testmain.Must(mesh.Product(centred, mesh.Must(mesh.Uniform(0, 1, 3, "t"))))(t)
	wrapped := kernel.Periodic{Period: 4, Lengthscale: kernel.Lengthscale{.7}}
	steps := func(m mesh.Mesh) mesh.Mesh {
		return testmain.Must(m.Right())(t)
	}
	stepped := timed(t, 5, 0, 7)
	stepped.InputMesh = steps(stepped.InputMesh)
	near := region{text: "near", where: func(p kernels.Point) *expr.Node {
		return expr.GE(expr.Const(.5), expr.Abs(expr.Sub(p.X[0], p.X[1])))
	}}
	return []struct {
		name string
		d    *dataset.Dataset
		k    kernel.Kernel
		c    constraint.Constraint
	}{
		{"mask", line, ex(.3, .5), near},
		{"symmetric in a region", line, ex(.3, .5), constraint.List{sym, near}},
		{"antisymmetric and odd flip", noise(t, 9, centred, centred), ex(.3, .5), constraint.List{
			constraint.Antisymmetric{Names: []string{"x", "y"}}, constraint.Flip{Names: []string{"x", "y"}, Odd: true},
		}},
		{"boundary to square, mirrored", noise(t, 7, around, image), kernel.Tensor{Input: wrapped, Output: ex(.4, .3)}, constraint.Flip{Names: []string{"y1"}, About: .5}},
		{"density to all times, flip", noise(t, 9, centred, later), ex(.5, .3, .6), constraint.Flip{Names: []string{"x", "y"}}},
		{"density to all times, symmetric", noise(t, 9, centred, later), ex(.5, .3, .6), sym},
		{"symmetric", line, ex(.3, .5), sym},
		{"antisymmetric", line, ex(.3, .5), constraint.Antisymmetric{Names: []string{"x", "y"}}},
		{"flip", noise(t, 9, centred, centred), ex(.3, .5), constraint.Flip{Names: []string{"x", "y"}}},
		{"odd flip", noise(t, 9, centred, centred), ex(.3, .5), constraint.Flip{Names: []string{"x", "y"}, Odd: true}},
		{"flip, kernel not invariant", noise(t, 9, centred, centred), kernel.Vanishing{Base: ex(.3, .5), Where: map[string][]float64{"x": {-1}}}, constraint.Flip{Names: []string{"x", "y"}}},
		{"two flips", noise(t, 4, around, image), kernel.Tensor{Input: wrapped, Output: ex(.4, .3)}, constraint.List{
			constraint.Flip{Names: []string{"y1"}, About: .5}, constraint.Flip{Names: []string{"y2"}, About: .5},
		}},
		{"axes of the output exchanged", noise(t, 4, around, even), kernel.Tensor{Input: wrapped, Output: ex(.4)}, constraint.Permute{Lists: [][]string{{"y1", "y2"}}}},
		{"flip on a graded mesh", noise(t, 4, graded, graded), ex(.3, .5), constraint.Flip{Names: []string{"x", "y"}}},
		{"symmetric and flip", noise(t, 9, centred, centred), ex(.3, .5), constraint.List{sym, constraint.Flip{Names: []string{"x", "y"}}}},
		{"symmetric, Simpson to trapezoid", noise(t, 9, mesh.Must(mesh.Simpson(0, 1, 6, "")), interval(6)), ex(.3, .5), sym},
		{"symmetric, right sums to trapezoid", noise(t, 9, steps(interval(6)), interval(6)), ex(.3, .5), sym},
		{"symmetric, right sums on both sides", noise(t, 9, steps(interval(6)), steps(interval(6))), ex(.3, .5), sym},
		{"flip, right sums", noise(t, 9, steps(centred), centred), ex(.3, .5), constraint.Flip{Names: []string{"x", "y"}}},
		{"mask, right sums", noise(t, 9, steps(interval(6)), interval(6)), ex(.3, .5), near},
		{"permute", noise(t, 5, square, image), ex(.3, .4, .5, .6), constraint.Permute{Lists: [][]string{{"x1", "y1"}, {"x2", "y2"}}}},
		{"causal", timed(t, 5, 3, 4), ex(.5, .3, .6, .4), cau},
		{"anticausal", timed(t, 5, 0, 5), ex(.3, .4), constraint.Anticausal{Input: "s", Output: "t"}},
		{"time-invariant", timed(t, 5, 3, 4), ex(.5, .6, .3), inv},
		{"time-invariant, time only", timed(t, 5, 0, 7), ex(.3), inv},
		{"time-invariant, right sums", stepped, ex(.3), constraint.List{inv, cau}},
		{"time-invariant and causal", timed(t, 5, 3, 4), ex(.5, .6, .3), constraint.List{inv, cau}},
		{"time-invariant, causal, time only", timed(t, 5, 0, 7), kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, constraint.List{inv, cau}},
		{"time-invariant and symmetric in space", timed(t, 5, 3, 4), ex(.5, .6, .3), constraint.List{inv, sym}},
	}
}

// For every system and constraint the weights found by index maps, convolutions
// and GMRES give the function of the dense route, where the constraint is part of
// the kernel's expression and Cholesky solves: G on and off the mesh, β, the
// objective; with and without bias.
func TestConstrainedAgreesWithDense(t *testing.T) {
	for _, s := range systems(t) {
		for _, bias := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, bias %t", s.name, bias), func(t *testing.T) {
				spec := fit.Spec{Data: s.d, Kernel: s.k, Constraint: s.c, Lambda: 1e-3, Rho: 1e-2, NoBias: !bias, Tolerance: 1e-13}
				if !bias {
					spec.Rho = 0
				}
				got := testmain.Must(fit.Fit(ctx, spec))(t)
				spec.Dense = true
				want := testmain.Must(fit.Fit(ctx, spec))(t)
				if !(got.Report.Residual <= 1e-10) || !(got.Report.Gap <= 1e-12*got.Report.Objective) {
					t.Errorf("residual %.1e, gap %.1e", got.Report.Residual, got.Report.Gap)
				}
				a, b := got.Report, want.Report
				close8(t, "objective and parts", []float64{a.Objective, a.MSE, a.GreenNorm2, a.BiasNorm2}, []float64{b.Objective, b.MSE, b.GreenNorm2, b.BiasNorm2})
				fx, fy := elsewhere(s.d.InputMesh), elsewhere(s.d.OutputMesh)
				for _, m := range [][2]mesh.Mesh{{{}, {}}, {fx, fy}} {
					g := testmain.Must(got.Green(ctx, m[0], m[1]))(t)
					w := testmain.Must(want.Green(ctx, m[0], m[1]))(t)
					close8(t, "G", g.RawMatrix().Data, w.RawMatrix().Data)
				}
				gb := testmain.Must(got.Bias(ctx, mesh.Mesh{}))(t)
				wb := testmain.Must(want.Bias(ctx, mesh.Mesh{}))(t)
				if bias {
					close8(t, "β", gb, wb)
				}
				f := testmain.Must(s.d.Input.Matrix())(t)
				checkPredictions(t, got, want, f)
			})
		}
	}
}

func checkPredictions(t *testing.T, got, want *fit.Estimate, f *mat.Dense) {
	t.Helper()
	gu := testmain.Must(got.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	wu := testmain.Must(want.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	close8(t, "predictions", gu.RawMatrix().Data, wu.RawMatrix().Data)

	x, y := elsewhere(got.InputMesh), elsewhere(got.OutputMesh)
	other := mat.NewDense(2, x.Size(), nil)
	other.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + j)) }, other)
	gu = testmain.Must(got.Predict(ctx, other, x, y))(t)
	wu = testmain.Must(want.Predict(ctx, other, x, y))(t)
	close8(t, "predictions on other meshes", gu.RawMatrix().Data, wu.RawMatrix().Data)

	path := t.TempDir() + "/estimate.npz"
	if err := got.Save(t.Context(), path); err != nil {
		if strings.Contains(err.Error(), "mask(near): cannot be written to a file") {
			return // a function in Go has no text
		}
		t.Fatal(err)
	}
	back := testmain.Must(fit.Load(t.Context(), path))(t)
	bu := testmain.Must(back.Predict(ctx, other, x, y))(t)
	gu = testmain.Must(got.Predict(ctx, other, x, y))(t)
	if !mat.Equal(bu, gu) {
		t.Error("predictions differ after reading the estimate back")
	}
}

// elsewhere is a mesh on the same domain with other points, but for clouds.
func elsewhere(m mesh.Mesh) mesh.Mesh {
	var axes []mesh.Axis
	for i, a := range m.Axes() {
		if a.Dim() > 1 {
			return m
		}
		lo, hi := a.Lower[0], a.Upper[0]
		ax := must(mesh.Uniform(lo+.01*(hi-lo), hi-.02*(hi-lo), 3+i, a.Names[0]))
		axes = append(axes, ax)
	}
	return must(mesh.New(axes...))
}

func close8(t *testing.T, what string, got, want []float64) {
	t.Helper()
	var d, n float64
	for i, v := range want {
		d, n = max(d, math.Abs(got[i]-v)), max(n, math.Abs(v))
	}
	if !(d <= 1e-8*n) {
		t.Errorf("%s differs by %.2g of %.2g", what, d, n)
	}
}

// The function obeys the law off the mesh, whatever the data.
func TestEstimatesObeyTheirConstraints(t *testing.T) {
	for _, s := range systems(t) {
		e := testmain.Must(fit.Fit(ctx, fit.Spec{Data: s.d, Kernel: s.k, Constraint: s.c, Lambda: 1e-3}))(t)
		at := func(x, y []float64) float64 {
			return testmain.Must(e.At(ctx, x, y))(t)
		}
		switch s.name {
		case "symmetric":
			near(t, s.name, []float64{at([]float64{.21}, []float64{.77})}, []float64{at([]float64{.77}, []float64{.21})})
		case "mask", "symmetric in a region":
			if v := at([]float64{.2}, []float64{.71}); v != 0 {
				t.Errorf("%s: G = %g outside", s.name, v)
			}
			if a, b := at([]float64{.2}, []float64{.69}), at([]float64{.69}, []float64{.2}); a == 0 || (s.name != "mask" && !(math.Abs(a-b) <= 1e-12)) {
				t.Errorf("%s: G = %g inside, %g at the exchanged point", s.name, a, b)
			}
		case "flip", "flip on a graded mesh":
			near(t, s.name, []float64{at([]float64{.21}, []float64{.77})}, []float64{at([]float64{-.21}, []float64{-.77})})
		case "boundary to square, mirrored":
			near(t, s.name, []float64{at([]float64{.3}, []float64{.2, .7})}, []float64{at([]float64{.3}, []float64{.8, .7})})
		case "density to all times, flip":
			near(t, s.name, []float64{at([]float64{.3}, []float64{-.6, .7})}, []float64{at([]float64{-.3}, []float64{.6, .7})})
		case "density to all times, symmetric":
			near(t, s.name, []float64{at([]float64{.3}, []float64{-.6, .7})}, []float64{at([]float64{-.6}, []float64{.3, .7})})
		case "permute":
			near(t, s.name, []float64{at([]float64{.1, .2}, []float64{.3, .4})}, []float64{at([]float64{.3, .4}, []float64{.1, .2})})
		case "anticausal":
			if v := at([]float64{.6}, []float64{.61}); v != 0 || at([]float64{.6}, []float64{.59}) == 0 {
				t.Errorf("%s: G = %g after its input, or 0 before", s.name, v)
			}
		case "antisymmetric":
			near(t, s.name, []float64{at([]float64{.21}, []float64{.77})}, []float64{-at([]float64{.77}, []float64{.21})})
		case "causal", "time-invariant and causal":
			if v := at([]float64{.2, .6}, []float64{.1, .59}); v != 0 {
				t.Errorf("%s: G = %g before its input", s.name, v)
			}
			if v := at([]float64{.2, .6}, []float64{.1, .61}); v == 0 {
				t.Errorf("%s: G = 0 after its input", s.name)
			}
		case "time-invariant":
			near(t, s.name, []float64{at([]float64{.2, .1}, []float64{.3, .4})}, []float64{at([]float64{.2, .5}, []float64{.3, .8})})
		}
	}
}

// Maps that do not send the points of the meshes to one another, and scattered
// points, need no grid: the constraint is then part of the kernel's expression, and
// the function is that of the dense route. λ and lengthscales are chosen as ever.
func TestConstraintsOffTheGrid(t *testing.T) {
	matern := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}
	sym := constraint.Symmetric{Names: []string{"x", "y"}}
	sensors := mesh.Must(mesh.Scattered([]float64{.11, .93, .42, .37, .78}, 1, nil))
	for _, c := range []struct {
		name string
		d    *dataset.Dataset
		c    constraint.Constraint
		want string
	}{
		{"other points", noise(t, 4, interval(5), interval(6)), sym, "which is no point of that axis"},
		{"mirrored", noise(t, 4, interval(5), interval(5)), constraint.Flip{Names: []string{"x"}}, "which is no point of that axis"},
		{"scattered", noise(t, 4, sensors, interval(5)), sym, "no point of that axis"},
	} {
		spec := fit.Spec{Data: c.d, Kernel: matern, Constraint: c.c, Lambda: 1e-3, Tolerance: 1e-13}
		got, err := fit.Fit(ctx, spec)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r := got.Report.Reason; !strings.Contains(r, c.want) || !strings.Contains(r, "part of the kernel's expression") {
			t.Errorf("%s: reason %q, want %q", c.name, r, c.want)
		}
		spec.Dense = true
		want := testmain.Must(fit.Fit(ctx, spec))(t)
		g := testmain.Must(got.Green(ctx, interval(7), interval(7)))(t)
		w := testmain.Must(want.Green(ctx, interval(7), interval(7)))(t)
		close8(t, c.name, g.RawMatrix().Data, w.RawMatrix().Data)
		open := fit.Spec{Data: c.d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}, Constraint: c.c}
		if e, err := fit.Fit(ctx, open); err != nil || !strings.Contains(e.Report.Reason, "chosen by reml") {
			t.Errorf("%s: lengthscale is not chosen: %v", c.name, err)
		}
	}
}

func TestConstraintsThatDoNotFitAreRefused(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	two := func(a, b int) *dataset.Dataset { return noise(t, 4, interval(a), interval(b)) }
	slow := mesh.Must(mesh.Uniform(0, 1, 4, "t"))
	fast := mesh.Must(mesh.Uniform(0, 1, 5, "t"))
	for _, c := range []struct {
		d    *dataset.Dataset
		c    constraint.Constraint
		want string
	}{
		{two(5, 5), constraint.Symmetric{Names: []string{"x", "z"}}, `no coordinate "z"`},
		{two(5, 5), constraint.Causal{Input: "s", Output: "t"}, "needs a time axis on both sides"},
		{noise(t, 4, interval(5), mesh.Must(mesh.Uniform(0, 2, 5, ""))), constraint.Symmetric{Names: []string{"x", "y"}}, "x covers 0 to 1 and y covers 0 to 2: coordinates that are exchanged must cover the same interval"},
		{noise(t, 4, mesh.Must(mesh.Scattered([]float64{0, .5, 1}, 1, nil, "s")), slow), constraint.TimeInvariant{Input: "s", Output: "t"}, "for its points are scattered"},
		{noise(t, 4, slow, fast), constraint.TimeInvariant{Input: "s", Output: "t"}, "the time axes must be uniform with one step"},
	} {
		_, err := fit.Fit(ctx, fit.Spec{Data: c.d, Kernel: se, Constraint: c.c, Lambda: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.c, err, c.want)
		}
	}
}
