package criteria

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	isNothing = -10.0 // log s that the data hardly tell from zero
	asNoise   = 0.0
	passes    = 3 // over the terms
)

// elsewhere is the best of where a search has ended and of what it finds with each term at nothing, or one that is
// nothing as large as the noise, and the others anew: where terms explain the same of the data, the likelihood has
// a minimum for each that does.
func elsewhere(ctx context.Context, at likelihood, free parameters, best *sized, steps int) (*sized, error) {
	for range passes {
		moved := false
		for _, term := range free.together() {
			p, err := free.otherwise(ctx, at, best, term, steps)
			if stopped := linop.Stopped(ctx); stopped != nil {
				return nil, stopped
			}
			if err == nil && p.value < best.value-enoughGain {
				best, moved = p, true
			}
		}
		if !moved {
			break
		}
	}
	return best, nil
}

// otherwise is where the search ends with a term at nothing first, and the others best with that, or from where it is
// as large as the noise, where it is nothing.
func (p parameters) otherwise(ctx context.Context, at likelihood, best *sized, term []int, steps int) (*sized, error) {
	from, largest, most := slices.Clone(best.at), math.Inf(-1), math.Inf(-1)
	for _, k := range term {
		largest, most = max(largest, from[k]), max(most, p.fixed[k])
	}
	to := leastSize
	if largest < isNothing {
		to = asNoise
	}
	without := p
	without.held = maps.Clone(p.held)
	if without.held == nil {
		without.held = map[int]float64{}
	}
	for _, k := range term {
		from[k] = to + p.fixed[k] - most // the largest there, and their differences
		without.held[k] = from[k]
	}
	if to == leastSize {
		larger := slices.Clone(from) // what the term explained is of another
		for k, v := range larger {
			if _, held := without.held[k]; !held && p.isSize(k) {
				larger[k] = max(v, asNoise)
			}
		}
		q, err := climbAll(ctx, at, without, []Sizes{from, larger}, steps, best.value)
		if err != nil || q.value > best.value+farBehind {
			return q, err
		}
		from = q.at
	}
	return climb(ctx, at, p, p.sizes(p.free(from)), steps, best.value)
}

// isSize tells the sizes from other parameters.
func (p parameters) isSize(k int) bool {
	return p.terms == nil || slices.ContainsFunc(p.terms, func(term []int) bool { return slices.Contains(term, k) })
}

// together are the sizes that are at nothing together: those of a term, and all whose differences are fixed.
func (p parameters) together() (all [][]int) {
	var fixed []int
	terms := p.terms
	if terms == nil {
		for k := range p.count {
			terms = append(terms, []int{k})
		}
	}
	for _, term := range terms {
		var own []int
		for _, k := range term {
			if _, held := p.held[k]; held {
				continue
			}
			if _, ok := p.fixed[k]; ok {
				fixed = append(fixed, k)
			} else {
				own = append(own, k)
			}
		}
		if own != nil {
			all = append(all, own)
		}
	}
	if fixed != nil {
		all = append(all, fixed)
	}
	return all
}
