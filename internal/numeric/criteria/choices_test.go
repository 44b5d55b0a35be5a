package criteria

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bowl is a curve of which REML is a parabola of log λ.
type bowl struct{ least, curvature, slope float64 }

func (b bowl) Value(_ context.Context, _ Criterion, lambda float64) (float64, error) {
	l := math.Log(lambda) - b.least
	return b.curvature/2*l*l + b.slope*l, nil
}

func (b bowl) Sheet(context.Context, float64) (Sheet, error) { return Sheet{}, nil }
func (b bowl) Top() float64                                  { return 1 }
func (b bowl) Reach(Criterion) float64                       { return 0 }

// What REML falls by to its minimum is what the slope at a sheet and the curvature of the curve make it, no farther than the curve is
// trusted; along a given ρ the slope is that of λ alone. Where one of them is not known it is nothing.
func TestFallToTheMinimum(t *testing.T) {
	const curvature = 4
	for what, c := range map[string]struct {
		slope, rhoSlope, rho, curvature, want float64
	}{
		"near":                {2, 100, 0, curvature, 2. * 2 / curvature / 2},
		"from the other side": {-2, 100, 0, curvature, 2. * 2 / curvature / 2},
		"ρ is given":          {3, 1, 7, curvature, 2. * 2 / curvature / 2},
		"far":                 {8, 0, 0, curvature, trust * (8 - curvature*trust/2)},
		"not bent":            {2, 0, 0, 0, 0},
		"bent the other way":  {2, 0, 0, -1, 0},
		"no slope":            {math.NaN(), 0, 0, curvature, 0},
	} {
		ch := Choice{Curve: bowl{curvature: c.curvature}, Penalty: Penalty{Rho: c.rho}}
		got, err := ch.Fall(t.Context(), Sheet{Lambda: 3, Slope: c.slope, RhoSlope: c.rhoSlope})
		if err != nil || !(math.Abs(got-c.want) <= 1e-9) {
			t.Errorf("%s: %g, want %g; %v", what, got, c.want, err)
		}
	}
}

