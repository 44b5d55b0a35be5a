package simd

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// contest is something to compute in two ways: as one would without this package, and with it.
type contest struct {
	name          string
	obvious, fast func()
}

// BenchmarkRatio runs the obvious code and that of each level in turn, so that whatever else the machine does slows
// both, and reports how many times faster the second is: the quotient of the least times seen. Matrix products are
// compared with gonum's, which the tag noasm turns into the plain Go of machines it has no assembly for.
func BenchmarkRatio(b *testing.B) {
	for _, k := range everyLevel(b) {
		for _, c := range append(elementwiseContests(b, k), productContests(k)...) {
			b.Run(fmt.Sprintf("%s/%v", c.name, k.Level()), func(b *testing.B) {
				slow, fast := time.Hour, time.Hour
				for range b.N {
					start := time.Now()
					c.obvious()
					middle := time.Now()
					c.fast()
					slow, fast = min(slow, middle.Sub(start)), min(fast, time.Since(middle))
				}
				b.ReportMetric(slow.Seconds()/fast.Seconds(), "times")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func elementwiseContests(b *testing.B, k Kernels) []contest {
	const n, rows = 10000, 8
	x, v, y := random(1, 2*n), random(2, n), make([]float64, n)
	all := []contest{{"exp", func() { each(math.Exp)(y, v) }, func() { k.Exp(y, v) }}}
	for _, f := range allFamilies {
		p := points(b, f, x, 2)
		all = append(all, contest{
			f.String(),
			func() { obviousMulVec(y[:rows], f, x[:2*rows], x, v) },
			func() { k.MulVec(y[:rows], p.Slice(0, rows), p, v) },
		})
	}
	return all
}

// productContests are products of the shapes that fits need: square, long and thin, and with a vector.
func productContests(k Kernels) []contest {
	var all []contest
	for _, s := range [][3]int{{8, 8, 8}, {20, 20, 20}, {50, 50, 50}, {100, 100, 100}, {300, 300, 300}, {1000, 30, 30}, {30, 30, 1000}, {30, 1000, 30}, {300, 300, 1}, {1, 300, 300}} {
		m, inner, n := s[0], s[1], s[2]
		a, b, c := random(3, m*inner), random(4, inner*n), make([]float64, m*n)
		for _, transposed := range []bool{false, true} {
			name, t, left := fmt.Sprintf("product %d x %d x %d", m, inner, n), blas.NoTrans, Dense(m, inner, a)
			if transposed {
				name, t, left = name+" transposed", blas.Trans, Dense(inner, m, a).T()
			}
			all = append(all, contest{
				name,
				func() { obviousProduct(t, m, inner, n, a, b, c) },
				func() { k.Gemm(1, left, Dense(inner, n, b), 0, Dense(m, n, c)) },
			})
		}
	}
	return all
}

// obviousProduct is the call of gonum that fits the shape; a is inner x m if it is to be transposed.
func obviousProduct(t blas.Transpose, m, inner, n int, a, b, c []float64) {
	rows, cols := m, inner
	if t == blas.Trans {
		rows, cols = inner, m
	}
	switch {
	case n == 1:
		gonum.Implementation{}.Dgemv(t, rows, cols, 1, a, cols, b, 1, 0, c, 1)
	case m == 1:
		gonum.Implementation{}.Dgemv(blas.Trans, inner, n, 1, b, n, a, 1, 0, c, 1)
	default:
		gonum.Implementation{}.Dgemm(t, blas.NoTrans, m, n, inner, 1, a, cols, b, n, 0, c, n)
	}
}

// obviousMulVec adds the kernel matrix of planar points times v to y, as one would write it.
func obviousMulVec(y []float64, f Family, p, x, v []float64) {
	for i := range y {
		for j := range v {
			y[i] += f.Value(distance(p[2*i]-x[2*j], p[2*i+1]-x[2*j+1])) * v[j]
		}
	}
}

func distance(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
