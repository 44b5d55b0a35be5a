package bessel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A table agrees with the function it was made from, to 1e-14, over its range
// and beyond, special values included.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x := []float64{0, math.Copysign(0, -1), 5e-324, 1e-300, 0x1p-56, 0x1p-57, 0x1p11, 0x1.fffffffffffffp10, 1, 2, 0.25, 1e10, math.Inf(1), math.NaN(), -1}
	for range 3000 {
		x = append(x, math.Exp2(-60+72*r.Float64()))
	}
	dst := make([]float64, len(x))
	check := func(name string, nu float64, table *Table, want func(nu, x float64) float64) {
		table.Eval(dst, x)
		worst := 0.0
		for i, v := range x {
			w := want(nu, v)
			if dst[i] == w || math.IsNaN(dst[i]) && math.IsNaN(w) {
				continue
			}
			e := math.Abs(dst[i]/w - 1)
			worst = max(worst, e)
			if !(e <= 1e-14) {
				t.Errorf("%s(%g, %g): %g, want %g", name, nu, v, dst[i], w)
				return
			}
		}
		t.Logf("%s(%g): worst %.1e", name, nu, worst)
	}
	for _, nu := range []float64{0.05, 0.3, 1, 1.2, 3.7, MaxMaternTable} {
		check("matern", nu, NewMaternTable(nu), MaternScaled)
	}
	for _, nu := range []float64{0, 0.5, 1, 1.3, MaxKTable} {
		check("K", nu, NewKTable(nu), KScaled)
	}
}

func BenchmarkTable(b *testing.B) {
	b.Run("make", func(b *testing.B) {
		for range b.N {
			NewMaternTable(1.2)
		}
	})
	b.Run("eval", func(b *testing.B) {
		table := NewMaternTable(1.2)
		x, dst := make([]float64, 256), make([]float64, 256)
		for i := range x {
			x[i] = float64(i+1) * 0.02
		}
		for range b.N {
			table.Eval(dst, x)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/entry")
	})
}
