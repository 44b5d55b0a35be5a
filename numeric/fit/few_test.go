package fit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands of few data are means over the λ that these allow, where λ was chosen: they are not those at
// the λ that was, but of the same size; where λ was given, and of more data, they are those at one λ.
func TestBandsOverPenalties(t *testing.T) {
	for name, c := range map[string]struct {
		points, pairs int
		means         bool
	}{"few": {8, 5, true}, "many": {15, 14, false}} { // 210 of them
		m := interval(c.points)
		s := fit.Spec{Data: pairs(t, m, c.pairs, 0.05, 2), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Criterion: fit.REML}
		chosen := mustFit(t, s)
		learned, _ := chosen.Learned()
		s.Lambda, s.Rho, s.Intercept = chosen.Report.Lambda, chosen.Report.Rho, learned.Intercept
		a, b := testmain.Must(chosen.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t), testmain.Must(mustFit(t, s).Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
		ratio := mat.Norm(a, 2) / mat.Norm(b, 2)
		if apart := math.Abs(ratio - 1); c.means != (apart > 1e-3) || !(apart <= .5) {
			t.Errorf("%s: bands where λ is chosen are %.6g times those where it is given", name, ratio)
		}
	}
}

// Penalties beyond all data leave a free constant: sigma is then the sample standard deviation, that of
// N values about their mean over N - 1, also where values are missing; without the constant the mean square.
func TestSigmaOfAConstant(t *testing.T) {
	m := interval(4)
	whole := noise(t, 3, m, m)
	gaps := *whole
	gaps.Output, gaps.Missing = whole.Output.Copy(), true
	gaps.Output.Data[2], gaps.Output.Data[7] = math.NaN(), math.NaN()
	for name, d := range map[string]*dataset.Dataset{"whole": whole, "missing": &gaps} {
		var seen, squares []float64
		for _, v := range d.Output.Data {
			if !math.IsNaN(v) {
				seen, squares = append(seen, v), append(squares, v*v)
			}
		}
		d = testmain.Must(d.WithErrors(&dataset.Errors{Covariance: mat.NewSymDense(4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})}))(t)
		for intercept, want := range map[fit.Intercept]float64{fit.Flat: stat.StdDev(seen, nil), fit.NoIntercept: math.Sqrt(stat.Mean(squares, nil))} {
			s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{1}}, Lambda: 1e12, Rho: 1e12, Intercept: intercept}
			if got := mustFit(t, s).Report.Sigma; !(math.Abs(got/want-1) <= 1e-9) {
				t.Errorf("%s, intercept %q: sigma %.12g, want %.12g", name, intercept, got, want)
			}
		}
	}
}

// Where few data leave λ open, the noise of new outputs has the mean square of what it may be, by its shares.
func TestNoiseOfFewData(t *testing.T) {
	m := interval(4)
	e := mustFit(t, fit.Spec{Data: noise(t, 4, m, m), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}})
	shares, others, err := e.Others(ctx)
	if err != nil || len(others) == 0 {
		t.Fatalf("%d others, %v", len(others), err)
	}
	left, square := 1.0, 0.0
	for i, o := range others {
		left, square = left-shares[i], square+shares[i]*o.Report.Sigma*o.Report.Sigma
	}
	want := math.Sqrt(square + max(left, 0)*e.Report.Sigma*e.Report.Sigma)
	if got := testmain.Must(e.NoiseDeviation(ctx))(t); !(math.Abs(got/want-1) <= 1e-12) || !(math.Abs(got/e.Report.Sigma-1) >= 1e-3) {
		t.Errorf("%g, by what it may be %g, of the report %g", got, want, e.Report.Sigma)
	}
}

// One more pair makes the prediction of its own output as sure as normal numbers have it: of the variance s² and a noise of σ²,
// s²σ²/(s² + σ²) is left, whatever the output is; others are no less sure.
func TestOneMorePair(t *testing.T) {
	x, y := interval(8), mesh.Must(mesh.Scattered([]float64{.3}, 1, []float64{1}, "y"))
	d := noise(t, 9, x, y)
	e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-2, NoBias: true})
	f := mat.NewDense(2, 8, []float64{1, 2, 0, -1, 3, 1, 0, 2, 0, 0, 1, 0, 0, 0, -1, 0})
	before := testmain.Must(e.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	more := testmain.Must(e.Beside(ctx, f.RawRowView(0)))(t)
	after := testmain.Must(more.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	s, square := before.At(0, 0)*before.At(0, 0), e.Report.Objective
	if want := math.Sqrt(s * square / (s + square)); !(math.Abs(after.At(0, 0)/want-1) <= 1e-6) || !(after.At(1, 0) <= before.At(1, 0)*(1+1e-9)) {
		t.Errorf("bands %g and %g, before %g and %g; want %g", after.At(0, 0), after.At(1, 0), before.At(0, 0), before.At(1, 0), want)
	}
}

// Outputs that are all the same tell neither how large G is nor the noise: G is zero, predictions are right, and bands are refused in
// words, at any value and with any kernel.
func TestNoBandsOfOutputsThatAreAllTheSame(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 8, "x"))
	for _, value := range []float64{0, 3, -1e9} {
		for _, k := range []kernel.Kernel{nil, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}} {
			d := noise(t, 10, m, m)
			u := d.Output.Copy()
			for i := range u.Data {
				u.Data[i] = value
			}
			e := mustFit(t, fit.Spec{Data: testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: u, InputMesh: m, OutputMesh: m}))(t), Kernel: k})
			f, _ := d.Matrices()
			got := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
			for _, v := range got.RawMatrix().Data {
				if !(math.Abs(v-value) <= 1e-9*math.Abs(value)) {
					t.Errorf("%v: predicted %g, want %g", k, v, value)
				}
			}
			if _, err := e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}); err == nil || !strings.Contains(err.Error(), "all outputs are the same") {
				t.Errorf("%v, outputs %g: %v", k, value, err)
			}
		}
	}
}
