package outputs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
)

// At every level simultaneous intervals are at least as wide as pointwise ones and do not become
// narrower with the level, for one point and many, independent or all the same, with and without
// noise of several scales; and far out they are wider than pointwise ones by what points that
// are independent need: 1 - level^(1/points), which the union bound exceeds.
func TestSimultaneousAtEveryLevel(t *testing.T) {
	levels := []float64{1e-9, .01, .5, .9, .99, .994, .99499, .995, .99501, .996, .999, .9997, .9998, .9999, 1 - 1e-5, 1 - 1e-6, 1 - 1e-9, 1 - 1e-13, 1 - 1e-16}
	for _, points := range []int{1, 12} {
		two := slices.Repeat([]float64{2}, points)
		for _, alike := range []bool{false, true} {
			for _, noise := range []NewNoise{{}, {Std: two}, {Std: two, Scales: []float64{1.5}}, {Std: two, Scales: []float64{.1, .3, .3, 1.9}}} {
				t.Run(fmt.Sprintf("%d points, alike %t, noise %v, scales %v", points, alike, noise.Std != nil, noise.Scales), func(t *testing.T) {
					std, deviate := deviations(points), drawsOf(points, alike)
					before := make([]float64, points)
					for _, level := range levels {
						o := Interval{Level: level}
						each := testmain.Must(o.HalfWidths(t.Context(), mat.DenseCopyOf(std), noise, nil))(t)
						o.Simultaneous = true
						all := testmain.Must(o.HalfWidths(t.Context(), mat.DenseCopyOf(std), noise, deviate))(t)
						for k := range points {
							a, e := all.At(0, k), each.At(0, k)
							if !(a >= e*(1-1e-8)) || !(a >= before[k]*(1-1e-8)) || math.IsInf(a, 0) {
								t.Errorf("level 1 - %g, point %d: simultaneous %g, pointwise %g, at the level before %g", 1-level, k, a, e, before[k])
							}
							own := math.Erfc(a / math.Sqrt2 / std.At(0, k))
							if need := -math.Expm1(math.Log(level) / float64(points)); level > .995 && noise.Std == nil && own > need*(1+1e-6) {
								t.Errorf("level 1 - %g, point %d: outside with %g, want at most %g", 1-level, k, own, need)
							}
							before[k] = a
						}
					}
				})
			}
		}
	}
}

// deviations are standard ones of a prediction, from 0.1 on.
func deviations(points int) *mat.Dense {
	std := mat.NewDense(1, points, nil)
	for k := range points {
		std.Set(0, k, .1+.3*float64(k))
	}
	return std
}

// drawsOf draws deviations of these, independent or the same at all points.
func drawsOf(points int, alike bool) func(from, to, draws int, seed uint64) (*mat.Dense, error) {
	return func(_, _, draws int, seed uint64) (*mat.Dense, error) {
		rng, out, std := rand.New(rand.NewPCG(seed, 5)), mat.NewDense(draws, points, nil), deviations(points)
		for i := range draws {
			z := rng.NormFloat64()
			for k := range points {
				if !alike {
					z = rng.NormFloat64()
				}
				out.Set(i, k, z*std.At(0, k))
			}
		}
		return out, nil
	}
}

// Of a new output whose noise is as loud as that of one of the pairs, each as likely, intervals hold their
// share by the definition of that: more than normal ones of the mean variance far out, less in the
// middle. Simultaneous ones hold it of draws.
func TestIntervalsOfScales(t *testing.T) {
	const level = .95
	noise := NewNoise{Std: []float64{2, 2, 2}, Scales: []float64{.3, .3, .3, 1.78}}
	std := mat.NewDense(1, 3, []float64{0, .1, 1})
	own := mat.DenseCopyOf(std)
	half := testmain.Must(Interval{Level: level}.HalfWidths(t.Context(), std, noise, nil))(t)
	for k := range 3 {
		in := 0.0
		for _, s := range noise.Scales {
			in += math.Erf(half.At(0, k)/math.Sqrt2/math.Hypot(own.At(0, k), s*noise.Std[k])) / 4
		}
		if math.Abs(in-level) > 1e-8 {
			t.Errorf("point %d: %g within", k, in)
		}
	}
	deviate := func(_, _, draws int, seed uint64) (*mat.Dense, error) { return mat.NewDense(draws, 3, nil), nil }
	wide := testmain.Must(Interval{Level: level, Simultaneous: true}.HalfWidths(t.Context(), mat.NewDense(1, 3, nil), noise, deviate))(t)
	in := 0.0
	for _, s := range noise.Scales {
		in += math.Pow(math.Erf(wide.At(0, 0)/math.Sqrt2/(s*noise.Std[0])), 3) / 4
	}
	if math.Abs(in-level) > .01 { // 4000 draws: .0034
		t.Errorf("simultaneous: %g within", in)
	}
}
