package inweights

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// ExactSpectrum is the data, weights, or combinations of what was observed, of which all eigenvalues are computed.
const ExactSpectrum = 1000

const (
	probeEntries   = 20000 // random entries that a trace is estimated from, at least
	maxProbes      = 8
	maxDirections  = 300     // in the space
	maxSpace       = 1 << 28 // numbers in it: two gigabytes
	calmRounds     = 3       // in which nothing changes
	settledChange  = 0.01    // of λ and of the effective degrees of freedom, relative
	settledPenalty = 0.03    // change of the quadratic form, relative to the penalty's part of it
	settledFreedom = 0.002   // of a probe that needs no more directions for now
	movedRatio     = 0.05    // decades that ρ/λ moves for the space to grow again
	maxRatios      = 4       // times that it does
	lambdaDecades  = 12.     // of λ, where weights are found by iterations alone; below, these lose their digits
)

// spectrum is the rules of a constrained fit, by its operator A in the space of the data:
// small problems have all eigenvalues, others those of a growing space of weights, in which
// the problem is solved for T and for random vectors of signs.
type spectrum struct {
	criteria.Rules
	lambda float64   // the best by the criterion asked for, or the given one
	space  *galerkin // nil with all eigenvalues

	eigen     *criteria.Eigenbasis // in place of the rules; nil: these are
	unsettled bool                 // the choice in that
}

func (w *Space) newSpectrum(ratio float64) *spectrum {
	s := &spectrum{Rules: criteria.Rules{RSS0: w.RSS0, Outputs: w.Outputs(), Values: w.Outputs(), Ratio: ratio}}
	if w.Flat != nil {
		s.Values--
	}
	return s
}

// newGrowing is a spectrum with a space that is empty.
func (w *Space) newGrowing(ratio float64) *spectrum {
	s := w.newSpectrum(ratio)
	s.Sampled = true
	rhs, data := [][]float64{w.T}, len(w.T)
	for i := range min(maxProbes, (probeEntries+data-1)/data) {
		probe := criteria.Signs(data, uint64(i))
		if w.d != nil {
			floats.Mul(probe, w.d.Mask())
		}
		w.Flat.Project(probe)
		rhs = append(rhs, probe)
	}
	s.space = newGalerkin(w, rhs)
	return s
}

// grow lets the space grow until the choice in it is settled, with ρ/λ where that is free.
func (s *spectrum) grow(ctx context.Context, spec *problem.Setting, q criteria.Search, unit float64) (criteria.Choice, error) {
	n, _ := s.space.w.Dims()
	most := min(maxDirections, gram.MemoryShare(.25, maxSpace)/(n+len(s.space.w.T)))
	for range maxRatios {
		if err := s.follow(ctx, spec, q, most); err != nil {
			return criteria.Choice{}, err
		}
		if unit == 0 {
			break
		}
		before := s.Ratio
		if err := s.balance(ctx, spec, q, unit); err != nil {
			return criteria.Choice{}, err
		}
		if math.Abs(math.Log10(s.Ratio/before)) <= movedRatio {
			break
		}
	}
	q.Penalty.Ratio = s.Ratio
	ch, err := q.Along(ctx, fixed{s})
	ch.Lambda, ch.Unit, ch.Unsettled = s.lambda, unit, !s.Settled
	return ch, err
}

// balance moves ρ/λ, with λ, to where REML is least, by derivatives in the present space: values at
// other ratios would need what the space does not have, determinants at other λ. λ itself stays.
func (s *spectrum) balance(ctx context.Context, spec *problem.Setting, q criteria.Search, unit float64) error {
	lambda, begin := s.lambda, math.Log10(s.Ratio/unit)
	lo, hi := max(-ratioDecades, begin-ratioReach), min(ratioDecades, begin+ratioReach)
	for range mostTurns {
		before := s.Ratio
		at, err := zeroNear(math.Log10(before/unit), lo, hi, func(decade float64) (float64, error) {
			ratio := unit * math.Pow(10, decade)
			err := s.space.at(ctx, lambda, ratio*lambda)
			return s.space.rhoSlope(s.Values), err
		})
		if err != nil {
			return err
		}
		s.Ratio = unit * math.Pow(10, at)
		if math.Abs(math.Log10(s.Ratio/before)) <= ratioTo {
			break
		}
		if err := s.at(ctx, s.penalties(spec, lambda)); err != nil {
			return err
		}
		ch, err := q.Along(ctx, fixed{s})
		if err != nil {
			return err
		}
		lambda = cmp.Or(spec.Lambda, max(ch.REML, lambda/mostStep))
	}
	return s.at(ctx, s.penalties(spec, s.lambda))
}

// penalties are λ and ρ.
func (s *spectrum) penalties(spec *problem.Setting, lambda float64) problem.Penalty {
	return problem.At(lambda, criteria.Penalty{Rho: spec.Rho, Ratio: s.Ratio}.At(lambda))
}

// at takes the rules of the present space at λ and ρ.
func (s *spectrum) at(ctx context.Context, p problem.Penalty) error {
	if err := s.space.at(ctx, p.Lambda, p.Rho); err != nil {
		return err
	}
	s.T = s.space.rule(0)
	s.Probes = s.Probes[:0]
	for i := range s.space.rhs[1:] {
		s.Probes = append(s.Probes, s.space.rule(1+i))
	}
	return nil
}

