package solve_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// bandMatrix is random within the band. Its diagonal is small, so that LU has to
// exchange rows; spd adds what makes it symmetric and positive definite.
func bandMatrix(rng *rand.Rand, n, lower, upper int, spd bool) *linop.Sparse {
	var entries []linop.Entry
	for i := range n {
		for j := max(0, i-lower); j <= min(n-1, i+upper); j++ {
			v := rng.NormFloat64()
			switch {
			case i == j && lower*upper == 0: // the diagonal of a triangle is all there is
				entries = append(entries, linop.Entry{Row: i, Col: i, Value: 20 + v})
			case i == j:
				entries = append(entries, linop.Entry{Row: i, Col: i, Value: 1e-3 * v})
			case !spd:
				entries = append(entries, linop.Entry{Row: i, Col: j, Value: v})
			case j < i:
				entries = append(entries, linop.Entry{Row: i, Col: j, Value: v}, linop.Entry{Row: j, Col: i, Value: v},
					linop.Entry{Row: i, Col: i, Value: math.Abs(v)}, linop.Entry{Row: j, Col: j, Value: math.Abs(v)})
			}
		}
		if spd {
			entries = append(entries, linop.Entry{Row: i, Col: i, Value: 0.1})
		}
	}
	return linop.NewSparse(n, n, entries)
}

// shuffled renumbers the unknowns at random, to be found again by renumbering.
func shuffled(rng *rand.Rand, a *linop.Sparse) *linop.Sparse {
	n, _ := a.Dims()
	p := rng.Perm(n)
	var entries []linop.Entry
	for i := range n {
		cols, vals := a.Row(i)
		for k, j := range cols {
			entries = append(entries, linop.Entry{Row: p[i], Col: p[j], Value: vals[k]})
		}
	}
	return linop.NewSparse(n, n, entries)
}

// Solutions agree with the right-hand side that they were made from and with dense
// LU, over narrow and wide bands, partial panels, few and many right-hand sides.
func TestFactorisationSolves(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		n, lower, upper, m int
		spd                bool
		method             string
	}{
		{1, 0, 0, 1, true, "band cholesky"},
		{5, 0, 0, 3, true, "band cholesky"},
		{40, 1, 1, 1, true, "band cholesky"},
		{70, 3, 3, 5, true, "band cholesky"},
		{150, 30, 30, 2, true, "band cholesky"},
		{257, 40, 40, 200, true, "band cholesky"},
		{64, 63, 63, 1, true, "band cholesky"},
		{1, 0, 0, 1, false, "band lu"},
		{40, 1, 1, 1, false, "band lu"},
		{60, 2, 5, 7, false, "band lu"},
		{60, 5, 1, 7, false, "band lu"},
		{150, 20, 14, 3, false, "band lu"},
		{257, 35, 40, 200, false, "band lu"},
		{33, 0, 32, 2, false, "band lu"},
		{90, 40, 0, 2, false, "band lu"},
		{64, 63, 63, 1, false, "band lu"},
	} {
		for _, mix := range []bool{false, true} {
			name := fmt.Sprintf("n=%d band %d,%d m=%d shuffled=%v", c.n, c.lower, c.upper, c.m, mix)
			a := bandMatrix(rng, c.n, c.lower, c.upper, c.spd)
			if mix {
				a = shuffled(rng, a)
			}
			f, err := solve.Factor(context.Background(), a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if f.Method != c.method && c.n > 1 {
				t.Errorf("%s: method %s, want %s", name, f.Method, c.method)
			}
			dense := linoptest.Matrix(a)
			var inverse mat.Dense
			if err := inverse.Inverse(dense); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cond := mat.Norm(dense, 1) * mat.Norm(&inverse, 1)
			if f.Condition > cond*(1+1e-6) || f.Condition < cond/5 {
				t.Errorf("%s: condition estimated at %.3g, is %.3g", name, f.Condition, cond)
			}
			want := mat.NewDense(c.n, c.m, nil)
			want.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, want)
			var b, bt mat.Dense
			b.Mul(dense, want)
			bt.Mul(dense.T(), want)
			if err := f.Solve(context.Background(), &b); err != nil {
				t.Fatal(err)
			}
			if err := f.SolveTransposed(context.Background(), &bt); err != nil {
				t.Fatal(err)
			}
			for what, x := range map[string]*mat.Dense{"solution": &b, "transposed": &bt} {
				var d mat.Dense
				d.Sub(x, want)
				if e := mat.Max(&d) - mat.Min(&d); !(e <= 1e-14*cond) {
					t.Errorf("%s: %s is off by %.2g, condition %.2g", name, what, e, cond)
				}
			}
		}
	}
}

// laplacian of an nx × ny grid, zero outside; periodic in y when wrap is set.
func laplacian(nx, ny int, wrap bool) *linop.Sparse {
	var entries []linop.Entry
	at := func(i, j int) int { return i*ny + j }
	for i := range nx {
		for j := range ny {
			entries = append(entries, linop.Entry{Row: at(i, j), Col: at(i, j), Value: 4})
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				p, q := i+d[0], j+d[1]
				if wrap {
					q = (q + ny) % ny
				}
				if p >= 0 && p < nx && q >= 0 && q < ny {
					entries = append(entries, linop.Entry{Row: at(i, j), Col: at(p, q), Value: -1})
				}
			}
		}
	}
	return linop.NewSparse(nx*ny, nx*ny, entries)
}

