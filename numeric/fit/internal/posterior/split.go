package posterior

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The closed form of the posterior for kernels that are products: h is an outer
// product a bᵀ with a = Bᵀ-combinations of kx and b of ky, so that
// ⟨h, D⁻¹ h⟩ = Σ_ik a_i² b_k² / D_ik for all points is two matrix products.

// inputs returns kx between the rows xs and the columns ξs.
func (p *Posterior) inputs(ctx context.Context, xs, to mesh.Mesh) *mat.Dense {
	return p.section(ctx, xs, to, func(x []float64) []float64 { return problem.Beside(x, p.split.y0) }, 1)
}

// outputs returns ky between the rows ys and the columns ηs.
func (p *Posterior) outputs(ctx context.Context, ys, to mesh.Mesh) *mat.Dense {
	return p.section(ctx, ys, to, func(y []float64) []float64 { return problem.Beside(p.split.x0, y) }, 1/p.split.unit)
}

func (p *Posterior) section(ctx context.Context, rows, cols mesh.Mesh, joint func([]float64) []float64, times float64) *mat.Dense {
	k := mat.NewDense(rows.Size(), cols.Size(), nil)
	a, b := problem.PointOf(rows), problem.PointOf(cols)
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
func (p *Posterior) outputModes(ctx context.Context, ys mesh.Mesh) (b *mat.Dense, diagonal []float64) {
	b = p.outputs(ctx, ys, p.y)
	p.split.of.InModes(ctx, b.RawMatrix().Data)
	diagonal = make([]float64, ys.Size())
	y := problem.PointOf(ys)
	for i := range diagonal {
		ys.Point(y, i)
		at := problem.Beside(p.split.x0, y)
		diagonal[i] = p.f.At(at, at) / p.split.unit
	}
	return b, diagonal
}

// deviations returns τ (prior - explained)^½ for the input parts a, r × inputs, of
// h, and prior = c ky(y, y). times is how often the free constant of β is part of it.
func (p *Posterior) deviations(ctx context.Context, a *mat.Dense, c []float64, ys mesh.Mesh, times float64) (*mat.Dense, error) {
	b, diagonal := p.outputModes(ctx, ys)
	r, n := a.Dims()
	constant := mat.NewDense(n, ys.Size(), nil)
	if p.constant != nil {
		constant = linop.Product(ctx, linop.Product(ctx, a.T(), mat.NewDense(r, p.y.Size(), p.constant.me)), b.T())
		constant.Apply(func(_, _ int, v float64) float64 { return (times - v) * (times - v) / p.constant.size }, constant)
	}
	var a2 mat.Dense
	a2.MulElem(a, a)
	b.MulElem(b, b)
	inverse := mat.NewDense(r, p.y.Size(), nil)
	for i, d := range p.split.d {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	out := linop.Product(ctx, linop.Product(ctx, a2.T(), inverse), b.T())
	out.Apply(func(i, k int, explained float64) float64 {
		return math.Sqrt(p.Tau2 * (max(c[i]*diagonal[k]-explained, 0) + constant.At(i, k)))
	}, out)
	return out, linop.Stopped(ctx)
}

// inputPart returns B kx, r × inputs, over λ, for columns kx on X.
func (p *Posterior) inputPart(ctx context.Context, kx mat.Matrix) *mat.Dense {
	r, _ := p.split.in.Dims()
	a := linop.Product(ctx, p.split.in.Slice(0, r, 0, p.x.Size()), kx)
	a.Scale(1/p.at.Lambda, a)
	return a
}

func (p *Posterior) splitStd(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	c, x := make([]float64, xs.Size()), problem.PointOf(xs)
	for i := range c {
		xs.Point(x, i)
		at := problem.Beside(x, p.split.y0)
		c[i] = p.f.At(at, at) / p.at.Lambda
	}
	return p.deviations(ctx, p.inputPart(ctx, p.inputs(ctx, p.x, xs)), c, ys, 0)
}

// splitPredictStd takes inputs multiplied by quadrature weights.
func (p *Posterior) splitPredictStd(ctx context.Context, weighted *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	n, _ := weighted.Dims()
	own := linop.Product(ctx, p.inputs(ctx, xs, xs), weighted.T())
	a, c := p.inputPart(ctx, linop.Product(ctx, p.inputs(ctx, p.x, xs), weighted.T())), make([]float64, n)
	for i := range c {
		c[i] = mat.Dot(weighted.RowView(i), own.ColView(i)) / p.at.Lambda
	}
	if p.q != nil {
		r, cols := p.split.in.Dims()
		share := p.split.q / p.at.Rho
		for i := range r {
			for j := range n {
				a.Set(i, j, a.At(i, j)+share*p.split.in.At(i, cols-1))
			}
		}
		for i := range c {
			c[i] += share
		}
	}
	return p.deviations(ctx, a, c, ys, 1)
}

// findSplit checks, in numbers, all that the closed form assumes.
func (p *Posterior) findSplit(ctx context.Context) *split {
	whole, ok := p.Regression.(problem.Complete)
	if !ok || !whole.IsDiagonal(ctx, p.at) {
		return nil
	}
	draw := rand.New(rand.NewPCG(1, 3))
	at := lattice.Centre(p.x, p.y)
	s := &split{of: whole, data: whole.Turned(), d: whole.Diagonal(p.at), x0: at[:p.x.Dim()], y0: at[p.x.Dim():], unit: p.f.At(at, at)}
	s.in, _, _ = whole.RowsOf(ctx)
	if !(s.unit > 0) {
		return nil
	}
	if p.q != nil {
		s.q = p.q.At(s.y0, s.y0)
	}
	a, b, c, d := problem.PointOf(p.x), problem.PointOf(p.y), problem.PointOf(p.x), problem.PointOf(p.y)
	for range problem.SplitPairs {
		problem.RandomPair(draw, p.x, a, c)
		problem.RandomPair(draw, p.y, b, d)
		if !s.between(p, a, b, c, d) {
			return nil
		}
	}
	if !s.holds(ctx, p, p.x, p.y) {
		return nil
	}
	return s
}

// between reports whether the kernels of the points (a, b) and (c, d) are the products.
func (s *split) between(p *Posterior, a, b, c, d []float64) bool {
	kx, ky := p.f.At(problem.Beside(a, s.y0), problem.Beside(c, s.y0)), p.f.At(problem.Beside(s.x0, b), problem.Beside(s.x0, d))/s.unit
	return math.Abs(p.f.At(problem.Beside(a, b), problem.Beside(c, d))-kx*ky) <= problem.SplitTolerance*s.unit &&
		(p.q == nil || math.Abs(p.q.At(b, d)-s.q*ky) <= problem.SplitTolerance*s.q)
}

// holds reports whether the kernel of every point of xs × ys with itself is the product, which it
// is not where a local term of a sum lives, and that of some of them with points of the data: one
// point of an axis makes a product of any kernel, which is none at other points. It ends with ctx.
func (s *split) holds(ctx context.Context, p *Posterior, xs, ys mesh.Mesh) bool {
	f, draw := p.f, rand.New(rand.NewPCG(1, 4))
	a, b, c, d := problem.PointOf(xs), problem.PointOf(ys), problem.PointOf(p.x), problem.PointOf(p.y)
	for range problem.SplitPairs {
		xs.Point(a, draw.IntN(xs.Size()))
		ys.Point(b, draw.IntN(ys.Size()))
		p.x.Point(c, draw.IntN(p.x.Size()))
		p.y.Point(d, draw.IntN(p.y.Size()))
		if !s.between(p, a, b, c, d) || !s.between(p, a, b, a, b) {
			return false
		}
	}
	x, columns := problem.PointOf(xs), ys.Columns()
	own := func(dst, x []float64) { // of (x, y) for all y
		at := make([]expr.Operand, 0, len(x)+len(columns))
		for _, v := range x {
			at = append(at, expr.Operand{Scalar: v})
		}
		for _, c := range columns {
			at = append(at, expr.Operand{Vector: c})
		}
		f.Block(dst, at, at)
	}
	ky, row := make([]float64, ys.Size()), make([]float64, ys.Size())
	own(ky, s.x0)
	for i := range xs.Size() {
		if ctx.Err() != nil {
			return false
		}
		xs.Point(x, i)
		own(row, x)
		at := problem.Beside(x, s.y0)
		kx := f.At(at, at) / s.unit
		for k, v := range ky {
			if math.Abs(row[k]-kx*v) > problem.SplitTolerance*s.unit {
				return false
			}
		}
	}
	return true
}
