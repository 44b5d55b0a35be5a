package kernels

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type periodic kernel.Periodic

func (k periodic) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0)
	for i := range p.X {
		l, err := lengths(k.Lengthscale).of(i, len(p.X))
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
func (k periodic) ofFraction(fraction float64) kernel.Lengthscale {
	return kernel.Lengthscale{2 * math.Pi * fraction}
}
