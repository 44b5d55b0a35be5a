//go:build unix

package kernels_test

import (
	"context"
	"math"
	"syscall"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/kernel"
)

// cpu is the time that a function takes of the processors, in seconds: what else
// the machine does counts little.
func cpu(do func()) float64 {
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	do()
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return float64(after.Utime.Nano()-before.Utime.Nano()+after.Stime.Nano()-before.Stime.Nano()) / 1e9
}

// BenchmarkProduct counts millions of pairs of points per second of one processor
// in products with N = 10,000 points of the plane, for the loops of each level: of
// the built-in Matérn 5/2, of the same written as an expression, and of a kernel
// without a family, whose tape runs at the best level always. They take turns, and
// the least time counts. ratio is scripted to built-in, announced what RowTime
// says to what a product took.
func BenchmarkProduct(b *testing.B) {
	const n = 10000
	p := scatter(n, 2, 0, 5)
	v, dst := normal(n, 1).RawMatrix().Data, make([]float64, n)
	cases := []struct {
		name string
		k    kernel.Kernel
	}{
		{"builtin", kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3}}},
		{"scripted", scriptedMatern(.3)},
		{"tape", gibbs()},
	}
	for _, level := range simd.Levels() {
		loops, err := simd.New(level)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(level.String(), func(b *testing.B) {
			defer kernels.UseLevel(loops)()
			least, announced := map[string]float64{}, map[string]float64{}
			for b.Loop() {
				for _, c := range cases {
					f := compile(b, c.k, dims(2))
					m, err := f.Matrix(p, p)
					if err != nil {
						b.Fatal(err)
					}
					announced[c.name] = m.RowTime() * n / 1e9
					seconds := cpu(func() {
						if err := product(context.Background(), f, dst, p, p, v); err != nil {
							b.Fatal(err)
						}
					})
					if t := least[c.name]; t == 0 || seconds < t {
						least[c.name] = seconds
					}
				}
			}
			for name, seconds := range least {
				b.ReportMetric(math.Round(n*n/seconds/1e6), name+"-Mpairs/s")
				b.ReportMetric(announced[name]/seconds, name+"-announced")
			}
			b.ReportMetric(least["builtin"]/least["scripted"], "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
