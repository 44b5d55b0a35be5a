package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// polynomial returns c[0] + c[1] z + …, by Horner's rule.
func (u unit) polynomial(z reg.VecVirtual, c []Op) reg.VecVirtual {
	p := u.reg()
	VMOVUPD(c[len(c)-1], p)
	for k := len(c) - 2; k >= 0; k-- {
		VFMADD213PD(c[k], z, p)
	}
	return p
}

func (u unit) constants(name string, values []float64) []Op {
	var c []Op
	for i, v := range values {
		c = append(c, u.constant(fmt.Sprintf("%s%d", name, i), v))
	}
	return c
}

// logarithm is ln x as in fdlibm (e_log.c): x = 2^k m with m in [√½, √2), f = m−1, s = f/(2+f) and
// ln m = f − (f²/2 − s (f²/2 + R(s²))), R within 2^−59.
func logarithm(u unit) operation {
	r := u.constants("log", []float64{
		6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
	})
	const root = 0x3fe6a09e667f3bcd // bits of √½
	least, scale := u.constant("leastNormal", 0x1p-1022), u.constant("two54", 0x1p54)
	shift, low := u.bits("oneLessRoot", 0x3ff0000000000000-root), u.bits("fraction", 1<<52-1)
	back, exponent := u.bits("root", root), u.constant("two52", 0x1p52)
	bias, biasSmall := u.constant("bias", 0x1p52+1023), u.constant("biasSmall", 0x1p52+1023+54)
	one, two, half := u.constant("one", 1), u.constant("two", 2), u.constant("half", 0.5)
	high, rest := u.constant("ln2High", 6.93147180369123816490e-01), u.constant("ln2Low", 1.90821492927058770002e-10)
	zero, inf := u.constant("zero", 0), u.constant("inf", math.Inf(1))
	minusInf, nan := u.constant("minusInf", math.Inf(-1)), u.constant("nan", math.NaN())
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x, y, b, k := in[0], u.reg(), u.reg(), u.reg()
		// Denormal numbers are scaled first.
		VMULPD(scale, x, k)
		VMOVAPD(x, y)
		VMOVUPD(bias, b)
		u.choose(0x01, x, least, k, y)
		u.choose(0x01, x, least, biasSmall, b)

		VPADDQ(shift, y, y)
		VPSRLQ(U8(52), y, k)
		VORPD(exponent, k, k)
		VSUBPD(b, k, k) // k as a number
		VANDPD(low, y, y)
		VPADDQ(back, y, y) // m
		f, s, z, t := u.reg(), u.reg(), u.reg(), u.reg()
		VSUBPD(one, y, f)
		VADDPD(two, f, t)
		VDIVPD(t, f, s)
		VMULPD(s, s, z)
		p := u.polynomial(z, r)
		VMULPD(half, f, t)
		VMULPD(f, t, t)      // f²/2
		VFMADD213PD(t, z, p) // f²/2 + R
		VMULPD(s, p, p)
		VFMADD231PD(rest, k, p)
		VSUBPD(p, t, t)
		VSUBPD(f, t, t)
		VFMSUB132PD(high, t, k)

		u.choose(0x05, x, inf, x, k) // not less: +Inf and NaN
		u.choose(0x01, x, zero, nan, k)
		u.choose(0x00, x, zero, minusInf, k)
		return k
	}
}

// tangent is the argument of circular for which it is tan x.
const tangent = 2

