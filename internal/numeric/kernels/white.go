package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type white kernel.White

func (white) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0) // of absolute values: squares of small differences are 0
	for i := range p.X {
		sum = expr.Add(sum, expr.Abs(expr.Sub(p.X[i], q.X[i])))
	}
	return expr.LE(sum, expr.Const(0)), nil
}
