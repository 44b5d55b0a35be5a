package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// operation computes one vector from those of its operands, which it may overwrite.
type operation func(u unit, x []reg.VecVirtual) reg.VecVirtual

// elementwise emits dst[i] = f(a[i], …) for the operations of an expression tape.
func elementwise(u unit) {
	for _, f := range []struct {
		name     string
		operands []string
		unroll   int
		make     func(u unit) operation // loads constants
	}{
		{"add", []string{"a", "b"}, 4, plain(VADDPD)},
		{"sub", []string{"a", "b"}, 4, plain(VSUBPD)},
		{"mul", []string{"a", "b"}, 4, plain(VMULPD)},
		{"div", []string{"a", "b"}, 2, plain(VDIVPD)},
		{"fma", []string{"a", "b", "c"}, 4, fusedMultiplyAdd},
		{"neg", []string{"a"}, 4, negate},
		{"abs", []string{"a"}, 4, absolute},
		{"sqrt", []string{"a"}, 2, squareRoot},
		{"floor", []string{"a"}, 4, round(1)},
		{"ceil", []string{"a"}, 4, round(2)},
		{"max", []string{"a", "b"}, 2, extreme(VMAXPD, VANDPD)},
		{"min", []string{"a", "b"}, 2, extreme(VMINPD, VORPD)},
		{"greaterOrEqual", []string{"a", "b"}, 4, compare(0x1d)},
		{"greater", []string{"a", "b"}, 4, compare(0x1e)},
		{"where", []string{"c", "a", "b"}, 4, where},
		{"log", []string{"a"}, 1, logarithm},
		{"sin", []string{"a"}, 1, circular(0)},
		{"cos", []string{"a"}, 1, circular(1)},
		{"tan", []string{"a"}, 1, circular(tangent)},
		{"sinh", []string{"a"}, 1, hyperbolicSine},
		{"cosh", []string{"a"}, 1, hyperbolicCosine},
		{"tanh", []string{"a"}, 1, hyperbolicTangent},
		{"atan", []string{"a"}, 1, arcTangent},
		{"log10", []string{"a"}, 1, decimalLogarithm},
		{"pow", []string{"a", "b"}, 1, power},
		{"roundEven", []string{"a"}, 4, round(0)},
		{"and", []string{"a", "b"}, 4, plain(VANDPD)},
		{"or", []string{"a", "b"}, 4, plain(VORPD)},
		{"xor", []string{"a", "b"}, 4, plain(VXORPD)},
	} {
		emitElementwise(u, f.name, f.operands, f.unroll, f.make)
	}
	for _, f := range []struct {
		name        string
		number      int // which operand is one number
		instruction func(ops ...Op)
	}{
		{"addNumber", 1, VADDPD},
		{"subNumber", 1, VSUBPD},
		{"subFromNumber", 0, VSUBPD},
		{"mulNumber", 1, VMULPD},
		{"divNumber", 1, VDIVPD},
		{"divideNumber", 0, VDIVPD},
	} {
		withNumber(u, f.name, f.number, f.instruction)
	}
	for _, number := range []bool{false, true} {
		squareOfDifference(u, number, false)
		squareOfDifference(u, number, true)
	}
	exponentials(u)
	dot(u)
	dotRows(u)
	addRows(u)
	sum(u)
	beyond(u)
	truths(u, "greaterTruths", 0x1e)
	truths(u, "greaterOrEqualTruths", 0x1d)
	truths(u, "equalTruths", 0x00)
	truths(u, "notEqualTruths", 0x04)
	extremeOf(u, "greatest", VMAXPD)
	extremeOf(u, "least", VMINPD)
}

