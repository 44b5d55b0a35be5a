package assess

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
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
		z := p.ofData(r)
		if got := p.combine(z); !(got < 1e-12) {
			t.Errorf("%s: %g", name, got)
		}
		if other := max(largest(z[:len(z)/2]), largest(z[len(z)/2:])); !(other > .5) {
			t.Errorf("%s: the other kind is even, too: %g", name, other)
		}
	}
}

// Beside draws of the model, whose residuals are alike, either kind of noise is even by chance, and noise that is louder at the ends is not.
func TestEvenNoiseBesideDraws(t *testing.T) {
	const pairs = 300
	y := mesh.Must(mesh.Uniform(0, 1, 6, "y"))
	w, p, rng := y.Weights(), spreadAlong(y), rand.New(rand.NewPCG(1, 2))
	draw := func(of func(k int) float64) *fit.Residue {
		r := &fit.Residue{Values: mat.NewDense(pairs, len(w), nil)}
		r.Values.Apply(func(_, k int, _ float64) float64 { return of(k) * rng.NormFloat64() }, r.Values)
		return r
	}
	even := func(int) float64 { return 1 }
	var m measured
	var drawn [][]float64
	for range 150 {
		drawn = append(drawn, p.of(draw(even)))
	}
	m.learn(drawn)
	for name, c := range map[string]struct {
		of   func(k int) float64
		even bool
	}{
		"alike":          {even, true},
		"of weights":     {func(k int) float64 { return math.Sqrt(w[k]) }, true},
		"loud at an end": {func(k int) float64 { return 1 + float64(k/5)/2 }, false},
	} {
		if z := p.combine(m.standardised(p.ofData(draw(c.of)))); z < 4 != c.even {
			t.Errorf("%s: %.1f standard deviations off", name, z)
		}
	}
}

// Of numbers that are normal, the loudest of the pairs counts about as much as the one of all of them,
// however many there are: with more pairs it is farther off by chance.
func TestLoudestOfManyPairs(t *testing.T) {
	rng, p := rand.New(rand.NewPCG(3, 4)), spreadOfPairs()
	for _, n := range []int{10, 100, 1000} {
		const draws = 400
		loudest, sum := 0, 0.0
		for range draws {
			z := make([]float64, n+1)
			for i := range z {
				z[i] = rng.NormFloat64()
			}
			got := p.combine(z)
			if sum += got; got != z[n] {
				loudest++
			}
		}
		if share, mean := float64(loudest)/draws, sum/draws; !(share >= .2) || !(share <= .8) || !(math.Abs(mean) <= .6) {
			t.Errorf("%d pairs: the loudest counts in %.2f of the draws, the mean is %.2f", n, share, mean)
		}
	}
}

// Columns of S are those of (w_i w_j)^½ exp(-d²/2ℓ²), d in lengths of the axis.
func TestSmoothing(t *testing.T) {
	at := []float64{1, 1.5, 2.5, 5}
	w := []float64{.25, .75, 1.75, 1.25} // of the trapezoidal rule
	s := smoothing(mesh.Must(mesh.Trapezoid(at, "x")), .3, 1, 3)
	for i := range at {
		for j := 1; j < 3; j++ {
			d := (at[i] - at[j]) / 4 / .3
			if want := math.Sqrt(w[i]*w[j]) * math.Exp(-d*d/2); !(math.Abs(s.At(i, j-1)-want) <= 1e-15) {
				t.Errorf("points %d and %d: %g, want %g", i, j, s.At(i, j-1), want)
			}
		}
	}
}

