package solve_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

func placesOf(nx, ny int) [][2]int {
	at := make([][2]int, 0, nx*ny)
	for i := range nx {
		for j := range ny {
			at = append(at, [2]int{i, j})
		}
	}
	return at
}

// stencil joins each point of a grid to those up to reach steps away along the axes and, with
// corners, between them, by random weights. The diagonal is dominant by a factor.
func stencil(rng *rand.Rand, nx, ny, reach int, corners, wrap bool, dominance float64) *linop.Sparse {
	var entries []linop.Entry
	for i := range nx {
		for j := range ny {
			sum := 0.0
			for p := i - reach; p <= i+reach; p++ {
				for q := j - reach; q <= j+reach; q++ {
					column := q
					if wrap {
						column = (q + ny) % ny
					}
					if p < 0 || p >= nx || column < 0 || column >= ny || p == i && q == j || !corners && p != i && q != j {
						continue
					}
					v := rng.NormFloat64()
					sum += math.Abs(v)
					entries = append(entries, linop.Entry{Row: i*ny + j, Col: p*ny + column, Value: v})
				}
			}
			entries = append(entries, linop.Entry{Row: i*ny + j, Col: i*ny + j, Value: dominance * sum})
		}
	}
	return linop.NewSparse(nx*ny, nx*ny, entries)
}

// Solutions on grids are those that they were made from, for matrices that are not symmetric, with
// stencils near and far, on circles, and wherever unknowns are said to be.
func TestFrontsSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	anywhere := placesOf(60, 62)
	rng.Shuffle(len(anywhere), func(i, j int) { anywhere[i], anywhere[j] = anywhere[j], anywhere[i] })
	for _, c := range []struct {
		name   string
		a      *linop.Sparse
		places [][2]int
		method string
	}{
		{"five points", stencil(rng, 61, 64, 1, false, false, 0.9), placesOf(61, 64), "nested dissection"},
		{"nine points", stencil(rng, 70, 55, 1, true, false, 1), placesOf(70, 55), "nested dissection"},
		{"reach 3", stencil(rng, 66, 57, 3, false, false, 1), placesOf(66, 57), "nested dissection"},
		{"cylinder", stencil(rng, 60, 60, 2, false, true, 1), placesOf(60, 60), "nested dissection"},
		{"strip", stencil(rng, 7, 2000, 2, true, false, 1), placesOf(7, 2000), "nested dissection"},
		{"strip across", stencil(rng, 3000, 7, 2, true, false, 1), placesOf(3000, 7), "band lu"},
		{"symmetric", laplacian(60, 64, true), placesOf(60, 64), "nested dissection"},
		{"all at one place", laplacian(60, 64, false), make([][2]int, 60*64), "band cholesky"},
		{"at any places", laplacian(60, 62, false), anywhere, "band cholesky"},
		{"small pivots", stencil(rng, 60, 62, 1, false, false, 1e-3), placesOf(60, 62), "band lu"},
		{"too small to gain", laplacian(20, 20, false), placesOf(20, 20), "band cholesky"},
	} {
		f, err := solve.FactorOnGrid(context.Background(), c.a, c.places)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if f.Method != c.method {
			t.Errorf("%s: by %s, want %s", c.name, f.Method, c.method)
		}
		n, _ := c.a.Dims()
		want := mat.NewDense(n, 3, nil)
		want.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, want)
		forth, back := mat.NewDense(n, 3, nil), mat.NewDense(n, 3, nil)
		c.a.AddMul(forth, 1, want)
		c.a.Transpose().AddMul(back, 1, want)
		if err := f.Solve(context.Background(), forth); err != nil {
			t.Fatal(err)
		}
		if err := f.SolveTransposed(context.Background(), back); err != nil {
			t.Fatal(err)
		}
		for what, x := range map[string]*mat.Dense{"solution": forth, "transposed": back} {
			x.Sub(x, want)
			if e := max(mat.Max(x), -mat.Min(x)); !(e <= 1e-15*f.Condition*100) {
				t.Errorf("%s: %s is off by %.2g, condition %.2g", c.name, what, e, f.Condition)
			}
		}
	}
}

