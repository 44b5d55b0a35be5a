package kernels

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type kink kernel.Kink

func (k kink) Expr(p, q Point) (*expr.Node, error) {
	base, err := Expr(k.Base, p, q)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	jump, err := Expr(k.Jump, p, q)
	if err != nil {
		return nil, fmt.Errorf("jump: %w", err)
	}
	dp, err := k.factor(p)
	if err != nil {
		return nil, err
	}
	dq, err := k.factor(q)
	if err != nil {
		return nil, err
	}
	factor := expr.Mul(dp, dq)
	return expr.Add(base, expr.Mul(factor, jump)), nil
}

// factor is |x - y|^p at a point, or (y - x)₊^p.
func (k kink) factor(p Point) (*expr.Node, error) {
	d, err := diagonal(p)
	switch {
	case err != nil:
		return nil, err
	case !k.OneSided:
		return expr.Pow(d, expr.Const(k.Power)), nil
	case len(p.X) > 2:
		return nil, fmt.Errorf("kink: one_sided needs one coordinate of the input and one of the output, the points here have %s", strings.Join(p.Space.Names, ", "))
	case k.Power == 0:
		return expr.LE(p.X[0], p.X[1]), nil
	}
	return expr.Pow(expr.Max(expr.Sub(p.X[1], p.X[0]), expr.Const(0)), expr.Const(k.Power)), nil
}

// diagonal is the distance of the input of p from its output.
func diagonal(p Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	if m == 0 && d == 2 {
		m = 1
	}
	if 2*m != d {
		return nil, fmt.Errorf("kink: needs equally many input and output coordinates, the points here have %s (%d of input)",
			strings.Join(p.Space.Names, ", "), m)
	}
	if m == 1 {
		return expr.Abs(expr.Sub(p.X[0], p.X[1])), nil
	}
	sum := expr.Const(0)
	for i := range m {
		t := expr.Sub(p.X[i], p.X[m+i])
		sum = expr.Add(sum, expr.Mul(t, t))
	}
	return expr.Sqrt(sum), nil
}

type polynomial kernel.Polynomial

func (k polynomial) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(k.Offset)
	for i := range p.X {
		sum = expr.Add(sum, expr.Mul(p.X[i], q.X[i]))
	}
	return expr.Pow(sum, expr.Const(float64(k.Degree))), nil
}

type white kernel.White

func (white) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0) // of absolute values: squares of small differences are 0
	for i := range p.X {
		sum = expr.Add(sum, expr.Abs(expr.Sub(p.X[i], q.X[i])))
	}
	return expr.LE(sum, expr.Const(0)), nil
}
