package families

import (
	"context"
	"math"
	"slices"
)

// carried is the λ at which the smooth part of a kernel takes as many degrees of freedom as another does at its own. Lengthscales
// a fifth shorter may make it ten times as large, so that at the λ of the other a better kernel would seem hopeless.
func (q *search) carried(ctx context.Context, from, to candidate) (float64, error) {
	if slices.Equal(from.steps, to.steps) {
		return from.lambda, nil
	}
	a, err := q.product(ctx, from)
	if err != nil {
		return 0, err
	}
	b, err := q.product(ctx, to)
	if err != nil {
		return 0, err
	}
	want, at := a.freedom(from.lambda), math.Log(from.lambda)
	lo, hi := at-carryReach, at+carryReach
	for hi-lo > carryTo {
		middle := (lo + hi) / 2
		if b.freedom(math.Exp(middle)) > want {
			lo = middle
		} else {
			hi = middle
		}
	}
	return math.Exp((lo + hi) / 2), nil
}

// freedom is the effective degrees of freedom at a λ.
func (p *product) freedom(lambda float64) (sum float64) {
	for _, d := range p.d {
		sum += d / (d + lambda)
	}
	return sum
}

const (
	carriedSteps = 2 // up to which λ is carried: a kernel far off is another description, with noise of its own

	carryReach = 7.0 // of log λ, either way
	carryTo    = 0.1 // likewise, far below what the search for λ begins with
)
