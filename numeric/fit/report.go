package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Report says what a fit found and how far it can be trusted.
type Report struct {
	Objective  float64           `arg:"objective" doc:"value of the minimised functional: mse + lambda green_norm2 + rho bias_norm2"`
	MSE        float64           `arg:"mse" doc:"its first part, the weighted mean squared misfit"`
	GreenNorm2 float64           `arg:"green_norm2" doc:"‖G‖² in the space of the kernel"`
	BiasNorm2  float64           `arg:"bias_norm2" doc:"‖β‖² in the space of the kernel of the bias"`
	Residual   float64           `arg:"residual" doc:"relative residual of the optimality system, recomputed from the definition"`
	Gap        float64           `arg:"gap" doc:"upper bound of the objective minus its minimum: the duality gap, plus what the error of the kernel's structure can add, which is an estimate where structure_share is below 1; on landmarks not a bound, for what half as many of them change may be less than what they lack"`
	Iterations int               `arg:"iterations" doc:"steps of the solver"`
	Seconds    float64           `arg:"seconds" doc:"wall time"`
	Times      Times             `arg:"times" doc:"where that went, in seconds"`
	Expected   progress.Cost     `arg:"expected" doc:"what the fit was expected to take before it began"`
	Profile    *progress.Profile `arg:"profile" json:",omitempty" doc:"with profile = true: where the time of the call went, stage by stage, for a model of several outputs that of all of them; nil without"`
	Method     string            `arg:"method" doc:"how the system was solved, and with which structure of the kernel"`
	Reason     string            `arg:"reason" doc:"why this structure, and why the solver stopped"`
	Lambda     float64           `arg:"lambda" doc:"penalty of G, chosen or given"`
	Rho        float64           `arg:"rho" doc:"penalty of the bias"`
	Sigma      float64           `arg:"sigma" doc:"standard deviation of the noise in one output value, estimated: where its variance differs from value to value, the root of the mean of that over the output, by the weights of its mesh"`
	NoiseOpen  bool              `arg:"noise_open" later:"true" json:",omitempty" doc:"whether the data leave sigma open: the fit has about as many degrees of freedom as there are output values"`
	Converged  bool              `arg:"converged" doc:"whether the residual is at most the tolerance"`
	Unknowns   int               `arg:"unknowns" doc:"size of the system that was solved"`

	Criterion  string   `arg:"criterion" doc:"what chose lambda: reml, gcv, loo, cv, or given; approximately, for problems too large to evaluate it"`
	REML       *float64 `arg:"reml" later:"true" doc:"restricted likelihood criterion at lambda and rho, ½ (N log(objective/N) + log det) for N output values (less one with an intercept), in nats; lower is better, among fits of the same data; nil where it was not computed. At a lambda that was given, and of more than 2,000 output values under constraints or with some missing, it is computed when it is first asked for"`
	REMLError  *float64 `arg:"reml_error" later:"true" doc:"standard error of reml where its determinant is estimated from random vectors; nil where reml is exact, or not computed"`
	GCV        *float64 `arg:"gcv" later:"true" doc:"generalised cross-validation at lambda, N misfit/(N - df)² with df effective degrees of freedom; lower is better; nil where it was not computed"`
	GCVError   *float64 `arg:"gcv_error" later:"true" doc:"standard error of gcv where the degrees of freedom are estimated from random vectors; nil where gcv is exact, or not computed"`
	LOO        *float64 `arg:"loo" later:"true" doc:"leave-one-out error at lambda: mse of predicting each pair from the others, with lambda times the number of pairs as it is with all, divided by the number N of output values as in gcv; lower is better; nil where it was not computed"`
	CV         *float64 `arg:"cv" doc:"error of cross-validation: squared, integrated over the outputs, mean of the pairs; nil but for criterion cv"`
	LambdaREML *float64 `arg:"lambda_reml" doc:"lambda where reml is least; nil where lambda was given. For criteria other than the one that chose lambda it is approximate, unless the kernel is a product"`
	LambdaGCV  *float64 `arg:"lambda_gcv" doc:"lambda where gcv is least"`
	LambdaLOO  *float64 `arg:"lambda_loo" doc:"lambda where loo is least; nil where it is not known"`
	Advice     string   `arg:"advice" later:"true" doc:"what is suspicious in the data and the choices, a text of one line each: criteria that disagree, lambda or a lengthscale at the end of its range, a kernel that decays within the mesh spacing, data that look transposed; \"\" when all is well"`

	// Limits are what notes of Advice except from what may be reported of an estimate whose data do not contradict its model.
	Limits []criteria.Note `json:",omitempty"`

	Call string `arg:"call" doc:"the call that repeats this fit with its choices written out, for data called d; empty if nothing was chosen"`

	StructureError float64 `arg:"structure_error" doc:"largest relative error of the structure against the kernel itself, in the rows of its matrix and the entries on its diagonal that were compared; 0 where the kernel itself is evaluated"`
	StructureShare float64 `arg:"structure_share" doc:"fraction of the rows that were compared for structure_error; 1 is all"`

	LandmarksX       int     `arg:"landmarks_x" doc:"points of the input that the fit was made on, where it was made on landmarks of the mesh; 0 where it was made on all points"`
	LandmarksY       int     `arg:"landmarks_y" doc:"points of the output that the fit was made on; 0 likewise"`
	LandmarkResidual float64 `arg:"landmark_residual" doc:"largest variance that the landmarks leave of a point, as a fraction of that of the kernel of its side"`
	LandmarkChange   float64 `arg:"landmark_change" doc:"by how much half as many landmarks, with the same penalties, change the predictions of the data, root mean square; gap has what they change in the objective. The exact fit may differ by more, the more so the smaller lambda is: see what twice as many change"`

	Prior *float64 `arg:"prior" doc:"factor of the prior, found by least squares; nil without a prior"`

	Amplitude float64 `json:",omitempty"` // of the variances of bands, τ² of the posterior; 0: the objective over the number of values

	// LooseWeights say how well the weights of the pairs are known, where these were found in the data: the standard deviations of the
	// logarithms of the variances of the pairs' noise. Bands know of them; nil: the weights are known. On landmarks they are taken as known.
	LooseWeights []float64 `json:",omitempty"`

	Minimum float64   `arg:"minimum" doc:"of method adam: the objective of the exact minimiser"`
	History []float64 `arg:"history" doc:"of method adam: the objective after every epoch"`

	unmeasured *measurement // what fields tagged later are computed by; nil: they are what they are
}

