package criteria

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/solve"
)

// lowest is the least value of a criterion by its definition on a fine grid: of λ, and of ρ/λ
// unless that is fixed.
func (b problem) lowest(by Criterion, p Penalty, ratios []float64) float64 {
	least := math.Inf(1)
	step := .04
	if len(ratios) > 1 {
		step = .12
	}
	for _, ratio := range ratios {
		p.Ratio = ratio
		x := b.exact()
		if by != LOO {
			x.Pairs = nil
		}
		for e := 1.0; e >= -8; e -= step {
			lambda := math.Pow(10, e) * 3 * mat.Max(b.green)
			if v, err := x.At(context.Background(), lambda, p.At(lambda)); err == nil && v.Of(by) < least {
				least = v.Of(by)
			}
		}
	}
	return least
}

// The search finds what no point of a fine grid is better than, along the closed form and
// the eigenvalues and with the matrix from a model that is only near, for each criterion,
// with ρ tied to λ, given, and free.
func TestSearchFindsTheLeast(t *testing.T) {
	ctx := context.Background()
	for name, b := range catalog() {
		unit := mat.Max(b.green)
		coarse := []float64{}
		for e := -4.0; e <= 4; e += .25 {
			coarse = append(coarse, math.Pow(10, e)/unit)
		}
		for kind, q := range map[string]Search{
			"tied":  {By: REML, Penalty: Penalty{Ratio: .3 / unit}},
			"GCV":   {By: GCV, Penalty: Penalty{Ratio: .3 / unit}},
			"LOO":   {By: LOO, Penalty: Penalty{Ratio: .3 / unit}},
			"given": {By: REML, Penalty: Penalty{Rho: .3, Ratio: 1 / unit}},
			"free":  {By: REML, Penalty: Penalty{Ratio: 1 / unit}, Unit: 1 / unit},
		} {
			q.Outputs = float64(b.pairs * b.my)
			ratios := []float64{q.Penalty.Ratio}
			if kind == "free" {
				if b.row == nil {
					continue
				}
				ratios = coarse
			}
			want := b.lowest(q.By, q.Penalty, ratios)
			models := map[string]Model{"eigenvalues": b}
			if b.diagonal {
				models["closed form"] = b.closed()
			}
			for model, m := range models {
				ch, err := q.Along(ctx, m)
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", name, kind, model, err)
				}
				at := b.defined(ch.Lambda, ch.Penalty.At(ch.Lambda))
				to := 1e-3
				switch {
				case m.Tied() && q.Unit > 0:
					to = .02 // each ρ/λ is dear
				case q.By == LOO:
					to = 5e-3 // it is flat where λ is nothing
				}
				if _, knows := m.(*Closed); knows || q.By != LOO {
					b.checkLeast(t, name+", "+kind+", "+model, q, at, want, to)
				}
				v, err := q.Decide(ctx, ch, b.exact())
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", name, kind, model, err)
				}
				b.checkLeast(t, name+", "+kind+", matrix from "+model, q, v, want, 1e-3)
			}
			if b.row != nil && !b.diagonal { // the diagonal alone, as preconditioners know it
				ch, err := q.Along(ctx, b.closed())
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				v, err := q.Decide(ctx, ch, b.exact())
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				to := 5e-3
				switch {
				case q.By == LOO && b.pairs == 2: // each predicts the other: valleys decades apart
					to = 5
				case q.By == LOO:
					to = .2 // several valleys too
				}
				b.checkLeast(t, name+", "+kind+", matrix from the diagonal", q, v, want, to)
			}
		}
	}
}

// checkLeast compares a criterion with the least there is, in nats.
func (b problem) checkLeast(t *testing.T, name string, q Search, v Sheet, want, to float64) {
	t.Helper()
	off := v.Of(q.By) - want
	if q.By != REML {
		off = .5 * q.Outputs * math.Log(v.Of(q.By)/want)
	}
	if !(off <= to) {
		t.Errorf("%s: %s is %.3g nats above the least of a grid, at λ = %g, ρ = %g", name, q.By, off, v.Lambda, v.Rho)
	}
}

