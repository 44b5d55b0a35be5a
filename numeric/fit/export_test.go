package fit

import "context"

// ExpectedProducts are how many products with the system a fit is expected to make, of the solver and to choose λ.
func ExpectedProducts(ctx context.Context, s Spec) (steps, choosing float64, err error) {
	w, err := s.work(ctx)
	if err != nil {
		return 0, 0, err
	}
	p := w.plan()
	return p.steps, p.choosing, nil
}
