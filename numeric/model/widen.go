package model

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// widen lets the bands of an output know how uncertain the sizes of its terms are, and that of β,
// where they were chosen: the likelihood is often greatest where a small term is nothing, with a
// band as narrow, or where β is but a constant, and what the groups have in common is then theirs.
// A band is the mean over sizes that the likelihood allows (see [criteria.Components.Plausible]).
func (s *Spec) widen(b *block, e *fit.Estimate, d *dataset.Dataset, sum kernels.DirectSum) {
	if s.Lambda > 0 {
		return
	}
	if b.coupling != nil {
		s.widenCoupled(b, e, d, sum)
		return
	}
	e.WithOthers(func(ctx context.Context, others func(share float64, e *fit.Estimate)) error {
		q := s.question(b)
		if b.cutOff != nil {
			q.Outs = []*dataset.Field{b.cutOff}
		}
		q.Flat = interceptOf(e) == fit.Flat
		all, few, err := q.Plausible(ctx, b.factors, e.Report.Lambda, e.Report.Rho)
		if err != nil {
			return fmt.Errorf("std: %w", err)
		}
		values := float64(outputs.Count(d))
		if interceptOf(e) == fit.Flat {
			values--
		}
		base, amplitude := e.Report.Objective, e.Report.Objective/values
		if few && e.Report.Amplitude > 0 { // of a loss other than squares, whose objective is another
			at := s.specOf(b, d, sum)
			at.Lambda, at.Rho, at.Intercept = e.Report.Lambda, e.Report.Rho, interceptOf(e)
			own, err := fit.Minimise(ctx, at)
			if err != nil {
				return err
			}
			base, amplitude = own.Report.Objective, e.Report.Amplitude
		}
		for i, p := range all {
			progress.Report(ctx, progress.Step{Task: "other sizes of the terms", Done: float64(i), Total: float64(len(all))})
			own := term.Sum(p.Terms, p.Factors, b.mesh())
			at := s.specOf(b, d, own)
			at.Lambda, at.Rho, at.Intercept = e.Report.Lambda, p.Rho, interceptOf(e)
			if s.Rho > 0 {
				at.Rho = e.Report.Rho
			}
			other, err := fit.Minimise(ctx, at)
			if err != nil {
				return err
			}
			switch r := &other.Report; {
			case !few:
				r.Amplitude = e.Report.Amplitude // of a loss other than squares, which this fit is not of
			case base > 0:
				more := criteria.Wider(values) * r.Objective / base
				r.Amplitude, r.Sigma = more*amplitude, e.Report.Sigma*math.Sqrt(more)
			}
			others(p.Share, other)
		}
		return nil
	})
}

// widenCoupled is widen for outputs that are coupled, and for β alone: a standard deviation of its size has both
// that which is likeliest and one as large as the data allow.
func (s *Spec) widenCoupled(b *block, e *fit.Estimate, d *dataset.Dataset, sum kernels.DirectSum) {
	if s.NoBias || s.Rho > 0 {
		return
	}
	e.WithOthers(func(ctx context.Context, others func(share float64, e *fit.Estimate)) error {
		lambda, rho := e.Report.Lambda, e.Report.Rho
		upper, err := s.question(b).Upper(ctx, b.coupling, lambda, rho)
		if err != nil {
			return fmt.Errorf("std: %w", err)
		}
		at := s.specOf(b, d, sum)
		at.Lambda, at.Rho, at.Intercept = lambda, rho/math.Exp(upper), interceptOf(e)
		other, err := fit.Minimise(ctx, at)
		if err != nil {
			return err
		}
		other.Report.Amplitude = e.Report.Amplitude
		others(.5, other)
		return nil
	})
}

// interceptOf tells whether the bias of a fit has a constant that is not penalised.
func interceptOf(e *fit.Estimate) fit.Intercept {
	s, _ := e.Learned()
	return s.Intercept
}
