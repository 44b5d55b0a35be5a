package sparse

import "context"

// SolveVector stores the solution of A x = b in x.
func (f *Factors) SolveVector(ctx context.Context, x, b []float64) error {
	return f.solveVector(ctx, x, b)
}