// The interpolation is the polynomial of least degree through values, with their derivatives where these are known.
func TestInterpolationIsThePolynomial(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, sloped := range [][]bool{{false}, {true}, {false, false}, {true, false}, {false, true}, {true, true}, {true, false, true}, {true, true, true}} {
		degree := len(sloped)
		for _, s := range sloped {
			if s {
				degree++
			}
		}
		c := make([]float64, degree)
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		value := func(l float64) (v, slope float64) {
			for i := len(c) - 1; i >= 0; i-- {
				slope = slope*l + v
				v = v*l + c[i]
			}
			return v, slope
		}
		var knots []knot
		for i, s := range sloped {
			k := knot{at: []float64{.3, -1.1, 2}[i], sloped: s}
			k.off, k.slope = value(k.at)
			if !s {
				k.slope = math.NaN()
			}
			knots = append(knots, k)
		}
		for _, l := range []float64{-2, 0, .3, 1.7} {
			if want, _ := value(l); !(math.Abs(interpolation(knots)(l)-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%v: %g at %g, want %g", sloped, interpolation(knots)(l), l, want)
			}
		}
	}
}

// A knot has what a sheet is off the model by, and its derivative what both differ by; along a given ρ that of λ alone, and
// none for other criteria.
func TestKnots(t *testing.T) {
	model := bowl{slope: 5, curvature: 2, least: .5}
	sheet := Sheet{REML: 30, GCV: math.E, Slope: 7, RhoSlope: 3}
	const l = 1.5 // the model has 5 + 1 there, and the slope 7
	for what, c := range map[string]struct {
		by          Criterion
		rho, slope  float64
		want, offBy float64
		sloped      bool
	}{
		"both together": {REML, 0, 7, 0, 24, true},
		"a given ρ":     {REML, 2, 7, -3, 24, true},
		"another slope": {REML, 0, 9, 2, 24, true},
		"none":          {REML, 0, math.NaN(), math.NaN(), 24, false},
		"no likelihood": {GCV, 0, 7, 0, .5*40 - .5*40*math.Log(6), false},
	} {
		d := &decision{Search: Search{By: c.by, Outputs: 40}, Choice: Choice{Curve: model, Penalty: Penalty{Rho: c.rho}}}
		v := sheet
		v.Slope = c.slope
		if err := d.add(t.Context(), l, v); err != nil {
			t.Fatal(err)
		}
		k := d.knots[0]
		if k.at != l || k.sloped != c.sloped || !(math.Abs(k.off-c.offBy) <= 1e-12*40) || c.sloped && !(math.Abs(k.slope-c.want) <= 1e-6) || len(d.sheets) != 1 {
			t.Errorf("%s: %+v, want %+v", what, k, c)
		}
	}
}

// The next λ is where the model with what it is off by is least, no farther than that is trusted; of one knot without a
// derivative it is a step away, downwards at the end of the range.
func TestNextLambda(t *testing.T) {
	d := &decision{Search: Search{By: REML}, Choice: Choice{Curve: bowl{curvature: 2, least: 1}}, lo: -10, hi: 10, step: 1e-3}
	next := func(knots ...knot) float64 {
		d.knots = knots
		at, err := d.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if got := next(knot{at: 2}); got != 2+firstStep {
		t.Errorf("a step from one value: %g", got)
	}
	d.hi = 2 + firstStep
	if got := next(knot{at: 2}); got != 2-firstStep {
		t.Errorf("a step at the end: %g", got)
	}
	d.hi = 10
	if got := next(knot{at: 2, sloped: true, slope: 1}); math.Abs(got-.6) > 1e-3 { // ... (l-1)² + l
		t.Errorf("in the interval: %g, want 0.6", got)
	}
	if got := next(knot{at: 3, sloped: true}); math.Abs(got-(3-trust)) > 1e-3 {
		t.Errorf("beyond the interval: %g, want %g", got, 3-trust)
	}
	if got := next(knot{at: -2, sloped: true}); math.Abs(got-(-2+trust)) > 1e-3 {
		t.Errorf("beyond the other end of the interval: %g, want %g", got, -2+trust)
	}
	if got := next(knot{at: 3, off: 4}, knot{at: 2, off: 2}); math.Abs(got-.6) > 1e-3 { // off by 2 (l - 1): least at 0
		t.Errorf("two values: %g, want %g", got, 2-trust)
	}
	d.lo, d.hi = 2.2, 2.6
	if got := next(knot{at: 2.5, sloped: true}); math.Abs(got-2.2) > 1e-3 {
		t.Errorf("at the lower end of the range: %g", got)
	}
	d.Choice.Curve = bowl{curvature: 2, least: 9}
	if got := next(knot{at: 2.5, sloped: true}); math.Abs(got-2.6) > 1e-3 {
		t.Errorf("at the upper end of the range: %g", got)
	}
	// of many knots the last three count
	d.lo, d.hi, d.Choice.Curve = -10, 10, bowl{curvature: 2, least: 1}
	last := []knot{{at: .5, sloped: true}, {at: .75, sloped: true}, {at: 1.5, sloped: true}}
	if got := next(append([]knot{{at: 2, off: 1e3, slope: 50, sloped: true}}, last...)...); math.Abs(got-1) > 1e-3 {
		t.Errorf("with a knot from before: %g", got)
	}
	d.knots = []knot{{at: 1}, {at: 5}}
	for l, want := range map[float64]bool{1.0009: true, 1.0011: false, 4.9991: true, 4.9989: false, 3: false} {
		if d.near(l) != want {
			t.Errorf("%g is near a knot: %v", l, !want)
		}
	}
}

// Of estimates the last is the best, unless another is less beyond three of their errors.
func TestBestOfEstimates(t *testing.T) {
	d := &decision{Search: Search{By: REML}}
	for off, first := range map[float64]bool{-2.9: false, -3.1: true, 0: false, 5: false} {
		d.sheets = []Sheet{{Lambda: 1, REML: 10 + off, REMLErr: .25}, {Lambda: 2, REML: 10, REMLErr: .75}}
		if got := d.best().Lambda == 1; got != first {
			t.Errorf("the first is less by %g, and taken: %v", -off, got)
		}
	}
	d.sheets = []Sheet{{Lambda: 1, REML: 3}, {Lambda: 2, REML: 1}, {Lambda: 3, REML: 2}}
	if got := d.best().Lambda; got != 2 {
		t.Errorf("exact values: the best is %g", got)
	}
}

// A kernel rivals the best where their errors leave it open by more than what is worth deciding.
func TestRivals(t *testing.T) {
	best := &Contender{Value: 10, Err: .6}
	for what, c := range map[string]struct {
		value, err float64
		want       bool
	}{
		"as good":             {10, .8, true},
		"within three errors": {12.9, .8, true},
		"beyond":              {13.1, .8, false},
		"exact, within":       {11.7, 0, true},
		"exact, beyond":       {11.9, 0, false},
	} {
		if got := (&Contender{Value: c.value, Err: c.err}).rivals(best); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	for err, want := range map[float64]bool{.29: false, .31: true} { // with 0.4: 0.494 and 0.506
		if got := (&Contender{Value: 10, Err: err}).rivals(&Contender{Value: 10, Err: .4}); got != want {
			t.Errorf("an error of %g is worth deciding: %v", err, got)
		}
	}
	nan := &Contender{Value: math.NaN()}
	for what, c := range map[string]struct {
		field []*Contender
		best  int
		doubt bool
	}{
		"none":            {nil, -1, false},
		"no values":       {[]*Contender{nan, {Value: math.Inf(-1)}, {Value: math.Inf(1)}}, -1, false},
		"exact":           {[]*Contender{nan, {Value: 3}, {Value: 2}, {Value: 2}}, 2, false},
		"in doubt":        {[]*Contender{{Value: 3, Err: 1}, {Value: 2, Err: 1}}, 1, true},
		"by bounds":       {[]*Contender{{Value: 3}, {Value: 2, Bound: true}}, 1, true},
		"alone, in error": {[]*Contender{{Value: 3, Err: 9}}, 0, false},
	} {
		if best, doubt := Winner(c.field); best != c.best || (doubt != "") != c.doubt {
			t.Errorf("%s: %d, %q", what, best, doubt)
		}
	}
}

// What is taken by shares is evenly spread through a list, and has whole parts of all.
func TestSystematicDraws(t *testing.T) {
	for _, c := range []struct{ shares, want []float64 }{
		{[]float64{.25, .25, .25, .25}, []float64{.25, .25, .25, .25}}, // at 1/8, 3/8, ...
		{[]float64{.1, .3, .6}, []float64{0, .5, .5}},
		{[]float64{.13, .5, .37}, []float64{.25, .5, .25}},
		{[]float64{1}, []float64{1}},
		{[]float64{.125, .875}, []float64{.25, .75}}, // just reached
	} {
		type draw struct {
			of    int
			share float64
		}
		var all []draw
		for i, s := range c.shares {
			all = append(all, draw{i, s})
		}
		got := make([]float64, len(all))
		for _, d := range Systematic(all, 4, func(d *draw) *float64 { return &d.share }) {
			got[d.of] = d.share
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.shares, got, c.want)
		}
	}
	for values, want := range map[float64]float64{1: 1, 2: 1, 3: 3, 4: 2, 12: 1.2} {
		if got := Wider(values); math.Abs(got-want) > 1e-15 {
			t.Errorf("of %g values: %g times as wide, want %g", values, got, want)
		}
	}
}

// The grid of ρ/λ spans so many decades about the unit, or is one point where that is near another choice.
func TestGridOfRatios(t *testing.T) {
	s := Search{Unit: 4}
	if first, end := s.decades(3); first != -3 || end != 3 {
		t.Errorf("%g to %g", first, end)
	}
	if got := s.ratioAt(-2); math.Abs(got-.04) > 1e-16 {
		t.Errorf("two decades below: %g", got)
	}
	s.Near, s.Penalty.Ratio = true, 400
	if first, end := s.decades(3); math.Abs(first-2) > 1e-15 || end != first {
		t.Errorf("near: %g to %g", first, end)
	}
	lo, hi := Search{Decades: 5}.bounds(bowl{})
	if math.Abs(hi-math.Log(10)) > 1e-15 || math.Abs(hi-lo-5*math.Ln10) > 1e-14 {
		t.Errorf("log λ from %g to %g", lo, hi)
	}
}

// A matrix of few directions is found by as many columns, to rounding, and not by fewer.
func TestLowRankOfExactlyThat(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	b := mat.NewDense(40, 5, nil)
	for i := range b.RawMatrix().Data {
		b.RawMatrix().Data[i] = rng.NormFloat64()
	}
	var a, off mat.Dense
	a.Mul(b, b.T())
	for most, want := range map[int]bool{4: false, 5: true, 6: true, 39: true} {
		got := lowRank(t.Context(), &a, most)
		if (got != nil) != want {
			t.Errorf("at most %d columns: found %v", most, got != nil)
		}
		if got == nil {
			continue
		}
		if _, k := got.Dims(); k != 5 {
			t.Errorf("at most %d columns: %d", most, k)
		}
		off.Mul(got, got.T())
		if off.Sub(&off, &a); !(mat.Norm(&off, 2) <= 1e-13*mat.Norm(&a, 2)) {
			t.Errorf("at most %d columns: off by %.1e", most, mat.Norm(&off, 2))
		}
	}
	for what, v := range map[string]float64{"zero": 0, "infinite": math.Inf(1)} {
		if got := lowRank(t.Context(), mat.NewDense(2, 2, []float64{v, 0, 0, 0}), 2); got != nil {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// A problem of few directions is decomposed once for a ρ/λ, whatever λ, and anew for another; one of many, of few rows, or whose λ rounding
// may eat up is asked of its matrix.
func TestDirectionsAreFoundOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	normal := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = rng.NormFloat64()
		}
		return m
	}
	const n = 240
	t1 := normal(n, 1).RawMatrix().Data
	x := &Exact{Root: normal(n, 3), Bias: normal(n, 1), T: t1, Outputs: n}
	at := func(x *Exact, lambda, rho float64) *thin {
		h, err := x.thinAt(t.Context(), lambda, rho)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for _, ratio := range []float64{1e-8, 1, 1e8} {
		first := at(x, 1, ratio)
		if first == nil || first.ratio != ratio {
			t.Fatalf("ρ/λ = %g: %v", ratio, first)
		}
		if other := at(x, 1e3, 1e3*ratio*(1+5e-14)); other != first {
			t.Errorf("ρ/λ = %g: found anew for the same", ratio)
		}
		if other := at(x, 1, 1.00001*ratio); other == first || other == nil || other.ratio != 1.00001*ratio {
			t.Errorf("ρ/λ = %g: not found anew for another", ratio)
		}
	}
	plain := &Exact{Root: normal(n, 3), T: t1, Outputs: n}
	if first := at(plain, 1, 7); first == nil || first != at(plain, 1, 9) || first != at(plain, 3, 9) {
		t.Error("without bias there is one")
	}
	top := at(plain, 1, 1).values[0]
	if at(plain, top/.99e12, 1) == nil || at(plain, top/1.01e12, 1) != nil {
		t.Error("where rounding may have eaten λ up the matrix tells")
	}
	for what, c := range map[string]struct {
		x    *Exact
		thin bool
	}{
		"few rows":                {&Exact{Root: normal(thinRows-1, 3), T: t1[:thinRows-1], Outputs: n}, false},
		"enough rows":             {&Exact{Root: normal(thinRows, 3), T: t1[:thinRows], Outputs: n}, true},
		"half as many directions": {&Exact{Root: normal(n, 119), Bias: normal(n, 1), T: t1, Outputs: n}, true},
		"more":                    {&Exact{Root: normal(n, 120), Bias: normal(n, 1), T: t1, Outputs: n}, false},
	} {
		if h := at(c.x, 1, 1); (h != nil) != c.thin || c.x.thick != (what == "more") {
			t.Errorf("%s: few directions %v, many %v", what, h != nil, c.x.thick)
		}
	}
}

// A ρ that is given, or goes with λ, stays so to the end, whatever polishes the choice: with matrices of few rows and of more.
func TestGivenPenaltiesStay(t *testing.T) {
	for _, b := range []problem{newProblem(7, 7, 4, false, true, false, 1), newProblem(9, 9, 28, true, true, false, 1)} {
		for _, p := range []Penalty{{Rho: .3, Ratio: 1}, {Ratio: .3}} {
			q := Search{By: REML, Penalty: p, Outputs: float64(b.pairs * b.my)}
			ch, err := q.Along(t.Context(), b.closed())
			if err != nil {
				t.Fatal(err)
			}
			v, err := q.Decide(t.Context(), ch, b.exact())
			if want := p.At(v.Lambda); err != nil || !(math.Abs(v.Rho-want) <= 1e-12*want) {
				t.Errorf("%d rows, %+v: ρ = %g, want %g; %v", len(b.t), p, v.Rho, want, err)
			}
		}
	}
}
