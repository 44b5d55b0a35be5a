package indata

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// core is S K̄ Sᵀ in the bases of the system for K = Σ_q Kx_q ⊗ Ky_q:
//
//	Σ_q (B Kx_q Bᵀ) ⊗ (Vᵀ dy^½ Ky_q dy^½ V) / λ + (b bᵀ) ⊗ (Vᵀ dy^½ Q dy^½ V) / ρ
//
// with b the bias column of B, or that of the part of β that a mode belongs to. A product needs neither B nor the bases any more,
// and for a separable kernel every factor is diagonal to rounding. A kernel that has no factors is held as the matrix that
// it is between the data.
type core struct {
	green  *linop.KroneckerSum
	factor *mat.Dense // the image of F instead, k × r my, for K = Fᵀ F
	matrix *mat.Dense // or the matrix, r my × r my
	bias   *mat.Dense // my × my; nil without bias
	b      *mat.Dense // the bias columns of B, r × 1, or one for each part
	parts  *BiasParts // that the modes of the outputs belong to; nil: there is one
	my     int
}

func (c *core) apply(ctx context.Context, dst, z []float64, lambda, rho float64) {
	switch {
	case c.factor != nil:
		k, _ := c.factor.Dims()
		t := make([]float64, k)
		linop.Dense{M: c.factor}.Apply(ctx, t, z)
		linop.Dense{M: c.factor}.ApplyTranspose(ctx, dst, t)
	case c.matrix != nil:
		linop.Dense{M: c.matrix}.Apply(ctx, dst, z)
	default:
		c.green.Apply(ctx, dst, z)
	}
	floats.Scale(1/lambda, dst)
	if c.bias == nil {
		return
	}
	sum := make([]float64, c.my) // bᵀ Z
	rows, _ := c.b.Dims()
	for i := range rows {
		b := c.b.RawRowView(i)
		for k := range sum {
			sum[k] += b[c.parts.Of(k)] * z[i*c.my+k]
		}
	}
	q := mat.NewVecDense(c.my, nil)
	q.MulVec(c.bias, mat.NewVecDense(c.my, sum))
	for i := range rows {
		b := c.b.RawRowView(i)
		for k := range sum {
			dst[i*c.my+k] += b[c.parts.Of(k)] / rho * q.AtVec(k)
		}
	}
}
