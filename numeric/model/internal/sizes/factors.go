package sizes

import (
	"context"
	"errors"
	"maps"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
)

var errApart = errors.New("no size of the terms can be told from the data: all of them are zero there")

// Factors chooses lengthscales that are open, and the factors of the kernels. Those that
// are given keep their ratios; the largest of the others is one.
func (q *Question) Factors(ctx context.Context) ([]float64, error) {
	terms, fixed := q.Terms, maps.Clone(q.Given)
	open := false
	for _, t := range terms {
		open = open || len(t.Open) > 0
	}
	factors := make([]float64, len(terms))
	if !open && len(terms) == 1 && len(fixed) == 0 { // λ is its size
		fixed[0] = 1
	}
	if !open && len(fixed) == len(terms) {
		for i, a := range fixed {
			factors[i] = a
		}
		return factors, nil
	}
	c, err := q.choice(ctx)
	if err != nil {
		return nil, err
	}
	best, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	for i, t := range terms {
		if _, ok := fixed[i]; c.r.whole && !ok {
			t.Tried = t.Variants()
		}
	}
	most := math.Inf(-1)
	for i := range terms {
		factors[i] = criteria.Clamp(best[i]) - math.Log(c.scale[i])
		if c.scale[i] > 0 {
			most = max(most, factors[i])
		}
	}
	if math.IsInf(most, -1) {
		return nil, errApart
	}
	for i := range factors { // given ones keep their numbers, and the others their ratio to those
		if a, ok := fixed[i]; ok && c.scale[i] > 0 {
			most = factors[i] - math.Log(a)
			break
		}
	}
	for i := range factors {
		factors[i] = math.Exp(factors[i] - most)
		if !(c.scale[i] > 0) {
			factors[i] = 1
		}
		if a, ok := fixed[i]; ok {
			factors[i] = a
		}
	}
	return factors, nil
}
