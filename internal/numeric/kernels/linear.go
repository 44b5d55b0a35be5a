package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type linear kernel.Linear

func (k linear) Expr(p, q Point) (*expr.Node, error) {
	return polynomial{Degree: 1, Offset: k.Offset}.Expr(p, q)
}
