package chunk

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/workbench/chunk/loops"
)

// Rewritten code calls a few Go functions that no program can see or replace. In the tree such a function is a string
// literal; after compilation the constant with that string becomes the function itself (patch.go).
const (
	hiddenConcat    = "concat"
	hiddenAppend    = "append"
	hiddenPop       = "pop"
	hiddenPower     = "power"
	hiddenMinusZero = "-0"
)

// hiddenPrefix begins the strings that stand for hidden constants. Should a program contain such a string, the prefix is
// made longer until none of its strings begins with it.
const hiddenPrefix = "\x00hidden "

// hiddenLoop and a number stand for a program before a loop.
const hiddenLoop = "loop "

// hidden makes the stand-ins of one chunk.
type hidden struct {
	prefix   string
	programs []*loops.Program
}

func newHidden(taken map[string]bool) *hidden {
	prefix := hiddenPrefix
	for again := true; again; {
		again = false
		for text := range taken {
			if strings.HasPrefix(text, prefix) {
				prefix, again = prefix+"'", true
			}
		}
	}
	return &hidden{prefix: prefix}
}

// expression returns the stand-in for a hidden constant.
func (h *hidden) expression(name string, line int) ast.Expr {
	return on(line, &ast.StringExpr{Value: h.prefix + name})
}

// is reports whether the expression is the stand-in for the hidden constant.
func (h *hidden) is(e ast.Expr, name string) bool {
	s, ok := e.(*ast.StringExpr)
	return ok && s.Value == h.prefix+name
}

// call returns a call of a hidden function that has one result.
func (h *hidden) call(name string, line int, arguments ...ast.Expr) ast.Expr {
	return on(line, &ast.FuncCallExpr{Func: h.expression(name, line), Args: arguments, AdjustRet: true})
}

// program returns the stand-in for a program before a loop.
func (h *hidden) program(p *loops.Program, line int) ast.Expr {
	h.programs = append(h.programs, p)
	return h.expression(hiddenLoop+strconv.Itoa(len(h.programs)-1), line)
}

// constant returns the value that replaces a constant of the compiled program.
func (h *hidden) constant(value lua.LValue) lua.LValue {
	text, ok := value.(lua.LString)
	if !ok || !strings.HasPrefix(string(text), h.prefix) {
		return value
	}
	name := string(text)[len(h.prefix):]
	if number, ok := strings.CutPrefix(name, hiddenLoop); ok {
		n, err := strconv.Atoi(number)
		if err != nil {
			return value
		}
		return &lua.LFunction{IsG: true, GFunction: h.programs[n].Run}
	}
	switch name {
	case hiddenConcat:
		return &lua.LFunction{IsG: true, GFunction: joinValues}
	case hiddenAppend:
		return &lua.LFunction{IsG: true, GFunction: appendItems}
	case hiddenPop:
		return &lua.LFunction{IsG: true, GFunction: popItem}
	case hiddenPower:
		return &lua.LFunction{IsG: true, GFunction: powerOf}
	case hiddenMinusZero:
		return -lua.LNumber(zero())
	}
	return value
}

// zero is 0 to everyone but the compiler, which has no negative zero.
func zero() float64 { return 0 }

// appendItems (table, n, ...) stores the values after the first n items of the table and returns it.
func appendItems(L *lua.LState) int {
	table, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber))
	for i := 3; i <= L.GetTop(); i++ {
		table.RawSetInt(n+i-2, L.Get(i))
	}
	L.Push(table)
	return 1
}

// popItem (table) is t[#t] = nil.
func popItem(L *lua.LState) int {
	if table, ok := L.Get(1).(*lua.LTable); ok && table.Metatable == lua.LNil {
		if n := table.Len(); n > 0 {
			table.Remove(n)
		} else {
			table.RawSetH(lua.LNumber(0), lua.LNil)
		}
		return 0
	}
	v := L.Get(1)
	length := lua.LValue(lua.LNumber(0))
	if event := L.GetMetaField(v, "__len"); event != lua.LNil {
		L.Push(event)
		L.Push(v)
		L.Call(1, 1)
		length = L.Get(-1)
		L.Pop(1)
	} else if table, ok := v.(*lua.LTable); ok {
		length = lua.LNumber(table.Len())
	} else if text, ok := v.(lua.LString); ok {
		length = lua.LNumber(len(text))
	} else {
		L.RaiseError("attempt to get the length of a %s value", v.Type())
	}
	L.SetTable(v, length, lua.LNil)
	return 0
}
