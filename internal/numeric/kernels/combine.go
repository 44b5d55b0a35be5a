package kernels

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A kernel made of others asks for the expressions of these, whatever they are: such kernels stand where all are listed.

// Symbolic returns k(p, q). It fails when the kernel cannot take points of their space: a list of
// lengthscales of another length, say.
func Symbolic(k kernel.Kernel, p, q Point) (*expr.Node, error) {
	c, ok := known(k).(Custom)
	if !ok {
		return nil, fmt.Errorf("kernel %s: has no formula", k)
	}
	return c.Expr(p, q)
}

// known is what says the expression of a kernel, and what else is known of it: for a kernel of
// package kernel its type here, for any other the kernel itself.
func known(k kernel.Kernel) any {
	switch k := k.(type) {
	case kernel.SE:
		return se(k)
	case kernel.Exponential:
		return exponential(k)
	case kernel.Matern:
		return matern(k)
	case kernel.Hat:
		return hat(k)
	case kernel.RationalQuadratic:
		return rationalQuadratic(k)
	case kernel.Periodic:
		return periodic(k)
	case kernel.BrownianBridge:
		return brownianBridge(k)
	case kernel.Sobolev:
		return sobolev(k)
	case kernel.Kink:
		return kink(k)
	case kernel.Vanishing:
		return vanishing(k)
	case kernel.Linear:
		return linear(k)
	case kernel.Polynomial:
		return polynomial(k)
	case kernel.White:
		return white(k)
	case kernel.Sum:
		return sumKernel(k)
	case kernel.Product:
		return productKernel(k)
	case kernel.Scaled:
		return scaledKernel(k)
	case kernel.Tensor:
		return tensorKernel(k)
	}
	return k
}

type sumKernel kernel.Sum

func (k sumKernel) Expr(p, q Point) (*expr.Node, error) {
	return fold(k.Terms, expr.Const(0), expr.Add, p, q)
}

type productKernel kernel.Product

func (k productKernel) Expr(p, q Point) (*expr.Node, error) {
	return fold(k.Factors, expr.Const(1), expr.Mul, p, q)
}

type scaledKernel kernel.Scaled

func (k scaledKernel) Expr(p, q Point) (*expr.Node, error) {
	n, err := Symbolic(k.Kernel, p, q)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Const(k.Factor), n), nil
}

type tensorKernel kernel.Tensor

func (k tensorKernel) Expr(p, q Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	if m == 0 && d == 2 {
		m = 1
	}
	if m == 0 || m == d {
		return nil, fmt.Errorf("tensor: points with coordinates %s are not split into input and output; use a product of kernels instead",
			strings.Join(p.Space.Names, ", "))
	}
	a, err := Symbolic(k.Input, p.Part(0, m), q.Part(0, m))
	if err != nil {
		return nil, fmt.Errorf("input kernel: %w", err)
	}
	b, err := Symbolic(k.Output, p.Part(m, d), q.Part(m, d))
	if err != nil {
		return nil, fmt.Errorf("output kernel: %w", err)
	}
	return expr.Mul(a, b), nil
}

func fold(ks []kernel.Kernel, start *expr.Node, op func(a, b *expr.Node) *expr.Node, p, q Point) (*expr.Node, error) {
	for _, k := range ks {
		n, err := Symbolic(k, p, q)
		if err != nil {
			return nil, err
		}
		start = op(start, n)
	}
	return start, nil
}

// checkAll refuses what no kernel of a list may be.
func checkAll(ks []kernel.Kernel) error { return kernel.Check(kernel.Sum{Terms: ks}) }

type kink kernel.Kink

func (k kink) Expr(p, q Point) (*expr.Node, error) {
	base, err := Symbolic(k.Base, p, q)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	jump, err := Symbolic(k.Jump, p, q)
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

type vanishing kernel.Vanishing

// factor is φ at a symbolic point.
func (k vanishing) factor(p Point) (*expr.Node, error) {
	names := slices.Sorted(maps.Keys(k.Where))
	at, err := Places(names, p.Space)
	if err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	product := expr.Const(1)
	for i, name := range names {
		for _, v := range k.Where[name] {
			product = expr.Mul(product, expr.Sub(p.X[at[i]], expr.Const(v)))
		}
	}
	return product, nil
}

func (k vanishing) Expr(p, q Point) (*expr.Node, error) { return scaledExpr(k.Base, k.factor, p, q) }

func (k vanishing) decompose(p Point) ([]Part, error) { return scaledParts(k.Base, k.factor, p) }

// scaledExpr is φ(p) φ(q) base(p, q).
func scaledExpr(base kernel.Kernel, factor func(Point) (*expr.Node, error), p, q Point) (*expr.Node, error) {
	n, err := Symbolic(base, p, q)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	fp, err := factor(p)
	if err != nil {
		return nil, err
	}
	fq, err := factor(q)
	if err != nil {
		return nil, err
	}
	return expr.Mul(expr.Mul(fp, fq), n), nil
}

// scaledParts is the one term φ(p) base φ(q).
func scaledParts(base kernel.Kernel, factor func(Point) (*expr.Node, error), p Point) ([]Part, error) {
	f, err := factor(p)
	if err != nil {
		return nil, err
	}
	return []Part{{Scale: f, Kernel: base}}, nil
}
