package sparse_test

import (
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/sparse"
)

// The algebra agrees with that of dense matrices, of all shapes and densities.
func TestAlgebraIsThatOfDenseMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	dense := func(a *sparse.Matrix) *mat.Dense {
		d, err := a.Dense()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	near := func(what string, a *sparse.Matrix, want mat.Matrix, err error) {
		t.Helper()
		if err != nil || !mat.EqualApprox(dense(a), want, 1e-12) {
			t.Errorf("%s: %v\n%v, want\n%v", what, err, mat.Formatted(dense(a)), mat.Formatted(want))
		}
	}
	for range 200 {
		r, c, q := 1+rng.IntN(7), 1+rng.IntN(7), 1+rng.IntN(7)
		density := rng.Float64() * rng.Float64()
		a, b, d := random(rng, r, c, density), random(rng, c, q, density), random(rng, r, c, density)
		var want mat.Dense
		want.Mul(dense(a), dense(b))
		p, err := sparse.Mul(ctx, a, b)
		near("product", p, &want, err)
		near("transpose", a.Transpose(), dense(a).T(), nil)
		var sum mat.Dense
		sum.Scale(-2, dense(d))
		sum.Add(&sum, dense(a))
		s, err := sparse.Add(1, a, -2, d)
		near("sum", s, &sum, err)
		var kron mat.Dense
		kron.Kronecker(dense(a), dense(b))
		k, err := sparse.Kron(ctx, a, b)
		near("kron", k, &kron, err)
		x := mat.NewDense(c, 2, nil)
		for i := range c {
			x.Set(i, 0, rng.NormFloat64())
			x.Set(i, 1, float64(i))
		}
		var ax mat.Dense
		ax.Mul(dense(a), x)
		got, err := a.MulDense(ctx, x)
		if err != nil || !mat.EqualApprox(got, &ax, 1e-12) {
			t.Errorf("product with a dense matrix: %v", err)
		}
		back, err := sparse.FromDense(dense(a))
		near("from dense", back, dense(a), err)
		for i := range r {
			for j := range c {
				if a.At(i, j) != dense(a).At(i, j) {
					t.Errorf("entry %d, %d", i, j)
				}
			}
		}
	}
}

// Coordinates in any order, and several at one place.
func TestCoordinates(t *testing.T) {
	a, err := sparse.New(2, 3, []int{1, 0, 1, 1}, []int{2, 1, 0, 2}, []float64{1, 2, 3, 4})
	if err != nil || a.Len() != 3 || a.At(1, 2) != 5 || a.At(1, 0) != 3 || a.At(0, 1) != 2 || a.At(0, 0) != 0 {
		t.Errorf("%v %v", a, err)
	}
	for what, err := range map[string]error{
		"outside":        second(sparse.New(1, 1, []int{1}, []int{0}, []float64{1})),
		"negative":       second(sparse.New(1, 1, []int{0}, []int{-1}, []float64{1})),
		"lengths":        second(sparse.New(1, 1, []int{0}, []int{0}, nil)),
		"no rows":        second(sparse.New(0, 1, nil, nil, nil)),
		"diagonal":       second(sparse.Diagonals(2, 2, [][]float64{{1, 2, 3}}, []int{0})),
		"offset":         second(sparse.Diagonals(2, 2, [][]float64{{1}}, []int{2})),
		"kron too large": second(sparse.Kron(ctx, laplacian(t, 250, 0), laplacian(t, 250, 0))),
	} {
		if err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	b, err := sparse.Diagonals(2, 3, [][]float64{{1, 2}, {7}}, []int{1, -1})
	if err != nil || b.At(0, 1) != 1 || b.At(1, 2) != 2 || b.At(1, 0) != 7 || b.Len() != 3 {
		t.Errorf("%v %v", b, err)
	}
}

// Iterations reach the tolerance they report, by themselves and preconditioned by factors.
func TestIterations(t *testing.T) {
	for name, a := range map[string]*sparse.Matrix{"symmetric": laplacian(t, 20, 0), "drift": laplacian(t, 20, 0.8)} {
		n, _ := a.Dims()
		f, err := sparse.LU(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range []sparse.Iteration{{Tolerance: 1e-11}, {Tolerance: 1e-11, Factors: f}} {
			methods := map[string]func() ([]float64, sparse.Report, error){"gmres": func() ([]float64, sparse.Report, error) { return it.GMRES(ctx, a, ones(n), nil) }}
			if name == "symmetric" {
				methods["cg"] = func() ([]float64, sparse.Report, error) { return it.CG(ctx, a, ones(n), nil) }
			}
			for method, run := range methods {
				x, report, err := run()
				if err != nil || !report.Converged || !(report.Residual < 1e-11) || it.Factors != nil && report.Iterations > 2 {
					t.Errorf("%s, %s: %v %+v", name, method, err, report)
				}
				if r := residual(a, x, ones(n)); !(r < 1e-8) {
					t.Errorf("%s, %s: residual %.1e", name, method, r)
				}
			}
		}
	}
	if _, report, err := (sparse.Iteration{Tolerance: 1e-12, MaxIterations: 2}).GMRES(ctx, laplacian(t, 20, 0), ones(400), nil); err != nil || report.Converged {
		t.Errorf("two iterations: %v %+v", err, report)
	}
	if _, _, err := (sparse.Iteration{}).CG(ctx, laplacian(t, 20, 0.5), ones(400), nil); err == nil {
		t.Error("CG takes a matrix that is not symmetric")
	}
}

// The fill of a factor is found, and refused where there is no room, before it is allocated.
func TestFillIsBounded(t *testing.T) {
	a := laplacian(t, 150, 0)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(5 << 20))
	_, err := sparse.Cholesky(ctx, a)
	if err == nil || !strings.Contains(err.Error(), "the factor of a sparse matrix of 22500 × 22500 needs") {
		t.Errorf("without room: %v", err)
	}
}
