package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type hat kernel.Hat

func (k hat) Expr(p, q Point) (*expr.Node, error) {
	product := expr.Const(1)
	for i := range p.X {
		l, err := lengths(k.Lengthscale).of(i, len(p.X))
		if err != nil {
			return nil, err
		}
		d := expr.Mul(expr.Const(1/l), expr.Abs(expr.Sub(p.X[i], q.X[i])))
		product = expr.Mul(product, expr.Max(expr.Const(0), expr.Sub(expr.Const(1), d)))
	}
	return product, nil
}
