package criteria

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// rounded is an error of left-out pairs by λ, with rounding as of a matrix of greatest eigenvalue one.
type rounded struct {
	of    func(l float64) float64
	rng   *rand.Rand
	calls int
}

func (r *rounded) At(_ context.Context, lambda, rho float64) (Sheet, error) {
	r.calls++
	off := r.rng.NormFloat64() * 4e-16 / lambda // relative
	return Sheet{Lambda: lambda, Rho: rho, LOO: r.of(math.Log(lambda)) * math.Exp(off)}, nil
}

// Where a criterion is flat, λ does not depend on how its values are rounded, is worse by no more
// than what is not told apart, and lies towards the λ of the likelihood; a sharp least one stays.
func TestSettle(t *testing.T) {
	const values = 60.
	falls := func(l float64) float64 { return 1 + math.Exp(l)/1e-6 }
	rises := func(l float64) float64 { return 1 + 1e-4*math.Exp(-l)*1e-3 + math.Pow(math.Exp(l)/1e-2, 2) }
	valley := func(l float64) float64 { return 1 + .2*math.Pow(l-math.Log(1e-4), 2) }
	hump := func(l float64) float64 { return 1 + .2*math.Exp(-math.Pow(l-math.Log(1e-7), 2)) + math.Exp(l)/1e-3 }
	for name, c := range map[string]struct {
		of          func(l float64) float64
		begin, reml float64
		flat        bool
	}{
		"falls":              {falls, 1e-13, 1e-3, true},
		"falls, from nearer": {falls, 1e-9, 1e-3, true},
		"flat as far":        {falls, 1e-11, 1e-10, true},
		"flat on both sides": {rises, 1e-6, 1e-9, true},
		"sharp":              {valley, 1e-4, 1e-2, false},
		"beyond a hump":      {hump, 1e-9, 1e-4, true},
	} {
		var first float64
		for seed := range uint64(20) {
			e := &rounded{of: c.of, rng: rand.New(rand.NewPCG(seed, 3))}
			d := &decision{Search: Search{By: LOO, Outputs: values}, Choice: Choice{REML: c.reml, Penalty: Penalty{Ratio: 1}, Top: 1}, lo: math.Log(1e-13), hi: math.Log(10)}
			begin, _ := e.At(context.Background(), c.begin, 1)
			v, err := d.settle(context.Background(), e, begin)
			if err != nil {
				t.Fatal(err)
			}
			if first == 0 {
				first = v.Lambda
			}
			if !c.flat && v.Lambda != c.begin {
				t.Errorf("%s: λ moved from %g to %g", name, c.begin, v.Lambda)
			}
			if !(c.begin < 1e-11) && !(math.Abs(math.Log(v.Lambda/first)) <= .1) { // rounding is less than what is not told apart
				t.Errorf("%s: λ = %g, %g with other rounding", name, v.Lambda, first)
			}
			if most := tellApart + 5*d.rounding(math.Log(c.begin)); !(.5*values*math.Log(c.of(math.Log(v.Lambda))/c.of(math.Log(c.begin))) <= most) {
				t.Errorf("%s: from λ = %g to %g the error rose by more than %g nats", name, c.begin, v.Lambda, most)
			}
			if !((v.Lambda-c.begin)*(c.reml-c.begin) >= 0) || !(math.Abs(math.Log(v.Lambda/c.begin)) <= math.Abs(math.Log(c.reml/c.begin))+1e-9) {
				t.Errorf("%s: λ = %g, not between %g and %g", name, v.Lambda, c.begin, c.reml)
			}
			if e.calls > 30 {
				t.Errorf("%s: %d evaluations", name, e.calls)
			}
		}
	}
}

