package main

import (
	"fmt"
	"math"
	"math/big"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Logarithms in two parts, high + low with about 66 bits, and powers made of them.
//
// x = 2^k z with z in [0.707, 1.414) cut into 128 intervals. For each there is c near 1/z with 8 bits, so that
// r = zc − 1 is exact, |r| < 2^-7, and −ln c in two parts of which the first is a multiple of 2^-42, so that its sum with
// k times the first part of ln 2 is exact. The two intervals at 1 have c = 1. Then ln x = k ln 2 − ln c + ln(1 + r), the
// last by nine terms of its series. Tang, ACM Transactions on Mathematical Software 16 (1990) 378.
const (
	logStart   = 0x3fe6a00000000000 // bits of the least z
	logBits    = 7
	ln2FirstIn = 0x1.62e42fefa38p-1 // ln 2 as a multiple of 2^-42, and the rest
	ln2Rest    = 0x1.ef35793c7673p-45
)

// bigLog is ln x in 200 bits: the series of 2 atanh((x−1)/(x+1)).
func bigLog(x float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	s := number(0).Quo(number(x-1), number(x+1))
	square, power, sum := number(0).Mul(s, s), number(0).Mul(s, number(2)), number(0)
	for k := 1.0; k < 120; k += 2 {
		sum.Add(sum, number(0).Quo(power, number(k)))
		power = number(0).Mul(power, square)
	}
	return sum
}

// logTable is c, and −ln c in two parts, for each interval.
func logTable() (c, high, low []float64) {
	for i := range uint64(1 << logBits) {
		from := math.Float64frombits(logStart + i<<(52-logBits))
		to := math.Float64frombits(logStart + (i+1)<<(52-logBits))
		step := 256.0
		if from < 1 {
			step = 128
		}
		inverse := math.Round(step*2/(from+to)) / step
		if from == 1 || to == 1 {
			inverse = 1
		}
		l := bigLog(inverse)
		l.Neg(l)
		near, _ := l.Float64()
		first := math.Round(near*0x1p42) / 0x1p42
		rest, _ := l.Sub(l, new(big.Float).SetFloat64(first)).Float64()
		c, high, low = append(c, inverse), append(high, first), append(low, rest)
	}
	return c, high, low
}

// A parted is the constants of logarithms in two parts.
type parted struct {
	unit
	start, fraction, bias, exponent, offset, one, ln2High, ln2Low, nan Op
	terms                                                              []Op
	c, high, low                                                       reg.Register // addresses of the tables
}

func newParted(u unit) *parted {
	c, high, low := logTable()
	p := &parted{
		unit: u, start: u.storedBits("logStart", logStart), fraction: u.storedBits("logExponents", 0xfff<<52),
		bias: u.storedBits("logBias", 2048), exponent: u.stored("magic1", magic1), offset: u.stored("logOffset", magic1+2048),
		one: u.constant("one", 1), ln2High: u.stored("ln2FirstIn", ln2FirstIn), ln2Low: u.stored("ln2Rest", ln2Rest),
		nan: u.constant("nan", math.NaN()),
		c:   GP64(), high: GP64(), low: GP64(),
	}
	for _, t := range []struct {
		name   string
		values []float64
		at     reg.Register
	}{{"logInverse", c, p.c}, {"logHigh", high, p.high}, {"logLow", low, p.low}} {
		LEAQ(float64s(t.name, t.values...), t.at)
	}
	p.terms = u.storedAll("logTerm", []float64{-1. / 2, 1. / 3, -1. / 4, 1. / 5, -1. / 6, 1. / 7, -1. / 8, 1. / 9})
	return p
}

// gather reads the elements of a table with the given places.
func (u unit) gather(table reg.Register, at reg.VecVirtual) reg.VecVirtual {
	out := u.reg()
	from := Mem{Base: table, Index: at, Scale: 8}
	if u.zmm {
		k := K()
		VPCMPEQQ(at, at, k) // all lanes
		VXORPD(out, out, out)
		VGATHERQPD(from, k, out)
		return out
	}
	all := u.reg()
	VPCMPEQD(all, all, all)
	VXORPD(out, out, out)
	VGATHERQPD(all, from, out)
	return out
}

// stored is v in every lane, in memory: for functions with more constants than registers.
func (u unit) stored(name string, v float64) Op {
	if !u.zmm {
		return u.memory(name, v)
	}
	return float64s(name+"8", v, v, v, v, v, v, v, v)
}

func (u unit) storedBits(name string, bits uint64) Op {
	return u.stored(name, math.Float64frombits(bits))
}

func (u unit) storedAll(name string, values []float64) []Op {
	var c []Op
	for i, v := range values {
		c = append(c, u.stored(fmt.Sprintf("%s%d", name, i), v))
	}
	return c
}

// of is ln x in two parts for x positive, finite and not denormal.
func (p *parted) of(x reg.VecVirtual) (high, low reg.VecVirtual) {
	t, i, z, k := p.reg(), p.reg(), p.reg(), p.reg()
	VPSUBQ(p.start, x, t)
	VPSLLQ(U8(12), t, i)
	VPSRLQ(U8(64-logBits), i, i)
	VANDPD(p.fraction, t, z)
	VPSUBQ(z, x, z)
	// k, the exponent with its sign, as a number: its 12 bits plus 2048 under those of the magic number.
	VPSRLQ(U8(52), t, k)
	VPADDQ(p.bias, k, k)
	VPSLLQ(U8(52), k, k)
	VPSRLQ(U8(52), k, k)
	VPADDQ(p.exponent, k, k)
	VSUBPD(p.offset, k, k)

	r, t1, rest := p.gather(p.c, i), p.gather(p.high, i), p.gather(p.low, i)
	VFMSUB213PD(p.one, z, r)
	VFMADD231PD(p.ln2High, k, t1)  // exact
	VFMADD231PD(p.ln2Low, k, rest) // what is left of both
	t2 := p.reg()
	VADDPD(r, t1, t2)
	VSUBPD(t2, t1, t1)
	VADDPD(r, t1, t1)
	VADDPD(t1, rest, rest)
	// −r²/2 is added exactly, the other terms are small.
	square, half, cube := p.reg(), p.reg(), p.reg()
	VMULPD(p.terms[0], r, half)
	VMULPD(r, half, square) // −r²/2
	VFMSUB213PD(square, r, half)
	VADDPD(half, rest, rest)
	high, low = p.reg(), rest
	VADDPD(square, t2, high)
	VSUBPD(high, t2, t2)
	VADDPD(square, t2, t2)
	VADDPD(t2, rest, rest)
	q := p.polynomial(r, p.terms[1:])
	VMULPD(r, r, cube)
	VMULPD(r, cube, cube)
	VFMADD231PD(q, cube, low)
	// The second part below the last digit of the first, so that a multiple of it is.
	whole := p.reg()
	VADDPD(low, high, whole)
	VSUBPD(whole, high, high)
	VADDPD(high, low, low)
	return whole, low
}

// unknown sets the lanes of r to NaN where the comparison of a with b holds.
func (p *parted) unknown(predicate uint8, a reg.VecVirtual, b Op, r reg.VecVirtual) {
	p.choose(predicate, a, b, p.nan, r)
}

// decimalLogarithm is the logarithm to base 10, and NaN where x is not a normal positive number.
func decimalLogarithm(u unit) operation {
	p := newParted(u)
	first, rest := u.stored("log10eFirst", 0x1.bcb7b1526e50ep-2), u.stored("log10eRest", 0x1.95355baaafad3p-57)
	least, inf := u.stored("leastNormal", 0x1p-1022), u.stored("inf", math.Inf(1))
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x := in[0]
		high, low := p.of(x)
		product, out := u.reg(), u.reg()
		VMULPD(first, high, product)
		VMOVAPD(high, out)
		VFMSUB213PD(product, u.inRegister(first), out)
		VFMADD231PD(rest, high, out)
		VFMADD231PD(first, low, out)
		VADDPD(product, out, out)
		p.unknown(0x05, x, inf, out)   // not less
		p.unknown(0x09, x, least, out) // not greater or equal
		return out
	}
}

