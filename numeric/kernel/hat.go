package kernel

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/params"
)

// Hat is the hat function Π_i max(0, 1 - |p_i - q_i|/ℓ_i): its functions are piecewise
// linear and its Gram matrices are sparse. It is a product over coordinates
// because the radial hat is not positive semi-definite in two dimensions.
type Hat struct {
	Lengthscale Lengthscale `arg:"lengthscale" doc:"half width of the hat: a number, a list with one per coordinate, or \"auto\"" default:"auto" allow:">0"`
}

func (k Hat) check() error { return k.Lengthscale.check() }

func (k Hat) expr(p, q Point) (*expr.Node, error) {
	product := expr.Const(1)
	for i := range p.X {
		l, err := k.Lengthscale.of(i, len(p.X))
		if err != nil {
			return nil, err
		}
		d := expr.Mul(expr.Const(1/l), expr.Abs(expr.Sub(p.X[i], q.X[i])))
		product = expr.Mul(product, expr.Max(expr.Const(0), expr.Sub(expr.Const(1), d)))
	}
	return product, nil
}

func (k Hat) String() string { return params.Text("hat", k) }
