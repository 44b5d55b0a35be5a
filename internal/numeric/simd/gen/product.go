package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// matrixProduct emits the micro-kernels of the matrix product, for tiles of 8, 4, 2 and 1 rows (AVX-512; 4, 2 and 1 for
// AVX2) and one to three vectors of columns.
func matrixProduct(u unit) {
	for vectors := 1; vectors <= 3; vectors++ {
		for rows := u.lanes(); rows > 0; rows /= 2 {
			productTile(u, rows, vectors)
		}
	}
	rotations(u, 32/u.lanes())
}

// productTile emits c[i*ldc+j] += Σ_p a[i*rs+p*cs] b[p*ldb+j], or = where add is 0, for a tile which stays in registers;
// k is at least 1. Strides are in bytes.
func productTile(u unit, rows, vectors int) {
	TEXT(u.name(fmt.Sprintf("tile%dx%d", rows, vectors)), NOSPLIT, "func(k int, a *float64, rs, cs int, b *float64, ldb int, c *float64, ldc, add int)")
	Pragma("noescape")
	load := func(name string) reg.Register { return Load(Param(name), GP64()) }
	k, a, rs, cs, b, ldb := load("k"), load("a"), load("rs"), load("cs"), load("b"), load("ldb")
	// Rows 3, 5 and 7 begin at their own multiples of rs, the others at those of an address.
	odd := map[int]reg.Register{1: rs}
	for i := 3; i < rows; i += 2 {
		odd[i] = GP64()
		LEAQ(Mem{Base: odd[i-2], Index: rs, Scale: 2}, odd[i])
	}
	row := func(i int) Mem {
		scale := uint8(1)
		for ; i > 0 && i%2 == 0; i /= 2 {
			scale *= 2
		}
		if i == 0 {
			return Mem{Base: a}
		}
		return Mem{Base: a, Index: odd[i], Scale: scale}
	}
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
	if rows == u.lanes() {
		for at := 0; at < vectors*u.bytes(); at += 64 {
			PREFETCHT0(Mem{Base: b, Index: ldb, Scale: 8, Disp: at})
		}
	}
	for i := range sums {
		VBROADCASTSD(row(i), av)
		for j := range bv {
			VFMADD231PD(bv[j], av, sums[i][j])
		}
	}
	ADDQ(cs, a)
	ADDQ(ldb, b)
	DECQ(k)
	JNZ(LabelRef("loop"))

	c, ldc, add := load("c"), load("ldc"), load("add")
	each := func(do func(to Mem, sum reg.VecVirtual)) {
		for i := range sums {
			for j, s := range sums[i] {
				do(Mem{Base: c, Disp: u.bytes() * j}, s)
			}
			if i < rows-1 {
				ADDQ(ldc, c)
			}
		}
		VZEROUPPER()
		RET()
	}
	TESTQ(add, add)
	JZ(LabelRef("store"))
	each(func(to Mem, sum reg.VecVirtual) {
		VADDPD(to, sum, sum)
		VMOVUPD(sum, to)
	})
	Label("store")
	each(func(to Mem, sum reg.VecVirtual) { VMOVUPD(sum, to) })
}

// rotations emits turns of neighbouring rows of so many vectors, one after the other: row i becomes c row_i + s row_i+1,
// and row i+1 c row_i+1 - s row_i, for the pairs (c, s) of turns, n of them. The row that the next one turns again stays
// in registers. stride is in bytes.
func rotations(u unit, vectors int) {
	TEXT(u.name("rotations"), NOSPLIT, "func(rows *float64, stride int, turns *float64, n int)")
	Pragma("noescape")
	rows, stride, turns, n := Load(Param("rows"), GP64()), Load(Param("stride"), GP64()), Load(Param("turns"), GP64()), Load(Param("n"), GP64())
	at := func(j int) Mem { return Mem{Base: rows, Disp: u.bytes() * j} }
	x, y, c, s := u.regs(vectors), u.reg(), u.reg(), u.reg()
	for j := range x {
		VMOVUPD(at(j), x[j])
	}
	Label("loop")
	VBROADCASTSD(Mem{Base: turns}, c)
	VBROADCASTSD(Mem{Base: turns, Disp: 8}, s)
	for j := range x {
		below := at(j)
		below.Index, below.Scale = stride, 1
		up := u.reg()
		VMOVUPD(below, y)
		VMULPD(s, y, up)
		VFMADD231PD(c, x[j], up)
		VMOVUPD(up, at(j))
		VMULPD(s, x[j], x[j])
		VFMSUB231PD(c, y, x[j])
	}
	ADDQ(stride, rows)
	ADDQ(U32(16), turns)
	DECQ(n)
	JNZ(LabelRef("loop"))
	for j := range x {
		VMOVUPD(x[j], at(j))
	}
	VZEROUPPER()
	RET()
}
