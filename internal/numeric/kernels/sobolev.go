package kernels

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// maxSobolev bounds the terms of the expression of a Sobolev kernel.
const maxSobolev = 1 << 12

type sobolev kernel.Sobolev

// Expr implements Custom. Outside the box the kernel is zero.
func (k sobolev) Expr(p, q Point) (*expr.Node, error) {
	d := len(p.X)
	if math.Pow(float64(k.Terms), float64(d-1)) > maxSobolev {
		return nil, fmt.Errorf("terms %d: in %d coordinates the series has %d^%d terms: must be at most %d", k.Terms, d, k.Terms, d-1, maxSobolev)
	}
	s, t := make([]*expr.Node, d), make([]*expr.Node, d)
	for i := range s {
		s[i], t[i] = unit(p.X[i], k.Lower, k.Upper), unit(q.X[i], k.Lower, k.Upper)
	}
	modes := make([][]*expr.Node, d-1) // 2 sin(π k s) sin(π k t), by coordinate and k
	for i := range modes {
		for n := range k.Terms {
			a := expr.Const(math.Pi * float64(n+1))
			modes[i] = append(modes[i], expr.Mul(expr.Const(2), expr.Mul(expr.Sin(expr.Mul(a, s[i])), expr.Sin(expr.Mul(a, t[i])))))
		}
	}
	var sum func(i, square int, product *expr.Node) *expr.Node
	sum = func(i, square int, product *expr.Node) *expr.Node {
		if i == d-1 {
			return expr.Mul(product, lineGreen(s[i], t[i], math.Pi*math.Sqrt(float64(square))))
		}
		total := expr.Const(0)
		for n, mode := range modes[i] {
			total = expr.Add(total, sum(i+1, square+(n+1)*(n+1), expr.Mul(product, mode)))
		}
		return total
	}
	return expr.Mul(expr.Const(math.Pow(k.Upper-k.Lower, float64(2-d))), sum(0, 0, expr.Const(1))), nil
}

// lineGreen is the Green's function of -u″ + a² u = f on [0, 1] with zero values at
// the ends: sinh(a m) sinh(a (1 - M)) / (a sinh a) with m and M the smaller and the
// larger of s and t, written without large numbers.
func lineGreen(s, t *expr.Node, a float64) *expr.Node {
	m, last := expr.Min(s, t), expr.Sub(expr.Const(1), expr.Max(s, t))
	if a == 0 {
		return expr.Mul(m, last)
	}
	decay := func(x *expr.Node) *expr.Node { return expr.Exp(expr.Mul(expr.Const(-a), x)) }
	one := expr.Const(1)
	rise := func(x *expr.Node) *expr.Node { return expr.Sub(one, expr.Exp(expr.Mul(expr.Const(-2*a), x))) }
	factor := expr.Const(-1 / (2 * a * math.Expm1(-2*a)))
	return expr.Mul(expr.Mul(factor, decay(expr.Abs(expr.Sub(s, t)))), expr.Mul(rise(m), rise(last)))
}