// Of more points than are smoothed at a time all count: F S Fᵀ is by its definition, its largest number one.
func TestSmoothedByDefinition(t *testing.T) {
	const n, points = 3, 300
	m := mesh.Must(mesh.Uniform(0, 2, points, "x"))
	f := mat.NewDense(n, points, nil)
	f.Apply(func(i, j int, _ float64) float64 {
		return math.Exp(-10*float64(j)/points) * (1 + math.Sin(float64((i+1)*(j+1))))
	}, f)
	got, err := smoothed(t.Context(), f, m)
	if err != nil {
		t.Fatal(err)
	}
	x, w := m.Points(), m.Weights()
	for k, l := range smoothings() {
		want := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				for a := range points {
					for b := range points {
						d := (x[a] - x[b]) / 2 / l
						want.Set(i, j, want.At(i, j)+f.At(i, a)*f.At(j, b)*math.Sqrt(w[a]*w[b])*math.Exp(-d*d/2))
					}
				}
			}
		}
		if want.Scale(1/mat.Max(want), want); !mat.EqualApprox(got[k], want, 1e-12) {
			t.Errorf("lengthscale %g: %v, want %v", l, mat.Formatted(got[k]), mat.Formatted(want))
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
	if !(math.Abs(held[0]-free[0]/2) <= 1e-15) || !(math.Abs(held[1]-free[1]) <= 1e-15) || free[0] == 0 {
		t.Errorf("with a point held %v, without it %v", held, free)
	}
	if none := p.of(&fit.Residue{Values: mat.NewDense(3, 2, nil)}); none[0] != 0 || none[1] != 0 {
		t.Errorf("without residuals %v, want zeros", none)
	}
}