// circular is sin x, cos x or tan x for |x| up to 2^30. With n the integer nearest to 2x/π the remainder r = x − nπ/2 is
// exact to the last digit or two: π/2 is taken in three parts and every product is fused. Then the polynomials of
// fdlibm (k_sin.c, k_cos.c), one of which the two low bits of n choose, with its sign.
func circular(quarters uint64) func(u unit) operation {
	return func(u unit) operation {
		sine := u.constants("sin", []float64{
			-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
			2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
		})
		cosine := u.constants("cos", []float64{
			4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
			-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
		})
		parts := u.constants("halfPi", []float64{1.5707963267948966, 6.123233995736766e-17, -1.497384905065873e-33})
		inverse, magic := u.constant("twoOverPi", 2/math.Pi), u.constant("magic1", magic1)
		one, half := u.constant("one", 1), u.constant("half", 0.5)
		sign, zero := u.bits("sign", 1<<63), u.constant("zero", 0)
		var turn Op
		if quarters == 1 {
			turn = u.bits("oneQuarter", quarters)
		}
		return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
			x, n, ix, r := in[0], u.reg(), u.reg(), u.reg()
			VMOVUPD(inverse, ix)
			VFMADD213PD(magic, x, ix)
			VSUBPD(magic, ix, n)
			VMOVAPD(x, r)
			for _, p := range parts {
				VFNMADD231PD(p, n, r)
			}
			if turn != nil {
				VPADDQ(turn, ix, ix)
			}
			z, t := u.reg(), u.reg()
			VMULPD(r, r, z)
			s := u.polynomial(z, sine)
			VMULPD(z, r, t)
			VFMADD213PD(r, t, s) // r + r z S
			// 1 − z/2 rounds; what it loses is added back.
			c, w, h := u.polynomial(z, cosine), u.reg(), u.reg()
			VMULPD(half, z, h)
			VMOVUPD(one, t)
			VSUBPD(h, t, w)
			VSUBPD(w, t, t)
			VSUBPD(h, t, t)
			VMULPD(z, z, z)
			VFMADD213PD(t, z, c)
			VADDPD(w, c, c)

			VPSLLQ(U8(63), ix, t)
			if quarters == tangent { // s/c, or −c/s at odd quarters
				VMOVAPD(s, w)
				u.chooseSign(t, c, w)
				VANDPD(sign, t, h)
				VXORPD(h, w, w)
				u.chooseSign(t, s, c)
				VDIVPD(c, w, s)
				u.choose(0x00, x, zero, x, s)
				return s
			}
			u.chooseSign(t, c, s) // odd quarters take the cosine
			VPSLLQ(U8(62), ix, t)
			VANDPD(sign, t, t)
			VXORPD(t, s, s)
			if quarters == 0 {
				u.choose(0x00, x, zero, x, s) // the sign of zero
			}
			return s
		}
	}
}

// chooseSign replaces the lanes of r whose sign bit in mask is set by those of v.
func (u unit) chooseSign(mask, v, r reg.VecVirtual) {
	if u.zmm {
		k := K()
		VPMOVQ2M(mask, k)
		VMOVAPD(v, k, r)
		return
	}
	VBLENDVPD(mask, v, r, r)
}

// beyond emits the question whether any |a[i]| is not <= bound, NaN included.
func beyond(u unit) {
	TEXT(u.name("beyond"), NOSPLIT, "func(a *float64, n int, bound float64) int")
	Pragma("noescape")
	a, n := Load(Param("a"), GP64()), Load(Param("n"), GP64())
	limit, rest := u.reg(), u.bits("notSign", 1<<63-1)
	VBROADCASTSD(NewParamAddr("bound", 16), limit)
	found, all := GP64(), u.zero()
	k := K()
	if u.zmm {
		KXORW(k, k, k)
	}
	u.loop("loop", n, 4, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.reg()
			u.load(at(a, i), x, t)
			VANDPD(rest, x, x)
			if u.zmm {
				bad := K()
				VCMPPD(U8(0x06), limit, x, bad) // not less or equal
				KORW(bad, k, k)
				continue
			}
			VCMPPD(U8(0x06), limit, x, x)
			VORPD(x, all, all)
		}
	})
	if u.zmm {
		KMOVW(k, found.As32())
	} else {
		VMOVMSKPD(all, found.As32())
	}
	Store(found, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
