package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unit is one of the two instruction sets: AVX-512 (F and DQ) on 8 lanes, or AVX2 with FMA on 4.
type unit struct{ zmm bool }

func (u unit) lanes() int {
	if u.zmm {
		return 8
	}
	return 4
}

func (u unit) bytes() int { return 8 * u.lanes() }

// center is a coordinate in every lane: a register for AVX-512; for AVX2, whose 16 registers are all needed, a place
// on the stack.
func (u unit) center() Op {
	if u.zmm {
		return ZMM()
	}
	return AllocLocal(32)
}

// setCenter broadcasts the number at m.
func (u unit) setCenter(m Mem, c Op) {
	if u.zmm {
		VBROADCASTSD(m, c)
		return
	}
	r := YMM()
	VBROADCASTSD(m, r)
	VMOVUPD(r, c)
}

// name is the name of a function for this unit.
func (u unit) name(base string) string {
	if u.zmm {
		return base + "AVX512"
	}
	return base + "AVX2"
}

func (u unit) reg() reg.VecVirtual {
	if u.zmm {
		return ZMM()
	}
	return YMM()
}

func (u unit) regs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = u.reg()
	}
	return r
}

func (u unit) zero() reg.VecVirtual {
	r := u.reg()
	VXORPD(r, r, r)
	return r
}

// data holds the constants of the file by name, and contents what is in them.
var (
	data     = map[string]Mem{}
	contents = map[string]string{}
)

// float64s defines read-only data. The bits are printed as integers: avo prints F64(1) as the integer 1.
func float64s(name string, values ...float64) Mem {
	content := fmt.Sprintf("%b", values)
	if m, ok := data[name]; ok {
		if contents[name] != content {
			panic("constant " + name + " has two values")
		}
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i, v := range values {
		DATA(8*i, U64(math.Float64bits(v)))
	}
	data[name], contents[name] = m, content
	return m
}

// constant is v in every lane: a register for AVX-512, which has 32, and a memory operand for AVX2.
func (u unit) constant(name string, v float64) Op {
	if u.zmm {
		r := ZMM()
		VBROADCASTSD(u.memory(name, v), r)
		return r
	}
	return u.memory(name, v)
}

// memory is v once for AVX-512, whose instructions can broadcast it, and in four lanes for AVX2.
func (u unit) memory(name string, v float64) Mem {
	if u.zmm {
		return float64s(name, v)
	}
	return float64s(name+"4", v, v, v, v)
}

// bits is constant for a number given by its bits.
func (u unit) bits(name string, bits uint64) Op { return u.constant(name, math.Float64frombits(bits)) }

// tail is the mask which selects the first lanes of a vector.
type tail struct {
	k reg.Register // AVX-512: a mask register
	y reg.Register // AVX2: all bits of the lanes
	m *Mem         // AVX2, instead of y: where they are on the stack
}

// lanes is the mask for AVX2.
func (t *tail) lanes() reg.Register {
	if t.m == nil {
		return t.y
	}
	y := YMM()
	VMOVUPD(*t.m, y)
	return y
}

// spill moves an AVX2 mask to the stack, for loops which need all registers.
func (t *tail) spill(m Mem) *tail {
	VMOVUPD(t.y, m)
	return &tail{m: &m}
}

// tailMask makes the mask for 0 < rest < lanes.
func (u unit) tailMask(rest reg.GPVirtual) *tail {
	base := GP64()
	if u.zmm {
		table, ok := data["tailBits"]
		if !ok {
			table = GLOBL("tailBits", RODATA|NOPTR)
			for i := range 8 {
				DATA(i, U8(1<<i-1))
			}
			data["tailBits"] = table
		}
		LEAQ(table, base)
		bits := GP32()
		MOVBLZX(Mem{Base: base, Index: rest, Scale: 1}, bits)
		k := K()
		KMOVW(bits, k)
		return &tail{k: k}
	}
	ones := math.Float64frombits(math.MaxUint64)
	table := float64s("tailLanes", ones, ones, ones, ones, 0, 0, 0, 0)
	LEAQ(table.Offset(32), base)
	at := GP64()
	MOVQ(rest, at)
	NEGQ(at)
	y := YMM()
	VMOVUPD(Mem{Base: base, Index: at, Scale: 8}, y)
	return &tail{y: y}
}

// load reads a vector; lanes outside t, if it is given, are zero and not touched in memory.
func (u unit) load(m Mem, r reg.VecVirtual, t *tail) {
	switch {
	case t == nil:
		VMOVUPD(m, r)
	case u.zmm:
		VMOVUPD_Z(m, t.k, r)
	default:
		VMASKMOVPD(m, t.lanes(), r)
	}
}

func (u unit) store(r reg.Register, m Mem, t *tail) {
	switch {
	case t == nil:
		VMOVUPD(r, m)
	case u.zmm:
		VMOVUPD(r, t.k, m)
	default:
		VMASKMOVPD(r, t.lanes(), m)
	}
}

// step emits the work on count vectors; at is the address of vector i of an array, t the mask if it is a tail.
type step func(count int, at func(base reg.Register, i int) Mem, t *tail)

// loop emits a loop over n elements: several vectors at a time, then single vectors, then the rest under a mask. Its
// labels start with label.
func (u unit) loop(label string, n reg.Register, unroll int, body step) {
	index, rest := GP64(), GP64()
	XORQ(index, index)
	MOVQ(n, rest)
	at := func(base reg.Register, i int) Mem {
		return Mem{Base: base, Index: index, Scale: 8, Disp: i * u.bytes()}
	}
	for _, count := range steps(unroll) {
		width := count * u.lanes()
		again, done := fmt.Sprintf("%sBy%d", label, width), fmt.Sprintf("%sBelow%d", label, width)
		CMPQ(rest, U32(width))
		JL(LabelRef(done))
		Label(again)
		body(count, at, nil)
		ADDQ(U32(width), index)
		SUBQ(U32(width), rest)
		CMPQ(rest, U32(width))
		JGE(LabelRef(again))
		Label(done)
	}
	TESTQ(rest, rest)
	JZ(LabelRef(label + "Done"))
	body(1, at, u.tailMask(rest))
	Label(label + "Done")
}

func steps(unroll int) []int {
	if unroll == 1 {
		return []int{1}
	}
	return []int{unroll, 1}
}

// sum adds the lanes of r, always in the same order, and returns the number in the lowest lane.
func (u unit) sum(r reg.VecVirtual) reg.Register {
	y := r.AsY()
	if u.zmm {
		half := YMM()
		VEXTRACTF64X4(U8(1), r, half)
		sum := YMM()
		VADDPD(half, y, sum)
		y = sum
	}
	high, x := XMM(), XMM()
	VEXTRACTF128(U8(1), y, high)
	VADDPD(high, y.(reg.Vec).AsX(), x)
	swapped := XMM()
	VPERMILPD(U8(1), x, swapped)
	VADDSD(swapped, x, x)
	return x
}
