package linop_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progresstest"
)

// Decompositions and products of matrices that take seconds end with their contexts.
func TestEndsWithContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 4000
	a := mat.NewDense(n, n, nil)
	for i := range a.RawMatrix().Data {
		a.RawMatrix().Data[i] = rng.Float64()
	}
	definite := linop.Symmetric(a)
	for i := range n {
		definite.SetSym(i, i, n)
	}
	sum, err := linop.NewKroneckerSum([]*mat.Dense{a}, []*mat.Dense{a})
	if err != nil {
		t.Fatal(err)
	}
	x, image, copied := make([]float64, n*n), make([]float64, n*n), mat.DenseCopyOf(a)
	lags := make([]float64, 40*40*40*40)
	again := func(run func(ctx context.Context) error) func(context.Context) error { // short ones again and again
		return func(ctx context.Context) error {
			for {
				if err := run(ctx); err != nil {
					return err
				}
			}
		}
	}
	progresstest.Ends(t,
		progresstest.Computation{Name: "Eigen", Run: func(ctx context.Context) error { _, _, err := linop.Eigen(ctx, a); return err }},
		progresstest.Computation{Name: "Eigenvalues", Run: func(ctx context.Context) error { _, err := linop.Eigenvalues(ctx, a); return err }},
		progresstest.Computation{Name: "SVD", Run: func(ctx context.Context) error { _, _, _, err := linop.SVD(ctx, a); return err }},
		progresstest.Computation{Name: "QR", Run: again(func(ctx context.Context) error { _, _, err := linop.QR(ctx, copied); return err })},
		progresstest.Computation{Name: "Cholesky", Run: again(func(ctx context.Context) error { _, err := linop.Cholesky(ctx, definite); return err })},
		progresstest.Computation{Name: "LU", Run: again(func(ctx context.Context) error {
			f, err := linop.LU(ctx, a)
			if err != nil {
				return err
			}
			_, err = f.Solve(ctx, a)
			return err
		})},
		progresstest.Computation{Name: "MulContext", Run: again(func(ctx context.Context) error { return linop.MulContext(ctx, &mat.Dense{}, a, a) })},
		progresstest.Computation{Name: "KroneckerSum", Run: again(func(ctx context.Context) error {
			sum.Apply(ctx, image, x)
			return linop.Stopped(ctx)
		})},
		progresstest.Computation{Name: "Toeplitz", Run: again(func(ctx context.Context) error {
			_, err := linop.NewToeplitz(ctx, []int{40, 40, 40, 40}, []bool{true, true, true, true}, lags)
			return err
		})},
	)
}
