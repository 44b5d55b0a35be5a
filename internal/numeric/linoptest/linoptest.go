// Package linoptest is the contract of linop.Operator: a new structure inherits
// these tests by being listed.
package linoptest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Matrix returns the entries of a.
func Matrix(a linop.Operator) *mat.Dense {
	m, err := linop.Matrix(context.Background(), a)
	if err != nil {
		panic(err) // nothing ends the context
	}
	return m
}

// Run checks a against its matrix want: linearity, every entry, the adjoint
// identity ⟨y, A x⟩ = ⟨Aᵀ y, x⟩, that arguments are left alone, and that two
// goroutines may apply it at once. tol is relative to the largest entry.
func Run(t *testing.T, a linop.Operator, want mat.Matrix, tol float64) {
	t.Helper()
	r, c := a.Dims()
	if wr, wc := want.Dims(); wr != r || wc != c {
		t.Fatalf("dims %d × %d, its matrix is %d × %d", r, c, wr, wc)
	}
	scale := mat.Norm(want, math.Inf(1))
	var diff mat.Dense
	diff.Sub(Matrix(a), want)
	if e := mat.Norm(&diff, math.Inf(1)); !(e <= tol*scale) {
		t.Errorf("differs from its matrix by %.2g of %.2g", e, scale)
	}

	rng := rand.New(rand.NewPCG(1, 2))
	x, y := normal(rng, c), normal(rng, r)
	keep := append([]float64(nil), x...)
	ax := make([]float64, r)
	a.Apply(context.Background(), ax, x)
	if !floats.Equal(x, keep) {
		t.Error("Apply changed its argument")
	}
	aty := make([]float64, c)
	if adj, ok := a.(linop.Adjoint); ok {
		adj.ApplyTranspose(context.Background(), aty, y)
	} else {
		a.Apply(context.Background(), aty, y) // without ApplyTranspose an operator is symmetric
	}
	if l, m := floats.Dot(y, ax), floats.Dot(aty, x); math.Abs(l-m) > tol*scale*float64(r+c) {
		t.Errorf("⟨y, A x⟩ = %.17g, ⟨Aᵀ y, x⟩ = %.17g", l, m)
	}

	twice, z := make([]float64, r), normal(rng, c)
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Apply(context.Background(), make([]float64, r), z)
	}()
	a.Apply(context.Background(), twice, x)
	<-done
	if !floats.Equal(ax, twice) {
		t.Error("two applications differ in bits")
	}
}

func normal(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}
