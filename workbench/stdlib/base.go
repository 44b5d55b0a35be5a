package stdlib

import (
	"io"
	"math"
	"reflect"
	"runtime"
	"runtime/metrics"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

func (lib *Library) openBase(L *lua.LState) {
	global := L.G.Global
	global.RawSetString("_G", global)
	global.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	lib.loaded(L).RawSetString("_G", global)
	lib.register(L, global, []entry{
		{"assert", assert},
		{"error", raiseError},
		{"pcall", pcall},
		{"xpcall", xpcall},
		{"type", typeOf},
		{"tostring", tostring},
		{"tonumber", tonumber},
		{"print", printValues},
		{"rawequal", rawEqual},
		{"rawget", rawGet},
		{"rawset", rawSet},
		{"rawlen", rawLen},
		{"getmetatable", getMetatable},
		{"setmetatable", setMetatable},
		{"select", selectValues},
		{"unpack", unpack},
		{"next", next},
		{"collectgarbage", collectGarbage},
		{"load", load},
		{"loadstring", loadString},
		{"loadfile", loadFile},
		{"dofile", doFile},
		{"require", require},
	})
	if !lib.options.Safe {
		lib.register(L, global, []entry{{"getfenv", getEnvironment}, {"setfenv", setEnvironment}, {"module", module}})
	}
	lib.openIterators(L)
}

func assert(c call) int {
	if c.any(1); c.ToBool(1) {
		return c.GetTop()
	}
	if c.GetTop() < 2 {
		c.refuse("assertion failed!")
	}
	raise(c.LState, c.Get(2), nil)
	return 0
}

// raiseError is error (value [, level]): strings, and as in Lua 5.1 numbers, get the position of the function at that level
// in front.
func raiseError(c call) int {
	value, level := c.Get(1), c.integerOr(2, 1)
	if t := value.Type(); level > 0 && (t == lua.LTString || t == lua.LTNumber) {
		value = lua.LString(c.lib.position(c.LState, level) + c.text(1))
	}
	raise(c.LState, value, nil)
	return 0
}

func typeOf(c call) int { return c.push(lua.LString(c.any(1).Type().String())) }

// ToString returns what tostring does: the metamethod __tostring if there is one, numbers as print shows them.
func (lib *Library) ToString(L *lua.LState, v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return FormatNumber(float64(v))
	}
	if m := L.GetMetaField(v, "__tostring"); m != lua.LNil {
		text, ok := invoke(L, m, v).(lua.LString)
		if !ok {
			call{L, lib, "tostring"}.refuse("__tostring must return a string")
		}
		return string(text)
	}
	return v.String()
}

func tostring(c call) int { return c.push(lua.LString(c.lib.ToString(c.LState, c.any(1)))) }

// printValues writes its arguments, separated by tabs, as one line and in one piece.
func printValues(c call) int {
	var line strings.Builder
	for i := 1; i <= c.GetTop(); i++ {
		if i > 1 {
			line.WriteByte('\t')
		}
		line.WriteString(c.lib.ToString(c.LState, c.Get(i)))
	}
	line.WriteByte('\n')
	if _, err := io.WriteString(c.lib.options.Out, line.String()); err != nil {
		c.refuse("%v", err)
	}
	return 0
}

// tonumber (value [, base])
func tonumber(c call) int {
	v := c.any(1)
	if !c.has(2) {
		if x, ok := toNumber(v); ok {
			return c.push(lua.LNumber(x))
		}
		return c.push(lua.LNil)
	}
	base := c.integer(2)
	if base < 2 || base > 36 {
		c.fail(2, "base out of range")
	}
	if base == 10 {
		if x, ok := toNumber(v); ok {
			return c.push(lua.LNumber(x))
		}
		return c.push(lua.LNil)
	}
	if x, ok := parseBase(c.text(1), base); ok {
		return c.push(lua.LNumber(x))
	}
	return c.push(lua.LNil)
}

// parseBase reads an integer in a base from 2 to 36, with a sign and, in base 16, after 0x.
func parseBase(s string, base int) (float64, bool) {
	s = strings.ToLower(strings.Trim(s, " \t\n\v\f\r"))
	s, negative := strings.CutPrefix(s, "-")
	if !negative {
		s = strings.TrimPrefix(s, "+")
	}
	if rest, ok := strings.CutPrefix(s, "0x"); ok && base == 16 {
		s = rest
	}
	x := 0.0
	for _, r := range []byte(s) {
		digit := int(r - '0')
		if r >= 'a' {
			digit = int(r-'a') + 10
		}
		if digit < 0 || digit >= base || r > '9' && r < 'a' {
			return 0, false
		}
		x = x*float64(base) + float64(digit)
	}
	if negative {
		x = -x
	}
	return x, s != ""
}

func rawEqual(c call) int { return c.push(lua.LBool(c.RawEqual(c.any(1), c.any(2)))) }

func rawGet(c call) int { return c.push(c.RawGet(c.table(1), c.any(2))) }

func rawSet(c call) int {
	c.RawSet(c.table(1), c.any(2), c.any(3))
	return c.push(c.Get(1))
}

func rawLen(c call) int {
	switch v := c.Get(1).(type) {
	case lua.LString:
		return c.push(lua.LNumber(len(v)))
	case *lua.LTable:
		return c.push(lua.LNumber(v.Len()))
	}
	c.fail(1, "table or string expected")
	return 0
}

func getMetatable(c call) int { return c.push(c.GetMetatable(c.any(1))) }

