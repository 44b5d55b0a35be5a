package noise_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Outputs are cut off at ten standard deviations from the median of the pairs, of which the median
// distance is 0.6745, in all units and wherever zero is.
func TestOutputsAreTamed(t *testing.T) {
	nan := math.NaN()
	const one = 2 / .6745 // the median distance from 3 of 1, 2, 3, 5 and what is far off is 2
	for _, unit := range []float64{1, 1e-9, 1e9} {
		for _, zero := range []float64{0, 1000, -1000} {
			v, want := array.New(6, 2), []float64{1, 1, 2, nan, 3, 3, 5, 5, 3 + 10*one, 3 - 10*one, nan, 4}
			for i, x := range []float64{1, 1, 2, nan, 3, 3, 5, 5, 500, -500, nan, 4} {
				v.Data[i], want[i] = unit*(x+zero), unit*(want[i]+zero)
			}
			got := testmain.Must(noise.Tamed(v))(t)
			for i, x := range got.Data {
				if !(math.Abs(x-want[i]) <= 1e-9*unit) && !(math.IsNaN(x) && math.IsNaN(want[i])) {
					t.Errorf("(x + %g) × %g: value %d is %g, want %g", zero, unit, i, x, want[i])
				}
			}
		}
	}
}

// What is too far off for a loss is named: where it is, how far apart the others are, here 1.5/0.6745, and the pair to leave out.
func TestWhatIsTooFarOff(t *testing.T) {
	v := array.New(4, 3)
	for i := range v.Data {
		v.Data[i] = float64(i / 3)
	}
	v.Data[2*3+1] = 1e36
	want := "output[3][2] is 1e+36, and those of the other pairs there are about 2.22 apart: too far off for a loss; mark it as missing, NaN, or leave pair 3 out"
	if _, err := noise.Tamed(v); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The error of G beside 5 % that are off by five standard deviations is that of the fit without them times at most the root of the variance of a mean with the
// loss of outliers, 1.112; where nothing is off, it is that of squares (Huber's loss has 1.257 and 1.053). Sigma is within 3 %. λ is that of the
// clean data.
func TestOutliersCostLittle(t *testing.T) {
	testmain.Long(t)
	for _, c := range []struct{ outliers, variance float64 }{{.05, 1.112}, {0, 1}} {
		var with, without, sigma float64
		const sets = 12
		for seed := range uint64(sets) {
			data := simulate(poisson, shape{outlier: c.outliers}, 40, 12, .3, 4100+seed)
			s := specOf(data.clean)
			e := learn(t, s, noise.Choice{})
			without += off(t, e, data)
			learned, _ := e.Learned()
			s.Data, s.Lambda, s.Rho, s.Intercept = data.d, e.Report.Lambda, e.Report.Rho, learned.Intercept
			e = learn(t, s, noise.Choice{Huber: true})
			with, sigma = with+off(t, e, data), sigma+e.Report.Sigma/data.rms()/sets
		}
		if ratio := with / without; !(ratio <= math.Sqrt(c.variance)+.005) {
			t.Errorf("%g off: %.3f times the error of G, want at most %.3f", c.outliers, ratio, math.Sqrt(c.variance))
		}
		if !(math.Abs(sigma-1) <= .03) {
			t.Errorf("%g off: sigma %.3f", c.outliers, sigma)
		}
	}
}

// A loss that is not convex ends at a minimum near where it begins: the objective is that of its definition, the gap says that it is stationary, and no
// estimate nearby has a lower value.
func TestLossEndsAtAMinimum(t *testing.T) {
	data := simulate(helmholtz, shape{outlier: .05}, 12, 8, .1, 11)
	s := specOf(data.d)
	s.Lambda, s.Rho, s.Intercept = 1e-5, 1, fit.NoIntercept
	k := 4 * data.sigma / math.Sqrt(8)
	welsch := outputs.Loss{Unit: k, Of: func(r float64) (value, weight, slope float64) {
		z := r * r / k / k
		return -k * k * math.Expm1(-z), math.Exp(-z), (1 - 2*z) * math.Exp(-z)
	}}
	begin := testmain.Must(fit.WithLoss(t.Context(), s, k/3, outputs.Huber(k/3).Of, nil))(t)
	e := testmain.Must(fit.WithLoss(t.Context(), s, k, welsch.Of, begin))(t)
	in, u := data.d.Matrices()
	value := func(e *fit.Estimate) float64 {
		p := testmain.Must(e.Predict(t.Context(), in, mesh.Mesh{}, mesh.Mesh{}))(t)
		sum, dy := 0.0, data.d.OutputMesh.Weights()
		for i, v := range u.RawMatrix().Data {
			one, _, _ := welsch.Of((v - p.RawMatrix().Data[i]) * math.Sqrt(dy[i%len(dy)]))
			sum += one
		}
		return sum/float64(data.d.N()) + s.Lambda*e.Report.GreenNorm2 + s.Rho*e.Report.BiasNorm2
	}
	least := value(e)
	if r := e.Report; !(r.Gap <= 1e-9*least) || !(math.Abs(r.Objective-least) <= 1e-9*least) {
		t.Errorf("objective %.12g, by its definition %.12g; gap %g", r.Objective, least, r.Gap)
	}
	if before := value(begin); !(least < before) {
		t.Errorf("the value is %.12g, and %.12g to begin with", least, before)
	}
	for i := range data.d.Output.Data {
		near, d := s, *data.d
		d.Output = data.d.Output.Copy()
		d.Output.Data[i] += .1 * data.sigma // the minimum for other data
		near.Data = &d
		if v := value(testmain.Must(fit.WithLoss(t.Context(), near, k, welsch.Of, e))(t)); !(v >= least*(1-1e-9)) {
			t.Errorf("value %.12g near %.12g", v, least)
		}
	}
}
