package fit

import (
	"context"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// chooser is a way to come by λ and ρ.
type chooser func(ctx context.Context, p *problem.Posed) (*problem.Chosen, error)

// posedAndSolved is the fit of a spec that leaves nothing open but λ and ρ.
func posedAndSolved(ctx context.Context, s *Spec, choose chooser) (*Estimate, *problem.Posed, error) {
	start := time.Now()
	setting := s.setting()
	p, err := pose.New(ctx, setting)
	if err != nil {
		return nil, nil, err
	}
	setup := time.Since(start)
	e, err := estimated(ctx, p, choose)
	if err != nil {
		return nil, nil, err
	}
	e.Report.Times.Setup = setup.Seconds()
	if m := e.Report.unmeasured; m != nil {
		m.of(setting)
	}
	return e, p, nil
}

// estimated is the estimate of a problem.
func estimated(ctx context.Context, p *problem.Posed, choose chooser) (*Estimate, error) {
	start := time.Now()
	within, end := progress.During(ctx, "choice of lambda")
	c, err := choose(within, p)
	end()
	if err != nil {
		return nil, err
	}
	chosen := time.Now()
	within, end = progress.During(ctx, "solve")
	c, x, err := p.SolveChosen(within, c)
	end()
	if err != nil {
		return nil, err
	}
	solved := time.Now()
	e, err := certified(ctx, p, c, x)
	if err != nil {
		return nil, err
	}
	t := &e.Report.Times
	t.Lambda, t.Solve, t.Certificate = chosen.Sub(start).Seconds(), solved.Sub(chosen).Seconds(), time.Since(solved).Seconds()
	return e, nil
}
