package kernels

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

type sum kernel.Sum

func (k sum) Expr(p, q Point) (*expr.Node, error) {
	return fold(k.Terms, expr.Const(0), expr.Add, p, q)
}

type product kernel.Product

func (k product) Expr(p, q Point) (*expr.Node, error) {
	return fold(k.Factors, expr.Const(1), expr.Mul, p, q)
}

type scaled kernel.Scaled

func (k scaled) Expr(p, q Point) (*expr.Node, error) {
	n, err := Expr(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Const(k.Factor), n), nil
}

type tensor kernel.Tensor

func (k tensor) Expr(p, q Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	if m == 0 && d == 2 {
		m = 1
	}
	if m == 0 || m == d {
		return nil, fmt.Errorf("tensor: points with coordinates %s are not split into input and output; use a product of kernels instead",
			strings.Join(p.Space.Names, ", "))
	}
	a, err := Expr(k.Input, p.Part(0, m), q.Part(0, m))
	if err != nil {
		return nil, fmt.Errorf("input kernel: %w", err)
	}
	b, err := Expr(k.Output, p.Part(m, d), q.Part(m, d))
	if err != nil {
		return nil, fmt.Errorf("output kernel: %w", err)
	}
	return expr.Mul(a, b), nil
}

func fold(ks []kernel.Kernel, start *expr.Node, op func(a, b *expr.Node) *expr.Node, p, q Point) (*expr.Node, error) {
	for _, k := range ks {
		n, err := Expr(k, p, q)
		if err != nil {
			return nil, err
		}
		start = op(start, n)
	}
	return start, nil
}

// checkAll refuses what no kernel of a list may be.
func checkAll(ks []kernel.Kernel) error { return kernel.Check(kernel.Sum{Terms: ks}) }
