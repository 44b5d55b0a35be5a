package fit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// A report as text, to the letter: with everything that it may have, and with as little as that is.
func TestReportAsText(t *testing.T) {
	of := func(v float64) *float64 { return &v }
	all := Report{
		Objective: .5, MSE: .4, Residual: 2e-11, Gap: 3e-9, Iterations: 7, Seconds: 2.5, Times: Times{Solve: 2.25, Lambda: .0249, Setup: .25},
		Method: "by hand", Reason: "it is small", Lambda: 1e-3, Rho: 2e-3, Sigma: .125, NoiseOpen: true,
		Criterion: "reml", REML: of(-12.5), REMLError: of(.25), CV: of(.0625), LambdaREML: of(1e-3), LambdaLOO: of(4e-3),
		Advice: "one thing\n\nanother", Call: "fit(d)", StructureError: 1e-7, StructureShare: .25,
		LandmarksX: 8, LandmarksY: 4, LandmarkResidual: 1e-5, LandmarkChange: .02, unmeasured: &measurement{},
	}
	const whole = `fit NOT CONVERGED in 7 iterations, 2.5 s
  objective    0.5 = misfit 0.4 + penalties 0.1
  certificate  residual 2.0e-11, about 3.0e-09 above the minimum, or more
               structure_error 1.0e-07, in 25 % of the rows
  landmarks    8 × 4, which leave 1.0e-05 of the kernel; from half as many predictions changed by 0.02
  lambda       0.001 (reml), rho 0.002
  reml         -12.5, with a standard error of 0.25
  criteria     least at lambda = 0.001 (reml), 0.004 (loo)
  held out     mean squared error 0.0625, by cross-validation
  criteria     not computed yet
  noise        sigma 0.125 per output value, which these data leave open
  time         set-up 0.25 s, solve 2.2 s
  method       by hand
  reason       it is small
  call         fit(d)
  note         one thing
  note         another`
	if got := all.String(); got != whole {
		t.Errorf("all that there is:\n%s\nwant\n%s", got, whole)
	}
	little := Report{Objective: 1, MSE: 1, Converged: true, Seconds: 2, Times: Times{Solve: 2}, REML: of(3), StructureError: 1e-6, StructureShare: 1}
	const rest = `fit converged in 0 iterations, 2 s
  objective    1 = misfit 1 + penalties 0
  certificate  residual 0.0e+00, at most 0.0e+00 above the minimum
               structure_error 1.0e-06
  lambda       0, rho 0
  reml         3
  noise        sigma 0 per output value
  method       
  reason       `
	if got := little.String(); got != rest {
		t.Errorf("little:\n%s\nwant\n%s", got, rest)
	}
	for what, r := range map[string]Report{"without a comparison": {StructureError: 1}, "exact": {StructureShare: 1}} {
		if text := r.String(); strings.Contains(text, "structure") || strings.Contains(text, " s\n") {
			t.Errorf("%s: %s", what, text)
		}
	}
}

// A stage is written that takes a hundredth of the time, the others not.
func TestStagesOfAHundredth(t *testing.T) {
	for text, of := range map[string]Times{
		"choice of the kernel 99 s, fits to find the noise 1 s": {Kernel: 99, Noise: 1},
		"fits with fewer landmarks 1 s, certificate 99 s":       {Landmarks: 1, Certificate: 99},
		"set-up 98 s, choice of lambda 1 s, solve 1 s":          {Setup: 98, Lambda: 1, Solve: 1},
		"choice of the kernel 1e+02 s":                          {Kernel: 99.5, Noise: .99},
		"":                                                      {},
		"choice of the kernel 40 s, set-up 30 s, choice of lambda 30 s": {Kernel: 40, Setup: 30, Lambda: 30, Solve: .1, Certificate: .1},
	} {
		if got := of.text(); got != text {
			t.Errorf("%+v: %q, want %q", of, got, text)
		}
	}
}

// Landmarks take what the other stages leave of the time of a fit, and nothing where there are none.
func TestTimeOfLandmarks(t *testing.T) {
	stages := Times{Setup: 1, Lambda: 2, Solve: 4, Certificate: 8}
	r := Report{Times: stages, LandmarksX: 3}
	if r.takeTimes(16, 100); r.Times.Landmarks != 69 || r.Times.Kernel != 16 || r.Seconds != 100 {
		t.Errorf("%+v", r.Times)
	}
	r = Report{Times: stages, LandmarksX: 1}
	if r.takeTimes(16, 20); r.Times.Landmarks != 0 {
		t.Errorf("stages that take longer than all: %+v", r.Times)
	}
	r = Report{Times: stages}
	if r.takeTimes(16, 100); r.Times.Landmarks != 0 || r.Times.Kernel != 16 {
		t.Errorf("no landmarks: %+v", r.Times)
	}
}

