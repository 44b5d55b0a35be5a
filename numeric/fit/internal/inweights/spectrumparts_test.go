package inweights

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A space grows for the data and for as many vectors of signs as have twenty thousand entries, eight at most and one at least.
func TestProbesOfAGrowingSpace(t *testing.T) {
	for data, want := range map[int]int{100: 8, 2500: 8, 2858: 7, 2857: 8, 10000: 2, 19999: 2, 20000: 1, 20001: 1} {
		w := &Space{T: make([]float64, data), Rdy: make([]float64, 5), N: data / 5, RSS0: .25}
		s := w.newGrowing(3)
		if got := len(s.space.rhs) - 1; got != want {
			t.Errorf("%d data: %d probes, want %d", data, got, want)
		}
		if !s.Sampled || s.Settled || s.RSS0 != .25 || s.Outputs != w.N*5 || s.Values != s.Outputs || s.Ratio != 3 {
			t.Errorf("%d data: %+v", data, s.Rules)
		}
		seen := map[float64]bool{}
		for _, probe := range s.space.rhs[1:] {
			sum := 0.0
			for k, v := range probe {
				sum += v * float64(k+1)
				if math.Abs(v) != 1 {
					t.Fatalf("%d data: entry %g", data, v)
				}
			}
			if seen[sum] {
				t.Errorf("%d data: two probes are the same", data)
			}
			seen[sum] = true
		}
	}
}

// With a free constant there is one value fewer, and probes have nothing of it.
func TestProbesWithoutTheFreeConstant(t *testing.T) {
	w := &Space{T: make([]float64, 64), Rdy: make([]float64, 8), N: 8, Flat: linop.Ones(64)}
	for i := range w.Flat {
		w.Flat[i] /= 8
	}
	s := w.newGrowing(1)
	if s.Values != 63 || s.Outputs != 64 {
		t.Errorf("%d values of %d outputs", s.Values, s.Outputs)
	}
	for k, probe := range s.space.rhs[1:] {
		sum := 0.0
		for _, v := range probe {
			sum += v
		}
		if math.Abs(sum) > 1e-12 {
			t.Errorf("probe %d has %g of the constant", k, sum)
		}
	}
}

// A space is settled where λ, the quadratic form and the degrees of freedom of all probes are; probes of which these
// change by more than a fifth of that grow on, and the data always.
func TestSpectraThatAreSettled(t *testing.T) {
	s := &spectrum{lambda: 1}
	s.Outputs, s.Values = 6, 6
	s.AllEigenvalues([]float64{1, 1, 1}, []float64{1, 1, 1}, []float64{1, 1, 1}) // 1.5 degrees of freedom, a quarter of the outputs
	before := snapshot{lambda: 2, quad: 8, df: []float64{10, 100}}
	for what, c := range map[string]struct {
		now   snapshot
		still bool
		grow  []int
	}{
		"nothing changes":                {before, true, []int{0}},
		"λ by 1 %":                       {snapshot{2 / 1.0101, 8, before.df}, true, []int{0}},
		"λ up by 1 %":                    {snapshot{2 / .9901, 8, before.df}, true, []int{0}},
		"λ by more":                      {snapshot{2 / 1.0102, 8, before.df}, false, []int{0}},
		"λ up by more":                   {snapshot{2 / .9899, 8, before.df}, false, []int{0}},
		"the form by 0.75 %":             {snapshot{2, 8 * .9926, before.df}, true, []int{0}},
		"the form by more":               {snapshot{2, 8 * .9924, before.df}, false, []int{0}},
		"a probe by 0.2 %":               {snapshot{2, 8, []float64{9.981, 100}}, true, []int{0}},
		"a probe by more":                {snapshot{2, 8, []float64{9.979, 100}}, true, []int{0, 1}},
		"the second by 1 %":              {snapshot{2, 8, []float64{10, 99.01}}, true, []int{0, 2}},
		"the second by more":             {snapshot{2, 8, []float64{10, 98.99}}, false, []int{0, 2}},
		"both by more":                   {snapshot{2, 8, []float64{10.2, 98}}, false, []int{0, 1, 2}},
		"the first by more, one settled": {snapshot{2, 8, []float64{10.2, 100}}, false, []int{0, 1}},
	} {
		still, grow := s.compare(c.now, before)
		if still != c.still || len(grow) != len(c.grow) || grow[len(grow)-1] != c.grow[len(c.grow)-1] {
			t.Errorf("%s: settled %v, %v grow; want %v, %v", what, still, grow, c.still, c.grow)
		}
	}
	s.Probes = []criteria.Rule{{Nodes: []float64{0, 3}, Weights: []float64{9, 2}}, {Nodes: []float64{1}, Weights: []float64{4}}}
	if now := s.snapshot(); now.lambda != 1 || now.quad != 1.5 || len(now.df) != 2 || now.df[0] != 1.5 || now.df[1] != 2 {
		t.Errorf("%+v", now)
	}
}

