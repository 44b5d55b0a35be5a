package chunk

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/internal/elementary"
)

// power turns x ^ y into a call of a hidden function: gopher-lua's instruction is math.Pow, which is up to 10^6 units in the
// last place off where y is large. For a literal y with which math.Pow rounds no more than twice, which leaves it within one
// unit, the instruction stays: it is three times as fast.
func (r *rewriter) power(e *ast.ArithmeticOpExpr) ast.Expr {
	if e.Operator != "^" {
		return e
	}
	switch y, known := r.value(e.Rhs); {
	case known && (y == 1 || y == -1 || y == 2 || y == -2 || y == 3 || y == 0.5 || y == -0.5):
		return e
	}
	return r.hidden.call(hiddenPower, e.Line(), single(e.Lhs), single(e.Rhs))
}

// powerOf (a, b) is the function behind a ^ b.
func powerOf(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	x, ok1 := a.(lua.LNumber)
	y, ok2 := b.(lua.LNumber)
	if ok1 && ok2 {
		L.Push(lua.LNumber(elementary.Pow(float64(x), float64(y))))
		return 1
	}
	event := L.GetMetaField(a, "__pow")
	if event == lua.LNil {
		event = L.GetMetaField(b, "__pow")
	}
	if event == lua.LNil {
		L.RaiseError("cannot perform pow operation between %s and %s", a.Type(), b.Type())
	}
	L.Push(event)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	return 1
}
