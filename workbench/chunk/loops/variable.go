package loops

import (
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// variable returns where a variable is, and what it is to the program if it is not declared in the loop. The field is that of
// a function in a library.
func (c *compiler) variable(name, field string, k kind) (slot uint8, out *outer) {
	if v := c.local(name); v != nil {
		c.settle(v, k)
		if v.kind != k || field != "" {
			refuse()
		}
		return v.slot, nil
	}
	for i := range c.program.outer {
		v := &c.program.outer[i]
		switch {
		case v.name != name:
		case v.field == field && v.kind == k:
			return v.slot, v
		case v.kind < nullary || k < nullary:
			refuse()
		}
	}
	if len(c.program.outer) == maxOuter {
		refuse()
	}
	v := outer{name: name, field: field, kind: k, slot: c.slot(k), global: !c.Declared(name)}
	c.program.globals = c.program.globals || v.global
	c.program.outer = append(c.program.outer, v)
	return v.slot, &c.program.outer[len(c.program.outer)-1]
}

// local returns the variable of the loop that a name means, nil if it means another.
func (c *compiler) local(name string) *local {
	for i := range slices.Backward(c.locals) {
		if c.locals[i].name == name {
			return &c.locals[i]
		}
	}
	return nil
}

// settle decides what a variable holds that was declared as an element of a table.
func (c *compiler) settle(v *local, k kind) {
	if v.from > 0 && k == table {
		v.kind, v.slot = table, c.slot(table)
		get := &c.program.code[v.from]
		get.op, get.a = opTable, v.slot
	}
	v.from = 0
}

// slot returns a place for an outer variable or a table.
func (c *compiler) slot(k kind) uint8 {
	n, most := c.used[k], functions
	switch k {
	case number:
		n, most = firstOuter+n, firstInner
	case table:
		most = tables
	}
	if n == most {
		refuse()
	}
	c.used[k]++
	return uint8(n)
}

// constant returns where a constant is.
func (c *compiler) constant(x float64) uint8 {
	for i, y := range c.program.constants {
		if math.Float64bits(x) == math.Float64bits(y) {
			return uint8(numbers - 1 - i)
		}
	}
	c.program.constants = append(c.program.constants, x)
	if c.most+len(c.program.constants) > numbers {
		refuse()
	}
	return uint8(numbers - len(c.program.constants))
}

// name returns the number of a key.
func (c *compiler) name(key string) uint8 { return entry(&c.program.names, key) }

// value returns the number of a value that is no number.
func (c *compiler) value(v lua.LValue) uint8 { return entry(&c.program.values, v) }

// entry returns the position of a value in a list, at the end of which it is put if it is not there.
func entry[T comparable](list *[]T, value T) uint8 {
	at := slices.Index(*list, value)
	if at < 0 {
		at = len(*list)
		*list = append(*list, value)
	}
	if at > math.MaxUint8 {
		refuse()
	}
	return uint8(at)
}
