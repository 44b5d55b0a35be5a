package inweights

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// As the space grows, the least value in it falls towards the least of all weights,
// which Cholesky finds, and the trace rises; at a given λ and ρ, and read off at others.
func TestGrowingSpace(t *testing.T) {
	k := kernel.Exponential{Lengthscale: kernel.Lengthscale{.2}}
	s := &problem.Setting{ // 600 data, 59 + 30 weights
		Data: smooth(t, 20, 30), Kernel: k, Bias: k, Constraint: constraint.TimeInvariant{Input: "x", Output: "y"},
	}
	w, _, err := NewSpace(context.Background(), s, latticeAt(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.precondition(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	const lambda, ratio = 1e-5, 3.
	probe := criteria.Signs(len(w.T), 0)
	space := newGalerkin(w, [][]float64{w.T, probe})
	if err := space.at(t.Context(), lambda, ratio*lambda); err != nil {
		t.Fatal(err)
	}
	lambdas := []float64{lambda, 100 * lambda}
	var want [2][2]float64
	for k, l := range lambdas {
		want[k] = quadraticForms(w, l, ratio*l, w.T, probe)
	}
	other := math.Inf(1)
	for round := range 25 {
		if err := space.grow(t.Context(), []int{0, 1}); err != nil {
			t.Fatal(err)
		}
		if err := space.at(t.Context(), lambda, ratio*lambda); err != nil {
			t.Fatal(err)
		}
		for i := range space.rhs {
			for k, l := range lambdas {
				got := space.rule(i).Integral(func(x float64) float64 { return l / (x + l) })
				if !(got >= want[k][i]*(1-1e-9)) {
					t.Errorf("round %d: the least of ‖t - R y‖² + λ‖y‖² is %.9g in the space, %.9g of all weights", round, got, want[k][i])
				}
				if round == 24 && l == lambda && !(got <= want[k][i]*(1+1e-3)) {
					t.Errorf("form %d: %.6g in the space, %.6g of all weights", i, got, want[k][i])
				}
			}
		}
		least := space.rule(0).Integral(func(x float64) float64 { return lambda / (x + lambda) })
		if !(least <= other*(1+1e-9)) {
			t.Errorf("round %d: the least value rose from %.9g to %.9g", round, other, least)
		}
		other = least
	}
	// The weights have the objective that the rule says.
	x := space.weights([]int{0})[0]
	out, kv, qb := space.w.Forward(t.Context(), x)
	cut := len(kv)
	floats.Sub(out, w.T)
	objective := floats.Dot(out, out) + lambda*floats.Dot(x[:cut], kv) + ratio*lambda*floats.Dot(x[cut:], qb)
	if !(math.Abs(objective-other) <= 1e-9*other) {
		t.Errorf("objective of the weights %.12g, by the rule %.12g", objective, other)
	}
}

// quadraticForms are ⟨t, (I + A)⁻¹ t⟩ of two vectors, by Cholesky.
func quadraticForms(w *Space, lambda, rho float64, ts ...[]float64) (forms [2]float64) {
	at := *w
	at.Lambda, at.Rho = lambda, rho
	var ch mat.Cholesky
	if !ch.Factorize(linop.Symmetric(linoptest.Matrix(at.InData()))) {
		panic("I + A is not positive definite")
	}
	for i, t := range ts {
		var z mat.VecDense
		if err := ch.SolveVecTo(&z, mat.NewVecDense(len(t), t)); err != nil {
			panic(err)
		}
		forms[i] = floats.Dot(t, z.RawVector().Data)
	}
	return forms
}

// Directions become orthonormal, by Cholesky as by eigenvectors, with the same eigenvalues of
// another form; what depends on others is left out.
func TestWhitening(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ n, kept int }{{1, 1}, {7, 7}, {70, 70}, {7, 6}, {70, 50}} {
		x := mat.NewDense(2*c.n, c.n, nil)
		for i := range 2 * c.n {
			for j := range c.n {
				if j < c.kept {
					x.Set(i, j, rng.NormFloat64())
				} else {
					x.Set(i, j, x.At(i, j-c.kept)+1e-7*rng.NormFloat64())
				}
			}
		}
		a, g := linop.Product(t.Context(), x.T(), x), linop.Identity(c.n)
		for j := range c.n {
			g.Set(j, j, float64(1+j%c.kept))
		}
		v, want := testmain.Must(whitening(t.Context(), a))(t), testmain.Must(whiteningByEigenvectors(t.Context(), a))(t)
		if _, k := v.Dims(); k != c.kept {
			t.Errorf("%d directions: %d are left, want %d", c.n, k, c.kept)
			continue
		}
		if one := linop.Sandwich(t.Context(), v, a); !mat.EqualApprox(one, linop.Identity(c.kept), 1e-6) {
			t.Errorf("%d directions: not orthonormal", c.n)
		}
		got, _, err := linop.Eigen(t.Context(), linop.Sandwich(t.Context(), v, g))
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := linop.Eigen(t.Context(), linop.Sandwich(t.Context(), want, g))
		if err != nil {
			t.Fatal(err)
		}
		if !floats.EqualApprox(got, other, 1e-9*other[c.kept-1]) {
			t.Errorf("%d directions: eigenvalues %v, want %v", c.n, got, other)
		}
	}
}
