package kernels

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type se kernel.SE

func (k se) Expr(p, q Point) (*expr.Node, error) {
	d2, err := distance2(p, q, lengths(k.Lengthscale))
	if err != nil {
		return nil, err
	}
	return expr.Exp(expr.Mul(expr.Const(-0.5), d2)), nil
}

type exponential kernel.Exponential

func (k exponential) Expr(p, q Point) (*expr.Node, error) {
	d, err := distance(p, q, lengths(k.Lengthscale))
	if err != nil {
		return nil, err
	}
	return expr.Exp(expr.Neg(d)), nil
}

type matern kernel.Matern

func (k matern) Expr(p, q Point) (*expr.Node, error) {
	d, err := distance(p, q, lengths(k.Lengthscale))
	if err != nil {
		return nil, err
	}
	return expr.Matern(k.Nu, d), nil
}

type rationalQuadratic kernel.RationalQuadratic

func (k rationalQuadratic) Expr(p, q Point) (*expr.Node, error) {
	d2, err := distance2(p, q, lengths(k.Lengthscale))
	if err != nil {
		return nil, err
	}
	base := expr.Add(expr.Const(1), expr.Mul(expr.Const(1/(2*k.Alpha)), d2))
	return expr.Pow(base, expr.Const(-k.Alpha)), nil
}
