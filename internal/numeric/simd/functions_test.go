package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/elementary"
)

func wide(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

func plus(a, b *big.Float) *big.Float  { return wide(0).Add(a, b) }
func times(a, b *big.Float) *big.Float { return wide(0).Mul(a, b) }
func over(a, b *big.Float) *big.Float  { return wide(0).Quo(a, b) }

func bigTan(x float64) *big.Float { return over(bigSin(x, 0), bigSin(x, 1)) }

// bigHyperbolic is (e^x + sign e^−x)/2, and below 2^-40, where that cancels, the series of sinh.
func bigHyperbolic(x, sign float64) *big.Float {
	if sign < 0 && math.Abs(x) < 0x1p-40 {
		cube := times(times(wide(x), wide(x)), wide(x))
		return plus(wide(x), over(cube, wide(6)))
	}
	e := plus(bigExp(x), wide(0))
	return over(plus(e, over(wide(sign), e)), wide(2))
}

func bigTanh(x float64) *big.Float {
	if math.Abs(x) > 100 {
		return wide(math.Copysign(1, x))
	}
	return over(bigHyperbolic(x, -1), bigHyperbolic(x, 1))
}

// bigAtan is the nearest number y or nearly so and the arc of the tangent of what is missing, which is small.
func bigAtan(x float64) *big.Float {
	y := math.Atan(x)
	s, c := bigSin(y, 0), bigSin(y, 1)
	d := over(plus(times(wide(x), c), times(wide(-1), s)), plus(c, times(wide(x), s)))
	return plus(wide(y), d)
}

// bigAsin is as bigAtan, by sin δ = x cos y − √(1−x²) sin y.
func bigAsin(x float64) *big.Float {
	y := math.Asin(x)
	root := wide(0).Sqrt(times(plus(wide(1), wide(-x)), plus(wide(1), wide(x))))
	d := plus(times(wide(x), bigSin(y, 1)), times(wide(-1), times(root, bigSin(y, 0))))
	return plus(wide(y), d)
}

func bigAcos(x float64) *big.Float {
	halfPi, _, err := big.ParseFloat("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267", 10, 300, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return plus(halfPi, times(wide(-1), bigAsin(x)))
}

// Functions made of others, or of rational ones, are within 3 ulp of 200 bits at every level, and so are those of one
// number in elementary.
func TestFunctionsAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var turns, moderate, unit, all []float64
	for range 400 {
		n := float64(rng.IntN(1 << 20))
		turns = append(turns, 7*(rng.Float64()-0.5), math.Ldexp(rng.Float64()-0.5, rng.IntN(31)), n*(math.Pi/2), n*(math.Pi/4), math.Ldexp(rng.Float64(), -rng.IntN(300)))
		small := math.Ldexp(rng.Float64()-0.5, -rng.IntN(60))
		moderate = append(moderate, 4*(rng.Float64()-0.5), 40*(rng.Float64()-0.5), 1417*(rng.Float64()-0.5), small, 710+0.4*rng.Float64(), 1.25*(rng.Float64()-0.5))
		unit = append(unit, 2*rng.Float64()-1, small, min(1-math.Abs(small), 1-0x1p-53), math.Abs(small)-1)
		all = append(all, 10*(rng.Float64()-0.5), small, 1/small, 0.66+1e-3*(rng.Float64()-0.5), 2.414+1e-3*(rng.Float64()-0.5))
	}
	for _, f := range []struct {
		name      string
		x         []float64
		reference func(float64) *big.Float
		run       func(k Kernels, dst, a []float64)
		one       func(float64) float64
	}{
		{"tan", turns, bigTan, Kernels.Tan, nil},
		{"sinh", moderate, func(x float64) *big.Float { return bigHyperbolic(x, -1) }, Kernels.Sinh, elementary.Sinh},
		{"cosh", moderate, func(x float64) *big.Float { return bigHyperbolic(x, 1) }, Kernels.Cosh, elementary.Cosh},
		{"tanh", moderate, bigTanh, Kernels.Tanh, nil},
		{"atan", all, bigAtan, Kernels.Atan, nil},
		{"asin", unit, bigAsin, Kernels.Asin, elementary.Asin},
		{"acos", unit, bigAcos, Kernels.Acos, elementary.Acos},
	} {
		want := make([]*big.Float, len(f.x))
		for i, v := range f.x {
			want[i] = f.reference(v)
		}
		check := func(who string, run func(dst, a []float64)) {
			y := make([]float64, len(f.x))
			run(y, f.x)
			worst, at := 0.0, 0.0
			for i := range f.x {
				if e := ulps(y[i], want[i]); !(e <= worst) {
					worst, at = e, f.x[i]
				}
			}
			t.Logf("%s, %s: %.3f ulp at %g", f.name, who, worst, at)
			if !(worst <= 3) {
				t.Errorf("%s, %s: %.3f ulp at %g: want at most 3", f.name, who, worst, at)
			}
		}
		for _, k := range vectorLevels(t) {
			check(k.Level().String(), func(dst, a []float64) { f.run(k, dst, a) })
		}
		if f.one != nil {
			check("one number", each(f.one))
		}
	}
}

// Powers and decimal logarithms are those of elementary, which are within 0.501 ulp, or next to them: seldom, and never
// where they are numbers. Every size and sign is tried, with what is no number.
func TestPowAndLog10(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	var x, y []float64
	add := func(a, b float64) { x, y = append(x, a), append(y, b) }
	for range 20000 {
		base := math.Ldexp(1+rng.Float64(), rng.IntN(60)-30)
		add(base, 20*(rng.Float64()-0.5))
		add(base, 690/math.Log(base)*(2*rng.Float64()-1))
		add(1+math.Ldexp(rng.Float64()-0.5, -rng.IntN(40)), 1000*(rng.Float64()-0.5))
		near := 1 + math.Ldexp(rng.Float64()-0.5, -5-rng.IntN(40))
		add(near, 690/math.Log(near)*(2*rng.Float64()-1))
		add(rng.NormFloat64(), float64(rng.IntN(40)-20))
		add(math.Ldexp(rng.Float64(), rng.IntN(2098)-1074), 4*rng.NormFloat64())
	}
	random := len(x)
	for a := range 40 {
		for b := range 12 {
			add(float64(a), float64(b))
			add(-float64(a), float64(b))
			add(math.Ldexp(1, a-20), float64(b-6))
			add(float64(a*a), 0.5)
		}
	}
	exact := len(x) - random
	for _, a := range awkward {
		for _, b := range append([]float64{0.5, 3, -3, 1e300, 1e17 + 2, 2.000001}, awkward...) {
			add(a, b)
		}
	}
	for k := range 300 {
		add(elementary.Pow(10, float64(k)), 1)
		add(elementary.Pow(10, -float64(k)), 1)
	}
	for _, f := range []struct {
		name string
		run  func(k Kernels, dst []float64)
		want func(a, b float64) float64
	}{
		{"pow", func(k Kernels, dst []float64) { k.Pow(dst, x, y) }, elementary.Pow},
		{"log10", func(k Kernels, dst []float64) { k.Log10(dst, x) }, func(a, _ float64) float64 { return elementary.Log10(a) }},
	} {
		for _, k := range everyLevel(t) {
			got, next := make([]float64, len(x)), 0
			f.run(k, got)
			for i, v := range got {
				want := f.want(x[i], y[i])
				switch {
				case sameBits(v, want):
				case (i < random || i >= random+exact) && (v == math.Nextafter(want, math.Inf(1)) || v == math.Nextafter(want, math.Inf(-1))):
					next++
				default:
					t.Errorf("%v, %s(%g, %g) is %.17g, want %.17g", k.Level(), f.name, x[i], y[i], v, want)
				}
			}
			t.Logf("%v, %s: %d of %d next to the nearest", k.Level(), f.name, next, random)
			if float64(next) > 0.05*float64(random) {
				t.Errorf("%v, %s: %d of %d are not the nearest number", k.Level(), f.name, next, random)
			}
		}
	}
}

// Powers of 1.5 are the nearest numbers, or seldom next to them, exact where these are numbers, and the same at every level.
func TestThreeHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	var x []float64
	for range 20000 {
		x = append(x, rng.ExpFloat64(), math.Ldexp(1+rng.Float64(), rng.IntN(2100)-1060))
	}
	random := len(x)
	for n := range 3000 {
		x = append(x, float64(n*n), math.Ldexp(float64(n*n), 2*(n%600-300)))
	}
	numbers := len(x)
	x = append(x, awkward...)
	var first []float64
	for _, k := range everyLevel(t) {
		got, next := slices.Clone(x), 0
		k.ThreeHalves(got, got)
		if first == nil {
			first = got
		}
		for i, v := range got {
			want := elementary.Pow(x[i], 1.5)
			switch {
			case !sameBits(v, first[i]):
				t.Errorf("%v: %g^1.5 is %.17g, at the first level %.17g", k.Level(), x[i], v, first[i])
			case sameBits(v, want):
			case (i < random || i >= numbers) && (v == math.Nextafter(want, math.Inf(1)) || v == math.Nextafter(want, math.Inf(-1))):
				next++
			default:
				t.Errorf("%v: %g^1.5 is %.17g, want %.17g", k.Level(), x[i], v, want)
			}
		}
		if float64(next) > 0.002*float64(random) {
			t.Errorf("%v: %d of %d are not the nearest number", k.Level(), next, random)
		}
	}
}

