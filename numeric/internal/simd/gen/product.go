package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// matrixProduct emits the micro-kernel of the matrix product: c[i*ldc+j] += Σ_p a[p*rows+i] b[p*cols+j] for a tile of
// 8 x 24 (AVX-512) or 4 x 12 (AVX2) which stays in registers; k is at least 1.
func matrixProduct(u unit) {
	rows, vectors := 8, 3
	if !u.zmm {
		rows = 4
	}
	TEXT(u.name("tile"), NOSPLIT, "func(k int, a, b, c *float64, ldc int)")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	SHLQ(U8(3), ldc)
	sums := make([][]reg.VecVirtual, rows)
	for i := range sums {
		for range vectors {
			sums[i] = append(sums[i], u.zero())
		}
	}
	bv, av := u.regs(vectors), u.reg()
	Label("loop")
	for j := range bv {
		VMOVUPD(Mem{Base: b, Disp: u.bytes() * j}, bv[j])
	}
	for at := 0; at < vectors*u.bytes(); at += 64 {
		PREFETCHT0(Mem{Base: b, Disp: 8*vectors*u.bytes() + at})
	}
	for i := range sums {
		VBROADCASTSD(Mem{Base: a, Disp: 8 * i}, av)
		for j := range bv {
			VFMADD231PD(bv[j], av, sums[i][j])
		}
	}
	ADDQ(U32(8*rows), a)
	ADDQ(U32(vectors*u.bytes()), b)
	DECQ(k)
	JNZ(LabelRef("loop"))
	for i := range sums {
		for j := range sums[i] {
			m := Mem{Base: c, Disp: u.bytes() * j}
			VADDPD(m, sums[i][j], sums[i][j])
			VMOVUPD(sums[i][j], m)
		}
		if i < rows-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}
