//go:build unix

package bindings_test

import (
	"fmt"
	"math"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/fit"
)

// growing are kinds of fits at three sizes each: the data and the arguments of a fit for the size m.
var growing = []struct {
	name, data, arguments string
	sizes                 [3]int
}{
	{"lines", `smooth_pairs(100, line(m), line(m, "y"))`, `kernel = matern(0.1), lambda = 1e-4`, [3]int{250, 500, 1000}},
	{"lines, λ", `smooth_pairs(50, line(m), line(m, "y"))`, `kernel = matern(0.1)`, [3]int{125, 250, 500}},
	{"lines, lengthscale", `smooth_pairs(50, line(m), line(m, "y"))`, `kernel = matern("auto")`, [3]int{50, 100, 200}},
	{"graded lines", `smooth_pairs(100, mesh.chebyshev(0, 1, m), mesh.gauss(0, 1, m, "y"))`, `kernel = matern(0.1), lambda = 1e-4`, [3]int{150, 300, 600}},
	{"planes", `smooth_pairs(50, plane(m), plane(m, "y1", "y2"))`, `kernel = matern(0.1), lambda = 1e-4`, [3]int{14, 20, 28}},
	{"planes, product", `smooth_pairs(50, plane(m), plane(m, "y1", "y2"))`, `kernel = kernel.se{lengthscale = 0.2}, lambda = 1e-4`, [3]int{14, 20, 28}},
	{"points", `on_discs(50, m)`, `kernel = matern(0.3), lambda = 1e-4`, [3]int{150, 300, 600}},
	{"points, landmarks", `on_discs(50, m)`, `kernel = matern(0.3), lambda = 1e-4`, [3]int{1500, 3000, 6000}},
	{"lines, missing", `random_pairs(60, line(m), line(m, "y"), 0.2)`, `kernel = matern(0.2), lambda = 1e-4`, [3]int{60, 120, 240}},
	{"symmetric", `smooth_pairs(50, line(m), line(m, "y"))`, `kernel = matern(0.1), lambda = 1e-4, constraint = constraint.symmetric{"x", "y"}`, [3]int{80, 160, 320}},
	{"flip", `fokker_planck(m, 100)`, `kernel = matern(0.5), lambda = 1e-4, constraint = constraint.flip{"x", "y"}`, [3]int{20, 28, 40}},
	{"flip, λ", `fokker_planck(m, 100)`, `kernel = matern(0.5), constraint = constraint.flip{"x", "y"}`, [3]int{14, 20, 28}},
	{"time-invariant", `heat(m, 40)`, `kernel = kernel.exponential{lengthscale = .1}, bias = false, lambda = 1e-6, constraint = invariant`, [3]int{16, 24, 36}},
	{"boundary to square", `schrodinger(m, 100)`, `kernel = matern(0.1), lambda = 1e-6`, [3]int{20, 30, 45}},
	{"huber", `smooth_pairs(50, line(m), line(m, "y"))`, `kernel = matern(0.2), lambda = 1e-4, loss = "huber"`, [3]int{50, 100, 200}},
}

// BenchmarkGrowth makes each kind of fit at three sizes and reports the seconds of the processors for each, the number
// of weights of the largest, and by which power of their number the seconds grow from the middle size to the largest,
// and over all: 1 is proportional. It is to be run with GOMAXPROCS=1 and -benchtime 1x.
func BenchmarkGrowth(b *testing.B) {
	for _, c := range growing {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b)
			var seconds, weights [3]float64
			for b.Loop() {
				for i, m := range c.sizes {
					code := fmt.Sprintf("%slocal m = %d\nlocal d = %s\nreturn function() return green.fit{data = d, %s} end", announcedData, m, c.data, c.arguments)
					values, err := h.Eval(b.Context(), "bench", code)
					if err != nil {
						b.Fatal(err)
					}
					seconds[i] = math.Inf(1)
					for range 2 { // the first finds memory
						seconds[i] = min(seconds[i], cpu(func() {
							e, err := h.Call(b.Context(), values[0].(*lua.LFunction))
							if err != nil {
								b.Fatal(err)
							}
							held := e[0].(*lua.LUserData).Value.(*fit.Estimate).Weights.RawMatrix().Data
							weights[i] = max(float64(len(held)), float64(m)*float64(m)) // landmarks are fewer than points
						}))
					}
				}
			}
			power := func(from, to int) float64 {
				return math.Log(seconds[to]/seconds[from]) / math.Log(weights[to]/weights[from])
			}
			b.ReportMetric(0, "ns/op")
			for i, s := range seconds {
				b.ReportMetric(s, fmt.Sprintf("s-%d", i+1))
			}
			b.ReportMetric(weights[2], "weights")
			b.ReportMetric(power(1, 2), "power")
			b.ReportMetric(power(0, 2), "power-all")
		})
	}
}