// The unit of ρ/λ is the trace of the part of β over that of G; none where one of them is nothing.
func TestUnitOfTheRatio(t *testing.T) {
	w := &Space{nu: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), kappa: mat.NewDense(2, 2, []float64{.5, 1, 2, .25}), c: []float64{1, 2}, qd: []float64{3, -1, 4}}
	const green, bias = .5 + 2 + 6 + 1, (3 + 4) * 5.0
	if got := w.ratioUnit(); math.Abs(got-bias/green) > 1e-15 {
		t.Errorf("%g, want %g", got, bias/green)
	}
	without := *w
	without.qd = []float64{-1, 0}
	if got := without.ratioUnit(); got != 0 {
		t.Errorf("no bias: %g", got)
	}
	without = *w
	without.nu = mat.NewDense(2, 2, nil)
	if got := without.ratioUnit(); got != 0 {
		t.Errorf("no G: %g", got)
	}
}

// ρ is the given one, or goes with λ.
func TestPenaltiesOfASpectrum(t *testing.T) {
	s := &spectrum{}
	s.Ratio = 3
	if got := s.penalties(&problem.Setting{}, 2); got != problem.At(2, 6) {
		t.Errorf("ρ goes with λ: %+v", got)
	}
	if got := s.penalties(&problem.Setting{Rho: 5}, 2); got != problem.At(2, 5) {
		t.Errorf("ρ is given: %+v", got)
	}
}

// The rules of a problem with eigenvectors that are left out are those of the ρ/λ that is asked for, whatever was asked before.
func TestRulesAtAnotherRatio(t *testing.T) {
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	s := &problem.Setting{Data: smooth(t, 12, 14), Kernel: k, Bias: k, Constraint: constraint.TimeInvariant{Input: "x", Output: "y"}}
	w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.precondition(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for last, ratio := range map[float64]float64{1: 1e8, 1e20: 1e-8, 1e-8: 1e20, 3: 3} {
		m := &allEigenvalues{w, criteria.Eigenbasis{At: w.Diagonalised}}
		if m.Last, err = w.Diagonalised(t.Context(), last); err != nil {
			t.Fatal(err)
		}
		if m.Last.Zeros == 0 {
			t.Fatal("no eigenvectors are left out")
		}
		before := m.Last
		got, err := m.exactly(t.Context(), ratio)
		if err != nil {
			t.Fatal(err)
		}
		d, err := w.Diagonalised(t.Context(), ratio)
		if err != nil {
			t.Fatal(err)
		}
		want, err := d.Rules(t.Context(), ratio)
		if err != nil {
			t.Fatal(err)
		}
		if m.Last != before {
			t.Errorf("ρ/λ = %g: what was asked for last has changed", ratio)
		}
		for _, lambda := range []float64{1e-6, 1e-3, 1} {
			a, b := got.At(lambda), want.At(lambda)
			if !(math.Abs(a.REML-b.REML) <= 1e-9*math.Abs(b.REML)) || a.Rho != ratio*lambda {
				t.Errorf("ρ/λ = %g, λ = %g: REML %.12g, want %.12g", ratio, lambda, a.REML, b.REML)
			}
		}
	}
}

// Columns of a root are left out whose squares are less than rounding, 10⁻¹⁶ of the largest, in any unit.
func TestColumnsAboveRounding(t *testing.T) {
	for what, c := range map[string]struct {
		lengths []float64
		left    int
	}{
		"one of rounding": {[]float64{1e-9, 1e-7, 1, 2}, 3},
		"just more":       {[]float64{2.1e-8, 2}, 2},
		"just less":       {[]float64{1.9e-8, 2}, 1},
		"one":             {[]float64{3}, 1},
	} {
		for _, unit := range []float64{1e-9, 1, 1e9} {
			u := mat.NewDense(5, len(c.lengths), nil)
			for j, length := range c.lengths {
				u.Set(j, j, .6*length*unit)
				u.Set(4, j, .8*length*unit)
			}
			got := withoutRounding(u)
			if _, k := got.Dims(); k != c.left || !mat.Equal(got, u.Slice(0, 5, len(c.lengths)-c.left, len(c.lengths))) {
				t.Errorf("%s, in units of %g: %d columns, want the last %d", what, unit, k, c.left)
			}
		}
	}
}
