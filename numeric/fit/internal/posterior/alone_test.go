package posterior

import "testing"

// Ten variances that rounding hides are computed one by one, and besides one in a hundred; where the prior has none, none is hidden.
func TestHowManyAreHidden(t *testing.T) {
	for _, c := range []struct {
		zeros, all int
		hidden     bool
	}{{0, 5, false}, {10, 99, false}, {11, 99, true}, {11, 100, false}, {12, 199, true}, {15, 500, false}, {16, 500, true}} {
		variances, prior := make([]float64, c.all), make([]float64, c.all)
		for i := range prior {
			prior[i] = 2
			if i >= c.zeros {
				variances[i] = 1
			}
		}
		if got := hidden(variances, prior); got != c.hidden {
			t.Errorf("%d of %d: hidden %t", c.zeros, c.all, got)
		}
		for i := range c.zeros {
			prior[i] = 0
		}
		if hidden(variances, prior) {
			t.Errorf("%d of %d are hidden though the prior knows them", c.zeros, c.all)
		}
	}
}
