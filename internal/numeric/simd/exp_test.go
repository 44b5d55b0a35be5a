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

// bigLog is ln x for x > 0: the double y nearest to it or nearly so, and δ − δ²/2 with 1+δ = x e^−y.
func bigLog(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	y := math.Log(fraction) + float64(exponent)*math.Ln2
	d := bigExp(-y)
	d.Mul(d, new(big.Float).SetFloat64(x))
	d.Sub(d, big.NewFloat(1))
	square := new(big.Float).SetPrec(200).Mul(d, d)
	d.Sub(d, square.Mul(square, big.NewFloat(0.5)))
	return d.Add(d, new(big.Float).SetFloat64(y))
}

// bigSin is sin(x + quarters π/2): the Taylor series after reduction by multiples of π, which is given to 75 digits.
func bigSin(x float64, quarters int64) *big.Float {
	const precision = 300
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628", 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	r := new(big.Float).SetPrec(precision).SetFloat64(x)
	turns, _ := new(big.Float).Quo(r, pi).Float64()
	n := math.Round(turns)
	r.Sub(r, new(big.Float).SetPrec(precision).Mul(pi, new(big.Float).SetPrec(precision).SetFloat64(n)))
	shift := new(big.Float).SetPrec(precision).Mul(pi, new(big.Float).SetPrec(precision).SetFloat64(float64(quarters)/2))
	r.Add(r, shift)
	square := new(big.Float).SetPrec(precision).Mul(r, r)
	sum, term := new(big.Float).SetPrec(precision).Set(r), new(big.Float).SetPrec(precision).Set(r)
	for k := int64(1); k < 40; k++ {
		term.Mul(term, square)
		term.Quo(term, new(big.Float).SetPrec(precision).SetInt64(-2*k*(2*k+1)))
		sum.Add(sum, term)
	}
	if math.Mod(n, 2) != 0 {
		sum.Neg(sum)
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

// checkAccuracy allows 2 ulp at every level; plain only if it is our code that is measured.
func checkAccuracy(t *testing.T, x []float64, reference func(float64) *big.Float, run func(k Kernels, dst, a []float64), all []Kernels) {
	t.Helper()
	want := make([]*big.Float, len(x))
	for i, v := range x {
		want[i] = reference(v)
	}
	for _, k := range all {
		y := make([]float64, len(x))
		run(k, y, x)
		worst, at := 0.0, 0.0
		for i := range x {
			if e := ulps(y[i], want[i]); e > worst {
				worst, at = e, x[i]
			}
		}
		t.Logf("%v: %.3f ulp at %g", k.Level(), worst, at)
		if !(worst <= 2) {
			t.Errorf("%v: %.3f ulp at %g: want at most 2", k.Level(), worst, at)
		}
	}
}

func TestExpAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var x []float64
	for range 1500 {
		x = append(x, -745.2+1454.9*rng.Float64(), 4*rng.Float64()-2, -30*rng.Float64(), math.Ldexp(rng.Float64()-0.5, -rng.IntN(60)))
	}
	for range 300 { // denormal results, the ends of the range, halfway between table entries
		x = append(x, -745.14+37*rng.Float64(), 709+0.78*rng.Float64(), (float64(rng.IntN(400))-200+0.5)/16*math.Ln2)
	}
	checkAccuracy(t, x, bigExp, Kernels.Exp, everyLevel(t))
}

func TestLogAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	x := []float64{1, 2, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, math.Sqrt2, math.Sqrt2 / 2}
	for range 1500 { // every size, around 1, as near to 1 as there is, denormal numbers
		x = append(x, math.Ldexp(1+rng.Float64(), rng.IntN(2046)-1022), 0.5+rng.Float64(),
			1+math.Ldexp(rng.Float64()-0.5, -rng.IntN(50)), math.Float64frombits(rng.Uint64()>>12))
	}
	checkAccuracy(t, x, bigLog, Kernels.Log, vectorLevels(t))
}

func TestCircularAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var x []float64
	for range 800 { // a turn, all that is reduced here, next to multiples of π/2, small
		n := float64(rng.IntN(1 << 29))
		x = append(x, 7*(rng.Float64()-0.5), math.Ldexp(rng.Float64()-0.5, rng.IntN(32)),
			n*(math.Pi/2), float64(rng.IntN(50))*(math.Pi/2), math.Ldexp(rng.Float64(), -rng.IntN(1000)))
	}
	checkAccuracy(t, x, func(v float64) *big.Float { return bigSin(v, 0) }, Kernels.Sin, vectorLevels(t))
	checkAccuracy(t, x, func(v float64) *big.Float { return bigSin(v, 1) }, Kernels.Cos, vectorLevels(t))
}

func TestLogAndCircularSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	functions := []struct {
		name string
		run  func(k Kernels, dst, a []float64)
		want map[float64]float64
	}{
		{"log", Kernels.Log, map[float64]float64{0: -inf, zero: -inf, -1: nan, -inf: nan, inf: inf, 1: 0, -0x1p-1060: nan}},
		{"sin", Kernels.Sin, map[float64]float64{0: 0, inf: nan, -inf: nan, 0x1p-1060: 0x1p-1060, 1e300: math.Sin(1e300), 1<<30 + 2: math.Sin(1<<30 + 2)}},
		{"cos", Kernels.Cos, map[float64]float64{0: 1, inf: nan, -inf: nan, 0x1p-1060: 1, 1e300: math.Cos(1e300), -1e19: math.Cos(-1e19)}},
	}
	for _, f := range functions {
		f.want[nan] = nan
		for _, k := range everyLevel(t) {
			for a, want := range f.want {
				for lane := range 9 {
					x := ones(9)
					x[lane] = a
					f.run(k, x, x)
					if !sameBits(x[lane], want) {
						t.Errorf("%v: %s(%g) in lane %d is %g, want %g", k.Level(), f.name, a, lane, x[lane], want)
					}
				}
			}
		}
	}
	for _, k := range everyLevel(t) {
		x := []float64{zero}
		if k.Sin(x, x); !sameBits(x[0], zero) {
			t.Errorf("%v: sin(-0) is %g", k.Level(), x[0])
		}
	}
}

func TestExpSpecialValues(t *testing.T) {
	const smallest = math.SmallestNonzeroFloat64
	const length = 12 + 4 + 1 // vectors that are taken together, one by itself, and a rest
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
			for lane := range length {
				x := make([]float64, length)
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

// TestTranscendentalEveryLength compares with plain Go for every tail. Functions of math lose some digits to
// cancellation where the result is small.
func TestTranscendentalEveryLength(t *testing.T) {
	const longest = 2100 // circular works in parts of 1024
	x := random(3, longest+1)
	for i := range x {
		x[i] = math.Abs(20 * x[i])
		if i%500 == 400 {
			x[i] *= 1e10
		}
	}
	for name, run := range map[string]func(k Kernels, dst, a []float64){"exp": Kernels.Exp, "log": Kernels.Log, "sin": Kernels.Sin, "cos": Kernels.Cos} {
		want := make([]float64, len(x))
		run(everyLevel(t)[0], want, x)
		for _, k := range vectorLevels(t) {
			for n := range longest + 1 {
				if n > 1000 && n%97 > 0 {
					continue
				}
				y := make([]float64, n+9)
				run(k, y[:n], x)
				for i, v := range y {
					if i < n && !(math.Abs(v-want[i]) <= 1e-15*(1+math.Abs(want[i]))) && v != want[i] || i >= n && v != 0 {
						t.Fatalf("%s, %v, length %d: element %d is %g, want %g", name, k.Level(), n, i, v, want[i])
					}
				}
			}
		}
	}
}

func BenchmarkTranscendental(b *testing.B) {
	const n = 256
	x, y := random(1, n), make([]float64, n)
	for i := range x {
		x[i] = math.Abs(x[i])
	}
	for _, f := range []struct {
		name   string
		scalar func(float64) float64
		run    func(k Kernels, dst, a []float64)
	}{{"exp", math.Exp, Kernels.Exp}, {"log", math.Log, Kernels.Log}, {"sin", math.Sin, Kernels.Sin}, {"cos", math.Cos, Kernels.Cos}} {
		run := func(name string, call func()) {
			b.Run(fmt.Sprintf("%s/%s", f.name, name), func(b *testing.B) {
				for range b.N {
					call()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
			})
		}
		run("math", func() {
			for i, v := range x {
				y[i] = f.scalar(v)
			}
		})
		for _, k := range everyLevel(b) {
			run(k.Level().String(), func() { f.run(k, y, x) })
		}
	}
}
