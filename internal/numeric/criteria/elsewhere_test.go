package criteria

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Terms are tried at nothing, and from nothing, until none gains: one that is worth having only beside another is found after
// that, and one that the other makes needless goes. The likelihoods are flat but for steps, so that a climb stays where it begins.
func TestTermsAreTriedUntilNoneGains(t *testing.T) {
	const there, gone = asNoise, leastSize
	has := func(v float64) bool { return v > isNothing }
	for what, c := range map[string]struct {
		value       func(first, second bool) float64
		start, want Sizes
	}{
		"the first beside the second": {func(first, second bool) float64 {
			switch {
			case first && second:
				return 1
			case second:
				return 2
			case first:
				return 3.1
			}
			return 3
		}, Sizes{gone, gone}, Sizes{there, there}},
		"the second in place of the first": {func(first, second bool) float64 {
			switch {
			case second && !first:
				return 1
			case second:
				return 2
			}
			return 3
		}, Sizes{there, gone}, Sizes{gone, there}},
		"neither": {func(first, second bool) float64 {
			if first || second {
				return 2
			}
			return 1
		}, Sizes{gone, gone}, Sizes{gone, gone}},
	} {
		at := func(_ context.Context, s Sizes) (*sized, error) {
			return &sized{at: s, value: c.value(has(s[0]), has(s[1])), gradient: make([]float64, 2), information: mat.NewSymDense(2, []float64{1, 0, 0, 1})}, nil
		}
		best, err := at(t.Context(), c.start)
		if err == nil {
			best, err = elsewhere(t.Context(), at, parameters{count: 2}, best, 5)
		}
		if err != nil || has(best.at[0]) != has(c.want[0]) || has(best.at[1]) != has(c.want[1]) {
			t.Errorf("%s: from %v to %v, want %v; %v", what, c.start, best.at, c.want, err)
		}
	}
}
