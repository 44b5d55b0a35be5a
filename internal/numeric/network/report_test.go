package network

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestListed: a message names four terms and counts the others.
func TestListed(t *testing.T) {
	names := []string{"u²", "u³", "u·u′", "sin u", "eᵘ", "|u|"}
	for n, want := range map[int]string{1: "u²", 4: "u², u³, u·u′, sin u", 5: "u², u³, u·u′, sin u and 1 more", 6: "u², u³, u·u′, sin u and 2 more"} {
		if got := listed(names[:n]); got != want {
			t.Errorf("%d names: %q, want %q", n, got, want)
		}
	}
}

// TestNothingToAdvise: a report in which nothing is suspicious has no advice, and each thing that
// is has one from its bound on.
func TestNothingToAdvise(t *testing.T) {
	on := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	values := func(name string) map[string]*array.Array {
		return map[string]*array.Array{name: array.FromMatrix(mat.NewDense(2, 2, []float64{1, 2, 3, 5}))}
	}
	d, err := dataset.NewTable(dataset.TableSpec{Input: values("f"), InputMesh: dataset.Meshes{All: on}, Output: values("u"), OutputMesh: dataset.Meshes{All: on}})
	if err != nil {
		t.Fatal(err)
	}
	l := &learner{data: d}
	for _, c := range []struct {
		r    Report
		says bool
	}{
		{Report{Linear: 1}, false},
		{Report{Linear: 1, LeftOut: noGain}, false},
		{Report{Linear: 1, LeftOut: 0.81}, true},
		{Report{Linear: 1, Implicit: true, Radius: nearlyOne}, false},
		{Report{Linear: 1, Implicit: true, Radius: 0.96}, true},
		{Report{Linear: 1, Failed: 1}, true},
		{Report{Linear: 1, Noise: 1}, false}, // no term suffers
	} {
		if c.r.advise(l); (c.r.Advice != "") != c.says {
			t.Errorf("%+v", c.r)
		}
	}
}

// TestAdviceOnTerms: terms without u, and those whose coefficient may be zero, are named; and how many pairs
// there should be for those that were chosen.
func TestAdviceOnTerms(t *testing.T) {
	on := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	many := pairs(t, array.FromMatrix(mat.NewDense(20, 2, filled(40))), array.FromMatrix(mat.NewDense(20, 2, filled(40))), on, on)
	l := &learner{data: many, channels: []*channel{{Channel: Channel{Name: "a"}, output: []int{0}}, {Channel: Channel{Name: "b"}}}}
	for _, c := range []struct {
		terms []TermReport
		want  string
	}{
		{[]TermReport{{Name: "a", Chosen: true, Coefficient: 2, Band: 1}}, ""},
		{[]TermReport{{Name: "b", Chosen: true, Coefficient: -2, Band: 1}}, "b: without u; "},
		{[]TermReport{{Name: "a", Chosen: true, Coefficient: -1, Band: 2}}, "a: the band of the coefficient has zero in it"},
		{[]TermReport{{Name: "a", Coefficient: 1, Band: 2}}, ""},
		{[]TermReport{{Name: "a", Chosen: true, Coefficient: 2, Band: 1}, {Name: "b", Chosen: true, Coefficient: 2, Band: 1}}, "want 10 or more for each term and the linear one, 30"},
	} {
		r := Report{Linear: 1, Terms: c.terms}
		r.advise(l)
		if (r.Advice == "") != (c.want == "") || !strings.Contains(r.Advice, c.want) {
			t.Errorf("%+v: %q, want %q", c.terms, r.Advice, c.want)
		}
	}
	c := &channel{Channel: Channel{Atoms: []Atom{{}, {Input: "f"}, {Input: "f", Order: []int{1}}, {Input: "g"}}}, output: []int{0}, other: []int{1, 2, 3}}
	if got := c.variables(); got != "u and f and g" {
		t.Errorf("a formula of u, f, f′ and g is of %s", got)
	}
}

// filled are different numbers.
func filled(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(i * i))
	}
	return v
}

