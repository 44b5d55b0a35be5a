package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// Sobolev is the reproducing kernel of the functions in W¹₂ of a box that vanish on
// its boundary, with the norm ∫|∇f|² (paper, section 2.3): the Green's function of
// Poisson's equation there,
//
//	2^d L^(2-d) Σ_k Π_i sin(π k_i s_i) sin(π k_i t_i) / (π² |k|²),
//
// s and t the coordinates scaled from [Lower, Upper] to [0, 1] and L the length of
// that interval. The sum over the
// last index is taken in closed form, the others have Terms terms each: in one
// dimension it is the Brownian bridge, exactly. In two dimensions and more the
// whole sum diverges where s = t, so that Terms is a choice of a space and not of
// an accuracy. Cost of a value: Terms^(d-1) times about 20 operations.
type Sobolev struct {
	Terms int     `arg:"terms" doc:"terms of the series for each coordinate but the last" default:"16" allow:">=1"`
	Lower float64 `arg:"lower" doc:"left end of the box in every coordinate" default:"0"`
	Upper float64 `arg:"upper" doc:"right end of the box" default:"1"`
}

func (Sobolev) isKernel() {}

func (k Sobolev) check() error {
	if k.Terms < 1 {
		return fmt.Errorf("terms %d: must be at least 1", k.Terms)
	}
	return BrownianBridge{k.Lower, k.Upper}.check()
}

func (k Sobolev) String() string { return params.Text("sobolev", k) }