func emitElementwise(u unit, name string, operands []string, unroll int, make func(u unit) operation) {
	signature := "func(dst"
	for _, o := range operands {
		signature += ", " + o
	}
	TEXT(u.name(name), NOSPLIT, signature+" *float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	var from []reg.Register
	for _, o := range operands {
		from = append(from, Load(Param(o), GP64()))
	}
	n := Load(Param("n"), GP64())
	f := make(u)
	u.loop("loop", n, unroll, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.regs(len(from))
			for k, base := range from {
				u.load(at(base, i), x[k], t)
			}
			u.store(f(u, x), at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// withNumber emits dst[i] = a[i] ∘ b[i] where one of the operands is the same number for all i.
func withNumber(u unit, name string, number int, instruction func(ops ...Op)) {
	TEXT(u.name(name), NOSPLIT, "func(dst, a, b *float64, n int)")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	from := []reg.Register{Load(Param("a"), GP64()), Load(Param("b"), GP64())}
	n := Load(Param("n"), GP64())
	same := u.reg()
	VBROADCASTSD(Mem{Base: from[number]}, same)
	u.loop("loop", n, 4, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.reg()
			u.load(at(from[1-number], i), x, t)
			if number == 0 {
				instruction(x, same, x)
			} else {
				instruction(same, x, x)
			}
			u.store(x, at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}

// plain is a binary operation a ∘ b which is one instruction.
func plain(instruction func(ops ...Op)) func(unit) operation {
	return func(unit) operation {
		return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
			instruction(x[1], x[0], x[0])
			return x[0]
		}
	}
}

func fusedMultiplyAdd(unit) operation {
	return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
		VFMADD213PD(x[2], x[1], x[0])
		return x[0]
	}
}

func negate(u unit) operation {
	sign := u.bits("sign", 1<<63)
	return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
		VXORPD(sign, x[0], x[0])
		return x[0]
	}
}

func absolute(u unit) operation {
	rest := u.bits("notSign", 1<<63-1)
	return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
		VANDPD(rest, x[0], x[0])
		return x[0]
	}
}

func squareRoot(unit) operation {
	return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
		VSQRTPD(x[0], x[0])
		return x[0]
	}
}

// round is VROUNDPD or VRNDSCALEPD with the given mode: 1 down, 2 up.
func round(mode uint8) func(unit) operation {
	return func(unit) operation {
		return func(u unit, x []reg.VecVirtual) reg.VecVirtual {
			if u.zmm {
				VRNDSCALEPD(U8(mode), x[0], x[0])
			} else {
				VROUNDPD(U8(mode), x[0], x[0])
			}
			return x[0]
		}
	}
}

// extreme is max or min as Go's: the instruction returns its second operand if either is NaN or both are zeros, so
// equal operands are combined bit by bit (which only matters for the sign of zero), and NaN in the first is put back.
func extreme(instruction, combine func(ops ...Op)) func(unit) operation {
	return func(unit) operation {
		return func(u unit, x []reg.VecVirtual) reg.VecVirtual {
			a, b, r, both := x[0], x[1], u.reg(), u.reg()
			instruction(b, a, r)
			combine(b, a, both)
			u.choose(0x00, a, b, both, r) // equal
			u.choose(0x03, a, a, a, r)    // unordered with itself: NaN
			return r
		}
	}
}

// choose replaces the lanes of r where the comparison of a with b is true by those of v.
func (u unit) choose(predicate uint8, a reg.VecVirtual, b, v Op, r reg.VecVirtual) {
	if u.zmm {
		k := K()
		VCMPPD(U8(predicate), b, a, k)
		VMOVAPD(v, k, r)
		return
	}
	m := u.reg()
	VCMPPD(U8(predicate), b, a, m)
	VBLENDVPD(m, v, r, r)
}

// compare gives 1 where the ordered comparison of a with b is true and 0 elsewhere, NaN included.
func compare(predicate uint8) func(unit) operation {
	return func(u unit) operation {
		one := u.constant("one", 1)
		return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
			if u.zmm {
				k := K()
				VCMPPD(U8(predicate), x[1], x[0], k)
				VMOVAPD_Z(one, k, x[0])
				return x[0]
			}
			VCMPPD(U8(predicate), x[1], x[0], x[0])
			VANDPD(one, x[0], x[0])
			return x[0]
		}
	}
}

