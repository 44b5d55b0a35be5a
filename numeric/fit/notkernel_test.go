package fit_test

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

type exprNode = expr.Node

func squaredDistance(p, q kernels.Point) *expr.Node {
	sum := expr.Const(0)
	for i := range p.X {
		d := expr.Sub(p.X[i], q.X[i])
		sum = expr.Add(sum, expr.Mul(d, d))
	}
	return sum
}
