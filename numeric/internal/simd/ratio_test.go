package simd

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// BenchmarkRatio runs the obvious code and that of each level in turn, so that whatever else the machine does slows
// both, and reports how many times faster the second is: the quotient of the least times seen.
func BenchmarkRatio(b *testing.B) {
	const n, rows, size = 10000, 8, 300
	x := random(1, 2*n)
	v, y := random(2, n), make([]float64, n)
	m, product := random(3, size*size), make([]float64, size*size)
	for _, k := range everyLevel(b) {
		p := points(b, Matern52, x, 2)
		for _, c := range []struct {
			name          string
			obvious, fast func()
		}{
			{"exp", func() { each(math.Exp)(y, v) }, func() { k.Exp(y, v) }},
			{
				"matern52",
				func() { obviousMulVec(y[:rows], Matern52, x[:2*rows], x, v) },
				func() { k.MulVec(y[:rows], p.Slice(0, rows), p, v) },
			},
			{
				"matrix product",
				func() {
					gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, size, size, size, 1, m, size, m, size, 0, product, size)
				},
				func() {
					k.Gemm(1, Dense(size, size, m), Dense(size, size, m), 0, Dense(size, size, product))
				},
			},
		} {
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

// obviousMulVec adds the kernel matrix of planar points times v to y, as one would write it.
func obviousMulVec(y []float64, f Family, p, x, v []float64) {
	for i := range y {
		for j := range v {
			y[i] += f.Value(distance(p[2*i]-x[2*j], p[2*i+1]-x[2*j+1])) * v[j]
		}
	}
}

func distance(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
