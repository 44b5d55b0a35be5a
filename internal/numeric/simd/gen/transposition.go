package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpose returns the columns of a square block of rows.
func (u unit) transpose(r []reg.VecVirtual) []reg.VecVirtual {
	n := len(r)
	t, c := u.regs(n), u.regs(n)
	for i := 0; i < n; i += 2 {
		VUNPCKLPD(r[i+1], r[i], t[i])
		VUNPCKHPD(r[i+1], r[i], t[i+1])
	}
	if !u.zmm {
		for i := range 2 {
			VPERM2F128(U8(0x20), t[2+i], t[i], c[i])
			VPERM2F128(U8(0x31), t[2+i], t[i], c[2+i])
		}
		return c
	}
	// Pairs of lanes 0, 2 | 1, 3 of two registers, twice.
	for i := range 2 {
		s := u.regs(4)
		VSHUFF64X2(U8(0x88), t[2+i], t[i], s[0])
		VSHUFF64X2(U8(0xdd), t[2+i], t[i], s[1])
		VSHUFF64X2(U8(0x88), t[6+i], t[4+i], s[2])
		VSHUFF64X2(U8(0xdd), t[6+i], t[4+i], s[3])
		VSHUFF64X2(U8(0x88), s[2], s[0], c[i])
		VSHUFF64X2(U8(0x88), s[3], s[1], c[2+i])
		VSHUFF64X2(U8(0xdd), s[2], s[0], c[4+i])
		VSHUFF64X2(U8(0xdd), s[3], s[1], c[6+i])
	}
	return c
}

// rowsOf gives the addresses of up to 8 rows, stride bytes apart, without a register for each.
func rowsOf(base, stride reg.GPVirtual) func(i int) Mem {
	triple := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, triple)
	return func(i int) Mem {
		b := base
		if i >= 4 {
			b = GP64()
			LEAQ(Mem{Base: base, Index: stride, Scale: 4}, b)
			i -= 4
		}
		switch i {
		case 0:
			return Mem{Base: b}
		case 3:
			return Mem{Base: b, Index: triple, Scale: 1}
		}
		return Mem{Base: b, Index: stride, Scale: uint8(i)}
	}
}

// splitColumns emits the transposition of one row of square blocks whose columns go to two arrays in turn:
// even[(j/2)*stride+i] or odd[…] = x[i*xStride+j], for i < lanes and j < lanes*blocks. blocks is at least 1.
func splitColumns(u unit) {
	TEXT(u.name("splitColumns"), NOSPLIT, "func(even, odd, x *float64, blocks, stride, xStride int)")
	Pragma("noescape")
	even, odd, x, blocks, stride, xStride := transposition("even", "odd", "x", "blocks", "stride", "xStride")
	evenRow, oddRow, xRow := rowsOf(even, stride), rowsOf(odd, stride), rowsOf(x, xStride)
	Label("loop")
	r := u.regs(u.lanes())
	for i := range r {
		VMOVUPD(xRow(i), r[i])
	}
	for j, c := range u.transpose(r) {
		if j%2 == 0 {
			VMOVUPD(c, evenRow(j/2))
		} else {
			VMOVUPD(c, oddRow(j/2))
		}
	}
	ADDQ(U8(u.bytes()), x)
	LEAQ(Mem{Base: even, Index: stride, Scale: uint8(u.lanes() / 2)}, even)
	LEAQ(Mem{Base: odd, Index: stride, Scale: uint8(u.lanes() / 2)}, odd)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// joinColumns undoes splitColumns: x[i*xStride+j] = even[(j/2)*stride+i] or odd[…].
func joinColumns(u unit) {
	TEXT(u.name("joinColumns"), NOSPLIT, "func(x, even, odd *float64, blocks, xStride, stride int)")
	Pragma("noescape")
	x, even, odd, blocks, xStride, stride := transposition("x", "even", "odd", "blocks", "xStride", "stride")
	evenRow, oddRow, xRow := rowsOf(even, stride), rowsOf(odd, stride), rowsOf(x, xStride)
	Label("loop")
	r := u.regs(u.lanes())
	for j := range r {
		if j%2 == 0 {
			VMOVUPD(evenRow(j/2), r[j])
		} else {
			VMOVUPD(oddRow(j/2), r[j])
		}
	}
	for i, c := range u.transpose(r) {
		VMOVUPD(c, xRow(i))
	}
	ADDQ(U8(u.bytes()), x)
	LEAQ(Mem{Base: even, Index: stride, Scale: uint8(u.lanes() / 2)}, even)
	LEAQ(Mem{Base: odd, Index: stride, Scale: uint8(u.lanes() / 2)}, odd)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// transposition loads three pointers, a count and two strides, which it turns to bytes.
func transposition(p, q, r, count, s, t string) (a, b, c, n, d, e reg.GPVirtual) {
	a, b, c, n, d, e = GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	Load(Param(p), a)
	Load(Param(q), b)
	Load(Param(r), c)
	Load(Param(count), n)
	Load(Param(s), d)
	Load(Param(t), e)
	SHLQ(U8(3), d)
	SHLQ(U8(3), e)
	return a, b, c, n, d, e
}