// Special values are those of math, every function in every lane.
func TestFunctionsSpecialValues(t *testing.T) {
	for _, f := range []struct {
		name string
		run  func(k Kernels, dst, a []float64)
		want func(float64) float64
	}{
		{"tan", Kernels.Tan, math.Tan},
		{"sinh", Kernels.Sinh, elementary.Sinh},
		{"cosh", Kernels.Cosh, elementary.Cosh},
		{"tanh", Kernels.Tanh, math.Tanh},
		{"atan", Kernels.Atan, math.Atan},
		{"asin", Kernels.Asin, math.Asin},
		{"acos", Kernels.Acos, math.Acos},
		{"log10", Kernels.Log10, elementary.Log10},
	} {
		for _, k := range everyLevel(t) {
			for _, a := range awkward {
				for lane := range 9 {
					x := make([]float64, 9)
					for i := range x {
						x[i] = 0.25
					}
					x[lane] = a
					f.run(k, x, x)
					for i, v := range x {
						want := f.want(0.25)
						if i == lane {
							want = f.want(a)
						}
						if !sameBits(v, want) && !(math.Abs(v-want) <= 1e-15*math.Abs(want)) {
							t.Errorf("%v: %s(%g) in lane %d of %d is %g, want %g", k.Level(), f.name, a, i, lane, v, want)
						}
					}
				}
			}
		}
	}
}