func setMetatable(c call) int {
	table := c.table(1)
	if t := c.Get(2).Type(); t != lua.LTNil && t != lua.LTTable || c.GetTop() < 2 {
		c.wrongType(2, "nil or table")
	}
	if c.GetMetaField(table, "__metatable") != lua.LNil {
		c.refuse("cannot change a protected metatable")
	}
	table.Metatable = c.Get(2)
	return c.push(table)
}

// selectValues (n, ...) returns the values from the n-th on, negative n counting from the end; select('#', ...) how many
// there are.
func selectValues(c call) int {
	count := c.GetTop() - 1
	if s, ok := c.Get(1).(lua.LString); ok && s == "#" {
		return c.push(lua.LNumber(count))
	}
	n := c.integer(1)
	if n < 0 {
		n = count + n + 1
	}
	if n < 1 {
		c.fail(1, "index out of range")
	}
	return max(count-n+1, 0)
}

// maxResults is how many values unpack and string.byte return at most: they all need a place on the stack.
const maxResults = 250000

func unpack(c call) int {
	table, first := c.table(1), c.integerOr(2, 1)
	last := 0
	if c.has(3) {
		last = c.integer(3)
	} else {
		last = table.Len()
	}
	if first > last {
		return 0
	}
	if float64(last)-float64(first) >= maxResults {
		c.refuse("too many results to unpack: %s; the limit is %d", FormatNumber(float64(last)-float64(first)+1), maxResults)
	}
	for i := first; i <= last; i++ {
		c.Push(table.RawGetInt(i))
	}
	return last - first + 1
}

func next(c call) int {
	table, before := c.table(1), c.Get(2)
	if !knows(table, before) {
		c.refuse("invalid key to 'next'")
	}
	if before == lua.LNil {
		if err := bind.Finish(c.LState, table); err != nil {
			c.RaiseError("%s", err)
		}
	}
	key, value := table.Next(before)
	if key == lua.LNil {
		return c.push(lua.LNil)
	}
	return c.push(key, value)
}

// knows reports whether a table has the key, or had it before its value was set to
// nil: a traversal may do that. Indices are not looked at, since a list that is cut
// forgets them.
func knows(table *lua.LTable, key lua.LValue) bool {
	if n, ok := key.(lua.LNumber); key == lua.LNil || ok && n == lua.LNumber(math.Trunc(float64(n))) || table.RawGet(key) != lua.LNil {
		return true
	}
	places := reflect.ValueOf(table).Elem().FieldByName("k2i") // where Next continues
	return places.MapIndex(reflect.ValueOf(key)).IsValid()
}

// openIterators makes pairs and ipairs, which honour the metamethods __pairs and __ipairs.
func (lib *Library) openIterators(L *lua.LState) {
	global := L.G.Global
	nextFunction := global.RawGetString("next")
	global.RawSetString("pairs", lib.function(L, "pairs", func(c call) int {
		if m := c.GetMetaField(c.any(1), "__pairs"); m != lua.LNil {
			return c.iterator(m)
		}
		return c.push(nextFunction, c.table(1), lua.LNil)
	}))
	step := lib.function(L, "ipairs", func(c call) int {
		i := c.integer(2) + 1
		v := c.table(1).RawGetInt(i)
		if v == lua.LNil {
			return c.push(lua.LNil)
		}
		return c.push(lua.LNumber(i), v)
	})
	global.RawSetString("ipairs", lib.function(L, "ipairs", func(c call) int {
		if m := c.GetMetaField(c.any(1), "__ipairs"); m != lua.LNil {
			return c.iterator(m)
		}
		return c.push(step, c.table(1), lua.LNumber(0))
	}))
}

// iterator returns the three values for a generic for that a metamethod gives for argument 1.
func (c call) iterator(metamethod lua.LValue) int {
	v := c.Get(1)
	c.Push(metamethod)
	c.Push(v)
	c.Call(1, 3)
	return 3
}

// collectGarbage ([option [, argument]])
func collectGarbage(c call) int {
	switch c.option(1, "collect", "collect", "count", "step", "stop", "restart", "setpause", "setstepmul") {
	case "collect":
		runtime.GC()
		return c.push(lua.LNumber(0))
	case "count":
		bytes := float64(HeapInUse())
		return c.push(lua.LNumber(bytes/1024), lua.LNumber(math.Mod(bytes, 1024)))
	case "step":
		runtime.GC()
		return c.push(lua.LTrue)
	}
	return c.push(lua.LNumber(0))
}

// HeapInUse returns the bytes of memory that live objects, and dead ones not yet collected, take.
func HeapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// environmentTarget returns the function that getfenv and setfenv mean by argument 1, nil for the global environment of
// the thread.
func (c call) environmentTarget() *lua.LFunction {
	if f, ok := c.Get(1).(*lua.LFunction); ok {
		return f
	}
	level := c.integerOr(1, 1)
	if level < 0 {
		c.fail(1, "level must be non-negative")
	}
	if level == 0 {
		return nil
	}
	debug, ok := c.GetStack(level)
	if !ok {
		c.fail(1, "invalid level")
	}
	value, _ := c.GetInfo("f", debug, lua.LNil)
	f, _ := value.(*lua.LFunction)
	return f
}

func getEnvironment(c call) int {
	f := c.environmentTarget()
	switch {
	case f == nil:
		return c.push(c.Env)
	case f.IsG:
		return c.push(c.G.Global)
	}
	return c.push(f.Env)
}

func setEnvironment(c call) int {
	env := c.table(2)
	f := c.environmentTarget()
	switch {
	case f == nil:
		c.Env = env
		return 0
	case f.IsG:
		c.refuse("setfenv cannot change the environment of a function of Go")
	}
	f.Env = env
	return c.push(f)
}
