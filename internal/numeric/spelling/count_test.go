package spelling

import "testing"

func TestCount(t *testing.T) {
	for n, words := range map[int][]string{0: {"0 pairs", "0 families", "0 points on a line"}, 1: {"1 pair", "1 family", "1 point on a line"}, 12: {"12 pairs", "12 families", "12 points on a line"}} {
		for i, one := range []string{"pair", "family", "point on a line"} {
			if got := Count(n, one); got != words[i] {
				t.Errorf("Count(%d, %q) = %q, want %q", n, one, got, words[i])
			}
		}
	}
}
