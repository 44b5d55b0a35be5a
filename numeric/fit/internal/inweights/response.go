package inweights

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// response is what the data see of G, ended by contexts as operators are: the linear map from
// the values of G, scaled by the square roots of the quadrature weights of their meshes, to the
// outputs, scaled by dy^½/√n. With time invariance it is a [lattice.Convolution].
type response interface {
	// Outputs is the length of a response.
	Outputs() int
	// Apply stores the outputs of g, mx × my, in dst.
	Apply(ctx context.Context, dst, g []float64)
	// Adjoint stores the transpose applied to r in dst.
	Adjoint(ctx context.Context, dst, r []float64)
	// Energies returns the squared norm of the response to u_a ⊗ v_k for the
	// orthonormal columns of u and the modes of v, mx × my. mask, by points of the
	// last axis of v, multiplies them first; nil is one. The error is the context's.
	Energies(ctx context.Context, u *mat.Dense, v gram.Basis, mask []float64) (*mat.Dense, error)
}

// pointwise is G ↦ C G with C = F dx^½/√n, reduced to its independent rows.
type pointwise struct {
	c  *mat.Dense // r × mx
	my int
}

func (p pointwise) Outputs() int { r, _ := p.c.Dims(); return r * p.my }

func (p pointwise) Apply(ctx context.Context, dst, g []float64) {
	r, mx := p.c.Dims()
	_ = linop.MulContext(ctx, mat.NewDense(r, p.my, dst), p.c, mat.NewDense(mx, p.my, g))
}

func (p pointwise) Adjoint(ctx context.Context, dst, res []float64) {
	r, mx := p.c.Dims()
	_ = linop.MulContext(ctx, mat.NewDense(mx, p.my, dst), p.c.T(), mat.NewDense(r, p.my, res))
}

func (p pointwise) Energies(ctx context.Context, u *mat.Dense, _ gram.Basis, _ []float64) (*mat.Dense, error) {
	cu := linop.Product(ctx, p.c, u)
	r, modes := cu.Dims()
	nu := mat.NewDense(modes, p.my, nil)
	for a := range modes {
		sum := 0.0
		for i := range r {
			sum += cu.At(i, a) * cu.At(i, a)
		}
		row := nu.RawRowView(a)
		for k := range row {
			row[k] = sum
		}
	}
	return nu, linop.Stopped(ctx)
}

// Marginal is CᵀC on one axis of the inputs, of n points, summed over the other axes: so many
// points before it and after.
func (p pointwise) Marginal(ctx context.Context, before, n, after int) *mat.Dense {
	r, _ := p.c.Dims()
	rows := mat.NewDense(r*before*after, n, nil)
	for i, v := range p.c.RawMatrix().Data {
		k := i / after % n
		rows.Set(i/(n*after)*after+i%after, k, v)
	}
	return linop.Product(ctx, rows.T(), rows)
}
