package fit

import (
	"context"
	"time"
)

// penalties is a way to come by λ and ρ.
type penalties func(ctx context.Context, p *posed) (*chosen, error)

// posedAndSolved is the fit of a spec that leaves nothing open but λ and ρ.
func posedAndSolved(ctx context.Context, s *Spec, choose penalties) (*Estimate, *posed, error) {
	start := time.Now()
	p, err := pose(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	setup := time.Since(start)
	e, err := p.solved(ctx, choose)
	if err != nil {
		return nil, nil, err
	}
	e.Report.Times.Setup = setup.Seconds()
	return e, p, nil
}

// solved is the estimate of a problem.
func (p *posed) solved(ctx context.Context, choose penalties) (*Estimate, error) {
	start := time.Now()
	c, err := choose(ctx, p)
	if err != nil {
		return nil, err
	}
	chosen := time.Now()
	c, x, err := p.solveChosen(ctx, c)
	if err != nil {
		return nil, err
	}
	solved := time.Now()
	e, err := p.certified(ctx, c, x)
	if err != nil {
		return nil, err
	}
	t := &e.Report.Times
	t.Lambda, t.Solve, t.Certificate = chosen.Sub(start).Seconds(), solved.Sub(chosen).Seconds(), time.Since(solved).Seconds()
	return e, nil
}
