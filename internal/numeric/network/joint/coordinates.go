package joint

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// coordinates are those of the part of a network in the modes; all kernels must be products.
func (c *chain) coordinates(ctx context.Context, p *weights) (x []float64) {
	for k, l := range c.layers {
		m := l.modes
		a := linop.Product(ctx, linop.Product(ctx, m.left.root.T(), p.v[k]), m.right.root)
		a.Scale(math.Sqrt(l.size), a)
		x = append(x, a.RawMatrix().Data...)
		if l.q != nil {
			var b mat.VecDense
			b.MulVec(m.bias.root.T(), mat.NewVecDense(len(p.w[k]), p.w[k]))
			b.ScaleVec(math.Sqrt(l.bias), &b)
			x = append(x, b.RawVector().Data...)
		}
	}
	return x
}

// fromCoordinates are weights of a network of coordinates.
func (c *chain) fromCoordinates(ctx context.Context, x []float64) *weights {
	p := &weights{w: make([][]float64, len(c.layers))}
	for k, l := range c.layers {
		a, b, rest := l.modes.part(x)
		v := linop.Product(ctx, linop.Product(ctx, l.modes.left.back, a), l.modes.right.back.T())
		v.Scale(1/math.Sqrt(l.size), v)
		p.v = append(p.v, v)
		if b != nil {
			var w mat.VecDense
			w.MulVec(l.modes.bias.back, b)
			w.ScaleVec(1/math.Sqrt(l.bias), &w)
			p.w[k] = w.RawVector().Data
		}
		x = rest
	}
	return p
}

// reducible says whether all kernels are products, so that there are modes, and whether these are all.
func (c *chain) reducible() (some, all bool) {
	all = true
	for _, l := range c.layers {
		if l.modes == nil {
			return false, false
		}
		all = all && l.modes.left.whole() && l.modes.right.whole() && (l.q == nil || l.modes.bias.whole())
	}
	return true, all
}

// reducedFunctions are G and β of coordinates.
func (c *chain) reducedFunctions(ctx context.Context, x []float64) *functions {
	f := &functions{norm: floats.Dot(x, x)}
	for _, l := range c.layers {
		a, b, rest := l.modes.part(x)
		g := linop.Product(ctx, linop.Product(ctx, l.modes.left.root, a), l.modes.right.root.T())
		for i, w := range l.dx {
			floats.Scale(w/math.Sqrt(l.size), g.RawRowView(i))
		}
		beta := make([]float64, l.y.Size())
		if b != nil {
			v := mat.NewVecDense(len(beta), beta)
			v.MulVec(l.modes.bias.root, b)
			v.ScaleVec(1/math.Sqrt(l.bias), v)
		}
		f.g, f.beta = append(f.g, g), append(f.beta, beta)
		x = rest
	}
	return f
}
