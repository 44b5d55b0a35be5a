package posterior

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	// mostFactored bounds the data whose covariance is factored: a matrix of 288 MB.
	mostFactored = 6000
	// factoredPerFunctional is for how many data at most, of those, a functional is worth it.
	factoredPerFunctional = 30
	// leastFactored is the part of a prior variance that must be left for the factored
	// matrix, with its rounding, to tell it to a percent.
	leastFactored = 1e-10
	// leastData is below how many data all are factored: nothing is gained.
	leastData = 600
)

// factored is all the data; nil where rounding leaves no factor. Cost: a product with the
// matrix for each of its n rows, and n³/3 operations.
func (p *Posterior) factored(ctx context.Context) (*conditioned, error) {
	n, _ := p.a.Dims()
	a := mat.NewSymDense(n, nil)
	err := gram.EachProduct(ctx, n, p.x.Size()*p.y.Size(), func(i int) {
		e, row := make([]float64, n), make([]float64, n)
		e[i] = 1
		p.a.Apply(ctx, row, e)
		for j := i; j < n; j++ {
			a.SetSym(i, j, row[j])
		}
		if row[i] == 0 { // it was not observed
			a.SetSym(i, i, 1)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("std: %w", err)
	}
	whole, err := linop.Cholesky(ctx, a)
	if err := linop.Stopped(ctx); err != nil {
		return nil, fmt.Errorf("std: %w", err)
	}
	if err != nil {
		return nil, nil
	}
	c := &conditioned{factor: whole, least: leastFactored}
	if e := p.dataOfConstant(); e != nil {
		x := mat.NewVecDense(n, nil)
		if err := whole.SolveVecTo(x, mat.NewVecDense(n, e)); err == nil {
			c.constant = &constant{me: x.RawVector().Data, size: mat.Dot(x, mat.NewVecDense(n, e))}
		} else if c.constant, err = p.free(ctx); err != nil { // rounding is in the way
			return nil, fmt.Errorf("std: %w", err)
		}
	}
	return c, nil
}

// reduced is the covariances with these data, a column for each row of those with all.
func (c *conditioned) reduced(ctx context.Context, with *mat.Dense) *mat.Dense {
	if c.gather == nil {
		return mat.DenseCopyOf(with.T())
	}
	count, _ := with.Dims()
	h := mat.NewDense(c.factor.SymmetricDim(), count, nil)
	for i := range count {
		h.SetCol(i, c.gather(ctx, with.RawRowView(i)))
	}
	return h
}

// variances stores the variances over τ² of functionals of some prior variances, whose
// covariances with the data are the columns of h, which is overwritten; 0 where rounding hides
// them.
func (c *conditioned) variances(ctx context.Context, dst, prior []float64, h *mat.Dense, times float64) error {
	left := make([]float64, len(prior)) // of the free constant
	if c.constant != nil {
		var me mat.VecDense
		me.MulVec(h.T(), mat.NewVecDense(len(c.constant.me), c.constant.me))
		for i := range left {
			left[i] = times - me.AtVec(i)
		}
	}
	if err := linop.ForwardSolve(ctx, c.factor, h); err != nil {
		return fmt.Errorf("std: %w", err)
	}
	floats.SubTo(dst, prior, linop.SquaresOfColumns(h))
	for i, v := range dst {
		switch {
		case !(v > c.least*prior[i]):
			dst[i] = 0
		case c.constant != nil:
			dst[i] += left[i] * left[i] / c.constant.size
		}
	}
	return linop.Stopped(ctx)
}

// few reports whether all data are factored: nothing is gained by leaving some out.
func (p *Posterior) few() bool {
	n, _ := p.a.Dims()
	return n <= leastData
}
