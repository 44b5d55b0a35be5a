package criteria

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// definite is a random symmetric positive definite matrix whose rows have very different
// sizes, and a diagonal near its own.
func definite(n int, seed uint64) (h *mat.Dense, d []float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	a := mat.NewDense(n, n+3, nil)
	for i := range a.RawMatrix().Data {
		a.RawMatrix().Data[i] = rng.NormFloat64()
	}
	h = new(mat.Dense)
	h.Mul(a, a.T())
	d = make([]float64, n)
	size := make([]float64, n)
	for i := range size {
		size[i] = math.Pow(10, 3*rng.Float64())
	}
	for i := range n {
		for j := range n {
			h.Set(i, j, h.At(i, j)*size[i]*size[j])
		}
		h.Set(i, i, h.At(i, i)*(1+.1*float64(n)))
		d[i] = h.At(i, i) * (.5 + rng.Float64())
	}
	return h, d
}

// The determinant, solutions, the trace of the inverse and its blocks are gonum's, for
// sizes within a panel, of one and of some with a rest.
func TestFactoredMatrix(t *testing.T) {
	const tolerance = 1e-10
	for _, n := range []int{1, 2, 60, panelWidth, panelWidth + 1, 3*panelWidth - 30} {
		h, d := definite(n, uint64(n))
		var ch mat.Cholesky
		if !ch.Factorize(linop.Symmetric(h)) {
			t.Fatal("not positive definite")
		}
		var inverse mat.SymDense
		if err := ch.InverseTo(&inverse); err != nil {
			t.Log(err)
		}
		f, err := factor(context.Background(), mat.DenseCopyOf(h), d)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(f.logs - ch.LogDet()); !(off <= tolerance*float64(n)) {
			t.Errorf("n = %d: log det %.15g, want %.15g", n, f.logs, ch.LogDet())
		}
		b := Signs(n, 5)
		var want mat.VecDense
		want.MulVec(&inverse, mat.NewVecDense(n, b))
		check := func(when string) {
			t.Helper()
			x := f.solve(b)
			floats.Sub(x, want.RawVector().Data)
			if off := floats.Norm(x, 2); !(off <= tolerance*mat.Norm(&want, 2)) {
				t.Errorf("n = %d: solution %s off by %g", n, when, off)
			}
		}
		check("before inverting")
		if err := f.invert(context.Background()); err != nil {
			t.Fatal(err)
		}
		check("after inverting")
		if got, want := f.trace(), mat.Trace(&inverse); !(math.Abs(got-want) <= tolerance*want) {
			t.Errorf("n = %d: trace of the inverse %.15g, want %.15g", n, got, want)
		}
		if n%2 == 0 {
			checkBlocks(t, f, &inverse, n)
		}
	}
}

// checkBlocks compares blocks in another basis of the first of two factors, and without.
func checkBlocks(t *testing.T, f *factored, inverse *mat.SymDense, n int) {
	t.Helper()
	const my = 2
	r := n / my
	rng := rand.New(rand.NewPCG(3, 4))
	p := mat.NewDense(r+2, r, nil)
	for i := range p.RawMatrix().Data {
		p.RawMatrix().Data[i] = rng.NormFloat64()
	}
	eye := mat.NewDense(my, my, []float64{1, 0, 0, 1})
	var turn, left, turned mat.Dense
	turn.Kronecker(p, eye)
	left.Mul(&turn, inverse)
	turned.Mul(&left, turn.T())
	for _, c := range []struct {
		p    *mat.Dense
		want mat.Matrix
	}{{nil, inverse}, {p, &turned}} {
		groups := [][]Span{{{0, 2}}, {{n - 2, n}, {0, 1}}}
		got, err := f.blocks(context.Background(), c.p, my, groups)
		if err != nil {
			t.Fatal(err)
		}
		for g, at := range [][]int{{0, 1}, {n - 2, n - 1, 0}} {
			for i, a := range at {
				for j, b := range at {
					want := c.want.At(a, b)
					if !(math.Abs(got[g].At(i, j)-want) <= 1e-10*math.Sqrt(c.want.At(a, a)*c.want.At(b, b))) {
						t.Errorf("n = %d: entry %d, %d of the inverse %.15g, want %.15g", n, a, b, got[g].At(i, j), want)
					}
				}
			}
		}
	}
}

// What is not positive definite, or not finite, is an error; a context that has ended
// ends the work.
func TestFactoredRefuses(t *testing.T) {
	const n = 200
	h, d := definite(n, 1)
	bad := mat.DenseCopyOf(h)
	bad.Set(150, 150, -1)
	if _, err := factor(context.Background(), bad, d); !errors.Is(err, solve.ErrNotPositive) {
		t.Error(err)
	}
	bad = mat.DenseCopyOf(h)
	bad.Set(180, 20, math.NaN())
	if _, err := factor(context.Background(), bad, d); !errors.Is(err, solve.ErrNotPositive) {
		t.Error(err)
	}
	ended, stop := context.WithCancelCause(context.Background())
	stop(errors.New("enough"))
	if _, err := factor(ended, mat.DenseCopyOf(h), d); err == nil {
		t.Error("a factorisation went on")
	}
	f, err := factor(context.Background(), h, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.invert(ended); err == nil {
		t.Error("an inversion went on")
	}
}

func BenchmarkFactored(b *testing.B) {
	h, d := definite(1600, 1)
	for b.Loop() {
		start := time.Now()
		f, err := factor(context.Background(), mat.DenseCopyOf(h), d)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "factor-s")
		start = time.Now()
		if err := f.invert(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "invert-s")
		start = time.Now()
		p := mat.NewDense(40, 40, nil)
		var g [][]Span
		for i := range 40 {
			g = append(g, []Span{{40 * i, 40 * (i + 1)}})
		}
		if _, err := f.blocks(context.Background(), p, 40, g); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "blocks-s")
	}
}
