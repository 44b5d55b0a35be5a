package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 300

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigExp is e^y: Taylor's series at y/2^k, then k squarings.
func bigExp(y *big.Float) *big.Float {
	k := max(y.MantExp(nil)+16, 0)
	r := number(0).SetMantExp(y, -k)
	sum, term := number(1), number(1)
	for i := 1.0; term.Sign() != 0 && term.MantExp(nil) > -precision; i++ {
		term.Quo(number(0).Mul(term, r), number(i))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog is the root of e^y = x, from math.Log by Newton's method: the digits
// double in each step.
func bigLog(x float64) *big.Float {
	fraction, exponent := math.Frexp(x)
	y := number(math.Log(fraction) + float64(exponent)*math.Ln2)
	for range 4 {
		correction := number(0).Quo(number(x), bigExp(y))
		y.Add(y, correction.Sub(correction, number(1)))
	}
	return y
}

// ulps returns the distance of got from want in units in the last place of
// want.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	ulp := math.Abs(math.Nextafter(w, math.Inf(1)) - w)
	d := number(got)
	e, _ := d.Sub(d, want).Float64()
	return math.Abs(e) / ulp
}

// The functions agree with high precision within the ulps they promise.
func TestAccuracy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	size := func(low, high float64) float64 { return math.Exp2(low + (high-low)*r.Float64()) }
	signed := func(low, high float64) float64 { return math.Copysign(size(low, high), r.Float64()-0.5) }
	functions := []struct {
		name   string
		run    func(a, b float64) float64
		exact  func(a, b float64) *big.Float
		sample func() (a, b float64)
		limit  float64
	}{
		{"power", Power, bigPow, func() (float64, float64) { return size(-20, 20), signed(-4, 5) }, 2},
		{"power with a large exponent", Power, bigPow, func() (float64, float64) { return 1 + signed(-40, -8), signed(0, 16) }, 2},
		{"power with a large result", Power, bigPow, func() (float64, float64) { x := size(-1000, 1000); return x, 700 / math.Log(x) * r.Float64() }, 2},
	}
	for _, f := range functions {
		worst, atA, atB := 0.0, 0.0, 0.0
		for range 400 {
			a, b := f.sample()
			if u := ulps(f.run(a, b), f.exact(a, b)); u > worst {
				worst, atA, atB = u, a, b
			}
		}
		t.Logf("%s: worst %.2f ulp", f.name, worst)
		if worst > f.limit {
			t.Errorf("%s: %.2f ulp at %v, %v", f.name, worst, atA, atB)
		}
	}
}

func bigPow(a, b float64) *big.Float {
	l := bigLog(a)
	return bigExp(l.Mul(l, number(b)))
}

// Special values are those of package math.
func TestSpecialValues(t *testing.T) {
	special := []float64{
		0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, 3, -3, 1e5, 1e9, 1e300, -1e300, 1e-310,
		math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
	}
	for _, x := range special {
		for _, y := range special {
			got, want := Power(x, y), math.Pow(x, y)
			if got == want && math.Signbit(got) == math.Signbit(want) || math.IsNaN(got) && math.IsNaN(want) {
				continue
			}
			if want == 0 || math.IsInf(want, 0) || math.IsNaN(want) || math.Abs(got-want) > 4e-16*math.Abs(want) {
				t.Errorf("power(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

// The remainder is that of package math to the bit: for random numbers of all sizes,
// for quotients at whole numbers and next to them, and for special values.
func TestRemainder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	check := func(x, y float64) {
		got, want := Remainder(x, y), math.Mod(x, y)
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("remainder(%v, %v) = %v, want %v", x, y, got, want)
		}
	}
	for range 200000 {
		y := math.Copysign(math.Exp2(40*r.Float64()-20), r.Float64()-0.5)
		x := y * math.Exp2(60*r.Float64()-5)
		check(x, y)
		n := math.Floor(math.Exp2(50 * r.Float64()))
		for _, near := range []float64{n * y, math.Nextafter(n*y, math.Inf(1)), math.Nextafter(n*y, math.Inf(-1))} {
			check(near, y)
			check(-near, y)
		}
	}
	special := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.3, -0.7, 1e300, -1e300, 1e-310, 3e-310, -5e-324,
		math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022,
	}
	for _, x := range special {
		for _, y := range special {
			check(x, y)
		}
	}
}

func BenchmarkPower(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(x, y float64) float64
	}{{"power", Power}, {"math.Pow", math.Pow}} {
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				sink = c.run(0.1+float64(i&255)/50, -1.3)
			}
		})
	}
}

var sink float64
