package fit

import (
	"fmt"
	"math"
	"strings"
)

// Report says what a fit found and how far it can be trusted.
type Report struct {
	Objective  float64 `lua:"objective" doc:"value of the minimised functional: mse + lambda green_norm2 + rho bias_norm2"`
	MSE        float64 `lua:"mse" doc:"its first part, the weighted mean squared misfit"`
	GreenNorm2 float64 `lua:"green_norm2" doc:"‖G‖² in the space of the kernel"`
	BiasNorm2  float64 `lua:"bias_norm2" doc:"‖β‖² in the space of the kernel of the bias"`
	Residual   float64 `lua:"residual" doc:"relative residual of the optimality system, recomputed from the definition"`
	Gap        float64 `lua:"gap" doc:"duality gap: the objective is at most this far above the minimum"`
	Iterations int     `lua:"iterations" doc:"steps of the solver"`
	Seconds    float64 `lua:"seconds" doc:"wall time"`
	Method     string  `lua:"method" doc:"how the system was solved, and with which structure of the kernel"`
	Reason     string  `lua:"reason" doc:"why this structure, and why the solver stopped"`
	Lambda     float64 `lua:"lambda" doc:"penalty of G, chosen or given"`
	Rho        float64 `lua:"rho" doc:"penalty of the bias"`
	Sigma      float64 `lua:"sigma" doc:"standard deviation of the noise in one output value, estimated"`
	Converged  bool    `lua:"converged" doc:"whether the residual is at most the tolerance"`
	Unknowns   int     `lua:"unknowns" doc:"size of the system that was solved"`

	Criterion  string   `lua:"criterion" doc:"what chose lambda: reml, gcv, loo, cv, or given; approximately, for problems too large to evaluate it"`
	REML       *float64 `lua:"reml" doc:"restricted likelihood criterion at lambda, ½ (N log(objective/N) + log det) for N output values, in nats: less is better, for fits of the same data; nil where it was not computed"`
	REMLError  *float64 `lua:"reml_error" doc:"standard error of reml where its determinant is estimated from random vectors; nil where reml is exact, or not computed"`
	GCV        *float64 `lua:"gcv" doc:"generalised cross-validation at lambda, N misfit/(N - parameters in use)²; less is better; nil where it was not computed"`
	GCVError   *float64 `lua:"gcv_error" doc:"standard error of gcv where the parameters in use are estimated from random vectors; nil where gcv is exact, or not computed"`
	LOO        *float64 `lua:"loo" doc:"leave-one-out error at lambda: mean square, over the output values scaled by the roots of their weights, of what the other pairs predict of all outputs of a pair; less is better; nil where it was not computed"`
	CV         *float64 `lua:"cv" doc:"error of cross-validation: squared, integrated over the outputs, mean of the pairs; nil but for criterion cv"`
	LambdaREML *float64 `lua:"lambda_reml" doc:"lambda where reml is least; nil where lambda was given. Of criteria other than the one that chose lambda the minimiser is approximate unless the kernel is a product"`
	LambdaGCV  *float64 `lua:"lambda_gcv" doc:"lambda where gcv is least"`
	LambdaLOO  *float64 `lua:"lambda_loo" doc:"lambda where loo is least; nil where it is not known"`
	Advice     string   `lua:"advice" doc:"what a disagreement of the criteria means, or that the data have hardly any noise; empty when all is well"`

	Minimum float64   `lua:"minimum" doc:"of method adam: the objective of the exact minimiser"`
	History []float64 `lua:"history" doc:"of method adam: the objective after every epoch"`
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
	fmt.Fprintf(&b, "fit %s in %d iterations, %.3g s\n", verdict, r.Iterations, r.Seconds)
	line("objective", "%.8g = misfit %.4g + penalties %.4g", r.Objective, r.MSE, r.Objective-r.MSE)
	line("certificate", "residual %.1e, at most %.1e above the minimum", r.Residual, r.Gap)
	line("lambda", "%.4g (%s), rho %.4g", r.Lambda, r.Criterion, r.Rho)
	if r.REML != nil {
		line("reml", "%s", shown(r.REML, r.REMLError))
	}
	if text := r.minimisers(); text != "" {
		line("criteria", "least at lambda = %s", text)
	}
	if r.CV != nil {
		line("held out", "mean squared error %.4g, by cross-validation", *r.CV)
	}
	line("noise", "sigma %.4g per output value", r.Sigma)
	line("method", "%s", r.Method)
	line("reason", "%s", r.Reason)
	if r.Advice != "" {
		line("note", "%s", r.Advice)
	}
	return strings.TrimSuffix(b.String(), "\n")
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

// known is a value that was computed and is finite, as REML of outputs that are all zero is
// not; otherwise nil.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// knownAbove is known of a number that is positive if it was computed.
func knownAbove(v float64) *float64 {
	if !(v > 0) {
		return nil
	}
	return &v
}

// takeSheet takes the criteria at the λ of the fit.
func (r *Report) takeSheet(v sheet) {
	r.REML, r.GCV, r.LOO = known(v.reml), known(v.gcv), known(v.loo)
	r.REMLError, r.GCVError = knownAbove(v.remlErr), knownAbove(2*v.gcv*v.freeErr/v.free)
	if math.IsInf(v.remlErr, 1) {
		r.REML, r.GCV, r.REMLError, r.GCVError = nil, nil, nil, nil
	}
}

// takeMinimisers takes where each criterion is least.
func (r *Report) takeMinimisers(ch choice) {
	r.LambdaREML, r.LambdaGCV, r.LambdaLOO = known(ch.reml), known(ch.gcv), knownAbove(ch.looAt)
}