// Times are the seconds of the stages of a fit.
type Times struct {
	Kernel      float64 `arg:"kernel" doc:"choice of the kernel, or of its parameters, where they were left open; and checks of the data"`
	Setup       float64 `arg:"setup" doc:"structure of the kernel and factors of the inputs"`
	Lambda      float64 `arg:"lambda" doc:"choice of lambda and rho, and the criteria there"`
	Solve       float64 `arg:"solve" doc:"of the system"`
	Certificate float64 `arg:"certificate" doc:"residual, gap and noise"`
	Landmarks   float64 `arg:"landmarks" doc:"fits with fewer landmarks, before the last one"`
	Noise       float64 `arg:"noise" doc:"fits to find the noise, or the outliers, before the last one"`
}

// takeTimes is the time of a fit, and of what came before its problem was posed.
func (r *Report) takeTimes(before, all float64) {
	t := &r.Times
	r.Seconds, t.Kernel = all, before
	if r.LandmarksX > 0 {
		t.Landmarks = max(all-before-t.Setup-t.Lambda-t.Solve-t.Certificate, 0)
	}
}

// timed is from how many seconds on a printed report says where they went.
const timed = 2

// text has the stages that took a hundredth of the time or more.
func (t Times) text() string {
	total := t.Kernel + t.Setup + t.Lambda + t.Solve + t.Certificate + t.Landmarks + t.Noise
	var parts []string
	for _, s := range []struct {
		name    string
		seconds float64
	}{
		{"choice of the kernel", t.Kernel},
		{"fits with fewer landmarks", t.Landmarks},
		{"fits to find the noise", t.Noise},
		{"set-up", t.Setup},
		{"choice of lambda", t.Lambda},
		{"solve", t.Solve},
		{"certificate", t.Certificate},
	} {
		if s.seconds >= total/100 && s.seconds > 0 {
			parts = append(parts, fmt.Sprintf("%s %.2g s", s.name, s.seconds))
		}
	}
	return strings.Join(parts, ", ")
}