// Means of pairs that are there count by their mean square.
func TestMeansOfLeftOutPairs(t *testing.T) {
	if got := leftMeans().of(&fit.Residue{Means: []float64{1, 2, math.NaN(), -2}}); len(got) != 1 || !(math.Abs(got[0]-math.Log(3)) <= 1e-15) {
		t.Errorf("%v, want log 3", got)
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
	if got := s.fStatistic(f, 31.5, 2); got == nil || !(math.Abs(*got-(31.5-10.5)/2/(10.5/2)) <= 1e-12) {
		t.Errorf("F is %v, want 2", got)
	}
	if got := s.fStatistic(f, 31.5, 3.5); got == nil || !(math.Abs(*got-(31.5-10.5)/.5/(10.5/2)) <= 1e-12) {
		t.Errorf("F of half a degree of freedom is %v, want 8", got)
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

// Each probe has the numbers that its words are of, however many pairs, points and inputs there are.
func TestProbesHaveTheirNumbers(t *testing.T) {
	for n := 3; n <= 5; n++ {
		for my := 2; my <= 4; my++ {
			for inputs := 1; inputs <= 3; inputs++ {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(my)))
				random := func(rows, columns int) *mat.Dense {
					m := mat.NewDense(rows, columns, nil)
					m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
					return m
				}
				var in []input
				for range inputs {
					in = append(in, input{"f", random(n, 2), []float64{.5, .5}})
				}
				y := mesh.Must(mesh.Uniform(0, 1, my, "y"))
				r := &fit.Residue{Values: random(n, my), LeftOut: random(n, my), Means: make([]float64, n)}
				for kind, c := range map[Kind]struct {
					p    probe
					want int
				}{
					AlongOutput:  {alongOutput(newDistances(y)), len(newDistances(y).at)},
					AcrossPairs:  {acrossPairs(), min(2, n-2)},
					WithInputs:   {withInputs(t.Context(), in), 2 * inputs}, // of all values, and of the means
					OutputSpread: {spreadAlong(y), 2 * my},
					PairSpread:   {spreadOfPairs(), n + 1},
					Outliers:     {outliers(), 4},
					LeftValues:   {leftValues(), 1},
					LeftMeans:    {leftMeans(), 1},
				} {
					if got := len(c.p.of(r)); got != c.want || c.p.kind != kind {
						t.Errorf("%d pairs of %d values, %d inputs: %s (%s) has %d numbers, want %d", n, my, inputs, kind, c.p.kind, got, c.want)
					}
				}
			}
		}
	}
}

// A correlation that is off by 0.05, standard deviations in a ratio of 1.25, of pairs of 1.1, a kurtosis
// off by 0.3, two of a hundred values out of their bands and means of 1.2 times their variance matter, and less does not.
func TestWhatMatters(t *testing.T) {
	y := mesh.Must(mesh.Uniform(0, 1, 5, "y"))
	even := len(spreadAlong(y).of(&fit.Residue{Values: mat.NewDense(2, 5, nil)}))
	for _, c := range []struct {
		p            probe
		size         int // numbers of the probe
		mean         float64
		little, much float64 // the first of them
	}{
		{alongOutput(newDistances(y)), 2, -.2, -.16, -.14},
		{alongOutput(newDistances(y)), 2, -.2, -.24, -.26},
		{acrossPairs(), 2, -.2, -.24, -.14},
		{spreadAlong(y), even, 0, 2 * math.Log(1.2), 2 * math.Log(1.3)},
		{spreadAlong(y), even, 0, -2 * math.Log(1.2), -2 * math.Log(1.3)},
		{outliers(), 4, math.Log(3), math.Log(3.25), math.Log(3.35)},
		{leftValues(), 1, .95, .965, .925},
		{leftMeans(), 1, 0, math.Log(1.15), math.Log(1.25)},
	} {
		for _, first := range []float64{c.little, c.much} {
			m := measured{values: make([]float64, c.size), mean: make([]float64, c.size), sd: make([]float64, c.size), z: make([]float64, c.size)}
			m.values[0], m.mean[0], m.z[0] = first, c.mean, 9
			if half := c.size / 2; c.p.kind == OutputSpread {
				m.values[half], m.z[half] = first, 9 // of both kinds of noise
			}
			if says, matters := c.p.says(m); matters != (first == c.much) {
				t.Errorf("%s, off by %.3g: %q matters: %t", c.p.kind, first-c.mean, says, matters)
			}
		}
	}
	for ratio, want := range map[float64]bool{1.09: false, 1.11: true} {
		excess := math.Pow(2*math.Log(ratio), 2)
		if says, matters := spreadOfPairs().says(measured{values: []float64{0, 0, excess}, mean: make([]float64, 3), z: []float64{0, 0, 9}}); matters != want {
			t.Errorf("%q matters: %t", says, matters)
		}
	}
}

// The numbers of probes are those of their definitions, of the values that are there.
func TestNumbersOfProbes(t *testing.T) {
	none := math.NaN()
	y := mesh.Must(mesh.Uniform(0, 1, 3, "y"))
	r := &fit.Residue{
		Values:  mat.NewDense(4, 3, []float64{1, 2, none, -1, 1, 1, 2, none, -2, 1, -1, 4}),
		LeftOut: mat.NewDense(4, 3, []float64{1.95, -1.95, none, 1.97, -1.97, 0, none, none, 3, 1, 1, -1}),
		Means:   []float64{2, none, -1, none},
	}
	one := (1. + 4) / 2
	pairs := []float64{one, (1. + 1 + 1) / 3, (4. + 4) / 2, (1. + 1 + 9) / 3} // 4² counts as 9
	all := (1. + 4 + 3 + 8 + 11) / 10
	ratios := make([]float64, 4)
	mean, variance := 0.0, 0.0
	for i, v := range pairs {
		ratios[i] = math.Log(v / all)
		mean += ratios[i] / 4
	}
	for _, v := range ratios {
		variance += (v - mean) * (v - mean) / 4
	}
	squares := []float64{(1. + 1 + 4 + 1) / 4, (4. + 1 + 1) / 3, (1. + 4 + 9) / 3}
	spread := make([]float64, 6)
	for k, v := range squares {
		spread[k] = math.Log(v / all)
	}
	w := y.Weights()
	weighted := (7/w[0] + 6/w[1] + 14/w[2]) / 10
	for k, v := range squares {
		spread[3+k] = math.Log(v / w[k] / weighted)
	}
	correlation := func(a, b []float64) float64 { return floats.Dot(a, b) / math.Sqrt(floats.Dot(a, a)*floats.Dot(b, b)) }
	loud := func(groups ...[]float64) float64 { // the kurtosis where each group has the mean root one
		var two, four, count float64
		for _, of := range groups {
			roots := 0.0
			for _, v := range of {
				roots += math.Sqrt(math.Abs(v)) / float64(len(of))
			}
			for _, v := range of {
				v /= roots * roots
				two, four, count = two+v*v, four+v*v*v*v, count+1
			}
		}
		return math.Log(four * count / (two * two))
	}
	for _, c := range []struct {
		p    probe
		want []float64
	}{
		{acrossPairs(), []float64{
			correlation([]float64{1, 2, -1, 1, 2, -2}, []float64{-1, 1, 2, -2, 1, 4}), correlation([]float64{1, -1, 1, 1}, []float64{2, 1, -1, 4}),
		}},
		{alongOutput(newDistances(y)), []float64{correlation([]float64{1, -1, 1, 1, -1}, []float64{2, 1, 1, -1, 4})}}, // of neighbours
		{spreadOfPairs(), append(ratios, variance)},
		{spreadAlong(y), spread},
		{outliers(), []float64{
			math.Log((1. + 16 + 1 + 1 + 1 + 16 + 16 + 1 + 1 + 256) * 10 / (34. * 34)), 4,
			loud([]float64{1, -1, 2, 1}, []float64{2, 1, -1}, []float64{1, -2, 4}), loud([]float64{1, 2}, []float64{-1, 1, 1}, []float64{2, -2}, []float64{1, -1, 4}),
		}},
		{leftValues(), []float64{6. / 9}},
		{leftMeans(), []float64{math.Log(2.5)}},
	} {
		got := c.p.ofData(r)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.p.kind, got, c.want)
			continue
		}
		for i, want := range c.want {
			if !(math.Abs(got[i]-want) <= 1e-14) {
				t.Errorf("%s: number %d is %g, want %g", c.p.kind, i, got[i], want)
			}
		}
	}
}

