package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// papers are n inputs of the law of the papers on learning operators, N(0, 625 (25 - Δ)^-2) on
// a circle without its mean: standard deviation 0.6.
func papers(n int, m mesh.Mesh, seed uint64) *array.Array {
	rng := rand.New(rand.NewPCG(seed, 7))
	f := array.New(n, m.Size())
	for i := range n {
		row := f.Data[i*m.Size() : (i+1)*m.Size()]
		for k := 1; k <= 16; k++ {
			w := 2 * math.Pi * float64(k)
			s := 25 / (w*w + 25) * math.Sqrt2
			a, b := s*rng.NormFloat64(), s*rng.NormFloat64()
			for j, x := range m.Points() {
				row[j] += a*math.Cos(w*x) + b*math.Sin(w*x)
			}
		}
	}
	return f
}

func burgers(t testing.TB, n, m, times int, last, viscosity float64, seed uint64) *dataset.Dataset {
	t.Helper()
	circle := mesh.Must(mesh.Periodic(0, 1, m, "x"))
	p := pde.Burgers{Mesh: circle, Time: mesh.Must(mesh.Uniform(0, last, times, "t")), Viscosity: viscosity}
	d, err := pde.Pairs(t.Context(), p, papers(n, circle, seed))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// runs are errors of a propagator on pairs: up to a time, and after it.
func runs(t testing.TB, p *Propagator, d *dataset.Dataset, until int) (to, after float64) {
	t.Helper()
	m, steps := p.Space.Size(), d.OutputMesh.Size()/p.Space.Size()-1
	u, _, err := p.Run(t.Context(), mat.NewDense(d.Input.Shape[0], m, d.Input.Data), steps)
	if err != nil {
		t.Fatal(err)
	}
	var above, below [2]float64
	for i := range d.Input.Shape[0] {
		for x := range m {
			for k := 1; k <= steps; k++ {
				part := 0
				if k > until {
					part = 1
				}
				v := d.Output.Data[(i*m+x)*(steps+1)+k]
				e := u.At(i, x*(steps+1)+k) - v
				above[part], below[part] = above[part]+e*e, below[part]+v*v
			}
		}
	}
	return math.Sqrt(above[0] / below[0]), math.Sqrt(above[1] / max(below[1], math.SmallestNonzeroFloat64))
}

// Pairs of Burgers' equation give a propagator that runs beyond the times it has seen. Without
// its term it cannot.
func TestPropagatorOfBurgers(t *testing.T) {
	d, test := burgers(t, 60, 32, 17, 0.5, 0.04, 1), burgers(t, 10, 32, 65, 2, 0.04, 2)
	p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Channels: []Channel{power(2)}})
	if err != nil {
		t.Fatal(err)
	}
	to, after := runs(t, p, test, 16)
	if !(to < 3e-3) || !(after < 3e-3) || !(p.Report.LeftOut < 5e-3) || !(p.Report.Residual < 1e-8) {
		t.Errorf("errors %.2g and, four times as long, %.2g; %+v", to, after, p.Report)
	}
	linear, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Lambda: 1e-9, Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	if to, _ := runs(t, linear, test, 16); !(to > 0.05) {
		t.Errorf("without the term the error is %.2g", to)
	}
}

// The requirement at full size: 800 pairs, viscosity 0.01, run four times as long.
func TestPropagatorAtFullSize(t *testing.T) {
	if os.Getenv("WORKBENCH_STUDY") == "" {
		t.Skip("a study of a minute: WORKBENCH_STUDY=1")
	}
	for _, c := range []struct{ m, times int }{{64, 33}, {64, 65}, {32, 33}} {
		d, test := burgers(t, 800, c.m, c.times, 1, 0.01, 1), burgers(t, 200, c.m, 4*(c.times-1)+1, 4, 0.01, 2)
		start := time.Now()
		p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Channels: []Channel{power(2)}})
		if err != nil {
			t.Fatal(err)
		}
		seconds := time.Since(start).Seconds()
		to, after := runs(t, p, test, c.times-1)
		fmt.Printf("%d × %d: memory %d, lambda %g, left out %.2e, learned in %.1f s; test %.2e, then to four times as long %.2e (%.1f s)\n",
			c.m, c.times, p.Report.Memory, p.Report.Lambda, p.Report.LeftOut, seconds, to, after, time.Since(start).Seconds()-seconds)
	}
}

