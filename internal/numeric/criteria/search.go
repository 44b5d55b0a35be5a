package criteria

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// Search is for λ, and for ρ/λ where that is free, where a criterion is least.
//
// The penalties of G and β have different units, so neither can stand for the other: λ
// grows with the square of the unit of the inputs, ρ does not. Where both are chosen,
// ρ = κ λ × unit, with the unit that makes the two terms of the data's covariance of one
// size (equal traces), and κ, a pure number, is chosen with λ.
type Search struct {
	By      Criterion
	Decades float64 // length of the range of λ; 0: PathDecades
	Penalty Penalty // with the ratio to begin with, or to stay with
	Unit    float64 // of ρ/λ where that is free; 0: it is not
	Near    bool    // κ is looked for around Penalty.Ratio, not everywhere
	Given   float64 // λ, of which only the curve is wanted; 0: it is looked for
	Outputs float64 // N
}

// PathDecades is how far down λ is looked for from ten times the λ that leaves nothing.
const PathDecades = 14.0

const (
	gridStep     = math.Ln10 / 3 // of log λ
	coarseStep   = math.Ln10     // the same for criteria that are dear, and for many ρ/λ
	fineTo       = 5e-4          // distance in log λ, far below what any criterion can tell
	coarseTo     = 5e-3
	settledRatio = 1e-7 // relative change of ρ/λ that ends the repetitions for a given ρ
	maxRepeats   = 20

	besideOthers = 3.0 // decades beyond the choices of other criteria, where the least LOO is looked for to compare

	ratioDecades = 6.0 // of κ on either side of 1, beyond which one term is nothing beside the other
	ratioStep    = 2.0 // decades, of its grid
	ratioTo      = 5e-3
	tiedStep     = 3.0 // the same where curves are dear
	tiedTo       = 0.05
)

// Along follows a model to where the criterion is least. The error is ErrNothing where
// nothing can be chosen, the model's or the context's.
func (s Search) Along(ctx context.Context, m Model) (Choice, error) {
	if s.Decades == 0 {
		s.Decades = PathDecades
	}
	if s.Unit > 0 {
		if err := s.chooseRatio(ctx, m); err != nil {
			return Choice{}, err
		}
	}
	for repeat := 1; ; repeat++ {
		curve, err := m.Along(ctx, s.Penalty)
		if err != nil {
			return Choice{}, err
		}
		ch, err := s.follow(ctx, curve)
		if err != nil || s.Penalty.Rho == 0 || !m.Tied() {
			return ch, err
		}
		ratio := s.Penalty.Rho / ch.Lambda
		settled := math.Abs(ratio-s.Penalty.Ratio) <= settledRatio*s.Penalty.Ratio
		if settled || repeat == maxRepeats {
			ch.Unsettled = !settled
			return ch, nil
		}
		s.Penalty.Ratio = ratio
	}
}

// follow finds the least values of all criteria that a curve knows.
func (s Search) follow(ctx context.Context, c Curve) (Choice, error) {
	ch := Choice{Lambda: s.Given, Penalty: s.Penalty, Unit: s.Unit, Curve: c, Top: c.Top(), Decades: s.Decades}
	if s.Given > 0 {
		return ch, nil
	}
	if !(ch.Top > 0) {
		return ch, ErrNothing
	}
	for _, by := range []Criterion{REML, GCV, LOO} {
		reach := c.Reach(by)
		if reach == 0 {
			continue
		}
		lo, hi := s.bounds(c)
		step, to := gridStep, fineTo
		search := least
		if by == LOO {
			if step, to = coarseStep/2, coarseTo; by != s.By {
				step, to = coarseStep, 0
				if !math.IsInf(reach, 1) {
					search = downhill
				}
				reach = min(reach, besideOthers)
			}
			lo = max(lo, math.Log(min(ch.REML, ch.GCV))-reach*math.Ln10)
			if above := hi - math.Log(max(ch.REML, ch.GCV)) - reach*math.Ln10; above > 0 {
				hi -= step * math.Floor(above/step) // on the grid of the whole path
			}
		}
		l, _, err := search(lo, hi, step, to, s.value(ctx, c, by))
		if err != nil {
			return ch, err
		}
		ch.Took(by, math.Exp(l))
	}
	switch s.By {
	case GCV:
		ch.Lambda = ch.GCV
	case LOO:
		ch.Lambda = cmp.Or(ch.LOO, ch.GCV)
	default:
		ch.Lambda = ch.REML
	}
	return ch, nil
}

