package kernel

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// Periodic is exp(-2 Σ_i sin²(π(p_i - q_i)/P)/ℓ_i²), the squared exponential
// kernel on a circle of length P (Rasmussen & Williams 2006, equation 4.31).
type Periodic struct {
	Period      float64     `arg:"period" doc:"length after which the function repeats, in units of the coordinates" allow:">0"`
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies, in units of period/2π: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (Periodic) isKernel() {}

func (k Periodic) check() error {
	if rate := math.Pi / k.Period; !(rate > 0 && rate <= math.MaxFloat64) {
		return fmt.Errorf("period %g: must be > 0 and finite, and no less than 1e-300", k.Period)
	}
	return k.Lengthscale.check()
}

func (k Periodic) String() string { return params.Text("periodic", k) }