// sheetAt is the criteria at λ and ρ.
func (s *spectrum) sheetAt(ctx context.Context, p problem.Penalty) (v criteria.Sheet, err error) {
	if s.eigen == nil {
		v = s.At(p.Lambda)
	} else {
		e := criteria.Eigenvectors{Eigenbasis: *s.eigen}
		if v, err = e.At(ctx, p.Lambda, p.Rho); s.unsettled {
			v.REMLErr, v.DFError = math.Inf(1), math.Inf(1)
		}
	}
	v.Rho = p.Rho
	return v, err
}

// fixed is rules that do not change.
type fixed struct{ s *spectrum }

// Tied implements criteria.Model.
func (m fixed) Tied() bool { return false }

// Along implements criteria.Model.
func (m fixed) Along(context.Context, criteria.Penalty) (criteria.Curve, error) { return m.s, nil }

// ratioUnit is ρ/λ for which the terms of G and β in the covariance of the data have
// equal traces; 0 where one of them is nothing.
func (w *Space) ratioUnit() float64 {
	green := 0.0
	for i, nu := range w.nu.RawMatrix().Data {
		green += nu * w.kappa.RawMatrix().Data[i]
	}
	bias := 0.0
	for _, q := range w.qd {
		bias += max(q, 0)
	}
	if unit := bias * floats.Dot(w.c, w.c) * w.share() / green; unit > 0 && !math.IsInf(unit, 0) {
		return unit
	}
	return 0
}

// mostStep is what λ decreases by in one round at most: so that the space has something
// of all eigenvalues, which the determinant needs.
const mostStep = 10

// follow lets the space grow at the λ that is best in it, until that is settled or the
// space has most directions.
func (s *spectrum) follow(ctx context.Context, spec *problem.Setting, q criteria.Search, most int) error {
	if s.lambda == 0 {
		s.lambda = cmp.Or(spec.Lambda, s.space.quotient(ctx))
		if err := linop.Stopped(ctx); err != nil {
			return fmt.Errorf("lambda: %w", err)
		}
	}
	if !(s.lambda > 0) {
		return criteria.ErrNothing
	}
	s.Settled = false
	if err := s.at(ctx, s.penalties(spec, s.lambda)); err != nil {
		return err
	}
	grow, before := make([]int, len(s.space.rhs)), s.snapshot()
	for i := range grow {
		grow[i] = i
	}
	for calm := 0; calm < calmRounds; {
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
		case len(s.space.x)+len(grow) > most:
			return nil
		}
		if err := s.space.grow(ctx, grow); err != nil {
			return fmt.Errorf("lambda: %w", err)
		}
		if err := s.choose(ctx, spec, q); err != nil {
			return err
		}
		progress.Report(ctx, progress.Step{Task: "lambda", Done: float64(len(s.space.x)), Total: float64(most), Label: "lambda", Value: s.lambda})
		now := s.snapshot()
		var still bool
		if still, grow = s.compare(now, before); still {
			calm++
		} else {
			calm = 0
		}
		before = now
	}
	s.Settled = true
	return nil
}

// snapshot is what is to settle as the space grows.
type snapshot struct {
	lambda, quad float64
	df           []float64 // by each probe
}

func (s *spectrum) snapshot() snapshot {
	now := snapshot{lambda: s.lambda, quad: s.Quad(s.lambda)}
	for _, p := range s.Probes {
		now.df = append(now.df, p.Integral(func(x float64) float64 { return x / (x + s.lambda) }))
	}
	return now
}

// compare says whether the estimates have settled from one round of directions to the next, so
// that λ no longer moves, and which right-hand sides need more directions. At the minimum of
// REML the penalty is the fraction df/N of the quadratic form (df effective degrees of freedom,
// N outputs); the form has to settle to a part of that.
func (s *spectrum) compare(now, before snapshot) (still bool, grow []int) {
	change := func(a, b float64) float64 { return math.Abs(a-b) / max(a, b, math.SmallestNonzeroFloat64) }
	share := s.EffectiveDF(s.lambda) / float64(s.Outputs)
	still = change(now.lambda, before.lambda) <= settledChange && change(now.quad, before.quad) <= settledPenalty*share
	grow = []int{0}
	for i, f := range now.df {
		c := change(f, before.df[i])
		still = still && c <= settledChange
		if c > settledFreedom {
			grow = append(grow, i+1)
		}
	}
	return still, grow
}

// choose finds the best λ in the present space, at the ρ/λ of the last one.
func (s *spectrum) choose(ctx context.Context, spec *problem.Setting, q criteria.Search) error {
	if err := s.at(ctx, s.penalties(spec, s.lambda)); err != nil {
		return err
	}
	ch, err := q.Along(ctx, fixed{s})
	if err != nil {
		return err
	}
	s.lambda = cmp.Or(spec.Lambda, max(ch.Lambda, s.lambda/mostStep))
	p := s.penalties(spec, s.lambda)
	return s.space.at(ctx, p.Lambda, p.Rho)
}
