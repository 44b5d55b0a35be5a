package linop

import "testing"

// A processor that others use is as fast as it is between their turns: looks that they interrupt, first or all but one, do not count, nor do
// those while it awakes.
func TestProcessorIsAsFastAsBetweenOthers(t *testing.T) {
	const product, rest = 40e-6, 7e-6
	awaking := func(look int) float64 { return max(1, 8/float64(look+1)) }
	for what, slower := range map[string]func(look int) float64{
		"first":       func(look int) float64 { return 1 + 1e4*max(0, 1-float64(look)) },
		"all but one": func(look int) float64 { return 1 + 1e4*min(1, float64(look-fewestLooks+1)*float64(look-fewestLooks+1)) },
		"awaking":     awaking,
	} {
		looks := 0
		p, r := least(0, func() (float64, float64) {
			by := slower(looks)
			looks++
			return by * product, by * rest
		})
		if p != product || r != rest || looks > 4*fewestLooks {
			t.Errorf("%s: %g and %g s after %d looks", what, p, r, looks)
		}
	}
	looks := 0
	least(100*(product+rest), func() (float64, float64) { looks++; return product, rest })
	if looks < 99 || looks > 101 {
		t.Errorf("%d looks for the time of 100", looks)
	}
}
