package elementary

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

var tries = flag.Int("tries", 20000, "random arguments for each kind of accuracy test")

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

// bigLog1 is bigLog near 1: the series 2 atanh((x-1)/(x+1)).
func bigLog1(x float64) *big.Float {
	s := number(0).Quo(number(x-1), number(0).Add(number(x), number(1)))
	square, power, sum := number(0).Mul(s, s), number(0).Mul(s, number(2)), number(0)
	for k := 1.0; power.Sign() != 0 && power.MantExp(nil) > -2*precision; k += 2 {
		sum.Add(sum, number(0).Quo(power, number(k)))
		power = number(0).Mul(power, square)
	}
	return sum
}

func bigPow(a, b float64) *big.Float {
	l := bigLog(a)
	if math.Abs(a-1) < 0.01 {
		l = bigLog1(a)
	}
	return bigExp(l.Mul(l, number(b)))
}

// ulps returns the distance of got from want in units in the last place of
// the number nearest to want.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	d := number(got)
	if math.IsInf(nearest, 0) {
		if got == nearest {
			return 0
		}
		nearest = math.MaxFloat64
	}
	_, exponent := math.Frexp(nearest)
	d.Sub(d, want)
	e, _ := d.SetMantExp(d, -max(exponent-53, -1074)).Float64()
	return math.Abs(e)
}

// arguments are the bases and exponents of x^y that tests try: each kind has its own way to lose digits.
var arguments = []struct {
	name   string
	sample func(*rand.Rand) (x, y float64)
}{
	{"of moderate size", func(r *rand.Rand) (x, y float64) { return size(r, -20, 20), signed(r, -4, 5) }},
	{"x near 1, y large", func(r *rand.Rand) (x, y float64) {
		x = 1 + signed(r, -50, -5)
		return x, 745 / math.Log(x) * signed(r, -12, 0)
	}},
	{"results of all sizes", func(r *rand.Rand) (x, y float64) {
		x = size(r, -1022, 1023)
		return x, (1460*r.Float64() - 750) / math.Log(x)
	}},
	{"denormal results", func(r *rand.Rand) (x, y float64) {
		x = size(r, -1022, 1023)
		return x, (-708 - 38*r.Float64()) / math.Log(x)
	}},
	{"denormal bases", func(r *rand.Rand) (x, y float64) { return size(r, -1074, -1022), signed(r, -6, 0) }},
	{"whole exponents", func(r *rand.Rand) (x, y float64) { return size(r, -6, 6), float64(r.IntN(200) - 100) }},
	{"halves and thirds", func(r *rand.Rand) (x, y float64) {
		return size(r, -6, 6), float64(r.IntN(200)-100) / float64(2+r.IntN(2))
	}},
	{"whole numbers", func(r *rand.Rand) (x, y float64) { return float64(2 + r.IntN(99)), float64(r.IntN(40) - 20) }},
	{"exponents of no size", func(r *rand.Rand) (x, y float64) { return size(r, -1000, 1000), signed(r, -1070, -20) }},
	{"between 1 and 4 to 400", func(r *rand.Rand) (x, y float64) { return 1 + 3*r.Float64(), 800*r.Float64() - 400 }},
}

func size(r *rand.Rand, low, high float64) float64 { return math.Exp2(low + (high-low)*r.Float64()) }

func signed(r *rand.Rand, low, high float64) float64 {
	return math.Copysign(size(r, low, high), r.Float64()-0.5)
}

// most is the error that the functions promise, in units in the last place.
const most = 0.501

// Powers are within 0.501 ulp of arithmetic in 104 bits, itself compared with arithmetic in 300 bits below. With
// -tries 1000000 the largest errors are 0.5005.
func TestPow(t *testing.T) {
	for i, a := range arguments {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		worst, atX, atY := 0.0, 0.0, 0.0
		for range *tries {
			x, y := a.sample(r)
			k, want := doubleExp(doubleLog(x).times(double{y, 0}))
			if u := ulpsFrom(Pow(x, y), k, want); !(u <= worst) {
				worst, atX, atY = u, x, y
			}
		}
		t.Logf("%s: worst %.5f ulp", a.name, worst)
		if !(worst <= most) {
			t.Errorf("%s: %.5f ulp at %v^%v = %v", a.name, worst, atX, atY, Pow(atX, atY))
		}
	}
}

