package families

import (
	"context"
	"math"
	"testing"
)

// The part of a kernel is its contribution to the variance of a mixture over kernels and their λ, as a mean over the points of
// what it is of the whole variance there, over its share. Those of which nothing counts, or is known, have the part 1.
func TestPartsInTheVarianceOfAMixture(t *testing.T) {
	of := func(shares []float64, all ...moments) plausible {
		p := plausible{}
		for i, s := range shares {
			p.lambdas, p.logs = append(p.lambdas, float64(i)), append(p.logs, math.Log(s)+5)
		}
		p.moments = func(_ context.Context, lambdas []float64) (out []moments, err error) {
			for _, l := range lambdas {
				out = append(out, all[int(l)])
			}
			return out, nil
		}
		return p
	}
	a, b := moments{[]float64{1, 2}, []float64{.5, 0}}, moments{[]float64{3, 2}, []float64{1, 0}}
	c := moments{[]float64{0, 2}, []float64{2, 0}}
	all := []plausible{
		of([]float64{.4, .2, 1e-4}, a, b, moments{[]float64{1e6, 0}, []float64{1e6, 1}}),
		of([]float64{.3}, c),
		of([]float64{1e-4}, b),
		of([]float64{.1}, moments{[]float64{math.NaN(), 0}, []float64{1, 0}}),
		of([]float64{.1}, moments{[]float64{0, 0}, []float64{math.Inf(1), 0}}),
	}
	if err := weigh(t.Context(), all, 5); err != nil {
		t.Fatal(err)
	}
	const known = .9
	mean := (.4*1 + .2*3) / known
	first := (.4*(.5+math.Pow(1-mean, 2)) + .2*(1+math.Pow(3-mean, 2))) / known
	second := .3 * (2 + mean*mean) / known
	whole := first + second // at the first point; at the second there is none
	for i, want := range []float64{first / whole / 2 / (.6 / known), second / whole / 2 / (.3 / known), 1, 1, 1} {
		if got := all[i].part; math.Abs(got-want) > 1e-14 {
			t.Errorf("kernel %d: part %.15g, want %.15g", i, got, want)
		}
	}
}
