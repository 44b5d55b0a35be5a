package optimize

import (
	"context"
	"fmt"
	"math"
)

// Solve looks for a zero of as many functions as there are variables near x0, by the
// method of LeastSquares. It is an error if the nearest it gets is no zero.
func Solve(ctx context.Context, f Residuals, x0 []float64) (*Fit, error) {
	if f.N != len(x0) {
		return nil, fmt.Errorf("%d equations for %d unknowns: want as many", f.N, len(x0))
	}
	start := make([]float64, f.N)
	if err := f.F(x0, start); err != nil {
		return nil, err
	}
	fit, err := LeastSquares(ctx, f, x0, Options{})
	if err != nil {
		return nil, err
	}
	n := len(x0)
	for i, r := range fit.Residuals {
		size := math.Abs(start[i])
		for j, x := range fit.X {
			size = max(size, math.Abs(fit.Jacobian[i*n+j]*x))
		}
		if math.Abs(r) > 1e-8*size {
			return fit, fmt.Errorf("no zero found: nearest at x = %s, where f = %s; start elsewhere", show(fit.X), show(fit.Residuals))
		}
	}
	return fit, nil
}