// Where there is nothing to choose, and where the context has ended, there is an error.
func TestSearchRefuses(t *testing.T) {
	b := newProblem(4, 4, 3, true, false, false, 1)
	c := b.closed()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Search{By: REML, Penalty: Penalty{Ratio: 1}}).Along(ended, c); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
	c.Green.Zero()
	for _, unit := range []float64{0, 1} { // ρ/λ is given, or to be chosen
		if _, err := (Search{By: REML, Penalty: Penalty{Ratio: 1}, Unit: unit}).Along(context.Background(), c); !errors.Is(err, ErrNothing) {
			t.Errorf("unit %g: %v, want %v", unit, err, ErrNothing)
		}
	}
}

// eaten is an evaluator that has values from a λ on.
type eaten struct {
	Evaluator
	from float64
}

func (e eaten) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	if lambda < e.from {
		return Sheet{}, solve.ErrNotPositive
	}
	return e.Evaluator.At(ctx, lambda, rho)
}

// Where rounding eats a matrix up the search goes to greater λ, as long as there are any.
func TestSearchAboveRounding(t *testing.T) {
	b := newProblem(6, 6, 5, true, false, false, 1)
	q := Search{By: REML, Penalty: Penalty{Ratio: 1}, Outputs: 30}
	ch, err := q.Along(context.Background(), b.closed())
	if err != nil {
		t.Fatal(err)
	}
	v, err := q.Decide(context.Background(), ch, eaten{b.exact(), 3 * ch.Lambda})
	if err == nil && !(v.Lambda >= 3*ch.Lambda) {
		t.Errorf("λ = %g, below %g", v.Lambda, 3*ch.Lambda)
	}
	if _, err := q.Decide(context.Background(), ch, eaten{b.exact(), math.Inf(1)}); !errors.Is(err, solve.ErrNotPositive) {
		t.Errorf("%v, want %v", err, solve.ErrNotPositive)
	}
}

// A minimum is found to the distance asked for, of functions that are smooth, have a corner,
// a jump or places without values, in few evaluations; errors end the search.
func TestMinimum(t *testing.T) {
	for name, c := range map[string]struct {
		f  func(x float64) float64
		at float64
	}{
		"parabola": {func(x float64) float64 { return (x - .3) * (x - .3) }, .3},
		"corner":   {func(x float64) float64 { return math.Abs(x - 1.7) }, 1.7},
		"steep":    {func(x float64) float64 { return math.Exp(8*x) - 1e4*x }, math.Log(1250) / 8},
		"wall":     {func(x float64) float64 { return x + map[bool]float64{true: math.Inf(1)}[x < .5] }, .5},
		"no value": {func(x float64) float64 { return math.Log(x-.5) * math.Log(x-.5) }, 1.5},
		"low end":  {func(x float64) float64 { return x }, -1},
		"high end": {func(x float64) float64 { return -x }, 3},
	} {
		calls := 0
		x, fx, err := minimum(-1, 3, 1e-4, func(x float64) (float64, error) { calls++; return c.f(x), nil })
		if err != nil || !(math.Abs(x-c.at) <= 1e-4) || fx != c.f(x) {
			t.Errorf("%s: %g (%g) after %d evaluations, want %g; %v", name, x, fx, calls, c.at, err)
		}
		if calls > 45 {
			t.Errorf("%s: %d evaluations", name, calls)
		}
	}
	failing := errors.New("no")
	if _, _, err := minimum(0, 1, 1e-3, func(float64) (float64, error) { return 0, failing }); !errors.Is(err, failing) {
		t.Errorf("%v, want %v", err, failing)
	}
	at, v, err := least(-2, 1, .25, 1e-6, func(x float64) (float64, error) { return math.Cos(3*x) + x/9, nil })
	if want := math.Cos(3*at) + at/9; err != nil || !(math.Abs(3*math.Sin(3*at)-1./9) <= 1e-4) || v != want {
		t.Errorf("%g, %g, %v", at, v, err)
	}
}

