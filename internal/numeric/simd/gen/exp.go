package main

import (
	"fmt"
	"math"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The exponential. AVX-512: 2^(k/16) from a table of 16 in two registers, times a polynomial of degree 6, scaled by
// VSCALEFPD, which underflows by itself. AVX2: a polynomial of degree 11, and the exponent by integer addition.
//
// The polynomials 1 + c1 r + … have the least relative error on their interval (Remez exchange in 50 digits, then
// rounded): 9e-18 for degree 6 on |r| <= ln2/32, 7e-17 for degree 11 on |r| <= ln2/2; in base 2 the same.
var (
	natural6 = []float64{
		1.0000000000000022, 0.500000000000002, 0.1666666666280299, 0.04166666664251545, 0.00833349713461337,
		0.0013889503221438978,
	}
	binary6 = []float64{
		0.6931471805599468, 0.24022650695910167, 0.055504108651954584, 0.009618129102053528, 0.0013333820232895462,
		0.0001540421172146931,
	}
	natural11 = []float64{
		1.0000000000000007, 0.5000000000000006, 0.166666666666573, 0.041666666666573635, 0.00833333333771546,
		0.0013888888932340796, 0.000198412614913928, 2.480150451103708e-05, 2.7564254929439036e-06,
		2.762629655421717e-07, 2.2981311538834364e-08,
	}
	binary11 = []float64{
		0.6931471805599457, 0.24022650695910097, 0.05550410866479039, 0.009618129107607003, 0.0013333558153439966,
		0.0001540353044157213, 1.5252727385193868e-05, 1.3215442675329823e-06, 1.0180647659234139e-07,
		7.072570412814423e-09, 4.078071929588337e-10,
	}
)

// Adding magic rounds to a multiple of 1/16 (AVX-512) or to an integer (AVX2) and leaves it in the low bits.
const (
	magic16 = 1.5 * (1 << 48)
	magic1  = 1.5 * (1 << 52)
)

// exponential holds the constants of one function.
type exponential struct {
	unit
	magic     Op
	low, high reg.VecVirtual // AVX-512: 2^(k/16) for k < 8 and k >= 8
	c         []Op           // c[k] multiplies r^k

	// For natural only.
	lowest, highest, log2e, ln2High, ln2Low Op
}

// newExponential loads what 2^−u needs (negated) or what e^x needs.
func newExponential(u unit, negated bool) *exponential {
	e := &exponential{unit: u, c: []Op{nil}}
	coefficients, name := natural11, "natural"
	if u.zmm {
		coefficients = natural6
	}
	if negated {
		coefficients, name = binary11, "binary"
		if u.zmm {
			coefficients = binary6
		}
	}
	for i, v := range coefficients {
		if negated && i%2 == 0 {
			v = -v
		}
		e.c = append(e.c, u.constant(fmt.Sprintf("%s%d", name, i+1), v))
	}
	if !negated {
		// Beyond these bounds the result is +Inf or 0 whatever x is.
		e.lowest, e.highest = u.constant("lowest", -746), u.constant("highest", 710)
		e.log2e = u.constant("log2e", math.Log2E)
		// ln 2 in two parts (fdlibm): the rounded quotient times the first is exact.
		e.ln2High, e.ln2Low = u.constant("ln2High", 6.93147180369123816490e-01), u.constant("ln2Low", 1.90821492927058770002e-10)
	}
	if !u.zmm {
		e.magic = u.constant("magic1", magic1)
		return e
	}
	e.magic = u.constant("magic16", magic16)
	var low, high []float64
	for k := range 8 {
		low = append(low, math.Exp2(float64(k)/16))
		high = append(high, math.Exp2(float64(k+8)/16))
	}
	e.low, e.high = ZMM(), ZMM()
	VMOVUPD(float64s("powersLow", low...), e.low)
	VMOVUPD(float64s("powersHigh", high...), e.high)
	return e
}

// bounded clamps every u of us, for AVX2, which scales by adding to the exponent. It returns masks which turn 2^−u to
// zero where that made a difference, or nil for AVX-512. NaN stays.
func (e *exponential) bounded(us []reg.VecVirtual) []reg.VecVirtual {
	if e.zmm {
		return nil
	}
	small, t := e.regs(len(us)), e.reg()
	bound := e.constant("bound", 1021)
	for i, u := range us {
		VCMPPD(U8(0x19), bound, u, small[i]) // not >=, true for NaN
		VMOVUPD(bound, t)
		VMINPD(u, t, u) // the result is the second operand u if it is NaN
	}
	return small
}

// powers replaces every u >= 0 of us, which are bounded, by 2^−u.
func (e *exponential) powers(us []reg.VecVirtual) {
	if e.zmm {
		e.powers512(us)
	} else {
		e.powers2(us)
	}
}

func (e *exponential) powers512(us []reg.VecVirtual) {
	t, p, ix := e.regs(len(us)), e.regs(len(us)), e.regs(len(us))
	for i, u := range us {
		VSUBPD(u, e.magic, ix[i])
		VSUBPD(e.magic, ix[i], t[i]) // t = −u rounded to sixteenths
		// r = u − rounded u, small for the greatest u and even for +Inf, so that only VSCALEFPD decides.
		VREDUCEPD(U8(4<<4), u, u)
		VPERMI2PD(e.high, e.low, ix[i])
		VMOVAPD(e.c[6], p[i])
	}
	for k := 5; k >= 1; k-- {
		for i, u := range us {
			VFMADD213PD(e.c[k], u, p[i])
		}
	}
	for i, u := range us {
		VMULPD(ix[i], u, u)
		VFMADD213PD(ix[i], u, p[i])
		VSCALEFPD(t[i], p[i], u)
	}
}

func (e *exponential) powers2(us []reg.VecVirtual) {
	t, p, ix := e.reg(), e.regs(len(us)), e.regs(len(us))
	last := len(e.c) - 1
	for i, u := range us {
		VMOVUPD(e.magic, t)
		VSUBPD(u, t, ix[i])
		VSUBPD(e.magic, ix[i], t)
		VADDPD(t, u, u) // −r
		VMOVUPD(e.c[last], p[i])
	}
	for k := last - 1; k >= 1; k-- {
		for i, u := range us {
			VFMADD213PD(e.c[k], u, p[i])
		}
	}
	one := e.constant("one", 1)
	for i, u := range us {
		// A product rather than an integer addition, which would make a number of NaN.
		VFMADD213PD(one, u, p[i])
		VPSLLQ(U8(52), ix[i], ix[i])
		VPADDQ(one, ix[i], ix[i])
		VMULPD(ix[i], p[i], u)
	}
}

// natural returns e^x with all special values.
func (e *exponential) natural(x reg.VecVirtual) reg.VecVirtual {
	t, ix, r := e.reg(), e.reg(), x
	VMOVUPD(e.highest, t)
	VMINPD(x, t, x) // NaN stays: it is the second operand
	VMOVUPD(e.lowest, t)
	VMAXPD(x, t, x)
	VMOVUPD(e.log2e, ix)
	VFMADD213PD(e.magic, x, ix)
	VSUBPD(e.magic, ix, t)
	VFNMADD231PD(e.ln2High, t, r)
	VFNMADD231PD(e.ln2Low, t, r)
	p, last := e.reg(), len(e.c)-1
	VMOVUPD(e.c[last], p)
	for k := last - 1; k >= 1; k-- {
		VFMADD213PD(e.c[k], r, p)
	}
	if e.zmm {
		VPERMI2PD(e.high, e.low, ix)
		VMULPD(ix, r, r)
		VFMADD213PD(ix, r, p)
		VSCALEFPD(t, p, p)
		return p
	}
	VFMADD213PD(e.constant("one", 1), r, p)
	// 2^t in two factors, so that neither overflows nor underflows and only the last product rounds.
	h := e.reg()
	VMOVUPD(e.constant("half", 0.5), h)
	VFMADD213PD(e.magic, t, h)
	VPSLLQ(U8(52), h, ix)
	VPADDQ(e.constant("one", 1), ix, ix)
	VSUBPD(e.magic, h, h)
	VSUBPD(h, t, t)
	VADDPD(e.magic, t, t)
	VPSLLQ(U8(52), t, t)
	VPADDQ(e.constant("one", 1), t, t)
	VMULPD(ix, p, p)
	VMULPD(t, p, p)
	return p
}

// near replaces every |x| <= 708 of xs, whose powers of two are exponents of normal numbers, by e^x. Terms of even and of
// odd powers are added up apart, since one after the other they would take longer than the multipliers need, and each
// constant is loaded once.
func (e *exponential) near(xs []reg.VecVirtual) {
	k, r2, even, odd := e.regs(len(xs)), e.regs(len(xs)), e.regs(len(xs)), e.regs(len(xs))
	log2e, magic, t := e.inRegister(e.log2e), e.inRegister(e.magic), e.regs(len(xs))
	for i, x := range xs {
		VMOVAPD(log2e, k[i])
		VFMADD213PD(magic, x, k[i])
		VSUBPD(magic, k[i], t[i])
	}
	for _, part := range []Op{e.ln2High, e.ln2Low} {
		part := e.inRegister(part)
		for i, x := range xs {
			VFNMADD231PD(part, t[i], x)
		}
	}
	for i, x := range xs {
		VMULPD(x, x, r2[i])
		VMOVUPD(e.c[11], even[i])
		VMOVUPD(e.c[10], odd[i])
	}
	for n := 9; n > 0; n-- {
		c, sums := e.inRegister(e.c[n]), even
		if n%2 == 0 {
			sums = odd
		}
		for i := range xs {
			VFMADD213PD(c, r2[i], sums[i])
		}
	}
	one := e.inRegister(e.constant("one", 1))
	for i, x := range xs {
		VFMADD231PD(odd[i], x, even[i])
		VFMADD213PD(one, even[i], x)
		VPSLLQ(U8(52), k[i], k[i])
		VPADDQ(k[i], x, x)
	}
}

// exponentials emits dst[i] = e^a[i], and decay: dst[i] = c[i] e^(−a[i] b[i]), each step rounded. For AVX2, vectors whose
// arguments are all near have less to do.
func exponentials(u unit) {
	exponentialOf(u, "exp", "a")
	exponentialOf(u, "decay", "a", "b", "c")
}

// exponentialOf emits the exponential of the first operand, or of minus the product of two, then times the third.
func exponentialOf(u unit, name string, operands ...string) {
	decays := len(operands) > 1
	sign := func(u unit) Op {
		if !decays {
			return nil
		}
		return u.bits("sign", 1<<63)
	}
	if u.zmm {
		emitElementwise(u, name, operands, 2, func(u unit) operation {
			e, sign := newExponential(u, false), sign(u)
			return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
				if !decays {
					return e.natural(x[0])
				}
				VMULPD(x[1], x[0], x[0])
				VXORPD(sign, x[0], x[0])
				y := e.natural(x[0])
				VMULPD(x[2], y, y)
				return y
			}
		})
		return
	}
	TEXT(u.name(name), NOSPLIT, "func(dst, "+strings.Join(operands, ", ")+" *float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	var from []reg.Register
	for _, o := range operands {
		from = append(from, Load(Param(o), GP64()))
	}
	n := Load(Param("n"), GP64())
	e, minus := newExponential(u, false), sign(u)
	bound, rest := u.constant("modest", 708), u.bits("notSign", 1<<63-1)
	u.loop("loop", n, 3, func(count int, at func(reg.Register, int) Mem, t *tail) {
		far, next := fmt.Sprintf("far%d", count), fmt.Sprintf("next%d", count)
		if t != nil {
			far, next = "farRest", "nextRest"
		}
		x, size, found := u.regs(count), u.regs(count), GP64()
		for i := range x {
			u.load(at(from[0], i), x[i], t)
			if decays {
				u.load(at(from[1], i), size[i], t)
				VMULPD(size[i], x[i], x[i])
				VXORPD(minus, x[i], x[i])
			}
			VANDPD(rest, x[i], size[i])
			VCMPPD(U8(0x06), bound, size[i], size[i]) // not less or equal
			if i > 0 {
				VORPD(size[i], size[0], size[0])
			}
		}
		store := func(y reg.VecVirtual, i int) {
			if decays {
				c := u.reg()
				u.load(at(from[2], i), c, t)
				VMULPD(c, y, y)
			}
			u.store(y, at(dst, i), t)
		}
		VMOVMSKPD(size[0], found.As32())
		TESTL(found.As32(), found.As32())
		JNZ(LabelRef(far))
		e.near(x)
		for i := range x {
			store(x[i], i)
		}
		JMP(LabelRef(next))
		Label(far)
		for i := range x {
			store(e.natural(x[i]), i)
		}
		Label(next)
	})
	VZEROUPPER()
	RET()
}
