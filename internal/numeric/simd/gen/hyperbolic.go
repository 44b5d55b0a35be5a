package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// withSign gives r, which is not negative, the sign of x.
func (u unit) withSign(x reg.VecVirtual, sign Op, r reg.VecVirtual) reg.VecVirtual {
	VANDPD(sign, x, x)
	VXORPD(x, r, r)
	return r
}

// hyperbolicTangent is tanh x: near zero a rational function of x² (Cody and Waite), elsewhere 1 − 2/(e^2|x| + 1).
func hyperbolicTangent(u unit) operation {
	e := newExponential(u, false)
	p := u.storedAll("tanhP", []float64{-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1})
	q := u.storedAll("tanhQ", []float64{4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2, 1})
	sign, rest := u.storedBits("sign", 1<<63), u.storedBits("notSign", 1<<63-1)
	one, minusTwo, border := u.stored("one", 1), u.stored("minusTwo", -2), u.stored("tanhBorder", 0.625)
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x, a, z, double := in[0], u.reg(), u.reg(), u.reg()
		VANDPD(rest, x, a)
		VMULPD(x, x, z)
		VADDPD(a, a, double)
		above, below := u.polynomial(z, p), u.polynomial(z, q)
		VMULPD(z, above, above)
		VMULPD(a, above, above)
		base := u.reg()
		VMOVAPD(a, base)
		big := e.natural(double)
		VADDPD(one, big, big)
		u.choose(0x0d, a, border, u.inRegister(one), base) // at least
		u.choose(0x0d, a, border, u.inRegister(minusTwo), above)
		u.choose(0x0d, a, border, big, below)
		VDIVPD(below, above, above)
		VADDPD(above, base, base)
		return u.withSign(x, sign, base)
	}
}

// hyperbolicSine is sinh x where e^|x| is finite: its series for |x| < 1, and (e^|x| − e^−|x|)/2.
func hyperbolicSine(u unit) operation {
	e := newExponential(u, false)
	var series []float64
	f := 1.0
	for k := 3.0; k < 20; k += 2 {
		f *= k * (k - 1)
		series = append(series, 1/f)
	}
	terms := u.storedAll("sinhTerm", series)
	sign, rest := u.storedBits("sign", 1<<63), u.storedBits("notSign", 1<<63-1)
	one, half := u.stored("one", 1), u.stored("half", 0.5)
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x, a, z := in[0], u.reg(), u.reg()
		VANDPD(rest, x, a)
		VMULPD(x, x, z)
		small, t := u.polynomial(z, terms), u.reg()
		VMULPD(a, z, z)
		VFMADD213PD(a, z, small) // a + a z P
		VMOVAPD(a, t)
		big := e.natural(t)
		VMULPD(half, big, big)
		inverse := u.inRegister(half)
		VMULPD(half, inverse, inverse)
		VDIVPD(big, inverse, inverse) // e^-a / 2
		VSUBPD(inverse, big, big)
		u.choose(0x0d, a, one, big, small)
		return u.withSign(x, sign, small)
	}
}

// hyperbolicCosine is (e^|x| + e^−|x|)/2 where e^|x| is finite.
func hyperbolicCosine(u unit) operation {
	e := newExponential(u, false)
	rest, half := u.storedBits("notSign", 1<<63-1), u.stored("half", 0.5)
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x := in[0]
		VANDPD(rest, x, x)
		big := e.natural(x)
		VMULPD(half, big, big)
		inverse := u.inRegister(half)
		VMULPD(half, inverse, inverse)
		VDIVPD(big, inverse, inverse)
		VADDPD(inverse, big, big)
		return big
	}
}

// arcTangent is atan x: the rational function of Moshier's Cephes for |x| <= 0.66, to which arguments up to tan 3π/8 are
// brought by the difference from π/4 and greater ones by that from π/2.
func arcTangent(u unit) operation {
	p := u.storedAll("atanP", []float64{
		-6.485021904942025371773e1, -1.228866684490136173410e2, -7.500855792314704667340e1, -1.615753718733365076637e1,
		-8.750608600031904122785e-1,
	})
	q := u.storedAll("atanQ", []float64{
		1.945506571482613964425e2, 4.853903996359136964868e2, 4.328810604912902668951e2, 1.650270098316988542046e2,
		2.485846490142306297962e1, 1,
	})
	sign, rest := u.storedBits("sign", 1<<63), u.storedBits("notSign", 1<<63-1)
	one, minusOne := u.stored("one", 1), u.stored("minusOne", -1)
	low, high := u.stored("atanLow", 0.66), u.stored("atanHigh", 2.41421356237309504880)
	half, quarter := u.stored("halfPi0", math.Pi/2), u.stored("quarterPi", math.Pi/4)
	more, moreHalf := u.stored("halfPi1", 6.123233995736766e-17), u.stored("quarterPiRest", 6.123233995736766e-17/2)
	return func(_ unit, in []reg.VecVirtual) reg.VecVirtual {
		x, a, above, below, base, extra := in[0], u.reg(), u.reg(), u.reg(), u.zero(), u.zero()
		VANDPD(rest, x, a)
		VMOVAPD(a, above)
		VMOVUPD(one, below)
		t, s := u.reg(), u.reg()
		VADDPD(minusOne, a, t)
		VADDPD(one, a, s)
		u.choose(0x0e, a, low, t, above) // greater
		u.choose(0x0e, a, low, s, below)
		u.choose(0x0e, a, low, u.inRegister(quarter), base)
		u.choose(0x0e, a, low, u.inRegister(moreHalf), extra)
		u.choose(0x0e, a, high, u.inRegister(minusOne), above)
		u.choose(0x0e, a, high, a, below)
		u.choose(0x0e, a, high, u.inRegister(half), base)
		u.choose(0x0e, a, high, u.inRegister(more), extra)
		VDIVPD(below, above, above)
		z := u.reg()
		VMULPD(above, above, z)
		n, d := u.polynomial(z, p), u.polynomial(z, q)
		VMULPD(z, n, n)
		VDIVPD(d, n, n)
		VFMADD213PD(extra, above, n)
		VADDPD(above, n, n)
		VADDPD(base, n, n)
		return u.withSign(x, sign, n)
	}
}