// Errors that fall to a minimum are followed there; one that is not known is no way down.
func TestDescend(t *testing.T) {
	for _, least := range []float64{1e-9, 1e-3, 40} {
		lambda, v, err := Descend(context.Background(), 1e-4, func(_ context.Context, l float64) (float64, error) {
			if l < 1e-10 {
				return math.Inf(1), nil
			}
			d := math.Log10(l / least)
			return 1 + d*d, nil
		})
		if err != nil || !(math.Abs(math.Log10(lambda/least)) <= .125) || !(v <= 1.02) {
			t.Errorf("%g, %g, %v; want %g", lambda, v, err, least)
		}
	}
}

// What a choice is suspicious of is said once each.
func TestNotes(t *testing.T) {
	for want, c := range map[string]Choice{
		"":                               {Lambda: 1, REML: 1, GCV: 10, LOO: 2, Top: 1, Decades: 14},
		"likelihood and prediction":      {Lambda: 1e-3, REML: 1e-6, GCV: 1e-3, LOO: 1e-3, Top: 1, Decades: 14},
		"leave-one-out prefers":          {Lambda: 1e-6, REML: 1e-6, GCV: 1e-6, LOO: 1e-3, Top: 1, Decades: 14},
		"the criteria disagree":          {Lambda: 1e-6, REML: 1e-6, GCV: 1e-3, Top: 1, Decades: 14},
		"lambda is the largest":          {Lambda: 9, REML: 9, GCV: 9, Top: 1, Decades: 14},
		"lambda is the smallest":         {Lambda: 2e-13, REML: 2e-13, GCV: 2e-13, Top: 1, Decades: 14},
		"lambda was still changing when": {Lambda: 1, REML: 1, GCV: 1, Top: 1, Decades: 14, Unsettled: true},
	} {
		notes := c.Notes(false)
		if want == "" && len(notes) > 0 || want != "" && (len(notes) != 1 || !slices.ContainsFunc(notes, func(n Note) bool { return n.Text[:len(want)] == want })) {
			t.Errorf("%+v: %q, want %q", c, notes, want)
		}
	}
	if notes := (Choice{Lambda: 2e-13, REML: 2e-13, GCV: 2e-13, Top: 1, Decades: 14, Unsettled: true}).Notes(true); len(notes) > 0 {
		t.Errorf("where the noise is open: %q", notes)
	}
}

// Noise is open where hardly anything is left of few values, and of many where it is less than ten degrees of freedom.
func TestNoiseOpen(t *testing.T) {
	for _, c := range []struct {
		left, values float64
		open         bool
	}{{.5, 9, true}, {1.1, 9, false}, {3, 200, true}, {5, 200, false}, {9, 5000, true}, {11, 5000, false}} {
		if got := (Sheet{ResidualDF: c.left, EffectiveDF: c.values - c.left}).NoiseOpen(); got != c.open {
			t.Errorf("%g left of %g: %v", c.left, c.values, got)
		}
	}
	if Unknown(1, 1).NoiseOpen() {
		t.Error("open where nothing is known")
	}
}

