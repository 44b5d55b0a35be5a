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
	inv, z := mat.NewDense(r, my, o.inv), mat.NewDense(r, my, nil)
	for i, v := range o.inv {
		t := o.T.RawMatrix().Data[i]
		if o.h != nil {
			t -= o.Row.At(i/my, o.class(i%my)) * o.h[i%my]
		}
		z.RawMatrix().Data[i] = t * v
	}
	squared := mat.DenseCopyOf(o.P)
	squared.MulElem(squared, squared)
	residual, left := linop.Product(ctx, o.P, z), linop.Product(ctx, squared, inv)
	biased := o.leverages(ctx, left)
	if err := linop.Stopped(ctx); err != nil {
		return 0, err
	}
	n, _ := o.P.Dims()
	sum := 0.0
	for i := range n {
		own, floor := 0.0, 0.0 // what of the pair P does not see; nothing of a square one
		if n > r {
			own, floor = max(0, 1-floats.Sum(squared.RawRowView(i))), 1e-12
		}
		e, keep := residual.RawRowView(i), left.RawRowView(i)
		for k := range my {
			if o.Unexplained != nil {
				e[k] += o.Unexplained.At(i, k)
			}
			keep[k] = max(own+keep[k], floor)
			e[k] /= keep[k]
		}
		if o.y != nil {
			o.alone(e, keep, biased.RawRowView(i))
		}
		sum += floats.Dot(e, e)
	}
	return sum / float64(n*my), nil
}

// leverages takes from the diagonal of P R Pᵀ in each mode, n × my, the part of the
// bias, and returns P (β/D).
func (o *point) leverages(ctx context.Context, left *mat.Dense) *mat.Dense {
	if o.h == nil {
		return nil
	}
	r, my := o.T.Dims()
	w := mat.NewDense(r, my, nil)
	for i := range r {
		row := o.Row.RawRowView(i)
		for k := range my {
			w.Set(i, k, row[o.class(k)]*o.inv[i*my+k])
		}
	}
	pw := linop.Product(ctx, o.P, w)
	left.Apply(func(i, k int, v float64) float64 {
		return v - o.alpha[k]/(1+o.alpha[k]*o.s[k])*pw.At(i, k)*pw.At(i, k)
	}, left)
	return pw
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
