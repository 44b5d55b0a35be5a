package simd

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigExp is e^x in 200 bits: the Taylor series at x/2^20, squared 20 times, which loses some 22 bits.
func bigExp(x float64) *big.Float {
	const halvings, precision = 20, 200
	y := new(big.Float).SetPrec(precision).SetFloat64(x)
	y.SetMantExp(y, -halvings)
	sum, term := big.NewFloat(1).SetPrec(precision), big.NewFloat(1).SetPrec(precision)
	for k := 1; k < 24; k++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(int64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps is the distance of got from want in units of the last place of the double nearest to want.
func ulps(got float64, want *big.Float) float64 {
	near, _ := want.Float64()
	unit := math.Nextafter(near, math.Inf(1)) - near
	diff := new(big.Float).SetPrec(300).SetFloat64(got)
	diff.Sub(diff, want)
	d, _ := diff.Quo(diff, new(big.Float).SetFloat64(unit)).Float64()
	return math.Abs(d)
}

// TestExpAccuracy: at most 2 ulp where the issue of accuracy arises: everywhere, and results that are denormal.
func TestExpAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var x []float64
	for range 1500 {
		x = append(x, -745.2+1454.9*rng.Float64(), 4*rng.Float64()-2, -30*rng.Float64(), math.Ldexp(rng.Float64()-0.5, -rng.IntN(60)))
	}
	for range 300 { // denormal results, the ends of the range, halfway between table entries
		x = append(x, -745.14+37*rng.Float64(), 709+0.78*rng.Float64(), (float64(rng.IntN(400))-200+0.5)/16*math.Ln2)
	}
	want := make([]*big.Float, len(x))
	for i, v := range x {
		want[i] = bigExp(v)
	}
	for _, k := range everyLevel(t) {
		y := make([]float64, len(x))
		k.Exp(y, x)
		worst, at := 0.0, 0.0
		for i := range x {
			if e := ulps(y[i], want[i]); e > worst {
				worst, at = e, x[i]
			}
		}
		t.Logf("%v: %.3f ulp at %g", k.Level(), worst, at)
		if worst > 2 {
			t.Errorf("%v: %.3f ulp at %g: want at most 2", k.Level(), worst, at)
		}
	}
}

func TestExpSpecialValues(t *testing.T) {
	const smallest = math.SmallestNonzeroFloat64
	inf := math.Inf(1)
	cases := []struct{ x, want float64 }{
		{0, 1},
		{math.Copysign(0, -1), 1},
		{smallest, 1},
		{-smallest, 1},
		{1e-310, 1},
		{-1e-20, 1},
		{inf, inf},
		{-inf, 0},
		{math.NaN(), math.NaN()},
		{math.MaxFloat64, inf},
		{-math.MaxFloat64, 0},
		{1e18, inf},
		{-1e18, 0},
		{709.782712893384, 1.797693134862273e308}, // ln of the greatest double, rounded down
		{709.782712893385, inf},
		{710, inf},
		{-745.1332191019411, smallest}, // the last to round to the least double
		{-745.1332191019412, 0},
		{-746, 0},
		{-1e4, 0},
	}
	for _, k := range everyLevel(t) {
		// Each value in every lane, and between ordinary ones.
		for _, c := range cases {
			for lane := range 9 {
				x := make([]float64, 9)
				x[lane] = c.x
				k.Exp(x, x)
				for i, v := range x {
					want := 1.0
					if i == lane {
						want = c.want
					}
					if !sameBits(v, want) && !(i == lane && c.want > 1e308 && math.Abs(v/want-1) < 4e-16) {
						t.Fatalf("%v: exp(%g) in lane %d: element %d is %g, want %g", k.Level(), c.x, lane, i, v, want)
					}
				}
			}
		}
	}
}

// TestExpEveryLength compares with plain Go, which TestExpAccuracy covers, for every tail.
func TestExpEveryLength(t *testing.T) {
	x := random(3, 1001)
	for i := range x {
		x[i] *= 20
	}
	want := make([]float64, len(x))
	plainExp(want, x)
	for _, k := range vectorLevels(t) {
		for n := range 1001 {
			y := make([]float64, n+9)
			k.Exp(y[:n], x)
			for i, v := range y {
				if i < n && math.Abs(v/want[i]-1) > 1e-15 || i >= n && v != 0 {
					t.Fatalf("%v, length %d: element %d is %g", k.Level(), n, i, v)
				}
			}
		}
	}
}

func BenchmarkExp(b *testing.B) {
	for _, n := range []int{256, 1 << 20} {
		x, y := random(1, n), make([]float64, n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
		run("math.Exp", func() {
			for i, v := range x {
				y[i] = math.Exp(v)
			}
		})
		for _, k := range everyLevel(b) {
			run(k.Level().String(), func() { k.Exp(y, x) })
		}
	}
}
