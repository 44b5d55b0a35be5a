package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fourier emits the loops of Fourier transforms: butterflies, the step between complex and real transforms, and
// transpositions.
func fourier(u unit) {
	for _, radix := range []int{2, 3, 4, 5} {
		butterflies(u, radix, false)
		butterflies(u, radix, true)
	}
	multiplyComplex(u)
	halves(u)
	splitColumns(u)
	joinColumns(u)
}

// number is a vector of complex numbers.
type number struct{ re, im reg.VecVirtual }

func (u unit) number() number { return number{u.reg(), u.reg()} }

// pointers walk through the rows of a complex array; row j is j*stride bytes further.
type pointers struct {
	re, im          reg.GPVirtual
	stride, stride3 reg.GPVirtual
}

func (p pointers) at(j int) (re, im Mem) {
	step := func(base reg.GPVirtual) Mem {
		switch j {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: p.stride3, Scale: 1}
		}
		return Mem{Base: base, Index: p.stride, Scale: uint8(j)}
	}
	return step(p.re), step(p.im)
}

func loadPointers(re, im, stride string, radix int) pointers {
	p := pointers{GP64(), GP64(), GP64(), nil}
	Load(Param(re), p.re)
	Load(Param(im), p.im)
	Load(Param(stride), p.stride)
	SHLQ(U8(3), p.stride)
	if radix > 3 {
		p.stride3 = GP64()
		LEAQ(Mem{Base: p.stride, Index: p.stride, Scale: 2}, p.stride3)
	}
	return p
}