// Factors by fronts have the residual of those with pivots from all of a band, and the same
// condition, wherever they are taken: also where waves make the matrix indefinite.
func TestFrontsAreAsAccurateAsTheBand(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, shift := range []float64{0, 0.3, 1.1, 3.9} {
		a := laplacian(64, 61, false)
		entries := a.Entries(1)
		for k, e := range entries {
			if e.Row == e.Col {
				entries[k].Value -= shift
			}
			entries[k].Value *= 1e9
		}
		a = linop.NewSparse(64*61, 64*61, entries)
		onGrid, err := solve.FactorOnGrid(context.Background(), a, placesOf(64, 61))
		if err != nil {
			t.Fatal(err)
		}
		band, err := solve.Factor(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(onGrid.Condition-band.Condition) > 1e-6*band.Condition {
			t.Errorf("shift %g: condition %.9g, by the band %.9g", shift, onGrid.Condition, band.Condition)
		}
		b := make([]float64, 64*61)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		residual := func(f *solve.Factorisation) float64 {
			x, image := append([]float64(nil), b...), make([]float64, len(b))
			if err := f.SolveVector(context.Background(), x); err != nil {
				t.Fatal(err)
			}
			a.MulVec(image, x)
			floats.Sub(image, b)
			return floats.Norm(image, 2) / (8e9*floats.Norm(x, 2) + floats.Norm(b, 2))
		}
		if r, s := residual(onGrid), residual(band); !(r <= 20*s+1e-16) {
			t.Errorf("shift %g: residual %.2g by %s, %.2g by %s", shift, r, onGrid.Method, s, band.Method)
		}
	}
}

// A column alone is found by the same sums as among others.
func TestFrontsSolveColumnsAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	a := stencil(rng, 61, 62, 2, true, false, 1)
	f, err := solve.FactorOnGrid(context.Background(), a, placesOf(61, 62))
	if err != nil || f.Method != "nested dissection" {
		t.Fatal(err, f.Method)
	}
	all := mat.NewDense(61*62, 130, nil)
	all.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, all)
	var one, two mat.Dense
	one.CloneFrom(all.Slice(0, 61*62, 117, 118))
	two.CloneFrom(all.Slice(0, 61*62, 116, 118))
	vector := mat.Col(nil, 0, &one)
	if err := f.SolveVector(context.Background(), vector); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*mat.Dense{all, &one, &two} {
		if err := f.Solve(context.Background(), x); err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range vector {
		if all.At(i, 117) != one.At(i, 0) || two.At(i, 1) != one.At(i, 0) || v != one.At(i, 0) {
			t.Fatalf("row %d is %g among others, %g beside one, %g alone, %g as a vector", i, all.At(i, 117), two.At(i, 1), one.At(i, 0), v)
		}
	}
}

func TestFrontsRefuse(t *testing.T) {
	ctx := context.Background()
	var entries []linop.Entry
	for _, e := range laplacian(60, 60, true).Entries(1) { // all rows sum to zero
		if e.Row == e.Col && (e.Row < 60 || e.Row >= 59*60) {
			e.Value--
		}
		entries = append(entries, e)
	}
	if _, err := solve.FactorOnGrid(ctx, linop.NewSparse(3600, 3600, entries), placesOf(60, 60)); !errors.Is(err, solve.ErrSingular) {
		t.Errorf("error %v, want ErrSingular", err)
	}
	entries[100].Value = math.NaN()
	if _, err := solve.FactorOnGrid(ctx, linop.NewSparse(3600, 3600, entries), placesOf(60, 60)); !errors.Is(err, solve.ErrSingular) {
		t.Errorf("error %v, want ErrSingular", err)
	}
	if _, err := solve.FactorOnGrid(ctx, laplacian(3, 3, false), placesOf(2, 3)); err == nil {
		t.Error("six places for nine unknowns")
	}
	stopped, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("enough"))
	if _, err := solve.FactorOnGrid(stopped, laplacian(60, 60, false), placesOf(60, 60)); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkFactorOnGrid(b *testing.B) {
	for _, m := range []int{100, 200, 400} {
		a, places := laplacian(m, m, false), placesOf(m, m)
		f, err := solve.FactorOnGrid(context.Background(), a, places)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("factor/%d²", m), func(b *testing.B) {
			for b.Loop() {
				if _, err := solve.FactorOnGrid(context.Background(), a, places); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, columns := range []int{1, 96} {
			x := mat.NewDense(m*m, columns, nil)
			b.Run(fmt.Sprintf("solve/%d²×%d", m, columns), func(b *testing.B) {
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
}
