package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// truths emits dst[i] = 1 where the comparison of a[i] with b[i] holds and 0 elsewhere, in bytes; n is a multiple of the
// lanes.
func truths(u unit, name string, predicate uint8) {
	TEXT(u.name(name), NOSPLIT, "func(dst *byte, a, b *float64, n int)")
	Pragma("noescape")
	dst, a, b := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	hold := u.truthStore()
	Label("again")
	x := u.reg()
	VMOVUPD(Mem{Base: a}, x)
	hold(predicate, Mem{Base: b}, x, Mem{Base: dst})
	ADDQ(U32(u.bytes()), a)
	ADDQ(U32(u.bytes()), b)
	ADDQ(U32(u.lanes()), dst)
	SUBQ(U32(u.lanes()), n)
	JG(LabelRef("again"))
	VZEROUPPER()
	RET()
}

// truthStore returns what stores a byte of each lane, which says whether the comparison of x with b holds.
func (u unit) truthStore() func(predicate uint8, b Op, x reg.VecVirtual, to Mem) {
	if u.zmm {
		ones := ZMM()
		VBROADCASTSD(u.memory("bit", 0x0.0000000000001p-1022), ones) // the integer 1
		return func(predicate uint8, b Op, x reg.VecVirtual, to Mem) {
			k, bytes := K(), XMM()
			VCMPPD(U8(predicate), b, x, k)
			VMOVDQA64_Z(ones, k, x)
			VPMOVQB(x, bytes)
			VMOVQ(bytes, to)
		}
	}
	table, ok := data["nibbles"]
	if !ok {
		table = GLOBL("nibbles", RODATA|NOPTR)
		for i := range 16 {
			DATA(4*i, U32(i&1|i>>1&1<<8|i>>2&1<<16|i>>3&1<<24))
		}
		data["nibbles"] = table
	}
	base := GP64()
	LEAQ(table, base)
	return func(predicate uint8, b Op, x reg.VecVirtual, to Mem) {
		VCMPPD(U8(predicate), b, x, x)
		bits, bytes := GP32(), GP32()
		VMOVMSKPD(x, bits)
		MOVL(Mem{Base: base, Index: bits.As64(), Scale: 4}, bytes)
		MOVL(bytes, to)
	}
}

// sum emits the sum of a[i] for n a multiple of 32: 32 running sums side by side, added in halves.
func sum(u unit) {
	TEXT(u.name("sum"), NOSPLIT, "func(a *float64, n int) float64")
	Pragma("noescape")
	a, n := Load(Param("a"), GP64()), Load(Param("n"), GP64())
	sums := u.regs(32 / u.lanes())
	for _, s := range sums {
		VXORPD(s, s, s)
	}
	Label("again")
	for i, s := range sums {
		VADDPD(Mem{Base: a, Disp: i * u.bytes()}, s, s)
	}
	ADDQ(U32(32*8), a)
	SUBQ(U32(32), n)
	JG(LabelRef("again"))
	for ; len(sums) > 1; sums = sums[:len(sums)/2] {
		for i := range len(sums) / 2 {
			VADDPD(sums[len(sums)/2+i], sums[i], sums[i])
		}
	}
	Store(u.sum(sums[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// extremeOf emits the greatest or least numbers of each lane, of n that are a multiple of 32, and whether there is a NaN
// among them, which the greatest are without; the sign of a zero may be either.
func extremeOf(u unit, name string, instruction func(ops ...Op)) {
	TEXT(u.name(name), NOSPLIT, "func(dst, a *float64, n int) int")
	Pragma("noescape")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	best, unordered, found := u.regs(4), u.zero(), GP64()
	k := K()
	if u.zmm {
		KXORW(k, k, k)
	}
	for _, r := range best {
		VMOVUPD(Mem{Base: a}, r)
	}
	Label("again")
	for i := range 32 / u.lanes() {
		x, r := u.reg(), best[i%len(best)]
		VMOVUPD(Mem{Base: a, Disp: i * u.bytes()}, x)
		instruction(r, x, r) // the second operand, which is what there was, where one is NaN
		if u.zmm {
			bad := K()
			VCMPPD(U8(0x03), x, x, bad)
			KORW(bad, k, k)
			continue
		}
		VCMPPD(U8(0x03), x, x, x)
		VORPD(x, unordered, unordered)
	}
	ADDQ(U32(32*8), a)
	SUBQ(U32(32), n)
	JG(LabelRef("again"))
	instruction(best[1], best[0], best[0])
	instruction(best[3], best[2], best[2])
	instruction(best[2], best[0], best[0])
	VMOVUPD(best[0], Mem{Base: dst})
	if u.zmm {
		KMOVW(k, found.As32())
	} else {
		VMOVMSKPD(unordered, found.As32())
	}
	Store(found, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
