package assess

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// beyond is what outputs on landmarks are without: how many values, and the means over pairs of the squares of these, and of those
// around the mean curve.
type beyond struct {
	values       int
	left, around float64
}

// metricOf is the quadratic form ∫ m mᵀ dy by which the coefficients of outputs on landmarks have the squares of these outputs:
// the inverse of the covariance of their errors, with so many values beyond them. It is nil where outputs are as they were given.
// The error is the context's.
func metricOf(ctx context.Context, d *dataset.Dataset, values int) (*mat.SymDense, error) {
	if values == 0 || d.Errors == nil || d.Errors.Covariance == nil {
		return nil, nil
	}
	root, err := linop.Cholesky(ctx, d.Errors.Covariance)
	if err != nil {
		return nil, linop.Stopped(ctx)
	}
	f, err := linop.InverseFactor(ctx, root)
	if err != nil {
		return nil, err
	}
	return linop.Symmetric(linop.Product(ctx, f.T(), f)), linop.Stopped(ctx)
}

// sumOfSquares is that of the rows of u less what is taken from them, by weights of the points, or by a metric where there is one.
func sumOfSquares(u *mat.Dense, w []float64, metric *mat.SymDense, less func(i, k int) float64) (sum float64) {
	if metric == nil {
		each(u, func(i, k int, v float64) { sum += w[k] * (v - less(i, k)) * (v - less(i, k)) })
		return sum
	}
	n, m := u.Dims()
	row := mat.NewVecDense(m, nil)
	for i := range n {
		for k := range m {
			row.SetVec(k, u.At(i, k)-less(i, k))
		}
		sum += mat.Inner(row, metric, row)
	}
	return sum
}

// weighted tells whether the errors of the outputs were given as others than white.
func weighted(of Subject, r *fit.Residuals) bool {
	e := r.Data.Errors
	if own, ok := of.(*fit.Estimate); ok && r.Beyond.Values > 0 { // on landmarks white errors have a covariance
		e = own.Errors()
	}
	return e != nil && (e.Pairs != nil || e.Points != nil || e.Values != nil || e.Covariance != nil)
}
