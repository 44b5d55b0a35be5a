package posterior

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

const maxPrior = 2000 // points of X × Y on which a prior that is no product is drawn

// PriorDraws returns what draws G and β on the meshes of the data from the prior.
func (p *Posterior) PriorDraws(ctx context.Context, draw *rand.Rand) (func() (*mat.Dense, []float64), error) {
	my := p.y.Size()
	green, err := p.priorGreen(ctx, draw)
	if err != nil {
		return nil, err
	}
	bias := func() []float64 { return make([]float64, my) }
	if p.q != nil {
		q, err := p.q.Gram(ctx, p.y, p.y)
		if err != nil {
			return nil, err
		}
		root, err := linop.SquareRoot(ctx, q, p.Tau2/p.at.Rho)
		if err != nil {
			return nil, err
		}
		bias = func() []float64 {
			var v mat.VecDense
			v.MulVec(root, mat.NewVecDense(my, linop.Normal(draw, my)))
			return v.RawVector().Data
		}
	}
	return func() (*mat.Dense, []float64) { return green(), bias() }, nil
}

// priorGreen draws from the prior of G on X × Y.
func (p *Posterior) priorGreen(ctx context.Context, draw *rand.Rand) (func() *mat.Dense, error) {
	mx, my, amplitude := p.x.Size(), p.y.Size(), p.Tau2/p.at.Lambda
	if p.split != nil {
		left, err := linop.SquareRoot(ctx, p.inputs(ctx, p.x, p.x), amplitude)
		if err != nil {
			return nil, err
		}
		right, err := linop.SquareRoot(ctx, p.outputs(ctx, p.y, p.y), 1)
		if err != nil {
			return nil, err
		}
		return func() *mat.Dense {
			return linop.Product(ctx, linop.Product(ctx, left, mat.NewDense(mx, my, linop.Normal(draw, mx*my))), right.T())
		}, nil
	}
	if mx*my > maxPrior {
		return nil, fmt.Errorf("the prior of a kernel that is no product is drawn on at most %d points of input × output, here are %d × %d; give a truth", maxPrior, mx, my)
	}
	k := mat.NewDense(mx*my, mx*my, nil)
	at := make([]float64, len(p.all))
	for i := range mx * my {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for c, col := range p.all {
			at[c] = col[i]
		}
		p.f.Row(k.RawRowView(i), at, p.all)
	}
	root, err := linop.SquareRoot(ctx, k, amplitude)
	if err != nil {
		return nil, err
	}
	return func() *mat.Dense {
		var v mat.VecDense
		v.MulVec(root, mat.NewVecDense(mx*my, linop.Normal(draw, mx*my)))
		return mat.NewDense(mx, my, v.RawVector().Data)
	}, nil
}

// EachPriorOf calls do with the prior variance of G at every point of xs × ys.
func (p *Posterior) EachPriorOf(xs, ys mesh.Mesh, do func(i, k int, v float64)) {
	x, y := problem.PointOf(xs), problem.PointOf(ys)
	for i := range xs.Size() {
		xs.Point(x, i)
		for k := range ys.Size() {
			ys.Point(y, k)
			at := problem.Beside(x, y)
			do(i, k, p.Tau2/p.at.Lambda*p.f.At(at, at))
		}
	}
}