// The degrees of freedom that are left where λ is below all eigenvalues are those of the matrix: the
// direction of a free constant, whose eigenvalue is nothing but rounding, is not among them.
func TestKnownZeros(t *testing.T) {
	ctx := context.Background()
	for name, b := range catalog() {
		if b.contrast() == nil || b.rest != nil {
			continue
		}
		x, ratio := b.exact(), 1/mat.Max(b.green)
		d := b.diagonalised(ratio, false)
		d.KnowZeros()
		zeros := 0
		for _, v := range d.Eigenvalues {
			if v == 0 {
				zeros++
			}
		}
		if want := len(d.Eigenvalues) - d.Values; zeros != want {
			t.Errorf("%s: %d eigenvalues are zero, want %d", name, zeros, want)
		}
		for _, level := range []float64{1e-6, 1e-9, 1e-11} {
			lambda := level * d.At(ratio).Top()
			what := fmt.Sprintf("%s, λ = %g of the largest", name, level)
			want, err := x.At(ctx, lambda, ratio*lambda)
			if err != nil {
				t.Fatal(err)
			}
			rules, err := d.Rules(ctx, ratio)
			if err != nil {
				t.Fatal(err)
			}
			curve, err := d.At(ratio).Sheet(ctx, lambda)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []Sheet{curve, rules.At(lambda)} {
				if to := 1e-3 + 1e-14/level; !(math.Abs(got.GCV/want.GCV-1) <= to) || !(math.Abs(got.ResidualDF/want.ResidualDF-1) <= to) {
					t.Errorf("%s: GCV %g of %g degrees of freedom, want %g of %g", what, got.GCV, got.ResidualDF, want.GCV, want.ResidualDF)
				}
			}
		}
	}
}

