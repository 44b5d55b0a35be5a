package fit

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// ExpectedProducts are how many products with the system a fit is expected to make, of the solver and to choose λ.
func ExpectedProducts(ctx context.Context, s Spec) (steps, choosing float64, err error) {
	w, err := s.work(ctx)
	if err != nil {
		return 0, 0, err
	}
	p := w.plan()
	return p.steps, p.choosing, nil
}

// ExpectedWork is what a fit is expected to take on the processor that costs are of, whatever this one does.
func ExpectedWork(ctx context.Context, s Spec) progress.Cost { return s.expected(ctx) }

// Others are what an estimate of few outputs may be instead, with their shares.
func (e *Estimate) Others(ctx context.Context) (shares []float64, all []*Estimate, err error) {
	others, err := e.learned.others.get(ctx)
	for _, o := range others {
		shares, all = append(shares, o.share), append(all, o.estimate)
	}
	return shares, all, err
}