// What probes find is said with their numbers, what these should be and how they scatter.
func TestFindingsInWords(t *testing.T) {
	y := mesh.Must(mesh.Uniform(0, 4, 5, "y"))
	of := func(values, mean, sd, z []float64) measured {
		return measured{values: values, mean: mean, sd: sd, z: z}
	}
	in := []input{{"f", mat.NewDense(3, 1, []float64{1, 2, 4}), []float64{1}}, {"g", mat.NewDense(3, 1, []float64{1, 2, 4}), []float64{1}}}
	d := newDistances(y)
	for _, c := range []struct {
		p    probe
		m    measured
		want string
	}{
		{alongOutput(d), of([]float64{.314, .9}, []float64{.05, .2}, []float64{.023, .3}, []float64{-9, 1}), "0.31 at distance 1, should be 0.05 ± 0.023"},
		{alongOutput(newDistances(mesh.Mesh{})), measured{}, "one point: nothing to compare"},
		{acrossPairs(), of([]float64{.1, .25}, []float64{0, .05}, []float64{.1, .02}, []float64{1, 5}), "0.25 with the pair 2 on, should be 0.05 ± 0.02"},
		{withInputs(t.Context(), in[:1]), measured{z: []float64{1.9, 1}}, "residuals do not follow the squares of the inputs"},
		{withInputs(t.Context(), in[:1]), measured{z: []float64{2, 2.74}}, "residuals follow the squares of the inputs, by 2.7 standard deviations"},
		{withInputs(t.Context(), in), measured{z: []float64{1, 1, 2, 2.3}, p: .31}, "residuals do not follow the squares of the inputs"},
		{withInputs(t.Context(), in), measured{z: []float64{1, 1, 2, 3.26}, p: .04}, "residuals follow the squares of g, by 3.3 standard deviations"},
		{withInputs(t.Context(), in), measured{z: []float64{1, 1, 2, 3.26}}, "residuals follow the squares of g, by 3.3 standard deviations"},
		{withInputs(t.Context(), in), measured{z: []float64{1, 4, 2, 3.26}}, "residuals follow the squares of f, by 4.0 standard deviations"},
		{spreadAlong(y), of([]float64{0, 0, .4, 0, 0, 0, 0, .2, 0, 0}, []float64{0, 0, .2, 0, 0, 0, 0, 0, 0, 0}, nil, []float64{1, 1, 8, 1, 1, 1, 1, 9, 1, 1}), "standard deviation 1.11 of its mean for y from 2 to 2"},
		{spreadAlong(y), of([]float64{0, 0, .4, 0, 0, 0, -.2, 0, 0, 0}, make([]float64, 10), nil, []float64{1, 1, 8, 1, 1, 1, 7, 2, 1, 1}), "standard deviation 0.90 of its mean for y from 1 to 1"},
		{spreadOfPairs(), of([]float64{1, 2, .5}, []float64{0, 0, .1}, nil, []float64{1, 2, 3}), "standard deviations of pairs differ by a factor of 1.37, beyond chance"},
		{spreadOfPairs(), measured{values: []float64{1, 2, .5}, mean: []float64{0, 0, .1}, z: []float64{1, 2, 3}, p: .301}, "standard deviations of pairs differ by a factor of 1.37, as they may by chance"},
		{spreadOfPairs(), of([]float64{1, 2, .1}, []float64{0, 0, .3}, nil, []float64{1, -5, 3}), "standard deviations of pairs differ by chance alone; far off: pair 2"},
		{outliers(), of([]float64{math.Log(5), 4.36, math.Log(4.6), math.Log(4.5)}, []float64{math.Log(3), 2.74, math.Log(3), math.Log(3)}, nil, []float64{1, 1}), "largest 4.4 standard deviations (should be 2.7), kurtosis 5.0 (should be 3.0)"},
		{outliers(), of([]float64{math.Log(5), 4.36, math.Log(3.3), math.Log(3.2)}, []float64{math.Log(3), 2.74, math.Log(3), math.Log(3)}, nil, []float64{1, 1}), "largest 4.4 standard deviations (should be 2.7), kurtosis 5.0 (should be 3.0), and 3.2 with each pair as loud as it is"},
		{outliers(), of([]float64{math.Log(5), 4.36, math.Log(3.3), math.Log(4.5)}, []float64{math.Log(3), 2.74, math.Log(3), math.Log(3)}, nil, []float64{1, 1}), "largest 4.4 standard deviations (should be 2.7), kurtosis 5.0 (should be 3.0), and 3.3 with each point as loud as it is"},
		{leftValues(), of([]float64{.912}, []float64{.951}, []float64{.0123}, []float64{3}), "91.2 % in bands of 95 %, should be 95.1 ± 1.2 %"},
		{leftMeans(), of([]float64{math.Log(1.44)}, []float64{0}, []float64{.3}, []float64{3}), "means over the output are off by 1.20 of their deviations, should be 1 ± 0.15"},
	} {
		if got, _ := c.p.says(c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.p.kind, got, c.want)
		}
	}
}

