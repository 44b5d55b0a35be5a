package kernel

import "github.com/greenbench/workbench/internal/numeric/params"

// Hat is the hat function Π_i max(0, 1 - |p_i - q_i|/ℓ_i): its functions are piecewise
// linear and its Gram matrices are sparse. It is a product over coordinates
// because the radial hat is not positive semi-definite in two dimensions.
type Hat struct {
	Lengthscale Lengthscale `arg:"lengthscale" doc:"half width of the hat: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (Hat) isKernel() {}

func (k Hat) check() error { return k.Lengthscale.check() }

func (k Hat) String() string { return params.Text("hat", k) }
