package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestTimes: the stages of a fit take all of its time, whatever is left open, and a report of a
// long one says where it went.
func TestTimes(t *testing.T) {
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.5}}
	x, y := disc(t, 90, 0), disc(t, 90, 0.3)
	scattered := poissonOnDisc(t, x, y, 12, 0.05, 3)
	for name, s := range map[string]fit.Spec{
		"given":     {Data: noisyPoisson(t, 20), Kernel: k, Lambda: 1e-4},
		"lambda":    {Data: noisyPoisson(t, 20), Kernel: k},
		"automatic": {Data: noisyPoisson(t, 20)},
		"landmarks": {Data: scattered, Kernel: k, Landmarks: 40},
	} {
		var r fit.Report
		var w fit.Times
		sum := 0.0
		for again := 0; again == 0 || again < 20 && sum < 0.5*r.Seconds; again++ { // another program may run between two stages, but not always
			r = mustFit(t, s).Report
			w, sum = r.Times, 0
			for _, v := range []float64{w.Kernel, w.Setup, w.Lambda, w.Solve, w.Certificate, w.Landmarks} {
				sum += v
				if !(v >= 0) || math.IsNaN(v) {
					t.Errorf("%s: %+v", name, w)
				}
			}
			if !(sum <= r.Seconds*(1+1e-9)) {
				t.Errorf("%s: the stages take %.3g of %.3g s: %+v", name, sum, r.Seconds, w)
			}
		}
		if !(sum >= 0.5*r.Seconds) {
			t.Errorf("%s: the stages take %.3g of %.3g s: %+v", name, sum, r.Seconds, w)
		}
		if (w.Landmarks > 0) != (r.LandmarksX > 0) {
			t.Errorf("%s: landmarks take %g s, there are %d", name, w.Landmarks, r.LandmarksX)
		}
	}
	r := fit.Report{Seconds: 3, Times: fit.Times{Kernel: 2, Solve: 0.98, Certificate: 0.001}}
	if got, want := r.String(), "time         choice of the kernel 2 s, solve 0.98 s\n"; !strings.Contains(got, want) {
		t.Errorf("report\n%s\nwithout\n%s", got, want)
	}
	if r.Seconds = 1; strings.Contains(r.String(), "choice of the kernel") {
		t.Errorf("a short fit has its stages: %s", r)
	}
}

// A value that hardly counts is no reason to say that predictions are bad.
func TestNoteOfTheMisfitKnowsTheNoise(t *testing.T) {
	d := pairs(t, interval(6), 12, 0.05, 2)
	points := []float64{1, 1, 1e-24, 1, 1, 1}
	loud := testmain.Must(d.WithErrors(&dataset.Errors{Points: points}))(t)
	r := mustFit(t, fit.Spec{Data: loud, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.3}}}).Report
	if strings.Contains(r.Advice, "the misfit is") {
		t.Errorf("%s", r.Advice)
	}
	if !strings.Contains(r.Advice, "noisy ones, of small weight") {
		t.Errorf("nothing of sigma: %q", r.Advice)
	}
}

// A report has the call that makes the same choices by hand where something was chosen.
func TestCallOfWhatWasChosen(t *testing.T) {
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.5}}
	for name, c := range map[string]struct {
		s    fit.Spec
		says bool
	}{
		"λ":       {fit.Spec{Kernel: k}, true},
		"nothing": {fit.Spec{Kernel: k, Lambda: 1e-3}, false},
		"one":     {fit.Spec{Kernel: k, Lambda: 1}, false},
	} {
		c.s.Data = noisyPoisson(t, 12)
		if call := mustFit(t, c.s).Report.Call; (call != "") != c.says {
			t.Errorf("%s is chosen: call %q", name, call)
		}
	}
}

// A report says of which axes the kernel hardly connects neighbouring points, with the median of their distances and the correlation
// at that.
func TestNeighboursThatAreHardlyConnected(t *testing.T) {
	x, y := mesh.Must(mesh.Trapezoid([]float64{0, .1, .3, .5, .8, 1}, "x")), mesh.Must(mesh.Uniform(0, 1, 6, "y"))
	for _, c := range []struct {
		l    kernel.Lengthscale
		says string // of the first note
	}{
		{kernel.Lengthscale{.08, .5}, "neighbouring points of x, which are 0.2 apart (correlation 0.044)"},
		{kernel.Lengthscale{.5, .07}, "neighbouring points of y, which are 0.2 apart (correlation 0.017)"},
		{kernel.Lengthscale{.5, .5}, ""},
	} {
		advice := mustFit(t, fit.Spec{Data: noise(t, 8, x, y), Kernel: kernel.SE{Lengthscale: c.l}, Lambda: 1e-2}).Report.Advice
		if !strings.Contains(advice, c.says) || (c.says == "") == strings.Contains(advice, "hardly connects") {
			t.Errorf("%v: %q, want %q", c.l, advice, c.says)
		}
	}
}