// butterflies emits a Stockham stage of the given radix, for count values of q: the n numbers of rows 0, 1, … of x,
// xRow apart, are combined to those of rows 0, 1, … of y, yRow apart; the next q starts n further in x and after all
// rows in y. With twiddle factors w holds radix-1 of them for every q, real and imaginary parts in turn. n and count
// are at least 1.
func butterflies(u unit, radix int, twiddle bool) {
	name, signature := fmt.Sprintf("radix%d", radix), "func(yr, yi, xr, xi *float64, n, count, xRow, yRow int)"
	if twiddle {
		name, signature = name+"Twiddle", "func(yr, yi, xr, xi *float64, n, count, xRow, yRow int, w *float64)"
	}
	TEXT(u.name(name), NOSPLIT, signature)
	Pragma("noescape")
	x, y := loadPointers("xr", "xi", "xRow", radix), loadPointers("yr", "yi", "yRow", radix)
	n, count := GP64(), GP64()
	Load(Param("n"), n)
	Load(Param("count"), count)
	b := &butterfly{unit: u, radix: radix, x: x, y: y, constants: u.rootsOfUnity(radix)}
	w := GP64()
	if twiddle {
		Load(Param("w"), w)
		for range radix - 1 {
			b.twiddles = append(b.twiddles, [2]Op{u.center(), u.center()})
		}
	}
	rest := GP64()
	Label("next")
	for j, f := range b.twiddles {
		u.setCenter(Mem{Base: w, Disp: 16 * j}, f[0])
		u.setCenter(Mem{Base: w, Disp: 16*j + 8}, f[1])
	}
	MOVQ(n, rest)
	SUBQ(U8(u.lanes()), rest)
	JL(LabelRef("tail"))
	Label("loop")
	b.emit()
	for _, p := range []reg.GPVirtual{x.re, x.im, y.re, y.im} {
		ADDQ(U8(u.bytes()), p)
	}
	SUBQ(U8(u.lanes()), rest)
	JGE(LabelRef("loop"))
	Label("tail")
	ADDQ(U8(u.lanes()), rest)
	JZ(LabelRef("done"))
	b.mask = u.tailMask(rest)
	if !u.zmm {
		b.mask = b.mask.spill(AllocLocal(32))
	}
	b.emit()
	for _, p := range []reg.GPVirtual{x.re, x.im, y.re, y.im} {
		LEAQ(Mem{Base: p, Index: rest, Scale: 8}, p)
	}
	Label("done")
	if twiddle {
		ADDQ(U8(16*(radix-1)), w)
	}
	for range radix - 1 {
		ADDQ(y.stride, y.re)
		ADDQ(y.stride, y.im)
	}
	DECQ(count)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// butterfly emits one vector of a stage.
type butterfly struct {
	unit
	radix     int
	x, y      pointers
	constants []Op
	twiddles  [][2]Op
	mask      *tail
}

// rootsOfUnity are the constants of a radix; cosines first.
func (u unit) rootsOfUnity(radix int) []Op {
	switch radix {
	case 3:
		return []Op{u.constant("half", 0.5), u.constant("sin120", math.Sin(2*math.Pi/3))}
	case 5:
		return []Op{
			u.constant("cos72", math.Cos(2*math.Pi/5)), u.constant("cos144", math.Cos(4*math.Pi/5)),
			u.constant("sin72", math.Sin(2*math.Pi/5)), u.constant("sin144", math.Sin(4*math.Pi/5)),
		}
	}
	return nil
}

func (b *butterfly) emit() {
	switch b.radix {
	case 2:
		b.radix2()
	case 3:
		b.radix3()
	case 4:
		b.radix4()
	case 5:
		b.radix5()
	}
}

// in reads row j of x.
func (b *butterfly) in(j int) number {
	z := b.number()
	re, im := b.x.at(j)
	b.load(re, z.re, b.mask)
	b.load(im, z.im, b.mask)
	return z
}

// out writes row j of y, times its twiddle factor.
func (b *butterfly) out(j int, z number) {
	if j > 0 && b.twiddles != nil {
		w := b.twiddles[j-1]
		r := b.number()
		VMULPD(w[1], z.im, r.re)
		VMULPD(w[0], z.im, r.im)
		VFMSUB231PD(w[0], z.re, r.re)
		VFMADD231PD(w[1], z.re, r.im)
		z = r
	}
	re, im := b.y.at(j)
	b.store(z.re, re, b.mask)
	b.store(z.im, im, b.mask)
}

// addSub returns p+q and p−q, in new registers and in those of q.
func (b *butterfly) addSub(p, q number) (sum, difference number) {
	sum = b.number()
	VADDPD(q.re, p.re, sum.re)
	VADDPD(q.im, p.im, sum.im)
	VSUBPD(q.re, p.re, q.re)
	VSUBPD(q.im, p.im, q.im)
	return sum, q
}

// turned returns e − i f and e + i f, in new registers and in those of e.
func (b *butterfly) turned(e, f number) (minus, plus number) {
	minus = b.number()
	VADDPD(f.im, e.re, minus.re)
	VSUBPD(f.re, e.im, minus.im)
	VSUBPD(f.im, e.re, e.re)
	VADDPD(f.re, e.im, e.im)
	return minus, e
}

// accumulate adds c*p to z.
func (b *butterfly) accumulate(z number, c Op, p number) {
	VFMADD231PD(c, p.re, z.re)
	VFMADD231PD(c, p.im, z.im)
}

func (b *butterfly) radix2() {
	sum, difference := b.addSub(b.in(0), b.in(1))
	b.out(0, sum)
	b.out(1, difference)
}

func (b *butterfly) radix3() {
	half, sin := b.constants[0], b.constants[1]
	s, d := b.addSub(b.in(1), b.in(2))
	a := b.in(0)
	zero := b.number()
	VADDPD(s.re, a.re, zero.re)
	VADDPD(s.im, a.im, zero.im)
	b.out(0, zero)
	VFNMADD231PD(half, s.re, a.re)
	VFNMADD231PD(half, s.im, a.im)
	VMULPD(sin, d.re, d.re)
	VMULPD(sin, d.im, d.im)
	first, second := b.turned(a, d)
	b.out(1, first)
	b.out(2, second)
}

func (b *butterfly) radix4() {
	even, u := b.addSub(b.in(0), b.in(2))
	odd, v := b.addSub(b.in(1), b.in(3))
	zero, second := b.addSub(even, odd)
	b.out(0, zero)
	b.out(2, second)
	first, third := b.turned(u, v)
	b.out(1, first)
	b.out(3, third)
}

func (b *butterfly) radix5() {
	cos1, cos2, sin1, sin2 := b.constants[0], b.constants[1], b.constants[2], b.constants[3]
	s1, d1 := b.addSub(b.in(1), b.in(4))
	s2, d2 := b.addSub(b.in(2), b.in(3))
	a := b.in(0)
	zero := b.number()
	VADDPD(s1.re, a.re, zero.re)
	VADDPD(s1.im, a.im, zero.im)
	VADDPD(s2.re, zero.re, zero.re)
	VADDPD(s2.im, zero.im, zero.im)
	b.out(0, zero)

	e, f := b.number(), b.number()
	VMOVAPD(a.re, e.re)
	VMOVAPD(a.im, e.im)
	b.accumulate(e, cos1, s1)
	b.accumulate(e, cos2, s2)
	VMULPD(sin1, d1.re, f.re)
	VMULPD(sin1, d1.im, f.im)
	b.accumulate(f, sin2, d2)
	first, fourth := b.turned(e, f)
	b.out(1, first)
	b.out(4, fourth)

	b.accumulate(a, cos2, s1)
	b.accumulate(a, cos1, s2)
	g := b.number()
	VMULPD(sin2, d1.re, g.re)
	VMULPD(sin2, d1.im, g.im)
	VFNMADD231PD(sin1, d2.re, g.re)
	VFNMADD231PD(sin1, d2.im, g.im)
	second, third := b.turned(a, g)
	b.out(2, second)
	b.out(3, third)
}

// multiplyComplex emits z *= c.
func multiplyComplex(u unit) {
	TEXT(u.name("multiplyComplex"), NOSPLIT, "func(zr, zi, cr, ci *float64, n int)")
	Pragma("noescape")
	var base [4]reg.GPVirtual
	for i, name := range []string{"zr", "zi", "cr", "ci"} {
		base[i] = GP64()
		Load(Param(name), base[i])
	}
	n := GP64()
	Load(Param("n"), n)
	u.loop("loop", n, 2, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			z, c, r := u.number(), u.number(), u.number()
			u.load(at(base[0], i), z.re, t)
			u.load(at(base[1], i), z.im, t)
			u.load(at(base[2], i), c.re, t)
			u.load(at(base[3], i), c.im, t)
			VMULPD(c.im, z.im, r.re)
			VMULPD(c.im, z.re, r.im)
			VFMSUB231PD(c.re, z.re, r.re)
			VFMADD231PD(c.re, z.im, r.im)
			u.store(r.re, at(base[0], i), t)
			u.store(r.im, at(base[1], i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// halves emits the step between the transform of n/2 = h complex numbers and that of n real ones: with a and b rows
// k and h−k of (re, im), for 0 < k <= h/2, and w = (w[2k], w[2k+1]),
//
//	e = scale (a + conj b),  o = scale (a − conj b) (w_i − i w_r)  →  a = e + o,  b = conj(e − o).
func halves(u unit) {
	TEXT(u.name("halves"), NOSPLIT, "func(re, im *float64, h, batch int, w *float64, scale float64)")
	Pragma("noescape")
	re, im, w, row := GP64(), GP64(), GP64(), GP64()
	Load(Param("re"), re)
	Load(Param("im"), im)
	Load(Param("w"), w)
	Load(Param("batch"), row)
	SHLQ(U8(3), row)
	// Rows k going up and h−k going down meet in the middle.
	topRe, topIm, count := GP64(), GP64(), GP64()
	Load(Param("h"), count)
	MOVQ(count, topRe)
	IMULQ(row, topRe)
	MOVQ(topRe, topIm)
	ADDQ(re, topRe)
	ADDQ(im, topIm)
	scale := u.reg()
	VBROADCASTSD(NewParamAddr("scale", 40), scale)
	SHRQ(U8(1), count)
	Label("next")
	DECQ(count)
	JL(LabelRef("end"))
	ADDQ(U8(16), w)
	ADDQ(row, re)
	ADDQ(row, im)
	SUBQ(row, topRe)
	SUBQ(row, topIm)
	wr, wi := u.reg(), u.reg()
	VBROADCASTSD(Mem{Base: w}, wr)
	VBROADCASTSD(Mem{Base: w, Disp: 8}, wi)
	VMULPD(scale, wr, wr)
	VMULPD(scale, wi, wi)
	n := GP64()
	Load(Param("batch"), n)
	u.loop("loop", n, 1, func(_ int, at func(reg.Register, int) Mem, t *tail) {
		a, b := u.number(), u.number()
		u.load(at(re, 0), a.re, t)
		u.load(at(im, 0), a.im, t)
		u.load(at(topRe, 0), b.re, t)
		u.load(at(topIm, 0), b.im, t)
		e, p, o := u.number(), u.number(), u.number()
		VADDPD(b.re, a.re, e.re)
		VSUBPD(b.im, a.im, e.im)
		VSUBPD(b.re, a.re, p.re)
		VADDPD(b.im, a.im, p.im)
		VMULPD(wr, p.im, o.re)
		VMULPD(wr, p.re, o.im)
		VFMADD231PD(wi, p.re, o.re)
		VFMSUB231PD(wi, p.im, o.im)
		// scale*e + o and its mirror image
		r := u.number()
		VMOVAPD(e.re, r.re)
		VMOVAPD(e.im, r.im)
		VFMADD213PD(o.re, scale, r.re)
		VFMADD213PD(o.im, scale, r.im)
		VFMSUB213PD(o.re, scale, e.re)
		VFNMADD213PD(o.im, scale, e.im)
		u.store(r.re, at(re, 0), t)
		u.store(r.im, at(im, 0), t)
		u.store(e.re, at(topRe, 0), t)
		u.store(e.im, at(topIm, 0), t)
	})
	JMP(LabelRef("next"))
	Label("end")
	VZEROUPPER()
	RET()
}
