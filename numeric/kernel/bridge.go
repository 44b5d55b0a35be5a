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
	zero, one := expr.Const(0), expr.Const(1)
	unit := func(x *expr.Node) *expr.Node {
		t := expr.Mul(expr.Const(1/(k.Upper-k.Lower)), expr.Sub(x, expr.Const(k.Lower)))
		return expr.Min(one, expr.Max(zero, t))
	}
	product := one
	for i := range p.X {
		s, t := unit(p.X[i]), unit(q.X[i])
		product = expr.Mul(product, expr.Mul(expr.Min(s, t), expr.Sub(one, expr.Max(s, t))))
	}
	return product, nil
}

func (k BrownianBridge) String() string { return format("brownian_bridge", k) }
