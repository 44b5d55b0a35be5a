package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// maxCoreOutputs bounds the output points for which a core is formed: its
// factors are square matrices of that size. Landmarks are as many as it takes.
const maxCoreOutputs = 600

// leastFewer is how many times fewer inputs than their points there must be for products with the kernel to be made
// between the inputs.
const leastFewer = 2

// makeCore holds the operator in the bases of the system, where that pays; weighted is
// dy^½ V.
func (sys *system) makeCore(ctx context.Context, weighted gram.Basis) error {
	var err error
	if sys.my > maxCoreOutputs && sys.more == 0 {
		k, ok := sys.k.(gram.Between)
		if r, _ := sys.b.Dims(); !ok || r > sys.mx/leastFewer || sys.parts != nil {
			return linop.Stopped(ctx)
		}
		r, _ := sys.b.Dims()
		sys.between, err = k.Between(ctx, sys.b.Slice(0, r, 0, sys.mx))
		return err
	}
	sys.core, err = newCore(ctx, sys, weighted)
	return err
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
	if sys.q != nil {
		c.b, c.parts = sys.biasColumns(), sys.parts
		c.bias, err = sys.biasForm(ctx, weighted)
	}
	return c, err
}

func newGreenCore(ctx context.Context, sys *system, k gram.Factored, weighted gram.Basis) (*linop.KroneckerSum, error) {
	r, _ := sys.b.Dims()
	bx := sys.b.Slice(0, r, 0, sys.mx)
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

// biasForm is Vᵀ dy^½ Q dy^½ V; weighted is dy^½ V.
func (sys *system) biasForm(ctx context.Context, weighted gram.Basis) (*mat.Dense, error) {
	v, qv := weighted.Matrix(), mat.NewDense(sys.my, sys.my, nil) // rows are Q v_k
	for k := range sys.my {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		sys.q.Apply(ctx, qv.RawRowView(k), mat.Col(nil, k, v))
	}
	return linop.Product(ctx, qv, v), linop.Stopped(ctx)
}

// image turns rows of F, arrays on X × Y, into rows in the space of the data, and
// leaves room for extra ones.
func (sys *system) image(ctx context.Context, f *mat.Dense, weighted gram.Basis, extra int) (*mat.Dense, error) {
	k, _ := f.Dims()
	r := sys.rows()
	u := mat.NewDense(k+extra, r*sys.my, nil)
	bx, v := sys.b.Slice(0, r, 0, sys.mx), weighted.Matrix()
	for q := range k {
		left := linop.Product(ctx, bx, mat.NewDense(sys.mx, sys.my, f.RawRowView(q)))
		if err := linop.MulContext(ctx, mat.NewDense(r, sys.my, u.RawRowView(q)), left, v); err != nil {
			return nil, err
		}
	}
	return u, nil
}
