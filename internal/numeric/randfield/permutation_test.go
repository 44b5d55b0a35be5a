package randfield

import (
	"context"
	"testing"
)

// A permutation made in place is that of the generator, and ends with its context.
func TestPermutationIsThatOfTheGenerator(t *testing.T) {
	for _, n := range []int{1, 2, 5, 1000} {
		a, err := Permutation(t.Context(), n, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range generator(7).Perm(n) {
			if a.Data[i] != float64(k+1) {
				t.Fatalf("%d numbers: place %d has %g, the generator %d", n, i+1, a.Data[i], k+1)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Permutation(ctx, 1<<21, 7); err == nil {
		t.Error("a permutation does not end with its context")
	}
}
