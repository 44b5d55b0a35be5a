package fit_test

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type exprNode = expr.Node

func squaredDistance(p, q kernel.Point) *expr.Node {
	sum := expr.Const(0)
	for i := range p.X {
		d := expr.Sub(p.X[i], q.X[i])
		sum = expr.Add(sum, expr.Mul(d, d))
	}
	return sum
}
