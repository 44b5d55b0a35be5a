package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/expr"
)

// BrownianBridge is Π_i (min(s_i, t_i) - s_i t_i), s and t the coordinates
// scaled from [Lower, Upper] to [0, 1]: the covariance of a Brownian bridge and
// the reproducing kernel of the functions in W¹₂ that vanish at both ends
// (paper, section 2.3).
type BrownianBridge struct {
	Lower float64 `lua:"lower" doc:"left end of the interval" default:"0"`
	Upper float64 `lua:"upper" doc:"right end of the interval" default:"1"`
}

// Check implements Checker.
func (k BrownianBridge) Check() error {
	if !(k.Lower < k.Upper) {
		return fmt.Errorf("upper %g: must be greater than lower = %g", k.Upper, k.Lower)
	}
	return nil
}

// Expr implements Kernel. Outside the interval the kernel is zero.
func (k BrownianBridge) Expr(p, q Point) (*expr.Node, error) {
	one := expr.Const(1)
	product := one
	for i := range p.X {
		s, t := unit(p.X[i], k.Lower, k.Upper), unit(q.X[i], k.Lower, k.Upper)
		product = expr.Mul(product, expr.Mul(expr.Min(s, t), expr.Sub(one, expr.Max(s, t))))
	}
	return product, nil
}

func (k BrownianBridge) String() string { return format("brownian_bridge", k) }

// unit scales [lower, upper] to [0, 1], and what is outside to its ends.
func unit(x *expr.Node, lower, upper float64) *expr.Node {
	t := expr.Mul(expr.Const(1/(upper-lower)), expr.Sub(x, expr.Const(lower)))
	return expr.Min(expr.Const(1), expr.Max(expr.Const(0), t))
}
