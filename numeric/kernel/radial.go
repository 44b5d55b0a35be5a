package kernel

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// SE is the squared exponential kernel exp(-d²/2) (paper, section 2.3).
type SE struct {
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies, in units of the coordinates: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (SE) isKernel() {}

func (k SE) check() error { return k.Lengthscale.check() }

func (k SE) String() string { return params.Text("se", k) }

// Exponential is exp(-d) (paper, section 2.3), the Matérn kernel of order 1/2.
type Exponential struct {
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (Exponential) isKernel() {}

func (k Exponential) check() error { return k.Lengthscale.check() }

func (k Exponential) String() string { return params.Text("exponential", k) }

// Matern is the Matérn kernel of order nu, 2^(1-ν)/Γ(ν) s^ν K_ν(s) with
// s = √(2ν) d (paper, equation 8). Its functions are differentiable below order ν.
type Matern struct {
	Nu          float64     `arg:"nu" doc:"smoothness order; 1/2, 3/2, 5/2, … have closed forms and are fastest" default:"2.5" allow:">0"`
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (Matern) isKernel() {}

func (k Matern) check() error {
	if !(k.Nu > 0) || k.Nu > 50 {
		return fmt.Errorf("nu %g: must be > 0 and at most 50; beyond, use the squared exponential kernel", k.Nu)
	}
	return k.Lengthscale.check()
}

func (k Matern) String() string { return params.Text("matern", k) }

// RationalQuadratic is (1 + d²/(2α))^-α, a mixture of squared exponentials of
// many lengthscales (Rasmussen & Williams 2006, equation 4.19).
type RationalQuadratic struct {
	Alpha       float64     `arg:"alpha" doc:"weight of the long lengthscales: small alpha, heavy tails" default:"1" allow:">0"`
	Lengthscale Lengthscale `arg:"lengthscale" doc:"length over which the function varies: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (RationalQuadratic) isKernel() {}

func (k RationalQuadratic) check() error {
	if !(k.Alpha > 0) || math.IsInf(k.Alpha, 0) || math.IsInf(1/(2*k.Alpha), 0) {
		return fmt.Errorf("alpha %g: must be > 0 and finite, and no less than 1e-300", k.Alpha)
	}
	return k.Lengthscale.check()
}

func (k RationalQuadratic) String() string { return params.Text("rational_quadratic", k) }
