package inweights

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Combinations of what was observed at each point tell the criteria that the matrix of all values tells: with more values than
// inputs at all points, at some and at none, with weights of pairs and of values, with a penalised bias, none, and one with a
// free constant.
func TestCriteriaFromCombinations(t *testing.T) {
	for _, c := range []struct {
		pairs, inputs int
		gaps          int // one in so many outputs
	}{{30, 5, 9}, {9, 6, 4}, {5, 8, 6}} {
		for what, bias := range map[string]*problem.Setting{
			"no bias": {}, "bias": {Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}},
			"free constant": {Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Flat: true},
		} {
			s := *bias
			s.Kernel, s.Data = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, withErrors(t, smooth(t, c.pairs, c.inputs), c.gaps)
			w, _, err := NewSpace(t.Context(), &s, latticeAt(t, &s))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.precondition(t.Context(), &s); err != nil {
				t.Fatal(err)
			}
			if _, ok := w.pointwise(); !ok {
				t.Fatalf("%+v, %s: not by points", c, what)
			}
			ratio := 1.0
			if w.Q != nil {
				ratio = w.ratioUnit()
			}
			d := testmain.Must(w.Diagonalised(t.Context(), ratio))(t)
			if len(d.Eigenvalues) != w.seen() || len(d.Eigenvalues)+d.Zeros != w.Outputs() {
				t.Errorf("%+v, %s: %d eigenvalues and %d zeros, want %d of %d", c, what, len(d.Eigenvalues), d.Zeros, w.seen(), w.Outputs())
			}
			x := testmain.Must(w.exactCriteria(t.Context()))(t)
			for level := 1e1; level > 1e-9; level /= 100 {
				for _, r := range []float64{ratio, 1e-3 * ratio} {
					at := d.At(r)
					lambda := level * at.Top()
					got := testmain.Must(at.Sheet(t.Context(), lambda))(t)
					want := testmain.Must(x.At(t.Context(), lambda, r*lambda))(t)
					limit := 1e-9 + 0x1p-48*float64(w.Outputs())/level
					off := max(math.Abs(got.REML-want.REML), math.Abs(got.LogDet-want.LogDet), math.Abs(math.Log(got.GCV/want.GCV)), math.Abs(got.EffectiveDF-want.EffectiveDF))
					if !(off <= limit) {
						t.Errorf("%+v, %s, λ = %g of the largest, ρ/λ × %g: off by %.2g, at most %.2g: got %+v, want %+v", c, what, level, r/ratio, off, limit, got, want)
					}
				}
			}
		}
	}
}

// withErrors are data of which one in so many outputs is missing, with noise and weights.
func withErrors(t *testing.T, d *dataset.Dataset, gaps int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 4))
	e := &dataset.Errors{Values: &array.Array{Shape: d.Output.Shape, Data: make([]float64, len(d.Output.Data))}}
	for range d.N() {
		e.Pairs = append(e.Pairs, .5+rng.Float64())
	}
	for i := range d.Output.Data {
		e.Values.Data[i] = .5 + rng.Float64()
		if d.Output.Data[i] += 1e-3 * rng.NormFloat64(); i%gaps == 3 {
			d.Output.Data[i], d.Missing = math.NaN(), true
		}
	}
	return testmain.Must(d.WithErrors(e))(t)
}

// What the criteria are at a choice is what its eigenvectors tell, at other λ and ρ too.
func TestSheetsFromEigenvectors(t *testing.T) {
	s := &problem.Setting{
		Data: withErrors(t, smooth(t, 12, 6), 5), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.5}},
	}
	w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.precondition(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	q := criteria.Search{By: criteria.REML, Penalty: criteria.Penalty{Ratio: 1}, Outputs: float64(w.Outputs())}
	ch, rules, err := w.followSpectrum(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	x := testmain.Must(w.exactCriteria(t.Context()))(t)
	for _, by := range []float64{1, 100} {
		at := problem.At(by*ch.Lambda, ch.Penalty.At(ch.Lambda)/by)
		got, want := testmain.Must(rules.sheetAt(t.Context(), at))(t), testmain.Must(x.At(t.Context(), at.Lambda, at.Rho))(t)
		if off := math.Abs(got.REML - want.REML); !(off <= 1e-6) || got.Rho != at.Rho || got.REMLErr != 0 {
			t.Errorf("REML %.10g at ρ = %g with an error of %g, want %.10g at %g", got.REML, got.Rho, got.REMLErr, want.REML, at.Rho)
		}
	}
}