// Masks are those of Go at every length, also where they do not begin at a multiple of eight; sums have the same bits at
// every level, and extremes are those of Go with its NaN and zeros.
func TestMasksSumsAndExtremes(t *testing.T) {
	a, b := random(5, 1100), random(6, 1100)
	for i := range a {
		if i%3 == 0 {
			a[i] = b[i]
		}
		if i%11 == 5 {
			a[i] = awkward[i%len(awkward)]
		}
		if i%13 == 5 {
			b[i] = awkward[(i/7)%len(awkward)]
		}
	}
	plain := everyLevel(t)[0]
	for _, k := range everyLevel(t) {
		for n := range 1050 {
			from := n % 3
			x, y := a[from:from+n], b[from:from+n]
			for c := range comparisons {
				got := make([]bool, n+from+9)
				k.Compare(c, got[from:from+n], x, y)
				for i, v := range got {
					in := i >= from && i < from+n
					if in && v != compared(c, x[i-from], y[i-from]) || !in && v {
						t.Fatalf("%v: comparison %d of length %d: %v at %d", k.Level(), c, n, v, i)
					}
				}
			}
			p, q := make([]bool, n+from), make([]bool, n+from)
			for i := range p {
				p[i], q[i] = a[i] > 0, b[i] > 0
			}
			dst := make([]bool, n+from)
			for op, want := range []func(a, b bool) bool{
				func(a, b bool) bool { return a && b }, func(a, b bool) bool { return a || b }, func(a, b bool) bool { return a != b },
			} {
				[]func(dst, a, b []bool){k.And, k.Or, k.Xor}[op](dst[from:], p[from:], q[from:])
				for i := from; i < len(dst); i++ {
					if dst[i] != want(p[i], q[i]) {
						t.Fatalf("%v: operation %d of length %d: %v at %d", k.Level(), op, n, dst[i], i)
					}
				}
			}
			numbers := random(uint64(n), n)
			if got, want := k.Sum(numbers), plain.Sum(numbers); !sameBits(got, want) {
				t.Fatalf("%v: sum of %d is %g, plain %g", k.Level(), n, got, want)
			}
			for _, z := range [][]float64{numbers, x} {
				for _, greatest := range []bool{false, true} {
					if n == 0 {
						continue
					}
					want := z[0]
					for _, v := range z {
						if greatest {
							want = max(want, v)
						} else {
							want = min(want, v)
						}
					}
					if got := k.Extremum(greatest, z); !sameBits(got, want) {
						t.Fatalf("%v: extremum of %d is %g, want %g", k.Level(), n, got, want)
					}
				}
			}
		}
	}
}

func compared(c Comparison, a, b float64) bool {
	switch c {
	case Greater:
		return a > b
	case GreaterOrEqual:
		return a >= b
	case Equal:
		return a == b
	}
	return a != b
}