// Data that a propagator made give it back, on a circle and off it: P and G, of a step that has
// the square of u on both sides.
func TestPropagatorThatMadeTheData(t *testing.T) {
	const n, m, steps = 40, 6, 4
	times := mesh.Must(mesh.Uniform(0, 1, steps+1, "t"))
	rng := rand.New(rand.NewPCG(5, 5))
	for name, space := range map[string]mesh.Mesh{"circle": mesh.Must(mesh.Periodic(0, 1, m, "x")), "interval": mesh.Must(mesh.Uniform(0, 1, m, "x"))} {
		truth, err := emptyPropagator(space, times, power(2))
		if err != nil {
			t.Fatal(err)
		}
		matrix := func(size float64) *mat.Dense {
			g := mat.NewDense(m, m, nil)
			for i := range m {
				for j := range m {
					g.Set(i, j, size*rng.NormFloat64())
					if name == "circle" && i > 0 {
						g.Set(i, j, g.At(0, (j-i+m)%m))
					}
				}
			}
			return g
		}
		s := newStage(1, 1, m, func(k int) *mat.Dense { return matrix([]float64{0.2, 0.02, 0.03}[k]) }, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1})
		truth.stages, truth.Report.Largest = []*stage{s}, 10
		f := array.New(n, m)
		for i := range f.Data {
			f.Data[i] = rng.NormFloat64()
		}
		u, _, err := truth.Run(t.Context(), mat.NewDense(n, m, f.Data), steps)
		if err != nil {
			t.Fatal(err)
		}
		on, err := mesh.Product(space, times)
		if err != nil {
			t.Fatal(err)
		}
		d, err := dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: space, OutputMesh: on})
		if err != nil {
			t.Fatal(err)
		}
		p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Channels: []Channel{power(2)}, Memory: 1, Lambda: 1e-13})
		if err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]*mat.Dense{"P": {p.stages[0].from, s.from}, "G now": {p.stages[0].terms[0][0], s.terms[0][0]}, "G before": {p.stages[0].terms[0][1], s.terms[0][1]}} {
			var e mat.Dense
			e.Sub(pair[0], pair[1])
			if worst := largest(e.RawMatrix().Data); !(worst <= 1e-6) {
				t.Errorf("%s: %s is %.2g away", name, what, worst)
			}
		}
		if !(math.Abs(p.stages[0].bias[2]-0.1) <= 1e-6) {
			t.Errorf("%s: bias %g", name, p.stages[0].bias[2])
		}
	}
}

// Units of u change nothing but the units of predictions.
func TestPropagatorUnits(t *testing.T) {
	d := burgers(t, 12, 16, 9, 0.4, 0.05, 3)
	run := func(scale float64) []float64 {
		e := *d
		e.Input, e.Output = copyOf(d.Input), copyOf(d.Output)
		for _, v := range [][]float64{e.Input.Data, e.Output.Data} {
			for i := range v {
				v[i] *= scale
			}
		}
		p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: &e, Channels: []Channel{power(2)}})
		if err != nil {
			t.Fatal(err)
		}
		u, _, err := p.Run(t.Context(), mat.NewDense(1, 16, slices.Clone(e.Input.Data[:16])), 8)
		if err != nil {
			t.Fatal(err)
		}
		return u.RawMatrix().Data
	}
	want := run(1)
	for _, scale := range []float64{1e-9, 1e9} {
		for i, v := range run(scale) {
			if !(math.Abs(v/scale-want[i]) <= 1e-5) {
				t.Fatalf("scale %g: %g at %d, want %g", scale, v/scale, i, want[i])
			}
		}
	}
}

