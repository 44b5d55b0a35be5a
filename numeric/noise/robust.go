package noise

import (
	"context"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// robust chooses the kernel, λ and the standard deviation of the noise from data whose residuals
// are cut off, and minimises Huber's loss there.
func robust(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	given := s.Data
	var e *fit.Estimate
	var whole dataset.Dataset
	var k float64
	tame, err := Tamed(given.Output)
	if err != nil {
		return nil, err
	}
	begin := *given
	begin.Output, s.Data = tame, &begin
	for range HuberRounds {
		if e, err = find(ctx, s, Choice{Kind: c.Kind}); err != nil {
			return nil, err
		}
		whole = *given
		whole.Errors = e.Errors()
		cut, at, err := CutOff(ctx, s, e, &whole, given.Errors)
		if err != nil || cut == nil {
			return e, err
		}
		s.Data, k = cut, at
	}
	return Minimise(ctx, s, e, &whole, k)
}
