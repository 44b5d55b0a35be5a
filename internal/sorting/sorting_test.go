package sorting

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// By is slices.SortStableFunc, of no elements, of one, and of many that are equal.
func TestByIsStable(t *testing.T) {
	type pair struct{ key, place int }
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		x := make([]pair, n)
		for i := range x {
			x[i] = pair{rng.IntN(1 + n/4), i}
		}
		want := slices.Clone(x)
		compare := func(a, b pair) int { return b.key - a.key }
		slices.SortStableFunc(want, compare)
		if By(x, compare); !slices.Equal(x, want) {
			t.Errorf("%d elements: %v, want %v", n, x, want)
		}
	}
}
