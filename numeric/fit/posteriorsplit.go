package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The closed form of the posterior for kernels that are products: h is an outer
// product a bᵀ with a = Bᵀ-combinations of kx and b of ky, so that
// ⟨h, D⁻¹ h⟩ = Σ_ik a_i² b_k² / D_ik for all points is two matrix products.

// inputs returns kx between the rows xs and the columns ξs.
func (p *factors) inputs(xs, to mesh.Mesh) *mat.Dense {
	return p.section(xs, to, func(x []float64) []float64 { return both(x, p.split.y0) }, 1)
}

// outputs returns ky between the rows ys and the columns ηs.
func (p *factors) outputs(ys, to mesh.Mesh) *mat.Dense {
	return p.section(ys, to, func(y []float64) []float64 { return both(p.split.x0, y) }, 1/p.split.unit)
}

func (p *factors) section(rows, cols mesh.Mesh, joint func([]float64) []float64, times float64) *mat.Dense {
	k := mat.NewDense(rows.Size(), cols.Size(), nil)
	a, b := room(rows), room(cols)
	for i := range rows.Size() {
		rows.Point(a, i)
		for j := range cols.Size() {
			cols.Point(b, j)
			k.Set(i, j, times*p.f.At(joint(a), joint(b)))
		}
	}
	return k
}

// outputModes returns Vᵀ dy^½ ky(Y, y), one row for each y, and ky(y, y).
func (p *factors) outputModes(ys mesh.Mesh) (b *mat.Dense, diagonal []float64) {
	b = p.outputs(ys, p.y)
	p.sys.timesRoots(b.RawMatrix().Data)
	p.sys.v.forward(b.RawMatrix().Data)
	diagonal = make([]float64, ys.Size())
	y := room(ys)
	for i := range diagonal {
		ys.Point(y, i)
		at := both(p.split.x0, y)
		diagonal[i] = p.f.At(at, at) / p.split.unit
	}
	return b, diagonal
}

// deviations returns τ (prior - explained)^½ for the input parts a, r × inputs, of
// h, and prior = c ky(y, y). times is how often the free constant of β is part of it.
func (p *factors) deviations(a *mat.Dense, c []float64, ys mesh.Mesh, times float64) *mat.Dense {
	b, diagonal := p.outputModes(ys)
	r, n := a.Dims()
	constant := mat.NewDense(n, ys.Size(), nil)
	if p.constant != nil {
		var t mat.Dense
		linop.Mul(&t, a.T(), mat.NewDense(r, p.sys.my, p.constant.me))
		linop.Mul(constant, &t, b.T())
		constant.Apply(func(_, _ int, v float64) float64 { return (times - v) * (times - v) / p.constant.size }, constant)
	}
	var a2, t mat.Dense
	a2.MulElem(a, a)
	b.MulElem(b, b)
	inverse := mat.NewDense(r, p.sys.my, nil)
	for i, d := range p.pre.d {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	linop.Mul(&t, a2.T(), inverse)
	out := mat.NewDense(n, ys.Size(), nil)
	linop.Mul(out, &t, b.T())
	out.Apply(func(i, k int, explained float64) float64 {
		return math.Sqrt(p.tau2 * (max(c[i]*diagonal[k]-explained, 0) + constant.At(i, k)))
	}, out)
	return out
}

// inputPart returns B kx, r × inputs, over λ, for columns kx on X.
func (p *factors) inputPart(kx mat.Matrix) *mat.Dense {
	r, _ := p.sys.b.Dims()
	var a mat.Dense
	linop.Mul(&a, p.sys.b.Slice(0, r, 0, p.sys.mx), kx)
	a.Scale(1/p.sys.lambda, &a)
	return &a
}

func (p *factors) splitStd(xs, ys mesh.Mesh) *mat.Dense {
	c, x := make([]float64, xs.Size()), room(xs)
	for i := range c {
		xs.Point(x, i)
		at := both(x, p.split.y0)
		c[i] = p.f.At(at, at) / p.sys.lambda
	}
	return p.deviations(p.inputPart(p.inputs(p.x, xs)), c, ys, 0)
}

// splitPredictStd takes inputs multiplied by quadrature weights.
func (p *factors) splitPredictStd(weighted *mat.Dense, xs, ys mesh.Mesh) *mat.Dense {
	n, _ := weighted.Dims()
	var k, own mat.Dense
	linop.Mul(&k, p.inputs(p.x, xs), weighted.T()) // mx × n
	linop.Mul(&own, p.inputs(xs, xs), weighted.T())
	a, c := p.inputPart(&k), make([]float64, n)
	for i := range c {
		c[i] = mat.Dot(weighted.RowView(i), own.ColView(i)) / p.sys.lambda
	}
	if p.q != nil {
		r, cols := p.sys.b.Dims()
		share := p.split.q / p.sys.rho
		for i := range r {
			for j := range n {
				a.Set(i, j, a.At(i, j)+share*p.sys.b.At(i, cols-1))
			}
		}
		for i := range c {
			c[i] += share
		}
	}
	return p.deviations(a, c, ys, 1)
}