func TestKnowZerosTakesTheLeast(t *testing.T) {
	for _, c := range []struct {
		values []float64
		but    int
		want   string
	}{
		{[]float64{-3e-17, 2e-17, 1e-3, 5}, 3, "[-3e-17 0 0.001 5]"},
		{[]float64{-3e-17, 2e-17, 1e-3, 5}, 2, "[0 0 0.001 5]"},
		{[]float64{0, 2e-17, 5}, 2, "[0 2e-17 5]"},
		{[]float64{1e-9, 5}, 4, "[1e-09 5]"},
	} {
		knowZeros(c.values, c.but)
		if got := fmt.Sprint(c.values); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// From near where REML of λ and ρ is least, the polish goes where its derivatives vanish, and up to the
// end of the range of λ where they do so beyond; where the least is not to be seen it stays.
func TestPolish(t *testing.T) {
	ctx := context.Background()
	polished := 0
	for name, b := range catalog() {
		if b.row == nil {
			continue
		}
		x, unit := b.exact(), 1/mat.Max(b.green)
		q := Search{By: REML, Penalty: Penalty{Ratio: unit}, Unit: unit, Outputs: float64(b.pairs * b.my)}
		ch, err := q.Along(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		l, r := math.Log(ch.Lambda), math.Log(ch.Penalty.At(ch.Lambda))
		for _, c := range []struct{ l, r, lo, hi float64 }{
			{.2, .2, -9, 9}, {-.2, .1, -9, 9}, {.1, -.3, -9, 9}, {-.2, .1, -9, -.1}, {.2, .1, .1, 9},
		} {
			v, err := x.At(ctx, math.Exp(l+c.l), math.Exp(r+c.r))
			if err != nil {
				t.Fatal(err)
			}
			got, err := polish(ctx, x, v, l+c.lo, l+c.hi)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, from %+v to λ = %g, ρ = %g of those found before", name, c, got.Lambda/ch.Lambda, got.Rho/math.Exp(r))
			if got == v {
				continue
			}
			polished++
			g, at := got.gradient(), math.Log(got.Lambda)-l
			within := max(c.lo, min(0, c.hi)) == 0
			switch {
			case !(got.REML < v.REML):
				t.Errorf("%s: REML rises from %.12g to %.12g", what, v.REML, got.REML)
			case within && !(math.Hypot(g[0], g[1]) < 1e-4):
				t.Errorf("%s: the derivatives are %.3g", what, g)
			case !(at >= c.lo-1e-12) || !(at <= c.hi+1e-12) || !within && !(math.Min(math.Abs(at-c.lo), math.Abs(at-c.hi)) <= 1e-8):
				t.Errorf("%s: not at the end", what)
			}
		}
	}
	if polished < 25 {
		t.Errorf("the polish moved %d times only", polished)
	}
}

// A step ends at the minimum of a quadratic function that has one, or on the way there where that is far.
func TestPolishingStep(t *testing.T) {
	g := [2]float64{.3, -.2}
	for _, c := range []struct {
		h     [2][2]float64
		least bool
		far   bool
	}{
		{[2][2]float64{{2, .5}, {.5, 1}}, true, false},
		{[2][2]float64{{.2, .05}, {.05, .1}}, true, true},
		{[2][2]float64{{1, 1.1}, {1.1, 1}}, false, false},
		{[2][2]float64{{-1, 0}, {0, -1}}, false, false},
		{[2][2]float64{{0, 0}, {0, 1}}, false, false},
		{[2][2]float64{{1, 1}, {1, 1}}, false, false},
	} {
		step, gain := newton(c.h, g)
		if !c.least {
			if step != [2]float64{} || gain != 0 {
				t.Errorf("%v has no minimum: step %v, gain %g", c.h, step, gain)
			}
			continue
		}
		var to [2]float64 // h times the step, which is -g of the whole step
		for i := range to {
			to[i] = c.h[i][0]*step[0] + c.h[i][1]*step[1]
		}
		part, size := -to[0]/g[0], max(math.Abs(step[0]), math.Abs(step[1]))
		if !(math.Abs(to[1]/g[1]-to[0]/g[0]) <= 1e-12) || !(part <= 1+1e-12) || c.far != (part < 1-1e-12) || c.far && !(math.Abs(size-polishReach) <= 1e-12) || !(size <= polishReach+1e-12) {
			t.Errorf("%v: the step %v is %.3g of that to the minimum", c.h, step, part)
		}
		if want := -(g[0]*step[0] + g[1]*step[1]) / 2; !(math.Abs(gain-want) <= 1e-12) || !(gain > 0) {
			t.Errorf("%v: gain %g, want %g", c.h, gain, want)
		}
	}
	h, s, y := [2][2]float64{{2, .5}, {.5, 1}}, [2]float64{.4, -.3}, [2]float64{.7, -.1}
	update(&h, s, y)
	for i := range y {
		if got := h[i][0]*s[0] + h[i][1]*s[1]; !(math.Abs(got-y[i]) <= 1e-12) || h[0][1] != h[1][0] {
			t.Errorf("the second derivatives %v make %g of the step, want %g", h, got, y[i])
		}
	}
	before := h
	if update(&h, s, [2]float64{-.7, .1}); h != before {
		t.Error("second derivatives are taken from where the function is concave")
	}
}

// Second derivatives by differences of the gradient are those of a function of two variables, to the order of the step.
func TestBends(t *testing.T) {
	at := func(p [2]float64) (Sheet, error) { // x² + 3xy - 2y², whose derivative by log ρ is RhoSlope
		down := 3*p[0] - 4*p[1]
		return Sheet{RhoSlope: down, Slope: 2*p[0] + 3*p[1] + down}, nil
	}
	point := [2]float64{.7, -.4}
	v, _ := at(point)
	h, err := bends(at, point, v)
	for i, row := range [2][2]float64{{2, 3}, {3, -4}} {
		for j, want := range row {
			if err != nil || !(math.Abs(h[i][j]-want) <= 1e-12) {
				t.Errorf("entry %d, %d is %g, %v, want %g", i, j, h[i][j], err, want)
			}
		}
	}
}

// Where nothing gains, as of outputs that are the same everywhere, whose likelihood has no bound, the search for another
// bias ends all the same, long before the time that it has here.
func TestOtherBiasEnds(t *testing.T) {
	b := newProblem(6, 6, 5, false, true, false, 1)
	x := b.exact()
	x.T, x.RSS0, x.Pairs, x.Unexplained = make([]float64, len(x.T)), 0, nil, nil
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	v, err := x.At(ctx, .1, 1)
	if err != nil || !math.IsInf(v.REML, -1) && !math.IsNaN(v.REML) {
		t.Fatalf("REML %g, %v", v.REML, err)
	}
	if _, err := otherBias(ctx, x, v, 1, -20, 5); err != nil {
		t.Error(err)
	}
}
