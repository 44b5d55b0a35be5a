package kernel

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/params"
)

// BrownianBridge is Π_i (min(s_i, t_i) - s_i t_i/T), s and t the coordinates less
// Lower and T = Upper - Lower: the covariance of a Brownian bridge on
// [Lower, Upper], whose variance is T/4 in the middle. In one dimension it is the
// reproducing kernel of the functions that vanish at both ends with the norm ∫f′²
// (paper, section 2.3).
type BrownianBridge struct {
	Lower float64 `arg:"lower" doc:"left end of the interval" default:"0"`
	Upper float64 `arg:"upper" doc:"right end of the interval" default:"1"`
}

func (BrownianBridge) isKernel() {}

func (k BrownianBridge) check() error {
	if !(k.Lower < k.Upper) || math.IsInf(k.Upper-k.Lower, 0) {
		return fmt.Errorf("upper %g: must be greater than lower = %g, by a finite number", k.Upper, k.Lower)
	}
	return nil
}

func (k BrownianBridge) String() string { return params.Text("brownian_bridge", k) }
