package assess

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The noise is even if its variance is the same everywhere, or that of weights of the mesh, here
// very uneven ones: the statistic is zero for either, and not for both at once.
func TestEvenNoiseOfEitherKind(t *testing.T) {
	y := mesh.Must(mesh.Trapezoid([]float64{0, .01, .02, .03, .05, .1, .15, .2, .3, .5, .7, 1}, "y"))
	w := y.Weights()
	p := spreadAlong(y)
	for name, of := range map[string]func(k int) float64{
		"alike": func(int) float64 { return .3 }, "of weights": func(k int) float64 { return .3 * math.Sqrt(w[k]) },
	} {
		r := &fit.Residue{Values: mat.NewDense(2, len(w), nil)}
		r.Values.Apply(func(i, k int, _ float64) float64 { return of(k) * float64(1-2*i) }, r.Values)
		z := p.of(r)
		if got := p.combine(z); !(got < 1e-12) {
			t.Errorf("%s: %g", name, got)
		}
		if other := max(largest(z[:len(z)/2]), largest(z[len(z)/2:])); !(other > .5) {
			t.Errorf("%s: the other kind is even, too: %g", name, other)
		}
	}
}

// A group of one value has its size, and one of none has 0.
func TestSpreads(t *testing.T) {
	r := &fit.Residue{Values: mat.NewDense(2, 3, []float64{3, -2, math.NaN(), math.NaN(), -2, math.NaN()})}
	for k, want := range []float64{3, 2, 0} {
		if got := spreads(r, 3, func(_, k int) int { return k })[k]; got != want {
			t.Errorf("group %d: %g, want %g", k, got, want)
		}
	}
}

// What the report says of the noise is passed on; without it the noise is white.
func TestNoiseOfReports(t *testing.T) {
	for reason, want := range map[string]string{
		"": "white", "the noise is correlated; λ by REML": "correlated", "λ by REML; the noise is correlated": "white", "the noise is correlated": "white",
	} {
		if got := noiseOf(fit.Report{Reason: reason}); got != want {
			t.Errorf("%q: %s, want %s", reason, got, want)
		}
	}
}

// Where residuals are zero at a point of the output, as at an end that is held, they are like
// nothing, and the other points count.
func TestResidualsThatAreZero(t *testing.T) {
	in := []input{{"f", mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), []float64{.5, .5}}}
	p := withInputs(t.Context(), in)
	held := p.of(&fit.Residue{Values: mat.NewDense(3, 2, []float64{0, 1, 0, -2, 0, 1})})
	free := p.of(&fit.Residue{Values: mat.NewDense(3, 1, []float64{1, -2, 1})})
	if math.Abs(held[0]-free[0]/2) > 1e-15 || math.Abs(held[1]-free[1]) > 1e-15 || free[0] == 0 {
		t.Errorf("with a point held %v, without it %v", held, free)
	}
	if none := p.of(&fit.Residue{Values: mat.NewDense(3, 2, nil)}); none[0] != 0 || none[1] != 0 {
		t.Errorf("without residuals %v, want zeros", none)
	}
}

// F is what a model explains for each degree of freedom over the mean square that it leaves, both
// weighted; there is none where it has no more degrees of freedom, or leaves none of the values.
func TestF(t *testing.T) {
	f := fitted{u: mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), of: mat.NewDense(3, 2, []float64{1, 1, 3, 6, 4, 6}), w: []float64{.5, 2}}
	if got := f.squares(); got != .5*1+2*(1+4) {
		t.Errorf("sum of squares %g", got)
	}
	s := &Summary{DF: 4}
	if got := s.fStatistic(f, 31.5, 2); got == nil || math.Abs(*got-(31.5-10.5)/2/(10.5/2)) > 1e-12 {
		t.Errorf("F is %v, want 2", got)
	}
	for _, c := range []struct{ df, own float64 }{{4, 4}, {5, 4}, {2, 6}, {2, 7}} {
		if got := (&Summary{DF: c.own}).fStatistic(f, 31.5, c.df); got != nil {
			t.Errorf("%g degrees of freedom of 6 values, %g without the model: F is %g, want none", c.own, c.df, *got)
		}
	}
}

// What is as it should be does not matter for bands.
func TestWhatIsAsItShouldBeDoesNotMatter(t *testing.T) {
	y := mesh.Must(mesh.Uniform(0, 1, 5, "y"))
	rng := rand.New(rand.NewPCG(1, 2))
	values := mat.NewDense(6, 5, nil)
	values.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, values)
	r := &fit.Residue{Values: values, LeftOut: values, Means: []float64{1, -.5, .2, -2, .3, .7}}
	for _, p := range []probe{alongOutput(newDistances(y)), acrossPairs(), spreadAlong(y), spreadOfPairs(), outliers(), leftValues(), leftMeans()} {
		numbers := p.of(r)
		zeros := make([]float64, len(numbers))
		if finding, matters := p.says(measured{values: numbers, mean: numbers, sd: zeros, z: zeros}); matters {
			t.Errorf("%s: %q matters", p.kind, finding)
		}
	}
}
