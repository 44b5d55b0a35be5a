package fit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// With the lengthscale left open too, the noisy Helmholtz outputs give an error of
// G below 0.11 at 20 % (with everything chosen by REML the prototype reached 0.100).
func TestAutomaticLengthscale(t *testing.T) {
	d := load(t, "helmholtz", "u_noise20", 100)
	e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.SE{}})
	green, _ := errorsOn(t, e, problem("helmholtz"), 200)
	t.Logf("%s: RE(G) %.4f", e.Kernel, green)
	if green > .11 {
		t.Errorf("%s: RE(G) = %.4f, must be at most 0.11", e.Kernel, green)
	}
	if kernel.IsAuto(e.Kernel) || !strings.Contains(e.Report.Reason, "chosen by reml") {
		t.Errorf("kernel %s, reason %q", e.Kernel, e.Report.Reason)
	}
}

// Under every constraint the lengthscale can be left open; axes of different
// lengths get lengthscales in proportion.
func TestAutomaticLengthscaleUnderConstraints(t *testing.T) {
	for _, s := range systems(t) {
		e, err := fit.Fit(ctx, fit.Spec{Data: s.d, Kernel: kernel.Exponential{}, Constraint: s.c})
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if kernel.IsAuto(e.Kernel) || !(e.Report.Lambda > 0) {
			t.Errorf("%s: kernel %s, λ %g", s.name, e.Kernel, e.Report.Lambda)
		}
	}
	d := timed(t, 5, 3, 4) // x of length 2, t of length 1
	e, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: kernel.SE{}})
	if err != nil {
		t.Fatal(err)
	}
	l := e.Kernel.(kernel.SE).Lengthscale
	if len(l) != 4 || l[0] != l[2] || l[0] != 2*l[1] {
		t.Errorf("lengthscales %v for x, s, y, t: must be in the proportion 2 : 1 : 2 : 1", l)
	}
}

// A periodic kernel gets the same lengthscale in any unit of the axes, and on any number
// of periods a sensible one.
func TestAutomaticPeriodicLengthscaleHasNoUnit(t *testing.T) {
	var first kernel.Lengthscale
	for _, period := range []float64{1, 365, 1e-6} {
		around := mesh.Must(mesh.Periodic(0, period, 24, ""))
		d := noise(t, 12, around, around)
		for i := range 12 { // outputs lag behind the inputs' first mode
			for j := range 24 {
				d.Input.Data[i*24+j] = math.Sin(2*math.Pi*(float64(j)/24+float64(i)/5)) / period
				d.Output.Data[i*24+j] = .01*d.Output.Data[i*24+j] + math.Sin(2*math.Pi*(float64(j)/24+float64(i)/5)-.3)
			}
		}
		e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Periodic{Period: period}, NoBias: true})
		l := e.Kernel.(kernel.Periodic).Lengthscale
		if first == nil {
			first = l
		}
		if len(l) != 1 || l[0] != first[0] || l[0] < .5 {
			t.Errorf("period %g: lengthscale %v, %v for a period of 1; one mode asks for a long one", period, l, first)
		}
	}
}
