package optimize

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Solve looks for a zero of as many functions as there are variables near x0, by the
// method of LeastSquares. It is an error if the nearest it gets is no zero.
func Solve(ctx context.Context, f Residuals, x0 []float64) (*Fit, error) {
	if f.N != len(x0) {
		return nil, fmt.Errorf("%d equations for %d unknowns: want as many", f.N, len(x0))
	}
	fit, err := LeastSquares(ctx, f, x0, Options{})
	if err != nil {
		return nil, err
	}
	noise, err := fit.noise(f)
	if err != nil {
		return nil, err
	}
	n := len(x0)
	for i, r := range fit.Residuals {
		size := 0.0 // of what a step to the zero may still be, against x and the way to it
		for j, x := range fit.X {
			size = max(size, math.Abs(fit.Jacobian[i*n+j])*max(math.Abs(x), math.Abs(x0[j])))
		}
		if math.Abs(r) > max(1e-8*size, 10*noise[i]) {
			return fit, fmt.Errorf("no zero found: nearest at x = %s, where f = %s; start elsewhere", show(fit.X), show(fit.Residuals))
		}
	}
	return fit, nil
}

// noise is how much the residuals change when the variables do by a few roundings.
func (f *Fit) noise(r Residuals) ([]float64, error) {
	noise, at := make([]float64, r.N), make([]float64, r.N)
	for _, by := range []float64{1 + 0x1p-51, 1 - 0x1p-51, 1 + 0x1p-49, 1 - 0x1p-49} {
		x := slices.Clone(f.X)
		for j := range x {
			x[j] *= by
		}
		if err := r.F(x, at); err != nil {
			return nil, err
		}
		for i, v := range at {
			if d := math.Abs(v - f.Residuals[i]); d > noise[i] {
				noise[i] = d
			}
		}
	}
	return noise, nil
}
