package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// squareOfDifference emits dst[i] = (a[i] − b[i])², plus c[i] before it is rounded if add; a may be one number.
func squareOfDifference(u unit, number, add bool) {
	name, operands := "square", []string{"a", "b"}
	if add {
		name, operands = "addSquare", append(operands, "c")
	}
	if !number {
		emitElementwise(u, name+"OfDifference", operands, 4, func(u unit) operation {
			return func(_ unit, x []reg.VecVirtual) reg.VecVirtual {
				VSUBPD(x[1], x[0], x[0])
				if add {
					VFMADD213PD(x[2], x[0], x[0])
				} else {
					VMULPD(x[0], x[0], x[0])
				}
				return x[0]
			}
		})
		return
	}
	TEXT(u.name(name+"FromNumber"), NOSPLIT, "func(dst, "+strings.Join(operands, ", ")+" *float64, n int)")
	Pragma("noescape")
	dst, a, b := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	var c reg.Register
	if add {
		c = Load(Param("c"), GP64())
	}
	n := Load(Param("n"), GP64())
	same := u.reg()
	VBROADCASTSD(Mem{Base: a}, same)
	u.loop("loop", n, 4, func(count int, at func(reg.Register, int) Mem, t *tail) {
		for i := range count {
			x := u.reg()
			u.load(at(b, i), x, t)
			VSUBPD(x, same, x)
			if add {
				y := u.reg()
				u.load(at(c, i), y, t)
				VFMADD213PD(y, x, x)
			} else {
				VMULPD(x, x, x)
			}
			u.store(x, at(dst, i), t)
		}
	})
	VZEROUPPER()
	RET()
}
