package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

func (m Matrix) at(i, j int) float64 { return m.Data[i*m.RowStride+j*m.ColStride] }

// checkGemm compares with one sum per element; the terms are of size 1.
func checkGemm(t *testing.T, k Kernels, alpha float64, a, b Matrix, beta float64, c Matrix) {
	t.Helper()
	before := Matrix{c.Rows, c.Cols, c.RowStride, 1, append([]float64(nil), c.Data...)}
	k.Gemm(alpha, a, b, beta, c)
	for i := range c.Rows {
		for j := range c.Cols {
			want, size := 0.0, 1.0
			for p := range a.Cols {
				want += a.at(i, p) * b.at(p, j)
				size += math.Abs(a.at(i, p) * b.at(p, j))
			}
			want *= alpha
			if beta != 0 {
				want += beta * before.at(i, j)
			}
			if e := math.Abs(c.at(i, j) - want); !(e <= 1e-14*size*(1+math.Abs(alpha)+math.Abs(beta))) {
				t.Fatalf("%v, %dx%dx%d, alpha %g, beta %g: (%d, %d) is off by %.2g", k.Level(), c.Rows, a.Cols, c.Cols, alpha, beta, i, j, e)
			}
		}
		for j := c.Cols; j < c.RowStride && i*c.RowStride+j < len(c.Data); j++ {
			if c.at(i, j) != before.at(i, j) {
				t.Fatalf("%v: wrote beyond row %d", k.Level(), i)
			}
		}
	}
}

func TestGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	matrix := func(rows, cols int, transposed bool) Matrix {
		if transposed {
			rows, cols = cols, rows
		}
		stride := cols + rng.IntN(3)
		m := Matrix{rows, cols, stride, 1, random(rng.Uint64(), rows*stride)}
		if transposed {
			m = m.T()
		}
		return m
	}
	sizes := [][3]int{{0, 0, 0}, {0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {8, 24, 1}, {200, 30, 300}, {9, 2000, 3}, {10, 25, 600}}
	for range 60 {
		sizes = append(sizes, [3]int{1 + rng.IntN(60), 1 + rng.IntN(60), 1 + rng.IntN(60)})
	}
	for _, k := range everyLevel(t) {
		for i, s := range sizes {
			m, n, inner := s[0], s[1], s[2]
			a, b := matrix(m, inner, i%2 == 1), matrix(inner, n, i/2%2 == 1)
			c := matrix(m, n, false)
			alpha := []float64{1, -0.5, 0}[i%3]
			beta := []float64{0, 1, 2}[i/3%3]
			if beta == 0 {
				for j := range c.Data {
					c.Data[j] = math.NaN() // must not be read
				}
				for r := range m {
					for j := n; j < c.RowStride; j++ {
						c.Data[r*c.RowStride+j] = 1
					}
				}
			}
			checkGemm(t, k, alpha, a, b, beta, c)
		}
	}
}

// TestGemmParallel: any number of workers gives the same bits, and so does any part of the matrix by itself.
func TestGemmParallel(t *testing.T) {
	for _, k := range everyLevel(t) {
		for _, s := range [][3]int{{130, 70, 90}, {70, 130, 90}, {3, 500, 300}, {500, 300, 300}, {100, 1, 300}, {1, 100, 300}, {9, 1, 700}, {5, 30, 700}} {
			m, n, inner := s[0], s[1], s[2]
			a, b := Dense(m, inner, random(1, m*inner)), Dense(inner, n, random(2, inner*n))
			want, got := Dense(m, n, random(3, m*n)), Dense(m, n, random(3, m*n))
			k.Gemm(0.3, a, b, 0.7, want)
			for _, workers := range []int{2, 3, 7} {
				got.Data = random(3, m*n)
				k.gemmShared(workers, 0.3, a, b, 0.7, got)
				for i, v := range got.Data {
					if v != want.Data[i] {
						t.Fatalf("%v, %d workers, %v: element %d differs", k.Level(), workers, s, i)
					}
				}
			}
			if m < 3 {
				continue
			}
			one := []float64{0}
			k.Gemm(0.3, a.slice(2, 1, 0, inner), b.slice(0, inner, n-1, 1), 0, Dense(1, 1, one))
			want.Data[2*n+n-1] = 0
			k.Gemm(0.3, a, b, 0, want)
			if one[0] != want.at(2, n-1) {
				t.Errorf("%v: an element depends on its place: %g, %g", k.Level(), one[0], want.at(2, n-1))
			}
		}
	}
}

func TestGemmRefusesWrongSizes(t *testing.T) {
	ok := Dense(2, 2, make([]float64, 4))
	for name, args := range map[string][3]Matrix{
		"inner sizes":     {Dense(2, 3, make([]float64, 6)), ok, ok},
		"too little data": {Dense(2, 2, make([]float64, 3)), ok, ok},
		"transposed c":    {ok, ok, ok.T()},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			Best().Gemm(1, args[0], args[1], 0, args[2])
		}()
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{50, 100, 500, 1000} {
		x, y, z := random(1, n*n), random(2, n*n), make([]float64, n*n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					f()
				}
				b.ReportMetric(2*float64(n*n*n)*float64(b.N)/1e9/b.Elapsed().Seconds(), "GFLOP/s")
			})
		}
		run("gonum", func() {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, z, n)
		})
		for _, k := range everyLevel(b) {
			run(k.Level().String(), func() { k.Gemm(1, Dense(n, n, x), Dense(n, n, y), 0, Dense(n, n, z)) })
			run(k.Level().String()+"-parallel", func() { k.GemmParallel(1, Dense(n, n, x), Dense(n, n, y), 0, Dense(n, n, z)) })
			run(k.Level().String()+"-transposed", func() { k.Gemm(1, Dense(n, n, x), Dense(n, n, y).T(), 0, Dense(n, n, z)) })
		}
	}
}
