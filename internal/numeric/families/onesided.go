package families

import (
	"context"
	"math"
	"slices"
)

// withOneSided adds kinks on one side to those on both. They are that G is of another kind before
// the diagonal than after it, so they are looked for only where they begin better than all others
// have ended: in the place of the best of those, or without a smooth part that is of use.
func (f *factory) withOneSided(ctx context.Context, smooth, c candidate, kinks []kinked) ([]kinked, error) {
	if !f.crossesDiagonal() {
		return kinks, nil
	}
	least, far := smooth.value, c
	far.steps, far.lambda = f.moveOne(c.steps, len(c.steps), 2*coarse), c.lambda/100
	starts := []kinked{{candidate: far, jump: jump{step: firstJump}}, {candidate: far, jump: jump{step: firstJump - coarse}}}
	for _, k := range kinks {
		if k.value < least {
			least, starts = k.value, append(starts[:2], k)
		}
	}
	for _, power := range onePowers() {
		best, err := f.oneSided(ctx, power, starts)
		if err != nil {
			return nil, err
		}
		if best.value >= least {
			continue
		}
		for step := coarse; step >= 1; step /= 2 {
			if best, err = f.improve(ctx, best, step); err != nil {
				return nil, err
			}
		}
		if best, err = f.settle(ctx, best); err != nil {
			return nil, err
		}
		least, kinks = min(least, best.value), append(kinks, best)
	}
	return kinks, nil
}

// crossesDiagonal says whether there are points on either side of it.
func (f *factory) crossesDiagonal() bool {
	x, y := f.x.mesh.Columns()[0], f.y.mesh.Columns()[0]
	return slices.Min(x) < slices.Max(y) && slices.Min(y) < slices.Max(x)
}

// oneSided is the best kink on one side of a power, of some starts.
func (f *factory) oneSided(ctx context.Context, power int, starts []kinked) (best kinked, err error) {
	best.value = math.Inf(1)
	for _, s := range starts {
		k, err := f.try(ctx, s.candidate, jump{power: power, step: s.step, oneSided: true}, math.Inf(-1), halfDecade)
		if err != nil {
			return best, err
		}
		if k.value < best.value {
			best = k
		}
	}
	return best, nil
}

// onePowers are those of kinks on one side: of responses of second-order systems, and of first.
func onePowers() []int { return []int{1, 0} }

// evident is how many nats of the sum a kink on one side has to be better by: less is no sign of a
// direction in time, for one that is on both sides and a smooth part make it, too.
const evident = 3