// bounds is the range of log λ.
func (s Search) bounds(c Curve) (lo, hi float64) {
	hi = math.Log(10 * c.Top())
	return hi - s.Decades*math.Ln10, hi
}

// value is a criterion by log λ.
func (s Search) value(ctx context.Context, c Curve, by Criterion) objective {
	return func(l float64) (float64, error) {
		if ctx.Err() != nil {
			return 0, fmt.Errorf("lambda path stopped: %w", context.Cause(ctx))
		}
		return c.Value(ctx, by, math.Exp(l))
	}
}

// chooseRatio sets ρ/λ to where REML is least together with λ: on a grid first, then around its
// best point. The criterion is REML whatever chooses λ: errors of predictions say little of it.
func (s *Search) chooseRatio(ctx context.Context, m Model) error {
	find := s.ratioFirst
	if !m.Tied() {
		find = s.lambdaFirst
	}
	decade, err := find(ctx, m)
	s.Penalty.Ratio = s.ratioAt(decade)
	return err
}

// ratioAt is ρ/λ for the decade of κ.
func (s *Search) ratioAt(decade float64) float64 { return s.Unit * math.Pow(10, decade) }

// decades is where the grid of κ begins and ends.
func (s *Search) decades(last float64) (first, end float64) {
	if s.Near {
		first = math.Log10(s.Penalty.Ratio / s.Unit)
		return first, first
	}
	return -last, last
}

// lambdaFirst finds κ for models of which another κ costs little at the same λ: it is chosen at each λ.
func (s *Search) lambdaFirst(ctx context.Context, m Model) (at float64, err error) {
	c, err := m.Along(ctx, s.Penalty)
	if err != nil {
		return 0, err
	}
	if !(c.Top() > 0) {
		return 0, ErrNothing
	}
	lo, hi := s.bounds(c)
	first, last := s.decades(ratioDecades)
	best := math.Inf(1)
	value := func(l float64) objective {
		return func(decade float64) (float64, error) {
			c, err := m.Along(ctx, Penalty{Ratio: s.ratioAt(decade)})
			if err != nil {
				return 0, err
			}
			v, err := s.value(ctx, c, REML)(l)
			if v < best {
				best, at = v, decade
			}
			return v, err
		}
	}
	l, _, err := least(lo, hi, coarseStep, 0, func(l float64) (float64, error) {
		_, v, err := least(first, last, ratioStep, 0, value(l))
		return v, err
	})
	if err != nil {
		return 0, err
	}
	near := at
	_, _, err = minimum(max(l-coarseStep, lo), min(l+coarseStep, hi), coarseTo, func(l float64) (float64, error) {
		_, v, err := minimum(max(near-ratioStep, -ratioDecades), min(near+ratioStep, ratioDecades), ratioTo, value(l))
		return v, err
	})
	return at, err
}

// ratioFirst finds κ for models whose curves are dear to make: λ is chosen along the curve of each κ,
// near that of the best so far.
func (s *Search) ratioFirst(ctx context.Context, m Model) (at float64, err error) {
	first, last := s.decades(tiedStep)
	best, near := math.Inf(1), 0.0
	at = first
	try := func(decade float64, inner func(f objective, lo, hi float64) (l, v float64, err error)) (float64, error) {
		s.Penalty.Ratio = s.ratioAt(decade)
		l, v, err := s.profile(ctx, m, inner)
		if v < best {
			best, at, near = v, decade, l
		}
		return v, err
	}
	for decade := first; decade <= last; decade += tiedStep {
		if _, err := try(decade, func(f objective, lo, hi float64) (l, v float64, err error) {
			return least(lo, hi, coarseStep, 0, f)
		}); err != nil {
			return at, err
		}
	}
	_, _, err = minimum(max(at-tiedStep, -ratioDecades), min(at+tiedStep, ratioDecades), tiedTo, func(decade float64) (float64, error) {
		return try(decade, func(f objective, lo, hi float64) (l, v float64, err error) {
			return minimum(max(lo, near-coarseStep), min(hi, near+coarseStep), coarseTo, f)
		})
	})
	return at, err
}

// profile is the least value along a model at the present ratio.
func (s *Search) profile(ctx context.Context, m Model, inner func(f objective, lo, hi float64) (l, v float64, err error)) (l, v float64, err error) {
	c, err := m.Along(ctx, s.Penalty)
	if err != nil {
		return 0, 0, err
	}
	if !(c.Top() > 0) {
		return 0, 0, ErrNothing
	}
	lo, hi := s.bounds(c)
	return inner(s.value(ctx, c, REML), lo, hi)
}
