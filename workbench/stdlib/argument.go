package stdlib

import (
	"fmt"
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
)

// FormatNumber returns x as print shows it: C's %.14g.
func FormatNumber(x float64) string { return chunk.FormatNumber(x) }

func itoa(i int) string { return strconv.Itoa(i) }

// refuse raises an error with the position of the Lua code that made the call.
func (c call) refuse(format string, args ...any) {
	raise(c.LState, lua.LString(c.lib.scriptPosition(c.LState)+fmt.Sprintf(format, args...)), nil)
}

// checkLength refuses to make a string of n bytes if that is too long.
func (c call) checkLength(n float64) {
	if message := chunk.LengthError(n); message != "" {
		c.refuse("%s", message)
	}
}

// fail raises the error that argument i is wrong.
func (c call) fail(i int, format string, args ...any) {
	c.refuse("bad argument #%d to '%s' (%s)", i, c.name, fmt.Sprintf(format, args...))
}

// wrongType raises the error that argument i should be something else.
func (c call) wrongType(i int, want string) {
	got := "no value"
	if i <= c.GetTop() {
		got = c.Get(i).Type().String()
	}
	c.fail(i, "%s expected, got %s", want, got)
}

// has reports whether argument i is given and not nil.
func (c call) has(i int) bool { return c.Get(i) != lua.LNil }

func (c call) any(i int) lua.LValue {
	if i > c.GetTop() {
		c.fail(i, "value expected")
	}
	return c.Get(i)
}

func (c call) number(i int) float64 {
	v := c.Get(i)
	if n, ok := v.(lua.LNumber); ok {
		return float64(n)
	}
	if x, ok := toNumber(v); ok {
		return x
	}
	c.wrongType(i, "number")
	return 0
}

// toNumber converts numbers and strings that look like numbers.
func toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return chunk.ParseNumber(string(v))
	}
	return 0, false
}

// integer returns argument i cut to an integer. What is not finite or too large becomes the nearest int.
func (c call) integer(i int) int { return toInt(c.number(i)) }

func toInt(x float64) int {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int(x)
}

func (c call) integerOr(i, otherwise int) int {
	if !c.has(i) {
		return otherwise
	}
	return c.integer(i)
}

func (c call) text(i int) string {
	switch v := c.Get(i).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return FormatNumber(float64(v))
	}
	c.wrongType(i, "string")
	return ""
}

func (c call) textOr(i int, otherwise string) string {
	if !c.has(i) {
		return otherwise
	}
	return c.text(i)
}

func (c call) table(i int) *lua.LTable {
	t, ok := c.Get(i).(*lua.LTable)
	if !ok {
		c.wrongType(i, "table")
	}
	return t
}

func (c call) function(i int) *lua.LFunction {
	f, ok := c.Get(i).(*lua.LFunction)
	if !ok {
		c.wrongType(i, "function")
	}
	return f
}

// option returns which of the words argument i is.
func (c call) option(i int, otherwise string, words ...string) string {
	word := c.textOr(i, otherwise)
	for _, w := range words {
		if w == word {
			return w
		}
	}
	c.fail(i, "invalid option '%s'", word)
	return ""
}

// push pushes values and returns how many.
func (c call) push(values ...lua.LValue) int {
	for _, v := range values {
		c.Push(v)
	}
	return len(values)
}

// invoke calls a Lua value with arguments and returns its first result.
func invoke(L *lua.LState, fn lua.LValue, args ...lua.LValue) lua.LValue {
	L.Push(fn)
	for _, a := range args {
		L.Push(a)
	}
	L.Call(len(args), 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}
