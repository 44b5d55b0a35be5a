package noise

import "testing"

// Noise is likelier than what was before it where it gains half a nat beyond the price of its numbers: 4.6 for being another
// than white, and 1.5 for each.
func TestNoiseGainsBeyondItsPrice(t *testing.T) {
	of := func(reml, numbers float64) *found { return &found{noisy: &noisy{reml: reml}, numbers: numbers} }
	for _, c := range []struct {
		next, before *found
		want         bool
	}{
		{of(9.4, 0), of(10, 0), true},
		{of(9.6, 0), of(10, 0), false},
		{of(10.6, 0), of(10, 0), false},
		{of(3.3, 1), of(10, 0), true}, // 6.7 for 6.1
		{of(3.5, 1), of(10, 0), false},
		{of(15.5, 0), of(10, 1), true},
		{of(15.7, 0), of(10, 1), false},
		{of(7.9, 2), of(10, 1), true}, // 2.1 for 1.5
		{of(8.1, 2), of(10, 1), false},
	} {
		if got := c.next.gains(c.before); got != c.want {
			t.Errorf("-log likelihood %g with %g numbers after %g with %g: %t", c.next.reml, c.next.numbers, c.before.reml, c.before.numbers, got)
		}
	}
}
