package fit

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/linoptest"
)

// As the space grows, the least value in it falls towards the least of all weights,
// which Cholesky finds, and the trace rises; at a given λ and ρ, and read off at others.
func TestGrowingSpace(t *testing.T) {
	d, _ := decaying(t, 20, 30) // 600 data, 59 + 30 weights
	s := invariant(d)
	w, _, err := newWeightSpace(context.Background(), &s, latticeOf(t, &s))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.precondition(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	const lambda, ratio = 1e-5, 3.
	probe := criteria.Signs(len(w.t), 0)
	space := newGalerkin(w, [][]float64{w.t, probe})
	if err := space.at(t.Context(), lambda, ratio*lambda); err != nil {
		t.Fatal(err)
	}
	lambdas := []float64{lambda, 100 * lambda}
	var want [2][2]float64
	for k, l := range lambdas {
		want[k] = quadraticForms(w, l, ratio*l, w.t, probe)
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
				if got < want[k][i]*(1-1e-9) {
					t.Errorf("round %d: the least of ‖t - R y‖² + λ‖y‖² is %.9g in the space, %.9g of all weights", round, got, want[k][i])
				}
				if round == 24 && l == lambda && got > want[k][i]*(1+1e-3) {
					t.Errorf("form %d: %.6g in the space, %.6g of all weights", i, got, want[k][i])
				}
			}
		}
		least := space.rule(0).Integral(func(x float64) float64 { return lambda / (x + lambda) })
		if least > other*(1+1e-9) {
			t.Errorf("round %d: the least value rose from %.9g to %.9g", round, other, least)
		}
		other = least
	}
	// The weights have the objective that the rule says.
	x := space.weights([]int{0})[0]
	out, kv, qb := space.w.forward(t.Context(), x)
	cut := len(kv)
	floats.Sub(out, w.t)
	objective := floats.Dot(out, out) + lambda*floats.Dot(x[:cut], kv) + ratio*lambda*floats.Dot(x[cut:], qb)
	if math.Abs(objective-other) > 1e-9*other {
		t.Errorf("objective of the weights %.12g, by the rule %.12g", objective, other)
	}
}

// quadraticForms are ⟨t, (I + A)⁻¹ t⟩ of two vectors, by Cholesky.
func quadraticForms(w *weightSpace, lambda, rho float64, ts ...[]float64) (forms [2]float64) {
	at := *w
	at.lambda, at.rho = lambda, rho
	var ch mat.Cholesky
	if !ch.Factorize(linop.Symmetric(linoptest.Matrix(dataSpace{dataKernel{&at}}))) {
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

// A λ that was chosen and cannot be solved for in the iterations allowed is raised,
// and the report says so; a given one is kept.
func TestLambdaIsRaisedUntilItCanBeSolvedFor(t *testing.T) {
	d, _ := decaying(t, 9, 20)
	s := invariant(d)
	s.MaxIterations = 3
	e := testmain.Must(Fit(context.Background(), s))(t)
	if r := e.Report; !strings.Contains(r.Advice, "lambda was raised") || r.Lambda < 900**r.LambdaREML {
		t.Errorf("lambda %g, best %g, advice %q", r.Lambda, *r.LambdaREML, r.Advice)
	}
	given := s
	given.Lambda = *e.Report.LambdaREML
	e = testmain.Must(Fit(context.Background(), given))(t)
	if r := e.Report; r.Lambda != given.Lambda || r.Converged {
		t.Errorf("lambda %g, given %g, converged %t", r.Lambda, given.Lambda, r.Converged)
	}
}
