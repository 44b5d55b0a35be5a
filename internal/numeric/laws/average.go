package laws

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// maxSummed is the largest group whose double sum is written as an expression.
const maxSummed = 128

// Average is the double sum over the group.
func (l Laws) Average(k kernel.Kernel, p, q kernels.Point) (*expr.Node, error) {
	t, err := l.On(p.Space)
	if err != nil {
		return nil, err
	}
	if n := len(t.Images); n > maxSummed {
		return nil, fmt.Errorf("the maps generate a group of %d elements, too many for an expression that sums over pairs of them: at most %d; a fit on meshes that the maps send to themselves does without the expression", n, maxSummed)
	}
	x, y := p.X, q.X
	if t.Reduce != nil {
		x, y = t.Reduce.Point(x), t.Reduce.Point(y)
	}
	at := func(g Image, x []*expr.Node) kernels.Point { return kernels.Point{X: g.Map(x), Space: t.Space} }
	first, err := t.representatives(k)
	if err != nil {
		return nil, err
	}
	sum := expr.Const(0)
	for _, g := range first {
		for _, h := range t.Images {
			n, err := kernels.Symbolic(k, at(g, x), at(h, y))
			if err != nil {
				return nil, err
			}
			sum = expr.Add(sum, expr.Mul(expr.Const(g.Sign*h.Sign), n))
		}
	}
	scale := 1 / float64(len(first)*len(t.Images))
	n := expr.Mul(expr.Const(scale), sum)
	if t.Chi != nil {
		if x, y = p.X, q.X; t.Reduce != nil {
			x, y = t.Reduce.Seen(x), t.Reduce.Seen(y)
		}
		chi := substitute([]*expr.Node{t.Chi}, x)
		n = expr.Mul(expr.Mul(chi[0], substitute([]*expr.Node{t.Chi}, y)[0]), n)
	}
	return n, nil
}

// representatives are images g such that all others are u g for one of them and a map u
// with k(u p, u q) = k(p, q), by the form of its expression: the terms of the double sum
// for (u g, u h) and (g, h) are one.
func (t *Transform) representatives(k kernel.Kernel) ([]Image, error) {
	p, q := kernels.Points(t.Space)
	n, err := kernels.Symbolic(k, p, q)
	if err != nil {
		return nil, err
	}
	n = expr.Simplify(n)
	var keep []Image
	for _, u := range t.Images {
		moved, err := kernels.Symbolic(k, kernels.Point{X: u.Map(p.X), Space: t.Space}, kernels.Point{X: u.Map(q.X), Space: t.Space})
		if err != nil {
			return nil, err
		}
		if expr.Equal(n, expr.Simplify(moved)) {
			keep = append(keep, u)
		}
	}
	kept, err := generate(t.Space.Dim(), keep)
	if err != nil {
		return nil, err
	}
	covered := newGroup(t.Space.Dim())
	covered.scale = kept.scale
	first := t.Images[:1]
	for i, g := range t.Images {
		e := covered.element(g)
		if i > 0 && covered.find(e) != nil {
			continue
		}
		if i > 0 {
			first = append(first[:len(first):len(first)], g)
		}
		for _, u := range kept.elements {
			covered.add(covered.compose(e, u))
		}
	}
	return first, nil
}