// where takes a where c != 0 (NaN is not 0) and b elsewhere.
func where(u unit) operation {
	zero := u.zero()
	return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
		u.choose(0x04, x[0], zero, x[1], x[2])
		return x[2]
	}
}

// dot emits the sum of a[i]*b[i].
func dot(u unit) {
	TEXT(u.name("dot"), NOSPLIT, "func(a, b *float64, n int) float64")
	Pragma("noescape")
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	sums := u.regs(4)
	for _, s := range sums {
		VXORPD(s, s, s)
	}
	u.loop("loop", n, len(sums), func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.reg()
			u.load(at(a, i), x, t)
			if t == nil {
				VFMADD231PD(at(b, i), x, sums[i])
				continue
			}
			y := u.reg()
			u.load(at(b, i), y, t)
			VFMADD231PD(y, x, sums[i])
		}
	})
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	Store(u.sum(sums[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// rowsAtOnce is how many rows dotRows takes at once: their sums stay in registers.
func (u unit) rowsAtOnce() int { return u.lanes() / 2 }

// dotRows emits dst[i] = the sum of a[i*stride+j]*b[j] for rowsAtOnce rows, each added up like dot does; stride is in
// bytes.
func dotRows(u unit) {
	TEXT(u.name("dotRows"), NOSPLIT, "func(dst, a, b *float64, n, stride int)")
	Pragma("noescape")
	rows, b, n, stride := make([]reg.Register, u.rowsAtOnce()), Load(Param("b"), GP64()), Load(Param("n"), GP64()), Load(Param("stride"), GP64())
	sums := make([][]reg.VecVirtual, len(rows))
	for r := range rows {
		rows[r] = GP64()
		if r == 0 {
			Load(Param("a"), rows[r])
		} else {
			LEAQ(Mem{Base: rows[r-1], Index: stride, Scale: 1}, rows[r])
		}
		for range 4 {
			sums[r] = append(sums[r], u.zero())
		}
	}
	u.loop("loop", n, 4, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			y := u.reg()
			u.load(at(b, i), y, t)
			for r, a := range rows {
				if t == nil {
					VFMADD231PD(at(a, i), y, sums[r][i])
					continue
				}
				x := u.reg()
				u.load(at(a, i), x, t)
				VFMADD231PD(y, x, sums[r][i])
			}
		}
	})
	dst := Load(Param("dst"), GP64())
	for r, s := range sums {
		VADDPD(s[1], s[0], s[0])
		VADDPD(s[3], s[2], s[2])
		VADDPD(s[2], s[0], s[0])
		VMOVSD(u.sum(s[0]).(reg.Vec).AsX(), Mem{Base: dst, Disp: 8 * r})
	}
	VZEROUPPER()
	RET()
}

// addRows emits dst[j] += (a[0] x[j] + a[1] x[j+stride]) + (a[2] x[j+2 stride] + a[3] x[j+3 stride]), each product and
// sum rounded; stride is in bytes.
func addRows(u unit) {
	TEXT(u.name("addRows"), NOSPLIT, "func(dst, a, x *float64, n, stride int)")
	Pragma("noescape")
	dst, a, n, stride := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64()), Load(Param("stride"), GP64())
	var rows [4]reg.Register
	factors := u.regs(len(rows))
	for r := range rows {
		rows[r] = GP64()
		if r == 0 {
			Load(Param("x"), rows[r])
		} else {
			LEAQ(Mem{Base: rows[r-1], Index: stride, Scale: 1}, rows[r])
		}
		VBROADCASTSD(Mem{Base: a, Disp: 8 * r}, factors[r])
	}
	u.loop("loop", n, 2, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.regs(len(rows))
			for r := range x {
				u.load(at(rows[r], i), x[r], t)
				VMULPD(factors[r], x[r], x[r])
			}
			VADDPD(x[1], x[0], x[0])
			VADDPD(x[3], x[2], x[2])
			VADDPD(x[2], x[0], x[0])
			u.load(at(dst, i), x[1], t)
			VADDPD(x[1], x[0], x[0])
			u.store(x[0], at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}