// What powers are compared with agrees with arithmetic in 300 bits, and so do powers.
func TestPowReference(t *testing.T) {
	for i, a := range arguments {
		r := rand.New(rand.NewPCG(4, uint64(i)))
		for range 60 {
			x, y := a.sample(r)
			got, exact := Pow(x, y), bigPow(x, y)
			k, want := doubleExp(doubleLog(x).times(double{y, 0}))
			if of, by := ulps(got, exact), ulpsFrom(got, k, want); !(math.Abs(of-by) < 1e-6) || of > most {
				t.Errorf("%s: %v^%v = %v: %v ulp, by the reference %v", a.name, x, y, got, of, by)
			}
		}
	}
}

// The exponential and the logarithms agree with high precision.
func TestExpAndLog(t *testing.T) {
	ln10, ln2 := bigLog(10), bigLog(2)
	anywhere := func(r *rand.Rand) float64 { return size(r, -1074, 1024) }
	near1 := func(r *rand.Rand) float64 { return 1 + signed(r, -52, -6) }
	log := func(x float64) *big.Float {
		if math.Abs(x-1) < 0.02 {
			return bigLog1(x)
		}
		return bigLog(x)
	}
	over := func(by *big.Float) func(float64) *big.Float {
		return func(x float64) *big.Float { l := log(x); return l.Quo(l, by) }
	}
	for i, f := range []struct {
		name   string
		run    func(float64) float64
		exact  func(float64) *big.Float
		sample func(*rand.Rand) float64
	}{
		{"exp", Exp, func(x float64) *big.Float { return bigExp(number(x)) }, func(r *rand.Rand) float64 { return 1460*r.Float64() - 750 }},
		{"exp of small", Exp, func(x float64) *big.Float { return bigExp(number(x)) }, func(r *rand.Rand) float64 { return signed(r, -60, 3) }},
		{"log", Log, log, anywhere},
		{"log near 1", Log, log, near1},
		{"log10", Log10, over(ln10), anywhere},
		{"log10 near 1", Log10, over(ln10), near1},
		{"log2", Log2, over(ln2), anywhere},
		{"log2 near 1", Log2, over(ln2), near1},
		{"log to base 7", func(x float64) float64 { return LogBase(x, 7) }, over(bigLog(7)), anywhere},
	} {
		r := rand.New(rand.NewPCG(5, uint64(i)))
		worst, at := 0.0, 0.0
		for range min(*tries/50, 20000) {
			x := f.sample(r)
			if u := ulps(f.run(x), f.exact(x)); !(u <= worst) {
				worst, at = u, x
			}
		}
		t.Logf("%s: worst %.5f ulp", f.name, worst)
		if !(worst <= most) {
			t.Errorf("%s(%v) = %v: %.5f ulp", f.name, at, f.run(at), worst)
		}
	}
}

// Powers of ten are what their decimal text is read as, and their logarithm is whole; so with powers of two and others.
func TestWholePowers(t *testing.T) {
	for i := -323; i <= 308; i++ {
		want, err := strconv.ParseFloat("1e"+strconv.Itoa(i), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Pow(10, float64(i)); got != want {
			t.Errorf("10^%d = %v", i, got)
		}
		if got := Log10(want); want >= minNormal && got != float64(i) {
			t.Errorf("log10(1e%d) = %v", i, got)
		}
	}
	for i := -1074; i <= 1023; i++ {
		want := math.Ldexp(1, i)
		if got := Pow(2, float64(i)); got != want {
			t.Errorf("2^%d = %v", i, got)
		}
		if got := Log2(want); got != float64(i) {
			t.Errorf("log2(2^%d) = %v", i, got)
		}
	}
	for base := 3.0; base < 40; base++ {
		for k, power := 1.0, base; power < 1<<53; k, power = k+1, power*base {
			if Pow(base, k) != power || Pow(-base, k) != math.Pow(-1, k)*power || LogBase(power, base) != k {
				t.Errorf("%v^%v = %v, the logarithm of %v to base %v is %v", base, k, Pow(base, k), power, base, LogBase(power, base))
			}
			if root := Pow(power, 1/k); k == 4 && root != base {
				t.Errorf("%v^(1/4) = %v", power, root)
			}
		}
	}
}

var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e5, 1e9, 1e300, -1e300, 1e-310, 0x1p53 - 1, 1 - 0x1p53, 0x1p60,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
}

