package criteria

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A slide goes downhill from wherever it begins, also where Newton's method sees no minimum: it ends where no step by λ or ρ alone,
// of up to four and a half times, is worth one.
func TestSlidesEndWhereNothingIsDownhill(t *testing.T) {
	moved, beyond := 0, 0
	for _, b := range []problem{newProblem(6, 6, 5, false, true, false, 1), newProblem(8, 4, 3, false, true, true, 1)} {
		x, top := b.exact(), math.Log(mat.Max(b.green))
		lo, hi := top-20, top+2
		at := func(l, r float64) Sheet {
			v, err := x.At(t.Context(), math.Exp(l), math.Exp(r))
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, l := range []float64{top - 12, top - 3, top + 1.9} {
			for _, r := range []float64{-14, -6, 0, 5, 12} {
				start := at(l, r)
				polished, err := polish(t.Context(), x, start, lo, hi)
				if err != nil {
					t.Fatal(err)
				}
				v, err := slide(t.Context(), x, start, lo, hi)
				if err != nil || !(v.REML <= polished.REML) {
					t.Errorf("from %g, %g: REML %g, of the polish alone %g; %v", l, r, v.REML, polished.REML, err)
				}
				if l := math.Log(v.Lambda); !(l >= lo-1e-9 && l <= hi+1e-9) {
					t.Errorf("log λ = %g is beyond %g and %g", l, lo, hi)
				}
				if v.REML < polished.REML-1 {
					moved++
				}
				if math.Abs(math.Log(v.Rho)-r) > 3*1.5 {
					beyond++
				}
				l, r := math.Log(v.Lambda), math.Log(v.Rho)
				for _, reach := range []float64{1.5, .75, .375, .1875} {
					for _, w := range []Sheet{at(min(l+reach, hi), r), at(max(l-reach, lo), r), at(l, r+reach), at(l, r-reach)} {
						if w.REML < v.REML-2e-3 {
							t.Errorf("from %g, %g: ended at %g, %g with %g; a step of %g has %g", start.Lambda, start.Rho, l, r, v.REML, reach, w.REML)
						}
					}
				}
			}
		}
	}
	if moved < 3 || beyond < 3 {
		t.Errorf("%d slides went on where the polish ended, %d far", moved, beyond)
	}
}

// A ratio is another one from three on, in logarithms, above and below.
func TestOtherRatios(t *testing.T) {
	for apart, want := range map[float64]bool{0: false, 2.9: false, -2.9: false, 3.1: true, -3.1: true, 14: true} {
		if got := isOther(7*math.Exp(apart), 7); got != want {
			t.Errorf("%g apart is another: %v", apart, got)
		}
	}
}
