package stdlib

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/elementary"
)

func (lib *Library) openString(L *lua.LState) {
	table := lib.module(L, "string", []entry{
		{"byte", stringByte},
		{"char", stringChar},
		{"find", stringFind},
		{"format", stringFormat},
		{"gmatch", stringGmatch},
		{"gsub", stringGsub},
		{"len", stringLen},
		{"lower", stringLower},
		{"match", stringMatch},
		{"rep", stringRep},
		{"reverse", stringReverse},
		{"sub", stringSub},
		{"upper", stringUpper},
	})
	table.RawSetString("gfind", table.RawGetString("gmatch")) // its name before Lua 5.1
	meta := L.NewTable()
	meta.RawSetString("__index", table)
	lib.register(L, meta, []entry{
		{"__add", stringArithmetic("__add", func(a, b float64) float64 { return a + b })},
		{"__sub", stringArithmetic("__sub", func(a, b float64) float64 { return a - b })},
		{"__mul", stringArithmetic("__mul", func(a, b float64) float64 { return a * b })},
		{"__div", stringArithmetic("__div", func(a, b float64) float64 { return a / b })},
		{"__mod", stringArithmetic("__mod", modulo)},
		{"__pow", stringArithmetic("__pow", elementary.Pow)},
		{"__unm", stringArithmetic("__unm", func(a, _ float64) float64 { return -a })},
	})
	L.SetMetatable(lua.LString(""), meta)
}

// modulo is a % b as gopher-lua computes it for numbers.
func modulo(a, b float64) float64 {
	x := math.Mod(a, b)
	if x*b < 0 {
		x += b
	}
	return x
}

// stringArithmetic is the metamethod by which strings that look like numbers take part in arithmetic. gopher-lua would read
// them itself, and "0042" as octal.
func stringArithmetic(event string, operation func(a, b float64) float64) func(call) int {
	return func(c call) int {
		a, b := c.Get(1), c.Get(2)
		if event == "__unm" {
			b = a
		}
		x, ok1 := toNumber(a)
		y, ok2 := toNumber(b)
		if ok1 && ok2 {
			return c.push(lua.LNumber(operation(x, y)))
		}
		for _, v := range []lua.LValue{a, b} {
			if v.Type() != lua.LTString && v.Type() != lua.LTNumber {
				if m := c.GetMetaField(v, event); m != lua.LNil {
					return c.push(invoke(c.LState, m, a, b))
				}
			}
		}
		wrong := a
		if ok1 || a.Type() == lua.LTString && b.Type() != lua.LTString && b.Type() != lua.LTNumber {
			wrong = b
		}
		c.refuse("attempt to perform arithmetic on a %s value", wrong.Type())
		return 0
	}
}

// stringRange returns the byte range [from, to) that arguments i and i+1, positions from 1 or negative from the end, mean.
func (c call) stringRange(i, length, first, last int) (from, to int) {
	first, last = c.integerOr(i, first), c.integerOr(i+1, last)
	if first < 0 {
		first = max(first+length+1, 1)
	}
	if last < 0 {
		last += length + 1
	}
	from = min(max(first, 1)-1, length)
	return from, max(from, min(last, length))
}

func stringByte(c call) int {
	s := c.text(1)
	first := c.integerOr(2, 1)
	from, to := c.stringRange(2, len(s), 1, first)
	if to-from > maxResults {
		c.refuse("string slice too long: %d bytes; the limit is %d", to-from, maxResults)
	}
	for _, b := range []byte(s[from:to]) {
		c.Push(lua.LNumber(b))
	}
	return to - from
}

func stringChar(c call) int {
	bytes := make([]byte, c.GetTop())
	for i := range bytes {
		code := c.integer(i + 1)
		if code < 0 || code > 255 {
			c.fail(i+1, "invalid value")
		}
		bytes[i] = byte(code)
	}
	return c.push(lua.LString(bytes))
}

func stringLen(c call) int { return c.push(lua.LNumber(len(c.text(1)))) }

func stringSub(c call) int {
	s := c.text(1)
	c.number(2)
	from, to := c.stringRange(2, len(s), 1, -1)
	return c.push(lua.LString(s[from:to]))
}

// mapASCII changes the letters between first and last by adding delta.
func mapASCII(s string, first, last byte, delta int) lua.LString {
	out := []byte(s)
	for i, b := range out {
		if first <= b && b <= last {
			out[i] = byte(int(b) + delta)
		}
	}
	return lua.LString(out)
}

func stringLower(c call) int { return c.push(mapASCII(c.text(1), 'A', 'Z', 'a'-'A')) }
func stringUpper(c call) int { return c.push(mapASCII(c.text(1), 'a', 'z', 'A'-'a')) }

func stringReverse(c call) int {
	s := c.text(1)
	out := make([]byte, len(s))
	for i := range out {
		out[i] = s[len(s)-1-i]
	}
	return c.push(lua.LString(out))
}

// stringRep (text, n [, separator])
func stringRep(c call) int {
	s, n, separator := c.text(1), c.number(2), c.textOr(3, "")
	if n < 1 {
		return c.push(lua.LString(""))
	}
	n = math.Floor(n)
	c.checkLength(n*float64(len(s)) + (n-1)*float64(len(separator)))
	if s == "" && separator == "" {
		return c.push(lua.LString(""))
	}
	if separator == "" {
		return c.push(lua.LString(strings.Repeat(s, int(n))))
	}
	return c.push(lua.LString(strings.Repeat(s+separator, int(n)-1) + s))
}