// Pairs that are far off are named by their numbers, counted from one, the farthest first.
func TestFarPairsAreNamed(t *testing.T) {
	m := measured{values: make([]float64, 10), mean: make([]float64, 10), z: []float64{5, 3.9, -6, 0, 9, 4.5, 7, 4.1, 8, 100}}
	says, matters := spreadOfPairs().says(m)
	if want := "; far off: pair 5, pair 9, pair 7, pair 3, pair 1, 2 more"; !matters || !strings.HasSuffix(says, want) {
		t.Errorf("%q, %t: want %q", says, matters, want)
	}
}

// p by permutations counts the data among the orders: it is 1 where all orders give the same, and
// where none of those that are drawn gives as much, one of all of them.
func TestPermutationsCountTheData(t *testing.T) {
	const n = 12
	same, own := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			same.Set(i, j, 1)
			own.Set(i, j, math.Sin(float64(i*i+1))*math.Sin(float64(j*j+1)))
		}
	}
	for _, c := range []struct {
		in, out *mat.Dense
		want    float64
	}{{own, own, 1. / 1000}, {own, same, 1}} {
		if _, p, err := permute(t.Context(), []*mat.Dense{c.in}, []*mat.Dense{c.out}, 7); err != nil || p != c.want {
			t.Errorf("p = %g, %v: want %g", p, err, c.want)
		}
	}
}
