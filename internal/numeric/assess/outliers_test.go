package assess_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// loudPoints are two of seven, 6.5 times as loud as the others.
func loudPoints(level float64) noise {
	return func(rng *rand.Rand, u *mat.Dense, sd float64) {
		u.Apply(func(_, k int, v float64) float64 {
			own := .3
			if k%7 == 2 || k%7 == 5 {
				own = 1.95
			}
			return v + level*sd*own*rng.NormFloat64()
		}, u)
	}
}

// Long tails of residuals are those of outliers where they are at all points and in all pairs, and otherwise the advice is that for points
// or pairs that are louder than others: also for points that are uneven and measured equally well, which a fit takes for quiet where they
// lie apart.
func TestAdviceForLongTails(t *testing.T) {
	var at []float64
	for k := range 20 { // gauges that come closer and closer
		at = append(at, (1-math.Pow(.75, float64(k)))/(1-math.Pow(.75, 19)))
	}
	even, uneven := line(20), mesh.Must(mesh.Trapezoid(at, "x"))
	for name, c := range map[string]struct {
		m     mesh.Mesh
		noise noise
		want  assess.Kind
	}{
		"wrong values": {even, wrongValues(.3, .05), assess.Outliers},
		"loud points":  {even, loudPoints(.3), assess.OutputSpread},
		"loud pairs":   {even, loudPairs(.3), assess.PairSpread},
		"uneven":       {uneven, white(.3), assess.OutputSpread},
	} {
		for seed := range uint64(3) {
			e := fitted(t, fit.Spec{Data: simulated(t, c.m, 40, se(.3), c.noise, 70+seed), Kernel: se(.3)})
			r := testmain.Must(assess.Run(ctx, e, assess.Options{Seed: 1, NoKernels: true}))(t)
			at := slices.IndexFunc(r.Tests, func(t assess.Test) bool { return t.Kind == assess.Outliers })
			if got := r.Tests[at]; got.Passed || got.Cause != c.want {
				t.Errorf("%s, seed %d: passed %t, by %q, want %q\n%s", name, seed, got.Passed, got.Cause, c.want, r)
			}
			// Advice is given once for all tests that it is for.
			text := r.Describe(func(k assess.Kind) string { return "<" + string(k) + ">" })
			if strings.Count(text, "<"+string(c.want)+">") != 1 || c.want != assess.Outliers && strings.Contains(text, "<outliers>") {
				t.Errorf("%s, seed %d:\n%s", name, seed, text)
			}
		}
	}
}