// inRegister is a constant that is not in memory.
func (u unit) inRegister(c Op) reg.VecVirtual {
	r := u.reg()
	VMOVUPD(c, r)
	return r
}

// powerTable is 2^(k/128) in two parts.
func powerTable() (high, low []float64) {
	const n = 128
	root := new(big.Float).SetPrec(200).SetInt64(2)
	for range 7 {
		root.Sqrt(root)
	}
	p := new(big.Float).SetPrec(200).SetInt64(1)
	for range n {
		near, _ := p.Float64()
		rest, _ := new(big.Float).SetPrec(200).Sub(p, new(big.Float).SetFloat64(near)).Float64()
		high, low = append(high, near), append(low, rest/near)
		p = new(big.Float).SetPrec(200).Mul(p, root)
	}
	return high, low
}

// power is x^y = e^(y ln x), and NaN where x is not a normal positive number or the result not surely one: the product in
// two parts is k/128 ln 2 and a rest, and the power is 2^(k/128) from a table, in two parts, times five terms.
func power(u unit) operation {
	p := newParted(u)
	high, low := powerTable()
	highAt, lowAt := GP64(), GP64()
	LEAQ(float64s("rootsHigh", high...), highAt)
	LEAQ(float64s("rootsLow", low...), lowAt)
	const magic128 = 1.5 * (1 << 45)
	log2e, magic := u.stored("log2e", math.Log2E), u.stored("magic128", magic128)
	ln2High, ln2Low := u.stored("ln2High", 6.93147180369123816490e-01), u.stored("ln2Low", 1.90821492927058770002e-10)
	terms := u.storedAll("expTerm", []float64{1, 1. / 2, 1. / 6, 1. / 24, 1. / 120})
	places := u.storedBits("rootsPlaces", 127)
	least, inf := u.stored("leastNormal", 0x1p-1022), u.stored("inf", math.Inf(1))
	bound, rest := u.stored("powerBound", 700), u.storedBits("notSign", 1<<63-1)
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x, y := in[0], in[1]
		h, l := p.of(x)
		e, more := u.reg(), u.reg()
		VMULPD(h, y, e)
		VMOVAPD(h, more)
		VFMSUB213PD(e, y, more)
		VFMADD231PD(l, y, more)

		ix, t, r, at := u.reg(), u.reg(), u.reg(), u.reg()
		VMOVUPD(log2e, ix)
		VFMADD213PD(magic, e, ix)
		VSUBPD(magic, ix, t)
		VMOVAPD(e, r)
		VFNMADD231PD(ln2High, t, r)
		VFNMADD231PD(ln2Low, t, r)
		VADDPD(more, r, r)
		VANDPD(places, ix, at)
		s, tail := u.gather(highAt, at), u.gather(lowAt, at)
		q := u.polynomial(r, terms)
		VFMADD213PD(tail, r, q) // 2^(k/128) e^r = s (1 + tail + r q)
		VPSRLQ(U8(logBits), ix, ix)
		VPSLLQ(U8(52), ix, ix)
		VPADDQ(ix, s, s)
		VFMADD213PD(s, s, q)

		p.unknown(0x05, x, inf, q)
		p.unknown(0x09, x, least, q)
		VANDPD(rest, e, e)
		p.unknown(0x05, e, bound, q)
		return q
	}
}
