package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type linear kernel.Linear

func (k linear) Expr(p, q Point) (*expr.Node, error) {
	return polynomial{Degree: 1, Offset: k.Offset}.Expr(p, q)
}

type polynomial kernel.Polynomial

func (k polynomial) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(k.Offset)
	for i := range p.X {
		sum = expr.Add(sum, expr.Mul(p.X[i], q.X[i]))
	}
	return expr.Pow(sum, expr.Const(float64(k.Degree))), nil
}
