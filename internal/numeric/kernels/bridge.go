package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type brownianBridge kernel.BrownianBridge

// Expr implements Custom. Outside the interval the kernel is zero.
func (k brownianBridge) Expr(p, q Point) (*expr.Node, error) {
	one := expr.Const(1)
	product := one
	for i := range p.X {
		s, t := unit(p.X[i], k.Lower, k.Upper), unit(q.X[i], k.Lower, k.Upper)
		m, last := expr.Min(s, t), expr.Sub(one, expr.Max(s, t))
		product = expr.Mul(product, expr.Mul(expr.Const(k.Upper-k.Lower), expr.Mul(m, last)))
	}
	return product, nil
}

// unit scales [lower, upper] to [0, 1], and what is outside to its ends.
func unit(x *expr.Node, lower, upper float64) *expr.Node {
	t := expr.Mul(expr.Const(1/(upper-lower)), expr.Sub(x, expr.Const(lower)))
	return expr.Min(expr.Const(1), expr.Max(expr.Const(0), t))
}
