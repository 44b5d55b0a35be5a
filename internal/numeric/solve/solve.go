package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Report says what a solve did.
type Report struct {
	Method     string
	Iterations int
	Residual   float64 // ‖b - A x‖ / ‖b‖, recomputed from x
	Above      float64 // of a direct solve: ½⟨x, A x⟩ - ⟨b, x⟩ above its minimum, over ½⟨b, x⟩, by a solve for what is left of b
	Precise    bool    // Above says that x is the solution, whatever rounding leaves of b
	Converged  bool    // the residual is at most the tolerance
	Rounded    bool    // it did not, because of rounding errors: the system is too badly conditioned
	Reason     string  // why it stopped, and what to try when it did not converge
}

// DefaultTolerance is the relative residual at which iterations stop where no other is asked for.
const DefaultTolerance = 1e-10

// stopped is the outcome of a solve whose context has ended.
func (r Report) stopped(ctx context.Context) (Report, error) {
	err := fmt.Errorf("%s stopped: %w", r.Method, context.Cause(ctx))
	r.Reason = err.Error()
	return r, err
}

// ErrNotPositive means that the operator or the preconditioner was found not to
// be positive definite.
var ErrNotPositive = errors.New("not positive definite")

// Residual returns ‖b - A x‖ / ‖b‖, or ‖A x‖ when b is zero.
func Residual(ctx context.Context, a linop.Operator, x, b []float64) float64 {
	r := make([]float64, len(b))
	a.Apply(ctx, r, x)
	floats.SubTo(r, b, r)
	if nb := norm2(b); nb > 0 {
		return norm2(r) / nb
	}
	return norm2(r)
}

// checkSystem refuses shapes that do not fit.
func checkSystem(a linop.Operator, x, b []float64) error {
	r, c := a.Dims()
	if r != c || len(b) != r || len(x) != c {
		return fmt.Errorf("system: operator is %d × %d, right-hand side has %d entries, solution %d: must agree", r, c, len(b), len(x))
	}
	return nil
}

// norm2 is the Euclidean norm: the root of the sum of squares, several times as fast as floats.Norm, which is for numbers
// whose squares are too large or too small.
func norm2(x []float64) float64 {
	const least, most = 1e-280, 1e300
	if sum := floats.Dot(x, x); sum > least && sum < most {
		return math.Sqrt(sum)
	}
	return floats.Norm(x, 2)
}
