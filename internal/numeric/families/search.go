package families

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/sorting"
)

// hopeless is how many nats above the best nothing better is looked for.
const hopeless = 20.0

// candidate is a product of kernels of one smoothness.
type candidate struct {
	family smoothness
	steps  []int // of the input's coordinates, then the output's
	lambda float64
	value  float64 // of the criterion: less is better
	reml   float64 // its part
}

// loo is the other part.
func (c candidate) loo() float64 { return c.value - c.reml }

func (c candidate) key() string { return fmt.Sprint(c.family, c.steps) }

// search is a descent from coarse steps of the lengthscales to fine ones.
type search struct {
	s    *sample
	x, y *side
	seen map[string]candidate
}

func newSearch(s *sample) *search {
	rows := s.b
	return &search{s: s, x: newSide(s.x, rows), y: newSide(s.y, transposed(s.modes)), seen: map[string]candidate{}}
}

// try evaluates a candidate, whose λ is looked for near the one it has.
func (q *search) try(ctx context.Context, c candidate) (candidate, error) {
	if known, ok := q.seen[c.key()]; ok {
		return known, nil
	}
	p, err := q.product(ctx, c)
	if err != nil {
		return c, err
	}
	c.lambda, c.value = p.best(c.lambda)
	c.reml = p.at(c.lambda).reml
	q.seen[c.key()] = c
	return c, nil
}

func (q *search) product(ctx context.Context, c candidate) (*product, error) {
	dx := q.x.mesh.Dim()
	rows, err := q.x.spectrum(ctx, c.family, c.steps[:dx])
	if err != nil {
		return nil, err
	}
	cols, err := q.y.spectrum(ctx, c.family, c.steps[dx:])
	if err != nil {
		return nil, err
	}
	return newProduct(ctx, q.s, rows, cols)
}

// leftOut is the squared errors of a candidate for pairs that are left out.
func (q *search) leftOut(ctx context.Context, c candidate) ([]float64, error) {
	p, err := q.product(ctx, c)
	if err != nil || c.lambda == 0 {
		return nil, err
	}
	return p.byPair(ctx, p.errors(c.lambda)), nil
}

// descend improves a candidate: each coordinate's lengthscale by itself, and all
// together, by steps that are halved down to the last.
func (q *search) descend(ctx context.Context, c candidate, step, last int) (candidate, error) {
	all := len(c.steps)
	for ; step >= last; step /= 2 {
		for moved := true; moved; {
			moved = false
			for i := range all + 1 {
				for _, by := range []int{step, -step} {
					next := c
					next.steps = q.moveOne(c.steps, i, by)
					got, err := q.try(ctx, next)
					if err != nil {
						return c, err
					}
					if got.value < c.value {
						c, moved = got, true
						break
					}
				}
			}
		}
	}
	return c, nil
}

// moveOne moves one lengthscale, or, for i beyond them, all; none below the spacing of its
// points.
func (q *search) moveOne(steps []int, i, by int) []int {
	out, first := slices.Clone(steps), q.first()
	for j := range out {
		if i == j || i == len(out) {
			out[j] = min(max(out[j]+by, first[j]), lastStep)
		}
	}
	return out
}

// dims is how many coordinates there are.
func (q *search) dims() int { return q.x.mesh.Dim() + q.y.mesh.Dim() }

// first are the steps below which lengthscales are not tried.
func (q *search) first() []int { return slices.Concat(q.x.first, q.y.first) }

// families are those that are tried, the roughest first; at last the periodic one, where a side is periodic.
func (q *search) families() []smoothness {
	all := []smoothness{half, threeHalves, fiveHalves, infinite}
	if q.x.period() > 0 || q.y.period() > 0 {
		all = append(all, around)
	}
	return all
}

// smooth is the best product of each smoothness that is promising, best first.
func (q *search) smooth(ctx context.Context) ([]candidate, error) {
	dims := q.dims()
	var all []candidate
	for _, f := range slices.Backward(q.families()) {
		start := candidate{family: f, value: math.Inf(1)}
		for step := firstStep; step <= lastStep; step += coarse {
			c, err := q.try(ctx, candidate{family: f, steps: q.moveOne(slices.Repeat([]int{step}, dims), dims, 0)})
			if err != nil {
				return nil, err
			}
			if c.value < start.value {
				start = c
			}
		}
		if start.steps == nil {
			continue
		}
		c, err := q.descend(ctx, start, coarse/2, 1)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		if n := len(all); n > 1 && all[n-2].family != around && c.value > all[n-2].value+hopeless && c.loo() > all[n-2].loo() {
			break // still rougher ones are worse
		}
	}
	sorting.By(all, func(a, b candidate) int { return cmp.Compare(a.loo(), b.loo()) })
	return all, nil
}
