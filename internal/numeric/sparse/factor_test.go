package sparse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/sparse"
)

var ctx = context.Background()

// laplacian is the five-point matrix on an n × n grid, with a drift that makes it unsymmetric.
func laplacian(t testing.TB, n int, drift float64) *sparse.Matrix {
	t.Helper()
	line, err := sparse.Diagonals(n, n, [][]float64{{2}, {-1 + drift}, {-1 - drift}}, []int{0, 1, -1})
	if err != nil {
		t.Fatal(err)
	}
	one, err := sparse.Diagonals(n, n, [][]float64{{1}}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	a, err := sparse.Kron(ctx, line, one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sparse.Kron(ctx, one, line)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := sparse.Add(1, a, 1, b)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func random(rng *rand.Rand, rows, cols int, density float64) *sparse.Matrix {
	var row, col []int
	var value []float64
	for i := range rows {
		for j := range cols {
			if rng.Float64() < density {
				row, col, value = append(row, i), append(col, j), append(value, rng.NormFloat64())
			}
		}
	}
	m, err := sparse.New(rows, cols, row, col, value)
	if err != nil {
		panic(err)
	}
	return m
}

// residual is the backward error of A x = b by rows, ‖b - A x‖ over ‖|A| |x| + |b|‖.
func residual(a *sparse.Matrix, x, b []float64) float64 {
	n, _ := a.Dims()
	worst := 0.0
	for i := range n {
		cols, values := a.Row(i)
		r, s := b[i], math.Abs(b[i])
		for k, j := range cols {
			r -= values[k] * x[j]
			s += math.Abs(values[k] * x[j])
		}
		if s > 0 {
			worst = max(worst, math.Abs(r)/s)
		}
	}
	return worst
}

func ones(n int) []float64 {
	b := make([]float64, n)
	for i := range b {
		b[i] = 1 + float64(i%7)
	}
	return b
}

// Factors solve to rounding, of matrices symmetric and not, of regular and random patterns,
// and whatever the units of their rows and columns.
func TestFactorsSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	scaled := func(a *sparse.Matrix, left, right func(i int) float64) *sparse.Matrix {
		n, m := a.Dims()
		var row, col []int
		var value []float64
		for i := range n {
			cols, values := a.Row(i)
			for k, j := range cols {
				row, col, value = append(row, i), append(col, j), append(value, left(i)*values[k]*right(j))
			}
		}
		s, err := sparse.New(n, m, row, col, value)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	constant := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	wild := func(i int) float64 { return math.Ldexp(1, (i*37)%800-400) }
	cases := map[string]*sparse.Matrix{
		"grid": laplacian(t, 23, 0), "drift": laplacian(t, 23, 0.7), "1 × 1": random(rng, 1, 1, 2),
		"grid × 1e150": laplacian(t, 9, 0).Scale(1e150), "grid × 1e-150": laplacian(t, 9, 0).Scale(1e-150),
		"rows": scaled(laplacian(t, 9, 0.2), wild, constant(1)), "columns": scaled(laplacian(t, 9, 0.2), constant(1), wild),
		"both": scaled(laplacian(t, 9, 0), wild, wild),
	}
	arrow := func(n int) *sparse.Matrix { // one row and column that all others meet
		var row, col []int
		var value []float64
		for i := range n {
			row, col, value = append(row, i, 0, i), append(col, i, i, 0), append(value, 4*float64(n), 1, 1)
		}
		a, err := sparse.New(n, n, row, col, value)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	cases["arrow"] = arrow(1500)
	for k := range 40 {
		n := 1 + rng.IntN(60)
		a := random(rng, n, n, 4/float64(n))
		d, _ := sparse.Diagonals(n, n, [][]float64{{3}}, []int{0})
		if k%2 == 0 { // a permutation in the place of the diagonal: pivots must be looked for
			perm, row, v := rng.Perm(n), make([]int, n), make([]float64, n)
			for i := range row {
				row[i], v[i] = i, 3
			}
			d, _ = sparse.New(n, n, row, perm, v)
		}
		a, _ = sparse.Add(1, a, 1, d)
		cases[fmt.Sprint("random ", k)] = a
	}
	for name, a := range cases {
		n, _ := a.Dims()
		b, x := ones(n), make([]float64, n)
		methods := []func(context.Context, *sparse.Matrix) (*sparse.Factors, error){sparse.LU}
		if a.Symmetric(0) && a.At(0, 0) > 0 {
			methods = append(methods, sparse.Cholesky)
		}
		for _, method := range methods {
			f, err := method(ctx, a)
			if errors.Is(err, sparse.ErrSingular) {
				dense, _ := a.Dense()
				if c := mat.Cond(dense, 1); c < 1e13 {
					t.Errorf("%s: %v, but the condition is %.1e", name, err, c)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err := f.SolveVector(ctx, x, b); err != nil {
				t.Fatal(err)
			}
			if r := residual(a, x, b); !(r < 1e-13) {
				t.Errorf("%s by %s: backward error %.1e", name, f.Method, r)
			}
		}
	}
}

// What has no solution is refused, by the reason.
func TestFactorsRefuse(t *testing.T) {
	make := func(rows, cols int, v ...float64) *sparse.Matrix {
		m, err := sparse.FromDense(mat.NewDense(rows, cols, v))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, tt := range []struct {
		what string
		err  error
		want error
	}{
		{"zero row", second(sparse.LU(ctx, make(2, 2, 1, 2, 0, 0))), sparse.ErrSingular},
		{"zero column", second(sparse.LU(ctx, make(2, 2, 1, 0, 2, 0))), sparse.ErrSingular},
		{"rank 1", second(sparse.LU(ctx, make(2, 2, 1, 2, 2, 4))), sparse.ErrSingular},
		{"nearly rank 1", second(sparse.LU(ctx, make(2, 2, 1, 1, 1, 1+4e-16))), sparse.ErrSingular},
		{"indefinite", second(sparse.Cholesky(ctx, make(2, 2, 1, 2, 2, 1))), sparse.ErrNotPositive},
		{"negative", second(sparse.Cholesky(ctx, make(1, 1, -1))), sparse.ErrNotPositive},
	} {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, tt.err, tt.want)
		}
	}
	for what, err := range map[string]error{
		"not square": second(sparse.LU(ctx, make(1, 2, 1, 2))), "not symmetric": second(sparse.Cholesky(ctx, make(2, 2, 1, 2, 3, 9))),
		"NaN": second(sparse.LU(ctx, make(1, 1, math.NaN()))), "Inf": second(sparse.Cholesky(ctx, make(1, 1, math.Inf(1)))),
	} {
		if err == nil {
			t.Errorf("%s is factored", what)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Stopping comes back soon from everything that is long.
func TestStopped(t *testing.T) {
	a := laplacian(t, 60, 0)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for what, err := range map[string]error{
		"cholesky": second(sparse.Cholesky(ended, a)), "lu": second(sparse.LU(ended, a)), "product": second(sparse.Mul(ended, a, a)),
		"kron": second(sparse.Kron(ended, a, a)),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func BenchmarkFactors(b *testing.B) {
	a := laplacian(b, 200, 0)
	for i := 0; i < b.N; i++ {
		s := time.Now()
		f, err := sparse.Cholesky(ctx, a)
		if err != nil {
			b.Fatal(err)
		}
		c := time.Since(s)
		s = time.Now()
		g, err := sparse.LU(ctx, a)
		if err != nil {
			b.Fatal(err)
		}
		l := time.Since(s)
		x := make([]float64, 40000)
		s = time.Now()
		f.SolveVector(ctx, x, ones(40000))
		b.Log(c, l, time.Since(s), f.Fill, g.Fill, residual(a, x, ones(40000)))
	}
}
