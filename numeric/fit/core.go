package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/linop"
)

// maxCoreOutputs bounds the output points for which a core is formed: its
// factors are square matrices of that size.
const maxCoreOutputs = 600

// core is S K̄ Sᵀ in the bases of the system for K = Σ_q Kx_q ⊗ Ky_q:
//
//	Σ_q (B Kx_q Bᵀ) ⊗ (Vᵀ dy^½ Ky_q dy^½ V) / λ + (b bᵀ) ⊗ (Vᵀ dy^½ Q dy^½ V) / ρ
//
// with b the bias column of B. A product needs neither B nor the bases any more,
// and for a separable kernel every factor is diagonal to rounding.
type core struct {
	green  *linop.KroneckerSum
	factor *mat.Dense // the image of F instead, k × r my, for K = Fᵀ F
	bias   *mat.Dense // my × my; nil without bias
	b      []float64  // the bias column of B, length r
	my     int
}

func newCore(ctx context.Context, sys *system, weighted gram.Basis) (c *core, err error) {
	c = &core{my: sys.my}
	switch k := sys.k.(type) {
	case gram.Factored:
		c.green, err = newGreenCore(ctx, sys, k, weighted)
	case gram.Ranked:
		c.factor, err = sys.image(ctx, k.Factor(), weighted, 0)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c, c.addBias(ctx, sys, weighted.Matrix())
}

func newGreenCore(ctx context.Context, sys *system, k gram.Factored, weighted gram.Basis) (*linop.KroneckerSum, error) {
	r, _ := sys.b.Dims()
	bx := sys.b.Slice(0, r, 0, sys.mx)
	v := weighted.Matrix()
	as, bs := make([]*mat.Dense, k.Terms()), make([]*mat.Dense, k.Terms())
	var tx, ty mat.Dense
	for q := range as {
		var err error
		if as[q], err = sandwich(ctx, &tx, bx.T(), k.Left(q)); err != nil {
			return nil, err
		}
		if bs[q], err = sandwich(ctx, &ty, v, k.Right(q)); err != nil {
			return nil, err
		}
	}
	return linop.NewKroneckerSum(as, bs)
}

// addBias forms the part of the bias; v is dy^½ V.
func (c *core) addBias(ctx context.Context, sys *system, v *mat.Dense) error {
	if sys.q == nil {
		return nil
	}
	_, cols := sys.b.Dims()
	c.b = mat.Col(nil, cols-1, sys.b)
	qv := mat.NewDense(sys.my, sys.my, nil) // rows are Q v_k
	for i := range sys.my {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		sys.q.Apply(ctx, qv.RawRowView(i), mat.Col(nil, i, v))
	}
	c.bias = mat.NewDense(sys.my, sys.my, nil)
	return linop.MulContext(ctx, c.bias, qv, v)
}

// sandwich returns aᵀ m a; t is scratch memory, empty or of the size of m a.
func sandwich(ctx context.Context, t *mat.Dense, a, m mat.Matrix) (*mat.Dense, error) {
	var out mat.Dense
	if err := linop.MulContext(ctx, t, m, a); err != nil {
		return nil, err
	}
	return &out, linop.MulContext(ctx, &out, a.T(), t)
}

func (c *core) apply(ctx context.Context, dst, z []float64, lambda, rho float64) {
	if c.factor != nil {
		k, _ := c.factor.Dims()
		t := make([]float64, k)
		linop.Dense{M: c.factor}.Apply(ctx, t, z)
		linop.Dense{M: c.factor}.ApplyTranspose(ctx, dst, t)
	} else {
		c.green.Apply(ctx, dst, z)
	}
	scale(dst, 1/lambda)
	if c.bias == nil {
		return
	}
	sum := make([]float64, c.my) // bᵀ Z
	for i, b := range c.b {
		for k := range sum {
			sum[k] += b * z[i*c.my+k]
		}
	}
	q := mat.NewVecDense(c.my, nil)
	q.MulVec(c.bias, mat.NewVecDense(c.my, sum))
	for i, b := range c.b {
		for k := range sum {
			dst[i*c.my+k] += b / rho * q.AtVec(k)
		}
	}
}
