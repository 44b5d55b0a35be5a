package criteria

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// loo is the mean squared error of predicting each pair from the others, in the scaled
// outputs; O(n r my).
func (o *point) loo(ctx context.Context) (float64, error) {
	r, my := o.T.Dims()
	n, _ := o.P.Dims()
	squared, own := o.squares()
	z, width := o.solutions(), my
	if o.h != nil {
		width = 2 * my
	}
	seen, left := linop.Product(ctx, o.P, mat.NewDense(r, width, z)), linop.Product(ctx, squared, mat.NewDense(r, my, o.inv))
	if err := linop.Stopped(ctx); err != nil {
		return 0, err
	}
	less := make([]float64, my) // of a mode, that the bias takes from the block of a pair
	for k, a := range o.alpha {
		less[k] = a / (1 + a*o.s[k])
	}
	floor := 0.0 // of a block; nothing where P sees all of every pair
	if n > r {
		floor = 1e-12
	}
	sum := 0.0
	for i := range n {
		e, keep := seen.RawRowView(i)[:my], left.RawRowView(i)
		if o.Unexplained != nil {
			floats.Add(e, o.Unexplained.RawRowView(i))
		}
		if o.h == nil {
			for k, v := range keep {
				e[k] /= max(own[i]+v, floor)
			}
			sum += floats.Dot(e, e)
			continue
		}
		biased := seen.RawRowView(i)[my:]
		for k, w := range biased {
			keep[k] = max(own[i]+keep[k]-less[k]*w*w, floor)
			e[k] /= keep[k]
		}
		if o.y != nil {
			o.alone(e, keep, biased)
		}
		sum += floats.Dot(e, e)
	}
	return sum / float64(n*my), nil
}

// squares are those of the entries of P, and what of each pair P does not see: nothing where it is square.
func (c *Closed) squares() (squared *mat.Dense, own []float64) {
	if c.squared == nil {
		n, r := c.P.Dims()
		c.squared, c.own = new(mat.Dense), make([]float64, n)
		c.squared.MulElem(c.P, c.P)
		for i := range n {
			if n > r {
				c.own[i] = max(0, 1-floats.Sum(c.squared.RawRowView(i)))
			}
		}
	}
	return c.squared, c.own
}

// solutions are R T and, with a bias, beside them β/D: r × my, or r × 2 my.
func (o *point) solutions() []float64 {
	r, my := o.T.Dims()
	t := o.T.RawMatrix().Data
	if o.h == nil {
		z := make([]float64, r*my)
		floats.MulTo(z, t, o.inv)
		return z
	}
	z := make([]float64, 2*r*my)
	for i := range r {
		row, inv, beta := z[2*i*my:2*(i+1)*my], o.inv[i*my:(i+1)*my], o.Row.RawRowView(i)
		for k, v := range t[i*my : (i+1)*my] {
			b := beta[o.class(k)]
			row[k] = (v - b*o.h[k]) * inv[k]
			row[my+k] = b * inv[k]
		}
	}
	return z
}

// alone corrects the error e of a sample that is left out for the free constant, which
// couples its modes: its block of R is diag(keep) - v vᵀ/ĉᵀRĉ with v = y g, g its row
// of P (β/D).
func (o bias) alone(e, keep, g []float64) {
	var along, own float64
	for k, y := range o.y {
		v := y * g[k]
		along += v * e[k]
		own += v * v / keep[k]
	}
	by := along / max(o.size-own, 1e-12*o.size)
	for k, y := range o.y {
		e[k] += by * y * g[k] / keep[k]
	}
}
