package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Whitening by the factors that pairs share is that of each pair by itself: D is L⁻¹ W^½ on what
// was observed, and its inverse and their transposes are those.
func TestWhiteningIsOfEachPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n, my = 5, 6
	random := func(count int) []float64 {
		v := make([]float64, count)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	for _, gaps := range []map[int]bool{nil, {3: true, 9: true, 15: true, 18: true, 19: true, 20: true, 21: true, 22: true, 23: true}} {
		m := mesh.Must(mesh.Uniform(0, 1, my, "x"))
		u, cov := array.New(n, my), mat.NewSymDense(my, nil)
		for i := range u.Data {
			if gaps[i] {
				u.Data[i] = math.NaN()
			}
		}
		b := mat.NewDense(my, my, random(my*my))
		cov.SymOuterK(1, b)
		d, err := dataset.New(dataset.Spec{Input: array.New(n, my), Output: u, InputMesh: m, OutputMesh: m, Missing: gaps != nil})
		if err != nil {
			t.Fatal(err)
		}
		weights := random(my)
		for k, w := range weights {
			weights[k] = math.Exp(w)
		}
		d.Errors = &dataset.Errors{Covariance: cov, Points: weights}
		w, err := outputs.NewWhitening(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		scaled := outputs.ScaledCovariance(d)
		dense := mat.NewDense(n*my, n*my, nil) // D⁻¹ on what was observed
		for i := range n {
			var at []int
			for k := range my {
				if !gaps[i*my+k] {
					at = append(at, k)
				}
			}
			if len(at) == 0 {
				continue
			}
			own := mat.NewSymDense(len(at), nil)
			for a, k := range at {
				for b, l := range at[:a+1] {
					own.SetSym(a, b, scaled.At(k, l))
				}
			}
			var f mat.Cholesky
			var l mat.TriDense
			if !f.Factorize(own) {
				t.Fatal("no covariance")
			}
			f.LTo(&l)
			for a, k := range at {
				for b := range a + 1 {
					dense.Set(i*my+k, i*my+at[b], l.At(a, b)/math.Sqrt(weights[k]))
				}
			}
		}
		v, x := random(n*my), mat.NewVecDense(n*my, nil)
		for i := range v {
			if gaps[i] {
				v[i] = 0
			}
		}
		for name, c := range map[string]struct {
			of mat.Matrix
			do func([]float64)
			in bool // of what it gives, which dense turns back
		}{"back": {dense, w.Back, false}, "backAdjoint": {dense.T(), w.BackAdjoint, false}, "forward": {dense, w.Forward, true}, "adjoint": {dense.T(), w.Adjoint, true}} {
			got := append([]float64(nil), v...)
			c.do(got)
			want, other := got, v
			if !c.in {
				want, other = v, got
			}
			x.MulVec(c.of, mat.NewVecDense(n*my, want))
			if off := floats.Distance(x.RawVector().Data, other, math.Inf(1)); !(off <= 1e-9) {
				t.Errorf("%s, %d missing: off by %.2g", name, len(gaps), off)
			}
		}
	}
}

// Where a pair of a tiny weight makes sigma large, the report says so, and by how much.
func TestSigmaOfTinyWeightsIsSaid(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	const n, my = 9, 6
	m := mesh.Must(mesh.Uniform(0, 1, my, "x"))
	f, u := array.New(n, my), array.New(n, my)
	for i := range f.Data {
		f.Data[i], u.Data[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	for _, weight := range []float64{1, .25, 1e-8} {
		d.Errors = &dataset.Errors{Pairs: append([]float64{weight}, linop.Ones(n-1)...)}
		e, err := Fit(t.Context(), Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(e.Report.Advice, "that of the median value is sigma times 0.0003"); said != (weight < 1e-3) {
			t.Errorf("weight %g, sigma %.3g: %s", weight, e.Report.Sigma, e.Report.Advice)
		}
	}
}
