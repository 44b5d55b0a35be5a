package families

import (
	"context"
	"fmt"
	"math"
)

// factory makes each jump once.
type factory struct {
	*search
	rounding float64
	known    map[jump]*ramps
}

func (f *factory) try(ctx context.Context, c candidate, j jump, limit, last float64) (kinked, error) {
	z, ok := f.known[j]
	if !ok {
		var err error
		if z, err = newRamps(ctx, f.search, j, f.rounding); err != nil {
			return kinked{}, err
		}
		if err = z.compress(ctx, unseen); err != nil {
			return kinked{}, err
		}
		f.known[j] = z
	}
	return f.tryKink(ctx, c, j, z, limit, last)
}

// start is the best kink of a power around a smooth kernel, but for those that are no kink
// because they gain nothing where the smooth part is the same.
func (f *factory) start(ctx context.Context, c candidate, power int, smooth float64) (best kinked, err error) {
	best.value = math.Inf(1)
	for longer := 0; longer <= 2*coarse; longer += coarse / 2 {
		for less := 0; less < kinkDecades; less += 2 {
			from := c
			from.lambda = c.lambda * math.Pow(10, -float64(less))
			from.steps = f.moveOne(c.steps, len(c.steps), longer)
			k, err := f.try(ctx, from, jump{power: power, step: firstJump}, math.Inf(-1), halfDecade)
			if err != nil {
				return best, err
			}
			if k.value < best.value && (less > 0 || k.value < smooth-worth) {
				best = k
			}
		}
	}
	return best, nil
}

// improve moves one lengthscale of a kink after the other by steps; λ is found the finer
// the smaller they are, after short steps from where the smooth part says as much of the data.
func (f *factory) improve(ctx context.Context, best kinked, step int) (_ kinked, err error) {
	part := float64(step) / coarse
	tried := map[string]bool{fmt.Sprint(best.steps, best.step): true}
	for moved := true; moved; {
		moved = false
		for i := range len(best.steps) + 2 {
			for _, by := range []int{step, -step} {
				next, j := best.candidate, best.jump
				if i <= len(best.steps) {
					next.steps = f.moveOne(best.steps, i, by)
				} else {
					j.step = min(max(j.step+by, firstStep), lastStep)
				}
				key := fmt.Sprint(next.steps, j.step)
				if tried[key] {
					continue
				}
				tried[key] = true
				if step <= carriedSteps {
					if next.lambda, err = f.carried(ctx, best.candidate, next); err != nil {
						return best, err
					}
				}
				k, err := f.try(ctx, next, j, best.value+hopeless*part, halfDecade*part)
				if err != nil {
					return best, err
				}
				if k.value < best.value-tell {
					best, moved = k, true
					break
				}
			}
		}
	}
	return best, nil
}

// settle finds λ finely.
func (f *factory) settle(ctx context.Context, k kinked) (kinked, error) {
	return f.try(ctx, k.candidate, k.jump, k.value+tell, halfDecade/4)
}

// mark marks as starts the kinks that will not come to be better than a smooth kernel, or than
// each other.
func mark(field []kinked, smooth candidate) {
	value, loo := smooth.value, smooth.loo()-worth
	for _, k := range field {
		value, loo = min(value, k.value), min(loo, k.loo()+hopeless)
	}
	for i, k := range field {
		field[i].start = k.value >= value+hopeless && k.loo() >= loo
	}
}

// powers are those of a kink that are tried: of equations of second and of fourth order.
func powers() []int { return []int{1, 3} }

const (
	firstJump   = 25 // the lengthscale along the diagonal that is tried first: 76 % of an axis
	kinkDecades = 5  // of λ from that without a kink down
)

const (
	worth = 1   // nats, that a kink has to gain, of LOO or of the sum
	tell  = 0.1 // nats, that a step has to: less tells nothing
)