// slope is u ∂u/∂x.
func slope() Channel {
	c := power(2)
	return Channel{Name: "uux", Map: c.Map, Atoms: []Atom{{Order: []int{1}}}, Text: "u_x^2"}
}

func TestPropagatorRefusals(t *testing.T) {
	d := burgers(t, 12, 16, 9, 0.4, 0.05, 3)
	change := func(do func(e *dataset.Dataset)) *dataset.Dataset {
		e := *d
		e.Input, e.Output = copyOf(d.Input), copyOf(d.Output)
		do(&e)
		return &e
	}
	steady := mesh.Must(mesh.Uniform(0, 1, 16, "x"))
	log := Channel{Name: "log", Map: logOf(), Atoms: []Atom{{}}, Text: "log u"}
	for _, c := range []struct {
		s    PropagatorSpec
		want string
	}{
		{PropagatorSpec{}, "data: missing"},
		{PropagatorSpec{Data: d, Channels: []Channel{power(1)}}, "linear in u"},
		{PropagatorSpec{Data: d, Channels: []Channel{log}}, "terms.log: is not finite"},
		{PropagatorSpec{Data: d, Channels: []Channel{{Name: "fu", Map: power(2).Map, Atoms: []Atom{{Input: "f"}}}}}, "has the input in it"},
		{PropagatorSpec{Data: d, Memory: 9}, "memory 9: the data have 8 steps"},
		{PropagatorSpec{Data: change(func(e *dataset.Dataset) { e.Input.Data[3]++ })}, "the input of pair 1 is not u at the first time"},
		{PropagatorSpec{Data: change(func(e *dataset.Dataset) { e.OutputMesh = steady })}, "must be on space times time"},
		{PropagatorSpec{Data: change(func(e *dataset.Dataset) { e.Missing, e.Output.Data[4] = true, math.NaN() })}, "the first in pair 1 at"},
	} {
		if _, err := LearnPropagator(t.Context(), c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Channels: []Channel{power(2)}, Memory: 1, Lambda: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Report; r.Pairs != 12 || r.Memory != 1 || r.Largest != largest(d.Output.Data) {
		t.Errorf("%d pairs, memory %d, |u| up to %g", r.Pairs, r.Memory, r.Largest)
	}
	big := mat.NewDense(2, 16, slices.Clone(d.Input.Data[:32]))
	second := big.Slice(1, 2, 0, 16).(*mat.Dense)
	second.Scale(3, second)
	if _, notes, err := p.Run(t.Context(), big, 2); err == nil && (len(notes) != 1 || !strings.Contains(notes[0], "in the samples 2:")) {
		t.Errorf("three times the amplitude of the data is taken with the words %q", notes)
	}
	second.Scale(1e6, second)
	if _, _, err := p.Run(t.Context(), big, 50); err == nil || !strings.Contains(err.Error(), "sample 2: ") || !strings.Contains(err.Error(), "times that of the data") {
		t.Errorf("a million times the amplitude: error %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LearnPropagator(stopped, PropagatorSpec{Data: d, Channels: []Channel{power(2)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
	if _, _, err := p.Run(stopped, big, 50); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
}

func logOf() *expr.Node { return expr.Of(expr.OpLog, expr.Var(0, "u")) }

func copyOf(a *array.Array) *array.Array {
	return &array.Array{Shape: slices.Clone(a.Shape), Data: slices.Clone(a.Data)}
}

// A step is the formula of Propagator, of as many steps before as there are: the value that Newton's method
// finds is put into it, with terms that are on both sides.
func TestPropagatorByDefinition(t *testing.T) {
	const m, steps, memory = 4, 5, 2
	space, times := mesh.Must(mesh.Uniform(0, 1, m, "x")), mesh.Must(mesh.Uniform(0, 1, steps+1, "t"))
	p, err := emptyPropagator(space, times, power(2), power(3))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 9))
	random := func(size float64) *mat.Dense {
		g := mat.NewDense(m, m, nil)
		g.Apply(func(_, _ int, _ float64) float64 { return size * rng.NormFloat64() }, g)
		return g
	}
	for back := 1; back <= memory; back++ {
		p.stages = append(p.stages, newStage(2, back, m, func(k int) *mat.Dense { return random([]float64{.3, .03}[min(k, 1)]) }, []float64{.1, -.1, .2, .05}))
	}
	p.Report.Largest = 10
	start := mat.NewDense(2, m, []float64{.3, -.2, .5, .1, -.4, .2, .1, .6})
	u, _, err := p.Run(t.Context(), start, steps)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		at := func(k int) []float64 {
			v := make([]float64, m)
			for x := range v {
				v[x] = u.At(i, x*(steps+1)+k)
			}
			return v
		}
		for k := range steps + 1 {
			if k == 0 {
				if !slices.Equal(at(0), start.RawRowView(i)) {
					t.Errorf("sample %d begins with %v", i+1, at(0))
				}
				continue
			}
			back := min(k, memory)
			s := p.stages[back-1]
			want := slices.Clone(s.bias)
			addProduct(want, at(k-back), s.from)
			for c := range p.channels {
				for lag := 0; lag <= back; lag++ {
					phi := at(k - lag)
					for x, v := range phi {
						phi[x] = math.Pow(v, float64(2+c))
					}
					addProduct(want, phi, s.terms[c][lag])
				}
			}
			for x, v := range at(k) {
				if !(math.Abs(v-want[x]) <= 1e-9) {
					t.Errorf("sample %d, step %d, point %d: %.15g, by the formula %.15g", i+1, k, x, v, want[x])
				}
			}
		}
	}
}

// Every fifth pair is left out, and the errors of running them are those of their outputs, of all times and
// of each; of more pairs than are asked for the first ones count.
func TestPairsThatAreRun(t *testing.T) {
	d := burgers(t, 12, 8, 4, 0.3, 0.05, 3)
	s := PropagatorSpec{Data: d, Channels: []Channel{power(2)}, Memory: 1, Lambda: 1e-6}
	p, err := LearnPropagator(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	_, h, err := newPropagator(&s)
	if err != nil {
		t.Fatal(err)
	}
	train, left := h.split()
	for k := range h {
		for i, of := range []int{0, 1, 2, 3, 5, 6, 7, 8, 10, 11} {
			if !slices.Equal(train[k].RawRowView(i), h[k].RawRowView(of)) {
				t.Errorf("time %d: pair %d to learn from is not pair %d", k, i+1, of+1)
			}
		}
		for i, of := range []int{4, 9} {
			if !slices.Equal(left[k].RawRowView(i), h[k].RawRowView(of)) {
				t.Errorf("time %d: pair %d that is left out is not pair %d", k, i+1, of+1)
			}
		}
	}
	for most, n := range map[int]int{1: 1, 2: 2, 60: 2} {
		whole, byTime, err := p.test(t.Context(), left, most)
		if err != nil || len(byTime) != 3 {
			t.Fatal(byTime, err)
		}
		var above, below [4]float64
		for i := range n {
			u, _, err := p.Run(t.Context(), mat.NewDense(1, 8, slices.Clone(left[0].RawRowView(i))), 3)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= 3; k++ {
				for x, v := range left[k].RawRowView(i) {
					e := u.At(0, 4*x+k) - v
					above[k], below[k], above[0], below[0] = above[k]+e*e, below[k]+v*v, above[0]+e*e, below[0]+v*v
				}
			}
		}
		if want := math.Sqrt(above[0] / below[0]); !(math.Abs(whole-want) <= 1e-9*want) {
			t.Errorf("%d pairs: error %g, want %g", n, whole, want)
		}
		for k := 1; k <= 3; k++ {
			if want := math.Sqrt(above[k] / below[k]); !(math.Abs(byTime[k-1]-want) <= 1e-9*want) {
				t.Errorf("%d pairs, time %d: error %g, want %g", n, k, byTime[k-1], want)
			}
		}
	}
}
