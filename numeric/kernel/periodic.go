package kernel

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/params"
)

// Periodic is exp(-2 Σ_i sin²(π(p_i - q_i)/P)/ℓ_i²), the squared exponential
// kernel on a circle of length P (Rasmussen & Williams 2006, equation 4.31).
type Periodic struct {
	Period      float64     `arg:"period" doc:"length after which the function repeats, in units of the coordinates" allow:">0"`
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies, in units of period/2π: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (k Periodic) check() error {
	if rate := math.Pi / k.Period; !(rate > 0 && rate <= math.MaxFloat64) {
		return fmt.Errorf("period %g: must be > 0 and finite, and no less than 1e-300", k.Period)
	}
	return k.Lengthscale.check()
}

func (k Periodic) expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0)
	for i := range p.X {
		l, err := k.Lengthscale.of(i, len(p.X))
		if err != nil {
			return nil, err
		}
		s := expr.Sin(expr.Mul(expr.Const(math.Pi/k.Period), expr.Sub(p.X[i], q.X[i])))
		s = expr.Mul(expr.Const(1/l), s)
		sum = expr.Add(sum, expr.Mul(s, s))
	}
	return expr.Exp(expr.Mul(expr.Const(-2), sum)), nil
}

// ofFraction implements relative: near the diagonal the kernel is the squared exponential
// of lengthscale ℓ P/2π.
func (k Periodic) ofFraction(fraction float64) Lengthscale {
	return Lengthscale{2 * math.Pi * fraction}
}

func (k Periodic) String() string { return params.Text("periodic", k) }
