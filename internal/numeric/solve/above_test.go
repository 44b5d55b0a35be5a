package solve

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// A solution with the factor of another matrix, c A, is off by the part q = 1 - 1/c, and above the
// minimum by q² c of ⟨x, b⟩, of which another solve with that factor finds 1/c.
func TestAbove(t *testing.T) {
	const n, c = 7, 1.1
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	m, b := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		b[i] = rng.NormFloat64()
		for j := range n {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	var a mat.Dense
	a.Mul(m, m.T())
	other := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			other.SetSym(i, j, c*a.At(i, j))
		}
	}
	ch, err := linop.Cholesky(ctx, other)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, n)
	if err := ch.SolveVecTo(mat.NewVecDense(n, x), mat.NewVecDense(n, b)); err != nil {
		t.Fatal(err)
	}
	q := 1 - 1/c
	if got, want := above(ctx, linop.Dense{M: &a}, ch, x, b), q*q; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%g above the minimum, want %g", got, want)
	}
	if got := above(ctx, linop.Dense{M: &a}, ch, make([]float64, n), make([]float64, n)); got != 0 {
		t.Errorf("%g above the minimum of nothing", got)
	}
	rep, err := Cholesky{}.Solve(ctx, linop.Dense{M: &a}, x, b)
	if err != nil || !rep.Converged || rep.Above > 1e-20 {
		t.Errorf("%+v, %v", rep, err)
	}
}
