package noise

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// robust chooses the kernel, λ and the standard deviation of the noise from data whose residuals
// are cut off, by Huber's loss and then by that of outliers, and minimises that there.
func robust(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	given := s.Data
	var e *fit.Estimate
	var whole dataset.Dataset
	var cut *Cut
	tame, err := Tamed(given.Output)
	if err != nil {
		return nil, err
	}
	begin := *given
	begin.Output, s.Data = tame, &begin
	own := s
	for i := range HuberRounds {
		round, end := progress.During(ctx, "round")
		e, err = find(round, own, Choice{Kind: c.Kind})
		end()
		if err != nil {
			return nil, err
		}
		whole = *given
		whole.Errors = e.Errors()
		cut, err = CutOff(ctx, own, e, &whole, given.Errors, i+1)
		switch {
		case err != nil:
			return nil, err
		case cut == nil && own.Lambda == s.Lambda && own.Rho == s.Rho:
			return e, nil
		case cut == nil: // there is no noise beside which penalties are less
			s.Data = own.Data
			return find(ctx, s, Choice{Kind: c.Kind})
		}
		own.Data = cut.Data
		own.Lambda, own.Rho = cut.Beside(s.Lambda, s.Rho)
	}
	s.Data = own.Data
	return Minimise(ctx, s, e, &whole, cut)
}