// TestNothingToAdviseOfPropagators: the same of propagators.
func TestNothingToAdviseOfPropagators(t *testing.T) {
	space, times := mesh.Must(mesh.Uniform(0, 1, 4, "x")), mesh.Must(mesh.Uniform(0, 1, 6, "t"))
	for _, c := range []struct {
		r    PropagatorReport
		want string
	}{
		{PropagatorReport{Invariant: true, LeftOut: 0.1, ByTime: []float64{0.1, 0.1}}, ""},
		{PropagatorReport{Invariant: true, LeftOut: 0.11, ByTime: []float64{0.11, 0.11}}, "left-out pairs are run with an error of 0.11"},
		{PropagatorReport{Invariant: true, LeftOut: 0.05, ByTime: []float64{0.03, 0.5, 0.1}}, ""},
		{PropagatorReport{Invariant: true, LeftOut: 0.05, ByTime: []float64{0.02, 0.09}}, ""},
		{PropagatorReport{Invariant: true, LeftOut: 0.05, ByTime: []float64{0.02, 0.2}}, "the error grows from 0.02 to 0.2"},
		{PropagatorReport{Invariant: true, LeftOut: 0.2, ByTime: []float64{0.02, 0.2}}, "left-out pairs are run with an error of 0.2: terms may be missing, or the mesh of space too coarse for what u does\nthe error grows"},
		{PropagatorReport{Pairs: 5, Memory: 2, Unknowns: 40, ByTime: []float64{0}}, ""}, // 20 rows for 10 unknowns
		{PropagatorReport{Pairs: 5, Memory: 2, Unknowns: 44, ByTime: []float64{0}}, "20 pairs and steps are few for 11 unknowns at each point"},
		{PropagatorReport{Pairs: 5, Memory: 3, Unknowns: 40, ByTime: []float64{0}}, "few for 10 unknowns"},
		{PropagatorReport{Invariant: true, Pairs: 5, Memory: 2, Unknowns: 44, ByTime: []float64{0}}, ""},
	} {
		p := &Propagator{Space: space, Time: times, Report: c.r}
		p.advise()
		if got := p.Report.Advice; (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
		want := fmt.Sprintf("propagator of u², u, 5 steps of 0.2 from %d pairs: left-out pairs to %.2g", c.r.Pairs, c.r.LeftOut)
		if p.Report.Terms = []string{"u²", "u"}; p.Report.Advice != "" {
			want += "\n  note: " + strings.ReplaceAll(p.Report.Advice, "\n", "\n  note: ")
		}
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		p.Report.Terms = nil
		want = strings.Replace(want, "propagator of u², u", "linear propagator", 1)
		if got := p.String(); got != want {
			t.Errorf("without terms: %q, want %q", got, want)
		}
	}
}

// TestNumbersOfFiles: what JSON has no number for is left out.
func TestNumbersOfFiles(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if number(v) != nil {
			t.Errorf("%g is a number", v)
		}
	}
	if v := number(-2.5); v == nil || *v != -2.5 || orNaN(v) != -2.5 || !math.IsNaN(orNaN(nil)) {
		t.Errorf("-2.5 is %v", v)
	}
}

// TestWorth: more terms are worth it where they gain enough nats, and of pairs with hardly any noise for each value.
func TestWorth(t *testing.T) {
	s := spec(cubic(t, 8, 7, 2, constant(2), 1), power(3))
	l, err := newLearner(&s)
	if err != nil {
		t.Fatal(err)
	}
	each := math.Log(enoughNoise) * 8 * 7
	for _, c := range []struct {
		sigma, gain float64
		worth       bool
	}{{1, enoughNats + .1, true}, {1, enoughNats - .1, false}, {1, -5, false}, {0, max(enoughNats, each) + .1, true}, {0, max(enoughNats, each) - .1, false}} {
		if got := l.worth(Candidate{REML: 7, Sigma: c.sigma}, Candidate{REML: 7 - c.gain}); got != c.worth {
			t.Errorf("noise of %g, %g nats: worth it %t", c.sigma, c.gain, got)
		}
	}
}

