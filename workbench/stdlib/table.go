package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (lib *Library) openTable(L *lua.LState) {
	lib.module(L, "table", []entry{
		{"concat", tableConcat},
		{"insert", tableInsert},
		{"remove", tableRemove},
		{"sort", tableSort},
		{"maxn", tableMaxN},
		{"getn", tableGetN},
		{"pack", tablePack},
		{"unpack", unpack},
		{"foreach", tableForeach},
		{"foreachi", tableForeachI},
	})
}

// tableConcat (table [, separator [, first [, last]]])
func tableConcat(c call) int {
	table, separator := c.table(1), c.textOr(2, "")
	first := c.integerOr(3, 1)
	last := table.Len()
	if c.has(4) {
		last = c.integer(4)
	}
	var out strings.Builder
	for i := first; i <= last; i++ {
		var text string
		switch v := table.RawGetInt(i).(type) {
		case lua.LString:
			text = string(v)
		case lua.LNumber:
			text = FormatNumber(float64(v))
		default:
			c.refuse("invalid value (%s) at index %d in table for 'concat'", v.Type(), i)
		}
		if i > first {
			out.WriteString(separator)
		}
		c.checkLength(float64(out.Len() + len(text)))
		out.WriteString(text)
	}
	return c.push(lua.LString(out.String()))
}

// tableInsert (table, [position,] value)
func tableInsert(c call) int {
	table := c.table(1)
	n := table.Len()
	switch c.GetTop() {
	case 2:
		table.RawSetInt(n+1, c.Get(2))
	case 3:
		switch position := c.integer(2); {
		case position < 1:
			c.fail(2, "position out of bounds")
		case position <= n:
			table.Insert(position, c.Get(3))
		default:
			c.RawSet(table, lua.LNumber(position), c.Get(3))
		}
	default:
		c.refuse("wrong number of arguments to 'insert'")
	}
	return 0
}

// tableRemove (table [, position]) removes and returns the element at the position, the last one if none is given.
func tableRemove(c call) int {
	table := c.table(1)
	n := table.Len()
	position := c.integerOr(2, n)
	if position < 1 || position > n {
		return 0
	}
	return c.push(table.Remove(position))
}

func tableMaxN(c call) int {
	most := 0.0
	c.table(1).ForEach(func(k, _ lua.LValue) {
		if n, ok := k.(lua.LNumber); ok {
			most = max(most, float64(n))
		}
	})
	return c.push(lua.LNumber(most))
}

func tableGetN(c call) int { return c.push(lua.LNumber(c.table(1).Len())) }

func tablePack(c call) int {
	n := c.GetTop()
	table := c.CreateTable(n, 1)
	for i := 1; i <= n; i++ {
		table.RawSetInt(i, c.Get(i))
	}
	table.RawSetString("n", lua.LNumber(n))
	return c.push(table)
}

func tableForeach(c call) int {
	table, f := c.table(1), c.function(2)
	for k, v := table.Next(lua.LNil); k != lua.LNil; k, v = table.Next(k) {
		if r := invoke(c.LState, f, k, v); r != lua.LNil {
			return c.push(r)
		}
	}
	return 0
}

func tableForeachI(c call) int {
	table, f := c.table(1), c.function(2)
	for i := 1; i <= table.Len(); i++ {
		if r := invoke(c.LState, f, lua.LNumber(i), table.RawGetInt(i)); r != lua.LNil {
			return c.push(r)
		}
	}
	return 0
}