// A report takes the criteria that are known: none that is no number, no errors that are zero, and nothing of what only
// rounding tells.
func TestReportTakesWhatIsKnown(t *testing.T) {
	sheet := criteria.Sheet{REML: -3, REMLErr: .5, GCV: 2, LOO: 5, DFError: .25, ResidualDF: 4}
	var r Report
	r.takeSheet(sheet)
	if *r.REML != -3 || *r.REMLError != .5 || *r.GCV != 2 || *r.LOO != 5 || *r.GCVError != 2*2*.25/4 || r.Advice != "" {
		t.Errorf("%s", r)
	}
	exact := sheet
	exact.REMLErr, exact.DFError, exact.LOO, exact.LOOLost = 0, 0, math.NaN(), true
	r = Report{}
	r.takeSheet(exact)
	if *r.REML != -3 || r.REMLError != nil || r.GCVError != nil || r.LOO != nil || r.Advice != looLost {
		t.Errorf("exact, without LOO: %s", r)
	}
	lost := sheet
	lost.REMLErr = math.Inf(1)
	r = Report{}
	r.takeSheet(lost)
	if r.REML != nil || r.GCV != nil || r.REMLError != nil || r.GCVError != nil || *r.LOO != 5 {
		t.Errorf("without a determinant: %s", r)
	}
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		r = Report{}
		if r.takeSheet(criteria.Sheet{REML: v, GCV: v, LOO: v}); r.REML != nil || r.GCV != nil || r.LOO != nil {
			t.Errorf("%g is taken for a criterion: %s", v, r)
		}
	}
	cv := 7.0
	r = Report{}
	r.take(&problem.Chosen{Penalty: problem.At(1, 2), By: "gcv", CV: &cv, Least: problem.Minimisers{REML: 3, LOO: 4}, Sheet: sheet, Notes: []criteria.Note{{Text: "a"}, {Excepts: "sigma", Text: "b"}}})
	if r.Criterion != "gcv" || *r.CV != 7 || *r.LambdaREML != 3 || r.LambdaGCV != nil || *r.LambdaLOO != 4 || r.Advice != "a\nb" || !slices.Equal(r.Limits, []criteria.Note{{Excepts: "sigma", Text: "b"}}) || r.unmeasured != nil {
		t.Errorf("%s", r)
	}
	r = Report{}
	if r.take(&problem.Chosen{Penalty: problem.At(1, 2), Unmeasured: true}); r.unmeasured == nil || r.unmeasured.at != problem.At(1, 2) {
		t.Errorf("criteria that are not measured yet: %s", r)
	}
}

// What is said of noise that the data leave open hangs on what chose λ, and on how many outputs there are.
func TestNotesOfOpenNoise(t *testing.T) {
	for _, c := range []struct {
		open, few bool
		by, want  string
	}{
		{false, true, "given", ""},
		{false, false, "reml", ""},
		{true, true, "given", "with this lambda the fit has as many degrees"},
		{true, false, "given", "with this lambda the fit has as many degrees"},
		{true, true, "reml", "means over all lambdas that the data allow"},
		{true, false, "reml", "may be far too small unless the data have no noise"},
	} {
		r := Report{NoiseOpen: c.open, Criterion: c.by}
		if r.noteOpen(c.few); !strings.Contains(r.Advice, c.want) || (r.Advice == "") != (c.want == "") {
			t.Errorf("%+v: %q", c, r.Advice)
		}
	}
}

// Landmarks are enough where twice as many change predictions by less than the data leave open of them: sigma times the root of
// what the penalties are of the objective.
func TestLandmarksAreEnough(t *testing.T) {
	r := Report{Sigma: 2, Objective: 1, MSE: .75} // 2 √¼ = 1
	for change, want := range map[float64]bool{0: true, .99: true, 1: true, 1.01: false} {
		if r.LandmarkChange = change; r.settled() != want {
			t.Errorf("a change of %g is enough: %v", change, !want)
		}
	}
	e := &Estimate{Report: r}
	e.Report.LandmarkChange = 1.5
	if e.noteLandmarks(40); e.Report.Advice != "landmarks: from half as many to these, predictions changed by 1.5, 0.75 of the noise, so that more would change them, too: give landmarks = 80" {
		t.Errorf("%q", e.Report.Advice)
	}
	e.Report.Advice, e.Report.LandmarkChange = "", 1
	if e.noteLandmarks(40); e.Report.Advice != "" {
		t.Errorf("%q", e.Report.Advice)
	}
}

// The gap has what the structure of the kernel adds, and a note where that is more than rounding and counts.
func TestGapOfAStructure(t *testing.T) {
	r := Report{Objective: 1, Gap: 4e-4, StructureError: 1e-6}
	r.cover(1e-2, 3e-5)
	if want := 4e-4 + 3e-5 + 1e-4 + 4*2e-2*1e-2; math.Abs(r.Gap-want) > 1e-15 || !strings.Contains(r.Advice, "may add 9.3e-04") {
		t.Errorf("gap %g, want %g: %q", r.Gap, want, r.Advice)
	}
	for what, c := range map[string]struct {
		objective, first, structure float64
		says                        bool
	}{
		"little of the objective": {1, .9e-8, 1e-6, false},
		"just what matters":       {1, 1e-8, 1e-6, false},
		"more than that":          {1, 1.1e-8, 1e-6, true},
		"of a larger objective":   {10, 1.1e-8, 1e-6, false},
		"of rounding":             {1, 1.1e-8, 1e-12, false},
		"just beyond rounding":    {1, 1.1e-8, 1.1e-12, true},
		"no number":               {1, math.NaN(), 1e-6, true},
	} {
		r := Report{Objective: c.objective, StructureError: c.structure}
		if r.cover(0, c.first); (r.Advice != "") != c.says {
			t.Errorf("%s: %q", what, r.Advice)
		}
	}
}