// Of data without any noise the best λ is nothing: it ends at the end of its range, also where
// λ and ρ move together, and is said to.
func TestSearchEndsWhereItsRangeDoes(t *testing.T) {
	b := newProblem(6, 6, 5, false, true, true, 1)
	var t0 mat.VecDense
	t0.MulVec(b.green, mat.NewVecDense(len(b.t), b.t))
	b.t = t0.RawVector().Data
	c := b.contrast()
	floats.AddScaled(b.t, -floats.Dot(c, b.t), c)
	q := Search{By: REML, Penalty: Penalty{Ratio: 1}, Unit: 1, Outputs: 30, Decades: 5}
	ch, err := q.Along(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	v, err := q.Decide(context.Background(), ch, b.exact())
	if err != nil {
		t.Fatal(err)
	}
	ch.Took(REML, v.Lambda)
	if least := 1e-4 * ch.Top; !(v.Lambda >= least*(1-1e-9)) || !(v.Lambda <= 1.5*least) {
		t.Errorf("λ = %g, want the least that is tried, %g", v.Lambda, least)
	}
	if notes := ch.Notes(false); !slices.ContainsFunc(notes, func(n Note) bool { return strings.HasPrefix(n.Text, "lambda is the smallest") }) {
		t.Errorf("%q, want that λ is the smallest", notes)
	}
}

// Downhill finds what the whole grid has, where there is one valley.
func TestDownhill(t *testing.T) {
	for _, valley := range []float64{-9, -3, -1.2, 0, .4, 2.6, 9} {
		f := func(x float64) (float64, error) { return math.Abs(x - valley), nil }
		got, value, err := downhill(-3, 3, 1, 0, f)
		want, least, _ := least(-3, 3, 1, 0, f)
		if err != nil || !(math.Abs(got-want) <= 1e-12) || !(math.Abs(value-least) <= 1e-12) {
			t.Errorf("valley at %g: found %g, the grid has %g (%v)", valley, got, want, err)
		}
	}
}

// Without a slope the second value is above the first, or below it where the range ends above.
func TestSecondValueIsInTheRange(t *testing.T) {
	for _, c := range []struct{ at, hi, want float64 }{{0, 10, firstStep}, {0, firstStep / 2, -firstStep}, {0, firstStep, -firstStep}} {
		d := &decision{lo: -10, hi: c.hi, knots: []knot{{at: c.at}}}
		if got, err := d.next(context.Background()); err != nil || got != c.want {
			t.Errorf("up to %g: %g, %v, want %g", c.hi, got, err, c.want)
		}
	}
}

// Parameters of sizes are these, and what those that are fixed have in common: the mean of what they are above what they were given.
func TestParametersOfSizes(t *testing.T) {
	p := parameters{count: 5, fixed: map[int]float64{1: .5, 3: -2}, held: map[int]float64{4: 7}}
	if got := p.free(Sizes{1, 1.5, 3, 1, 9}); !slices.Equal(got, []float64{1, 3, 2}) {
		t.Errorf("%v, want 1, 3 and the mean of 1 and 3", got)
	}
	p.fixed = nil
	if got := p.free(Sizes{1, 1.5, 3, 1, 9}); !slices.Equal(got, []float64{1, 1.5, 3, 1}) {
		t.Errorf("%v without any that are fixed", got)
	}
}

// What goes to nothing together is a term but for what is held, each size where terms are not told, and all that is fixed.
func TestSizesThatGoTogether(t *testing.T) {
	for _, c := range []struct {
		terms [][]int
		want  [][]int
	}{
		{nil, [][]int{{0}, {2}, {1, 3}}},
		{[][]int{{0, 2}, {1}, {3, 4}}, [][]int{{0, 2}, {1, 3}}},
		{[][]int{{4}, {2, 1}}, [][]int{{2}, {1}}},
	} {
		p := parameters{count: 5, fixed: map[int]float64{1: .5, 3: -2}, held: map[int]float64{4: 7}, terms: c.terms}
		if got := p.together(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("terms %v: %v, want %v", c.terms, got, c.want)
		}
	}
}

// The density of Student's distribution with variants of terms is that of its definition times their probabilities.
func TestDensityOfProposals(t *testing.T) {
	root := mat.NewDense(2, 2, []float64{2, 0, .5, .7})
	var inverse mat.Dense
	if err := inverse.Inverse(root); err != nil {
		t.Fatal(err)
	}
	s := student{middle: []float64{1, -1}, root: root, inverse: &inverse, variants: [][]float64{nil, {.2, .8}}}
	at := []float64{1.5, .3}
	var cov mat.Dense
	cov.Mul(root, root.T())
	if err := cov.Inverse(&cov); err != nil {
		t.Fatal(err)
	}
	off := mat.NewVecDense(2, []float64{.5, 1.3})
	plain := -(freedom+2)/2*math.Log(1+mat.Inner(off, &cov, off)/freedom) - math.Log(2*.7)
	for v, p := range s.variants[1] {
		if got, want := s.logDensity(at, []int{0, v}), plain+math.Log(p); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("variant %d: %g, want %g", v, got, want)
		}
	}
}