// Special values are those of package math, where it is right.
func TestSpecialValues(t *testing.T) {
	same := func(got, want float64) bool {
		return got == want && math.Signbit(got) == math.Signbit(want) || math.IsNaN(got) && math.IsNaN(want)
	}
	for _, x := range special {
		for name, f := range map[string][2]func(float64) float64{"exp": {Exp, math.Exp}, "log": {Log, math.Log}, "log10": {Log10, math.Log10}, "log2": {Log2, math.Log2}} {
			got, want := f[0](x), f[1](x)
			if !same(got, want) && !(math.Abs(got-want) < 1e-14*math.Abs(want)) && !(x < minNormal) {
				t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
			}
		}
		for _, y := range special {
			got, want := Pow(x, y), math.Pow(x, y)
			if !same(got, want) && (want == 0 || math.IsInf(want, 0) || math.IsNaN(want) || !(math.Abs(got-want) <= 4e-13*math.Abs(want))) {
				t.Errorf("power(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
	edges := map[float64]float64{ // the last arguments of results that are neither 0 nor infinite
		709.782712893384: 0x1.fffffffffff2ap+1023, 709.7827128933841: math.Inf(1),
		-745.1332191019411: 5e-324, -745.1332191019412: 0,
	}
	for x, want := range edges {
		if got := Exp(x); got != want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}

// The tables are what their comments say, to the last bit.
func TestTables(t *testing.T) {
	for i, e := range logTable {
		from := math.Float64frombits(fromBits + uint64(i)<<45)
		to := math.Float64frombits(fromBits + uint64(i+1)<<45)
		inverse := math.Round(256/(from+to)) / 128
		if from <= 1 && 1 < to {
			inverse = 1
		}
		log := bigLog1(inverse)
		high, low := splitNumber(log.Neg(log))
		if e.inverse != inverse || e.high != high || e.low != low {
			t.Errorf("logTable[%d] = %x, want %x %x %x", i, e, inverse, high, low)
		}
	}
	for i, e := range expTable {
		l := bigLog(2)
		high, low := splitNumber(bigExp(l.Mul(l, number(float64(i)/128))))
		if e.high != high || e.low != low {
			t.Errorf("expTable[%d] = %x, want %x %x", i, e, high, low)
		}
	}
}

func splitNumber(v *big.Float) (high, low float64) {
	high, _ = v.Float64()
	low, _ = number(0).Sub(v, number(high)).Float64()
	return high, low
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

func BenchmarkPow(b *testing.B) {
	for _, f := range []struct {
		name string
		run  func(x, y float64) float64
	}{{"ours", Pow}, {"math", math.Pow}} {
		for _, y := range []float64{-1.3, 2, 3, 0.5, -7, 300.5} {
			b.Run(strconv.FormatFloat(y, 'g', -1, 64)+"/"+f.name, func(b *testing.B) {
				for i := range b.N {
					sink = f.run(0.1+float64(i&255)/50, y)
				}
			})
		}
	}
}

func BenchmarkExpAndLog(b *testing.B) {
	for _, f := range []struct {
		name string
		run  func(float64) float64
	}{{"exp/ours", Exp}, {"exp/math", math.Exp}, {"log/ours", Log}, {"log/math", math.Log}, {"log10/ours", Log10}, {"log10/math", math.Log10}} {
		b.Run(f.name, func(b *testing.B) {
			for i := range b.N {
				sink = f.run(0.1 + float64(i&255)/50)
			}
		})
	}
}

var sink float64
