package kernel

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
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

func (k BrownianBridge) check() error {
	if !(k.Lower < k.Upper) || math.IsInf(k.Upper-k.Lower, 0) {
		return fmt.Errorf("upper %g: must be greater than lower = %g, by a finite number", k.Upper, k.Lower)
	}
	return nil
}

// expr implements Kernel. Outside the interval the kernel is zero.
func (k BrownianBridge) expr(p, q Point) (*expr.Node, error) {
	one := expr.Const(1)
	product := one
	for i := range p.X {
		s, t := unit(p.X[i], k.Lower, k.Upper), unit(q.X[i], k.Lower, k.Upper)
		m, last := expr.Min(s, t), expr.Sub(one, expr.Max(s, t))
		product = expr.Mul(product, expr.Mul(expr.Const(k.Upper-k.Lower), expr.Mul(m, last)))
	}
	return product, nil
}

func (k BrownianBridge) String() string { return params.Text("brownian_bridge", k) }

// unit scales [lower, upper] to [0, 1], and what is outside to its ends.
func unit(x *expr.Node, lower, upper float64) *expr.Node {
	t := expr.Mul(expr.Const(1/(upper-lower)), expr.Sub(x, expr.Const(lower)))
	return expr.Min(expr.Const(1), expr.Max(expr.Const(0), t))
}
