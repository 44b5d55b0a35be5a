package fit

import "context"

// penalties is a way to come by λ and ρ.
type penalties func(ctx context.Context, p *posed) (*chosen, error)

// posedAndSolved is the fit of a spec that leaves nothing open but λ and ρ.
func posedAndSolved(ctx context.Context, s *Spec, choose penalties) (*Estimate, *posed, error) {
	p, err := pose(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	e, err := p.solved(ctx, choose)
	return e, p, err
}

// solved is the estimate of a problem.
func (p *posed) solved(ctx context.Context, choose penalties) (*Estimate, error) {
	c, err := choose(ctx, p)
	if err != nil {
		return nil, err
	}
	c, x, err := p.solveChosen(ctx, c)
	if err != nil {
		return nil, err
	}
	return p.certified(ctx, c, x)
}
