package criteria

import (
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Limits are what is known of sizes before they are searched for, as logarithms. A λ that is given, of
// kernels of which the largest factor is one, is both a bound of all sizes and the size of one of them.
type Limits struct {
	Apart map[int]float64   // keep their differences from each other
	Held  map[int]float64   // stay as they are
	Below []map[int]float64 // at most, and one of each list is at its own
}

// most are the bounds of all lists.
func (l Limits) most() map[int]float64 {
	all := map[int]float64{}
	for _, list := range l.Below {
		maps.Copy(all, list)
	}
	return all
}

// climb is climbAll within limits: below all bounds, then, where that leaves a list short of all of its own, with
// each of these reached, of which the best is taken.
func (l Limits) climb(ctx context.Context, at likelihood, free parameters, from []Sizes, steps int, hopeless float64) (*sized, error) {
	free.fixed, free.held = l.Apart, maps.Clone(l.Held)
	if len(l.Below) > 0 {
		at = capped(at, l.most())
	}
	best, err := climbAll(ctx, at, free, from, steps, hopeless)
	for _, list := range l.Below {
		if err != nil {
			return nil, err
		}
		best, free, err = reach(ctx, at, free, list, best, steps)
	}
	if err != nil || !math.IsInf(hopeless, 1) {
		return best, err
	}
	return elsewhere(ctx, at, free, best, steps)
}

// reach is the best with one of a list at its bound, which is held from then on.
func reach(ctx context.Context, at likelihood, free parameters, list map[int]float64, from *sized, steps int) (best *sized, own parameters, err error) {
	held := func(k int) parameters {
		one := free
		one.held = maps.Clone(free.held)
		if one.held == nil {
			one.held = map[int]float64{}
		}
		one.held[k] = list[k]
		return one
	}
	keys := slices.Sorted(maps.Keys(list))
	for _, k := range keys {
		if from.at[k] >= list[k] {
			return from, held(k), nil
		}
	}
	var failed error
	for _, k := range keys {
		p, err := climbAll(ctx, at, held(k), []Sizes{from.at}, steps, math.Inf(1))
		if err != nil {
			failed = err
			continue
		}
		if best == nil || p.value < best.value {
			best, own = p, held(k)
		}
	}
	if best == nil {
		return nil, free, failed
	}
	return best, own, nil
}

// capped is a likelihood of sizes that are at most so large, without the derivatives that point beyond.
func capped(at likelihood, most map[int]float64) likelihood {
	return func(ctx context.Context, s Sizes) (*sized, error) {
		s = slices.Clone(s)
		for k, v := range most {
			s[k] = min(s[k], v)
		}
		p, err := at(ctx, s)
		if err != nil {
			return nil, err
		}
		for k, v := range most {
			if p.at[k] >= v && p.gradient[k] < 0 {
				p.hold(k)
			}
		}
		return p, nil
	}
}

// holdOutward holds the parameters that are at a bound, and would go on beyond it.
func (p *sized) holdOutward(clamped func(Sizes) Sizes) {
	next := slices.Clone(p.at)
	floats.AddScaled(next, -1e-6, p.gradient)
	for k, v := range clamped(next) {
		if v == p.at[k] {
			p.hold(k)
		}
	}
}

// hold takes out a parameter that is not to move.
func (p *sized) hold(k int) {
	p.gradient[k] = 0
	for j := range p.at {
		p.information.SetSym(j, k, 0)
	}
}
