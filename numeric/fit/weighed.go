package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/gram"
)

// penalty is λ and ρ.
type penalty struct{ lambda, rho float64 }

// weighed is a solution as weights w of G and β, and what is known of them: with T the
// scaled data and S w their response, the objective is ‖T - S w‖² + ‖w‖² + a constant, in
// the norm ‖w‖² = λ‖G‖² + ρ‖β‖². A point z of the dual problem has weights w(z), which
// for w = w(z) are the minimiser's if z is the misfit.
type weighed struct {
	green     *mat.Dense
	values    []float64 // K̃ green; nil where it is not at hand
	bias      []float64 // nil without β
	intercept float64

	k, q          gram.Product // the kernels; q is nil without β
	green2, bias2 float64      // ‖G‖² and ‖β‖²

	misfit      []float64 // T - S w
	unexplained float64   // the constant
	dual        []float64 // z, in the coordinates of the misfit
	apart       float64   // ‖w - w(z)‖²
	size        float64   // ‖T‖ where w is about w(z), for the relative residual; else 0

	respond func(ctx context.Context, green, bias []float64) []float64 // of the data to values of G and of β, nil for zero
}

// objective is the value of the functional.
func (w *weighed) objective(at penalty) float64 {
	return w.mse() + at.lambda*w.green2 + at.rho*w.bias2
}

func (w *weighed) mse() float64 { return w.unexplained + floats.Dot(w.misfit, w.misfit) }

// gap is the duality gap ‖T - S w - z‖² + ‖w - w(z)‖²: the objective is at most this far
// above the minimum.
func (w *weighed) gap() float64 {
	d := floats.Distance(w.misfit, w.dual, 2)
	return d*d + w.apart
}

// notNothing is a norm that one may divide by.
func notNothing(norm float64) float64 { return max(norm, math.SmallestNonzeroFloat64) }
