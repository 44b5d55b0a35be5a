package fit

import (
	"fmt"
	"strings"
)

// Report says what a fit found and how far it can be trusted.
type Report struct {
	Objective  float64 `lua:"objective"`   // value of the minimised functional
	MSE        float64 `lua:"mse"`         // its first part, the weighted mean squared misfit
	GreenNorm2 float64 `lua:"green_norm2"` // ‖G‖²_K
	BiasNorm2  float64 `lua:"bias_norm2"`  // ‖β‖²_Q
	Residual   float64 `lua:"residual"`    // relative residual of the optimality system, recomputed from the definition
	Gap        float64 `lua:"gap"`         // duality gap: the objective is at most this far above the minimum
	Iterations int     `lua:"iterations"`
	Seconds    float64 `lua:"seconds"`
	Method     string  `lua:"method"` // how the system was solved, and with which structure
	Reason     string  `lua:"reason"` // why this structure, and why it stopped
	Lambda     float64 `lua:"lambda"`
	Rho        float64 `lua:"rho"`
	Sigma      float64 `lua:"sigma"`     // estimated standard deviation of the noise in one output value
	Converged  bool    `lua:"converged"` // Residual is at most the tolerance
	Unknowns   int     `lua:"unknowns"`  // size of the solved system
	KernelFit  float64 `lua:"kernel_error"`

	// The criteria at Lambda, and where each is least along the λ-path.
	Criterion  string  `lua:"criterion"` // what chose λ; "given" when the user did
	REML       float64 `lua:"reml"`
	GCV        float64 `lua:"gcv"`
	LOO        float64 `lua:"loo"`
	LambdaREML float64 `lua:"lambda_reml"`
	LambdaGCV  float64 `lua:"lambda_gcv"`
	LambdaLOO  float64 `lua:"lambda_loo"`
	Advice     string  `lua:"advice"` // what a disagreement of the criteria means; "" when they agree

	// Of the method adam only.
	Minimum float64   `lua:"minimum"` // the objective of the exact minimiser
	History []float64 `lua:"history"` // the objective after every epoch
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
	if r.LambdaREML > 0 {
		line("criteria", "least at lambda = %.3g (reml), %.3g (gcv), %.3g (loo)", r.LambdaREML, r.LambdaGCV, r.LambdaLOO)
	}
	line("noise", "sigma %.4g per output value", r.Sigma)
	line("method", "%s", r.Method)
	line("reason", "%s", r.Reason)
	if r.Advice != "" {
		line("note", "%s", r.Advice)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
