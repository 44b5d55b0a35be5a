package linop_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Between is C on both sides of the left factors: products with it are those with (C ⊗ I) (Σ A_q ⊗ B_q) (Cᵀ ⊗ I).
func TestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = rng.NormFloat64()
		}
		return m
	}
	const mx, my, r = 7, 5, 3
	ctx, c := context.Background(), random(r, mx)
	sum, err := linop.NewKroneckerSum([]*mat.Dense{random(mx, mx), random(mx, mx)}, []*mat.Dense{random(my, my), random(my, my)})
	if err != nil {
		t.Fatal(err)
	}
	between, err := sum.Between(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	z := random(r, my)
	var w mat.Dense
	w.Mul(c.T(), z)
	kw := mat.NewDense(mx, my, nil)
	sum.Apply(ctx, kw.RawMatrix().Data, w.RawMatrix().Data)
	var want mat.Dense
	want.Mul(c, kw)
	got := mat.NewDense(r, my, nil)
	between.Apply(ctx, got.RawMatrix().Data, z.RawMatrix().Data)
	for i := range r {
		for j := range my {
			if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-12*mat.Norm(&want, 2) {
				t.Errorf("%d, %d: %g, want %g", i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
}