// TestNeedlessTerms: terms but the last are left out, one by one, where the others are as likely without them; each that goes may
// make others needless that were not.
func TestNeedlessTerms(t *testing.T) {
	s := spec(cubic(t, 8, 7, 2, constant(2), 1), power(3))
	l := testmain.Must(newLearner(&s))(t)
	for _, c := range []struct {
		reml       map[string]float64
		kept, seen string
	}{
		{map[string]float64{"b c": 11, "a c": 11}, "a b c", "b c, a c"},
		{map[string]float64{"b c": 9, "c": 20}, "b c", "b c, c"},
		{map[string]float64{"b c": 9, "c": 18}, "c", "b c, c"},
		{map[string]float64{"b c": 11, "a c": 9, "c": 18}, "c", "b c, a c, c"},
		{map[string]float64{"b c": 11, "a c": 9, "c": 20}, "a c", "b c, a c, c"},
	} {
		var seen []string
		now, err := l.without(Candidate{Terms: []string{"a", "b", "c"}, Sigma: 1}, func(names []string) (Candidate, error) {
			seen = append(seen, strings.Join(names, " "))
			return Candidate{Terms: names, Sigma: 1, REML: c.reml[strings.Join(names, " ")]}, nil
		})
		if got, all := strings.Join(now.Terms, " "), strings.Join(seen, ", "); err != nil || got != c.kept || all != c.seen {
			t.Errorf("%v: %s after %s, %v, want %s after %s", c.reml, got, all, err, c.kept, c.seen)
		}
	}
}

// TestChoices: with another λ the ratio of ρ to it stays; shapes are kernels without λ and amplitudes.
func TestChoices(t *testing.T) {
	c := &choices{kernels: map[string]kernel.Kernel{"a": kernel.White{}}, amplitudes: map[string]float64{"a": 2}, lambda: 2, rho: 6}
	if d := c.with(5); d.lambda != 5 || d.rho != 15 || c.lambda != 2 || c.rho != 6 || d.amplitudes["a"] != 2 {
		t.Errorf("with another λ: %+v, of %+v", d, c)
	}
	if d := c.shapes(); d.kernels["a"] == nil || d.amplitudes != nil || d.lambda != 0 || d.rho != 0 || (*choices)(nil).shapes() != nil {
		t.Errorf("shapes: %+v", d)
	}
}

// TestBeyondTheData: predictions that are larger than the data by a margin are named, if there are terms in the network, with the
// largest of them.
func TestBeyondTheData(t *testing.T) {
	d := cubic(t, 4, 7, 2, constant(2), 1)
	most := largest(d.Outputs[0].Values.Data)
	small, large := mat.NewDense(4, 7, nil), mat.NewDense(4, 7, nil)
	for i, times := range []float64{.5, -amplitudeMargin * 1.01, amplitudeMargin * .99, 3} {
		large.Set(i, i, times*most)
	}
	e := &Estimate{names: [][]string{nil, {"a"}}, Data: d}
	if got := e.beyond(d, small, nil, large); len(got) != 1 || !strings.Contains(got[0], "up to 3 times that of the data, in the samples 2, 4:") {
		t.Errorf("%q", got)
	}
	if got := e.beyond(d, small); got != nil {
		t.Errorf("of small ones: %q", got)
	}
	e.names = [][]string{nil, {}}
	if got := e.beyond(d, large); got != nil {
		t.Errorf("of a linear network: %q", got)
	}
	p := &Propagator{Report: PropagatorReport{Largest: most}}
	if got := p.beyond(large, 1); len(got) != 1 || !strings.Contains(got[0], "up to 3 times that of the data, in the samples 2, 4:") {
		t.Errorf("of a propagator: %q", got)
	}
	if got := p.beyond(small, 1); got != nil {
		t.Errorf("of a propagator, of small ones: %q", got)
	}
}

// TestRoundsThatAreWorse: another round is no better if more pairs have no solution, or the error is larger than a step is worth.
func TestRoundsThatAreWorse(t *testing.T) {
	for _, c := range []struct {
		failed  int
		leftOut float64
		worse   bool
	}{{0, 1, false}, {0, 1.04, false}, {0, 1.06, true}, {1, .5, false}, {2, .5, true}} {
		b := &attempt{failed: c.failed, leftOut: c.leftOut}
		if got := b.worseThan(&attempt{failed: 1, leftOut: 1}); got != c.worse {
			t.Errorf("%d fail, error %g: worse %t", c.failed, c.leftOut, got)
		}
	}
}
