package fit

import (
	"context"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// Fit returns the minimiser for a spec. An estimate whose solve did not reach
// the tolerance is returned all the same, with Report.Converged false and the
// reason in Report.Reason. Lengthscales that are "auto" are chosen first, by REML
// (see resolve); then the cost is multiplied by their number. Cost: a QR
// factorisation of the inputs, one product with the kernel to set the preconditioner
// up, and one for each iteration.
func Fit(ctx context.Context, s Spec) (*Estimate, error) { return afterConstraint(ctx, s, fitAsGiven) }

// Minimise is Fit without the criteria at a λ that is given, which take longer than the
// minimiser: [Report.Measured] computes them.
func Minimise(ctx context.Context, s Spec) (*Estimate, error) {
	return afterConstraint(ctx, s, minimiseAsGiven)
}

// afterConstraint is a fit once what constraint the data show is known, if that is asked for.
func afterConstraint(ctx context.Context, s Spec, by func(context.Context, Spec) (*Estimate, error)) (*Estimate, error) {
	if !s.AskConstraint {
		return by(ctx, s)
	}
	start := time.Now()
	expected := Expected(ctx, s)
	if err := expected.InTime(ctx, "fit with the search for a constraint", func() []progress.Option { return s.cheaper(ctx) }); err != nil {
		return nil, err
	}
	defer expected.Announce(ctx, "fit with the search for a constraint")()
	s, err := FindConstraint(ctx, s)
	if err != nil {
		return nil, err
	}
	took := time.Since(start).Seconds()
	e, err := by(ctx, s)
	if err != nil {
		return nil, err
	}
	e.Report.Seconds += took
	e.Report.Times.Kernel += took
	e.Report.Expected = expected
	return e, nil
}
