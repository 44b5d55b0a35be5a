package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The closed form of the posterior for kernels that are products: h is an outer
// product a bᵀ with a = Bᵀ-combinations of kx and b of ky, so that
// ⟨h, D⁻¹ h⟩ = Σ_ik a_i² b_k² / D_ik for all points is two matrix products.

// inputs returns kx between the rows xs and the columns ξs.
func (p *factors) inputs(ctx context.Context, xs, to mesh.Mesh) *mat.Dense {
	return p.section(ctx, xs, to, func(x []float64) []float64 { return both(x, p.split.y0) }, 1)
}

// outputs returns ky between the rows ys and the columns ηs.
func (p *factors) outputs(ctx context.Context, ys, to mesh.Mesh) *mat.Dense {
	return p.section(ctx, ys, to, func(y []float64) []float64 { return both(p.split.x0, y) }, 1/p.split.unit)
}

func (p *factors) section(ctx context.Context, rows, cols mesh.Mesh, joint func([]float64) []float64, times float64) *mat.Dense {
	k := mat.NewDense(rows.Size(), cols.Size(), nil)
	a, b := newPoint(rows), newPoint(cols)
	for i := range rows.Size() {
		if ctx.Err() != nil {
			return k
		}
		rows.Point(a, i)
		for j := range cols.Size() {
			cols.Point(b, j)
			k.Set(i, j, times*p.f.At(joint(a), joint(b)))
		}
	}
	return k
}

// outputModes returns Vᵀ dy^½ ky(Y, y), one row for each y, and ky(y, y).
func (p *factors) outputModes(ctx context.Context, ys mesh.Mesh) (b *mat.Dense, diagonal []float64) {
	b = p.outputs(ctx, ys, p.y)
	p.split.sys.timesRoots(ctx, b.RawMatrix().Data)
	p.split.sys.v.forward(ctx, b.RawMatrix().Data)
	diagonal = make([]float64, ys.Size())
	y := newPoint(ys)
	for i := range diagonal {
		ys.Point(y, i)
		at := both(p.split.x0, y)
		diagonal[i] = p.f.At(at, at) / p.split.unit
	}
	return b, diagonal
}

// deviations returns τ (prior - explained)^½ for the input parts a, r × inputs, of
// h, and prior = c ky(y, y). times is how often the free constant of β is part of it.
func (p *factors) deviations(ctx context.Context, a *mat.Dense, c []float64, ys mesh.Mesh, times float64) (*mat.Dense, error) {
	b, diagonal := p.outputModes(ctx, ys)
	r, n := a.Dims()
	constant := mat.NewDense(n, ys.Size(), nil)
	if p.constant != nil {
		constant = linop.Product(ctx, linop.Product(ctx, a.T(), mat.NewDense(r, p.split.sys.my, p.constant.me)), b.T())
		constant.Apply(func(_, _ int, v float64) float64 { return (times - v) * (times - v) / p.constant.size }, constant)
	}
	var a2 mat.Dense
	a2.MulElem(a, a)
	b.MulElem(b, b)
	inverse := mat.NewDense(r, p.split.sys.my, nil)
	for i, d := range p.split.pre.d {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	out := linop.Product(ctx, linop.Product(ctx, a2.T(), inverse), b.T())
	out.Apply(func(i, k int, explained float64) float64 {
		return math.Sqrt(p.tau2 * (max(c[i]*diagonal[k]-explained, 0) + constant.At(i, k)))
	}, out)
	return out, linop.Stopped(ctx)
}

// inputPart returns B kx, r × inputs, over λ, for columns kx on X.
func (p *factors) inputPart(ctx context.Context, kx mat.Matrix) *mat.Dense {
	r, _ := p.split.sys.b.Dims()
	a := linop.Product(ctx, p.split.sys.b.Slice(0, r, 0, p.split.sys.mx), kx)
	a.Scale(1/p.at.lambda, a)
	return a
}

func (p *factors) splitStd(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	c, x := make([]float64, xs.Size()), newPoint(xs)
	for i := range c {
		xs.Point(x, i)
		at := both(x, p.split.y0)
		c[i] = p.f.At(at, at) / p.at.lambda
	}
	return p.deviations(ctx, p.inputPart(ctx, p.inputs(ctx, p.x, xs)), c, ys, 0)
}

// splitPredictStd takes inputs multiplied by quadrature weights.
func (p *factors) splitPredictStd(ctx context.Context, weighted *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	n, _ := weighted.Dims()
	own := linop.Product(ctx, p.inputs(ctx, xs, xs), weighted.T())
	a, c := p.inputPart(ctx, linop.Product(ctx, p.inputs(ctx, p.x, xs), weighted.T())), make([]float64, n)
	for i := range c {
		c[i] = mat.Dot(weighted.RowView(i), own.ColView(i)) / p.at.lambda
	}
	if p.q != nil {
		r, cols := p.split.sys.b.Dims()
		share := p.split.q / p.at.rho
		for i := range r {
			for j := range n {
				a.Set(i, j, a.At(i, j)+share*p.split.sys.b.At(i, cols-1))
			}
		}
		for i := range c {
			c[i] += share
		}
	}
	return p.deviations(ctx, a, c, ys, 1)
}
