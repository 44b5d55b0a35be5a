package problem

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
)

// Penalty is λ and ρ.
type Penalty struct{ Lambda, Rho float64 }

// At is the penalty of a λ and a ρ.
func At(lambda, rho float64) Penalty { return Penalty{lambda, rho} }

// Weighed is a solution as weights w of G and β, and what is known of them: with T the
// scaled data and S w their response, the objective is ‖T - S w‖² + ‖w‖² + a constant, in
// the norm ‖w‖² = λ‖G‖² + ρ‖β‖². A point z of the dual problem has weights w(z), which
// for w = w(z) are the minimiser's if z is the misfit.
type Weighed struct {
	Green     *mat.Dense
	Values    []float64 // K̃ green; nil where it is not at hand
	Bias      []float64 // nil without β
	Intercept float64

	K, Q          gram.Product // the kernels; q is nil without β
	Green2, Bias2 float64      // ‖G‖² and ‖β‖²

	Misfit      []float64 // T - S w
	Unexplained float64   // the constant
	Dual        []float64 // z, in the coordinates of the misfit
	Apart       float64   // ‖w - w(z)‖²
	Size        float64   // ‖T‖ where w is about w(z), for the relative residual; else 0

	Respond func(ctx context.Context, green, bias []float64) []float64 // of the data to values of G and of β, nil for zero
}

// Objective is the value of the functional.
func (w *Weighed) Objective(at Penalty) float64 {
	return w.MSE() + at.Lambda*w.Green2 + at.Rho*w.Bias2
}

func (w *Weighed) MSE() float64 { return w.Unexplained + floats.Dot(w.Misfit, w.Misfit) }

// Gap is the duality gap ‖T - S w - z‖² + ‖w - w(z)‖²: the objective is at most this far
// above the minimum.
func (w *Weighed) Gap() float64 {
	d := floats.Distance(w.Misfit, w.Dual, 2)
	return d*d + w.Apart
}

// NotNothing is a norm that one may divide by.
func NotNothing(norm float64) float64 { return max(norm, math.SmallestNonzeroFloat64) }