// Renumbering finds the narrow way through a grid and unrolls circles.
func TestBandwidthIsNarrow(t *testing.T) {
	var circle []linop.Entry
	for i := range 50 {
		circle = append(circle, linop.Entry{Row: i, Col: i, Value: 3}, linop.Entry{Row: i, Col: (i + 1) % 50, Value: -1}, linop.Entry{Row: (i + 1) % 50, Col: i, Value: -1})
	}
	for _, c := range []struct {
		name string
		a    *linop.Sparse
		want int
	}{
		{"grid 40 × 7", laplacian(40, 7, false), 7},
		{"grid 7 × 40", laplacian(7, 40, false), 7},
		{"cylinder around 12, 30 long", laplacian(30, 12, true), 14},
		{"circle", linop.NewSparse(50, 50, circle), 2},
	} {
		f, err := solve.Factor(context.Background(), c.a)
		if err != nil {
			t.Fatal(err)
		}
		if f.Bandwidth > c.want || f.Method != "band cholesky" {
			t.Errorf("%s: band %d by %s, want at most %d", c.name, f.Bandwidth, f.Method, c.want)
		}
	}
}

// A solution does not depend, to the bit, on what it is solved together with.
func TestColumnsAreIndependent(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, a := range []*linop.Sparse{bandMatrix(rng, 130, 30, 30, true), bandMatrix(rng, 130, 30, 20, false)} {
		f, err := solve.Factor(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		all := mat.NewDense(130, 230, nil)
		all.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, all)
		var one mat.Dense
		one.CloneFrom(all.Slice(0, 130, 117, 118))
		vector := mat.Col(nil, 0, &one)
		if err := f.SolveVector(context.Background(), vector); err != nil {
			t.Fatal(err)
		}
		for _, x := range []*mat.Dense{all, &one} {
			if err := f.Solve(context.Background(), x); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 130 {
			if math.Abs(vector[i]-one.At(i, 0)) > 1e-9 {
				t.Fatalf("%s: row %d is %g as a vector, %g as a column", f.Method, i, vector[i], one.At(i, 0))
			}
			if all.At(i, 117) != one.At(i, 0) {
				t.Fatalf("%s: row %d is %g among others, %g alone", f.Method, i, all.At(i, 117), one.At(i, 0))
			}
		}
	}
}

func TestSingularMatricesAreRefused(t *testing.T) {
	neumann := func(n int, diag float64) *linop.Sparse {
		var e []linop.Entry
		for i := range n - 1 {
			e = append(e, linop.Entry{Row: i, Col: i, Value: diag}, linop.Entry{Row: i + 1, Col: i + 1, Value: diag},
				linop.Entry{Row: i, Col: i + 1, Value: -diag}, linop.Entry{Row: i + 1, Col: i, Value: -diag})
		}
		return linop.NewSparse(n, n, e)
	}
	for _, c := range []struct {
		name string
		a    *linop.Sparse
	}{
		{"zero", linop.NewSparse(3, 3, nil)},
		{"NaN", linop.NewSparse(1, 1, []linop.Entry{{Value: math.NaN()}})},
		{"chain without a fixed end", neumann(50, 1)},
		{"the same, rounded", neumann(50, 0.1)},
		{"equal rows", linop.NewSparse(2, 2, []linop.Entry{{Value: 1}, {Col: 1, Value: 2}, {Row: 1, Value: 1}, {Row: 1, Col: 1, Value: 2}})},
	} {
		if _, err := solve.Factor(context.Background(), c.a); !errors.Is(err, solve.ErrSingular) {
			t.Errorf("%s: error %v, want ErrSingular", c.name, err)
		}
	}
}

func TestFactorRefusesShapes(t *testing.T) {
	ctx := context.Background()
	if _, err := solve.Factor(ctx, linop.NewSparse(2, 3, nil)); err == nil || !strings.Contains(err.Error(), "2 × 3: must be square") {
		t.Errorf("error %v", err)
	}
	f, err := solve.Factor(ctx, laplacian(3, 3, false))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Solve(ctx, mat.NewDense(8, 1, nil)); err == nil || !strings.Contains(err.Error(), "8 rows, must be 9") {
		t.Errorf("error %v", err)
	}
	stopped, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("enough"))
	if err := f.Solve(stopped, mat.NewDense(9, 1, nil)); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("error %v", err)
	}
	if _, err := solve.Factor(stopped, laplacian(3, 3, false)); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("error %v", err)
	}
}

func ExampleFactor() {
	f, err := solve.Factor(context.Background(), laplacian(30, 20, false))
	fmt.Println(f.Method, f.Bandwidth, err)
	// Output:
	// band cholesky 20 <nil>
}

func BenchmarkFactor(b *testing.B) {
	for _, m := range []int{50, 100, 200, 298} {
		a := laplacian(m, m, false)
		b.Run(fmt.Sprintf("cholesky/%d²", m), func(b *testing.B) {
			for b.Loop() {
				if _, err := solve.Factor(context.Background(), a); err != nil {
					b.Fatal(err)
				}
			}
		})
		f, err := solve.Factor(context.Background(), a)
		if err != nil {
			b.Fatal(err)
		}
		x := mat.NewDense(m*m, 96, nil)
		b.Run(fmt.Sprintf("solve/%d²×96", m), func(b *testing.B) {
			for b.Loop() {
				for i := range m {
					x.Set(i, 0, 1)
				}
				if err := f.Solve(context.Background(), x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
