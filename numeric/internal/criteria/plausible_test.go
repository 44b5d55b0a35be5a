package criteria

import (
	"math"
	"testing"
)

// Sizes that stand for the posterior have the means of its definition, by the rectangle rule:
// of a term that is there, and of one that the likelihood puts at nothing.
func TestPlausibleSizesAreOfThePosterior(t *testing.T) {
	for _, seed := range []uint64{1, 7} {
		c := randomComponents(seed, 30, []float64{2, -30})
		best, _, err := c.Best(t.Context(), nil, nil, 40, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		if best[1] > -4 {
			t.Fatalf("the second term is not nothing: %.3g", best[1])
		}
		deviations := func(s Sizes) [2]float64 { return [2]float64{math.Exp(s[0] / 2), math.Exp(s[1] / 2)} }
		most := math.Exp(best[0]) + math.Exp(best[1])
		var want [2]float64
		all, reference := 0.0, math.NaN()
		for a := -4.0; a < 8; a += .5 {
			for b := -14.0; b < 6; b += .5 {
				p, err := c.at(t.Context(), Sizes{a, b})
				if err != nil {
					t.Fatal(err)
				}
				if math.IsNaN(reference) {
					reference = p.value
				}
				density := math.Exp(reference - p.value)
				for _, v := range []float64{a, b} { // half a Cauchy distribution of exp(v/2)
					density *= math.Exp(v/2) / (1 + math.Exp(v)/most)
				}
				for k, v := range deviations(Sizes{a, b}) {
					want[k] += density * v
				}
				all += density
			}
		}
		for count, tolerance := range map[int]float64{1000: .15, 4: .4} {
			plausible, err := c.Plausible(t.Context(), best, nil, count)
			if err != nil {
				t.Fatal(err)
			}
			var got [2]float64
			share := 0.0
			for _, p := range plausible {
				share += p.Share
				for k, v := range deviations(p.Sizes) {
					got[k] += p.Share * v
				}
			}
			if math.Abs(share-1) > 1e-12 || len(plausible) > count {
				t.Errorf("%d of %d, with %g of all", len(plausible), count, share)
			}
			for k := range got {
				if ratio := got[k] * all / want[k]; math.Abs(math.Log(ratio)) > tolerance {
					t.Errorf("seed %d: mean of term %d over %d sizes is %.3f times that of the posterior", seed, k, count, ratio)
				}
			}
		}
	}
	if told, err := randomComponents(3, 240, []float64{2}).Plausible(t.Context(), Sizes{2}, nil, 4); err != nil || told != nil {
		t.Errorf("where the size is told: %v, %v", told, err)
	}
}

// Sizes that are fixed keep their differences, and others do not.
func TestPlausibleSizesKeepWhatIsFixed(t *testing.T) {
	c := randomComponents(5, 30, []float64{1, 0, -30})
	fixed := map[int]float64{0: 1.5, 2: .25}
	best, _, err := c.Best(t.Context(), nil, fixed, 40, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	plausible, err := c.Plausible(t.Context(), best, fixed, 4)
	if err != nil || len(plausible) < 2 {
		t.Fatalf("%v, %v", plausible, err)
	}
	for _, p := range plausible {
		if off := p.Sizes[0] - p.Sizes[2] - 1.25; math.Abs(off) > 1e-12 {
			t.Errorf("%v: differ by %g more than they should", p.Sizes, off)
		}
	}
}