// String is the report as lines of text.
func (r Report) String() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	verdict := "converged"
	if !r.Converged {
		verdict = "NOT CONVERGED"
	}
	fmt.Fprintf(&b, "fit %s in %s", verdict, spelling.Count(r.Iterations, "iteration"))
	if r.Seconds > 0 { // a layer of a network has no time of its own
		fmt.Fprintf(&b, ", %.3g s", r.Seconds)
	}
	b.WriteByte('\n')
	line("objective", "%.8g = misfit %.4g + penalties %.4g", r.Objective, r.MSE, r.Objective-r.MSE)
	above := "at most %.1e above the minimum"
	if r.LandmarksX > 0 {
		above = "about %.1e above the minimum, or more"
	}
	line("certificate", "residual %.1e, "+above, r.Residual, r.Gap)
	if text := r.structure(); text != "" {
		line("", "%s", text)
	}
	if r.LandmarksX > 0 {
		line("landmarks", "%d × %d, which leave %.1e of the kernel; from half as many predictions changed by %.2g", r.LandmarksX, r.LandmarksY, r.LandmarkResidual, r.LandmarkChange)
	}
	chosen := ""
	if r.Criterion != "" {
		chosen = " (" + r.Criterion + ")"
	}
	line("lambda", "%.4g%s, rho %.4g", r.Lambda, chosen, r.Rho)
	if r.REML != nil {
		line("reml", "%s", shown(r.REML, r.REMLError))
	}
	if text := r.minimisers(); text != "" {
		line("criteria", "least at lambda = %s", text)
	}
	if r.CV != nil {
		line("held out", "mean squared error %.4g, by cross-validation", *r.CV)
	}
	open := ""
	if r.NoiseOpen {
		open = ", which these data leave open"
	}
	if r.unmeasured != nil {
		line("criteria", "not computed yet")
	}
	line("noise", "sigma %.4g per output value%s", r.Sigma, open)
	if r.Seconds > timed {
		line("time", "%s", r.Times.text())
	}
	line("method", "%s", r.Method)
	line("reason", "%s", r.Reason)
	if r.Call != "" {
		line("call", "%s", r.Call)
	}
	for _, text := range strings.Split(r.Advice, "\n") {
		if text != "" {
			line("note", "%s", text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// structure says what is known of the structure of the kernel.
func (r Report) structure() string {
	switch {
	case r.StructureShare == 0: // a report without
		return ""
	case r.StructureError == 0:
		return ""
	case r.StructureShare == 1:
		return fmt.Sprintf("structure_error %.1e", r.StructureError)
	}
	return fmt.Sprintf("structure_error %.1e, in %.2g %% of the rows", r.StructureError, 100*r.StructureShare)
}

// shown is a value with its standard error, if it has one.
func shown(v, err *float64) string {
	if err == nil {
		return fmt.Sprintf("%.8g", *v)
	}
	return fmt.Sprintf("%.8g, with a standard error of %.2g", *v, *err)
}

// minimisers is where each criterion that is known is least.
func (r Report) minimisers() string {
	var known []string
	for i, l := range []*float64{r.LambdaREML, r.LambdaGCV, r.LambdaLOO} {
		if l != nil {
			known = append(known, fmt.Sprintf("%.3g (%s)", *l, []Criterion{REML, GCV, LOO}[i]))
		}
	}
	return strings.Join(known, ", ")
}

// ifFinite is a value that was computed and is finite, as REML of outputs that are all zero is
// not; otherwise nil.
func ifFinite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// ifPositive returns a number that is positive if it was computed, nil if it is not.
func ifPositive(v float64) *float64 {
	if !(v > 0) {
		return nil
	}
	return &v
}

const looLost = "loo is not known at this lambda: rounding is greater than what the other pairs leave open of one; it is known at a larger lambda"

// takeSheet takes the criteria at the λ of the fit, and says what rounding keeps of them.
func (r *Report) takeSheet(v criteria.Sheet) {
	r.REML, r.GCV, r.LOO = ifFinite(v.REML), ifFinite(v.GCV), ifFinite(v.LOO)
	r.REMLError, r.GCVError = ifPositive(v.REMLErr), ifPositive(2*v.GCV*v.DFError/v.ResidualDF)
	r.NoiseOpen = v.NoiseOpen()
	if v.LOOLost {
		r.note(nothing, "%s", looLost)
	}
	if math.IsInf(v.REMLErr, 1) {
		r.REML, r.GCV, r.REMLError, r.GCVError = nil, nil, nil, nil
	}
}

// take takes what is known of the λ and ρ of the fit.
func (r *Report) take(c *problem.Chosen) {
	r.Criterion, r.CV = c.By, c.CV
	if c.Unmeasured {
		r.unmeasured = &measurement{at: c.Penalty}
	}
	r.takeSheet(c.Sheet)
	r.LambdaREML, r.LambdaGCV, r.LambdaLOO = ifPositive(c.Least.REML), ifPositive(c.Least.GCV), ifPositive(c.Least.LOO)
	for _, n := range c.Notes {
		r.note(n.Excepts, "%s", n.Text)
	}
}

const (
	nothing     = "" // is excepted by a note: G, its bands and sigma are as good as without it
	sigmaBands  = "sigma and all bands"
	itsBands    = "the bands"
	greenItself = "G and its bands"
	everything  = "G, its bands and sigma"
	farOff      = "values far outside the data"
)

// note adds a sentence to what the report says about data and choices, and what it excepts from what may be reported.
func (r *Report) note(excepts, format string, args ...any) {
	criteria.Note{Excepts: excepts, Text: fmt.Sprintf(format, args...)}.Say(&r.Advice, &r.Limits)
}

// call is what makes the fit of a report by hand.
func (s *Spec) call(r Report) string {
	made := *s
	made.Lambda, made.Rho = r.Lambda, r.Rho
	made.Intercept = s.decidedIntercept()
	if r.LandmarksX > 0 {
		made.Landmarks = max(r.LandmarksX, r.LandmarksY)
	}
	return s.Text(&made)
}

// noteOpen says where the data, few or not, leave sigma open.
func (r *Report) noteOpen(few bool) {
	switch {
	case !r.NoiseOpen:
	case r.Criterion == "given":
		r.note(sigmaBands, "sigma is open: with this lambda the fit has as many degrees of freedom as there are output values, so it follows any noise, and sigma and all bands are proportional to the root of lambda; give one that is known from elsewhere, or leave it out and learn from more pairs")
	case few:
		r.note("sigma", "sigma is open: the fit has as many degrees of freedom as there are output values, so these data cannot tell noise from what depends on the inputs, and sigma may be thousands of times too small; bands and intervals are means over all lambdas that the data allow. Learn from more pairs, or give what is known: a smoother kernel, or lambda")
	default:
		r.note(sigmaBands, "sigma is open: the fit has as many degrees of freedom as there are output values, so these data cannot tell noise from what depends on the inputs; sigma, and the bands with it, may be far too small unless the data have no noise. Learn from more pairs, or give what is known: a smoother kernel, or lambda")
	}
}

// Measured is the report with the criteria at λ, and what they say of the data. [Minimise] leaves these out where λ is
// given; they are computed when they are first asked for: from a matrix of at most 1,000 rows or with random vectors of at most
// 5,000 unknowns, which takes some hundredths of a second, and is up to thirty times the fit. Under constraints, and with missing
// outputs, REML of more than 2,000 values is left out also where λ was chosen: it takes a few hundred products with the kernel.
// Any other report is returned as it is.
func (r Report) Measured(ctx context.Context) (Report, error) {
	m := r.unmeasured
	if m == nil {
		return r, nil
	}
	v, err := m.take(ctx)
	if errors.Is(err, errWritten) {
		r.unmeasured = nil
		r.note(nothing, "the criteria at this lambda are not known: the data were written to after the fit, before they were asked for; fit again, or write to a copy")
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.unmeasured = nil
	r.takeSheet(v)
	if r.REML != nil {
		*r.REML += m.density
	}
	if m.part {
		r.LOO = nil // the pairs' errors beyond the landmarks are not part of it
	}
	r.noteOpen(false)
	return r, nil
}

// Rest computes what the report lacks; nil where that is nothing. For who shows it field by field.
func (r Report) Rest() func(ctx context.Context) (any, error) {
	if r.unmeasured == nil {
		return nil
	}
	return func(ctx context.Context) (any, error) { return r.Measured(ctx) }
}
