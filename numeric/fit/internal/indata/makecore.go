package indata

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// MaxCoreOutputs bounds the output points for which a core is formed: its
// factors are square matrices of that size. Landmarks are as many as it takes.
const MaxCoreOutputs = 600

// LeastFewer is how many times fewer inputs than their points there must be for products with the kernel to be made
// between the inputs.
const LeastFewer = 2

// makeCore holds the operator in the bases of the system, where that pays; weighted is
// dy^½ V.
func (sys *System) makeCore(ctx context.Context, weighted gram.Basis) error {
	var err error
	if sys.My > MaxCoreOutputs && sys.more == 0 {
		k, ok := sys.K.(gram.Between)
		if r, _ := sys.B.Dims(); !ok || r > sys.Mx/LeastFewer || sys.parts != nil {
			return linop.Stopped(ctx)
		}
		r, _ := sys.B.Dims()
		sys.between, err = k.Between(ctx, sys.B.Slice(0, r, 0, sys.Mx))
		return err
	}
	sys.Core, err = newCore(ctx, sys, weighted)
	return err
}

func newCore(ctx context.Context, sys *System, weighted gram.Basis) (c *core, err error) {
	c = &core{my: sys.My}
	switch k := sys.K.(type) {
	case gram.Factored:
		c.green, err = newGreenCore(ctx, sys, k, weighted)
	case gram.Ranked:
		c.factor, err = sys.image(ctx, k.Factor(), weighted, 0)
	case gram.Whole:
		whole := k.Whole()
		if r, _ := sys.B.Dims(); whole == nil || r > sys.Mx/LeastFewer {
			return nil, nil
		}
		c.matrix, err = sys.imageOfBoth(ctx, whole, weighted)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if sys.Q != nil {
		c.b, c.parts = sys.biasColumns(), sys.parts
		c.bias, err = sys.biasForm(ctx, weighted)
	}
	return c, err
}

func newGreenCore(ctx context.Context, sys *System, k gram.Factored, weighted gram.Basis) (*linop.KroneckerSum, error) {
	r, _ := sys.B.Dims()
	bx := sys.B.Slice(0, r, 0, sys.Mx)
	v := weighted.Matrix()
	as, bs := make([]*mat.Dense, k.Terms()), make([]*mat.Dense, k.Terms())
	for q := range as {
		as[q], bs[q] = linop.Sandwich(ctx, bx.T(), k.Left(q)), linop.Sandwich(ctx, v, k.Right(q))
	}
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	return linop.NewKroneckerSum(as, bs)
}

// imageOfBoth turns a symmetric matrix between weights on X × Y into that between data.
func (sys *System) imageOfBoth(ctx context.Context, k *mat.Dense, weighted gram.Basis) (*mat.Dense, error) {
	half, err := sys.image(ctx, k, weighted, 0)
	if err != nil {
		return nil, err
	}
	return sys.image(ctx, mat.DenseCopyOf(half.T()), weighted, 0)
}

// biasForm is Vᵀ dy^½ Q dy^½ V; weighted is dy^½ V.
func (sys *System) biasForm(ctx context.Context, weighted gram.Basis) (*mat.Dense, error) {
	v, qv := weighted.Matrix(), mat.NewDense(sys.My, sys.My, nil) // rows are Q v_k
	for k := range sys.My {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		sys.Q.Apply(ctx, qv.RawRowView(k), mat.Col(nil, k, v))
	}
	return linop.Product(ctx, qv, v), linop.Stopped(ctx)
}

// image turns rows of F, arrays on X × Y, into rows in the space of the data, and
// leaves room for extra ones.
func (sys *System) image(ctx context.Context, f *mat.Dense, weighted gram.Basis, extra int) (*mat.Dense, error) {
	k, _ := f.Dims()
	r := sys.Rows()
	u := mat.NewDense(k+extra, r*sys.My, nil)
	bx, v := sys.B.Slice(0, r, 0, sys.Mx), weighted.Matrix()
	for q := range k {
		left := linop.Product(ctx, bx, mat.NewDense(sys.Mx, sys.My, f.RawRowView(q)))
		if err := linop.MulContext(ctx, mat.NewDense(r, sys.My, u.RawRowView(q)), left, v); err != nil {
			return nil, err
		}
	}
	return u, nil
}
