package bind

import (
	"errors"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// symbol is how an event is written.
func symbol(event string) string {
	switch event {
	case "__add":
		return "+"
	case "__sub", "__unm":
		return "-"
	case "__mul":
		return "*"
	case "__div":
		return "/"
	case "__mod":
		return "%"
	case "__pow":
		return "^"
	case "__concat":
		return ".."
	case "__lt":
		return "<"
	case "__le":
		return "<="
	case "__eq":
		return "=="
	}
	return event
}

// operation shows the operation that failed with the types of its operands:
// "array + mesh", "array[…]".
func operation(c *Call) string {
	name := func(i int) string { return valueName(c.L.Get(i)) }
	switch c.fn.event {
	case "__index":
		return name(1) + "[" + keyLabel(c.L.Get(2)) + "]"
	case "__newindex":
		return name(1) + "[" + keyLabel(c.L.Get(2)) + "] = …"
	case "__len":
		return "#" + name(1)
	case "__call":
		return name(1) + "(…)"
	case "__unm":
		return "-" + name(1)
	}
	return name(1) + " " + symbol(c.fn.event) + " " + name(2)
}

func keyLabel(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		return formatNumber(float64(v))
	case lua.LString:
		return quote(string(v))
	}
	return valueName(v)
}

// runOperator is run for operators. When the operands do not fit and the right
// one has an operator of its own, that one is asked: Lua itself only asks the left.
func (s *state) runOperator(L *lua.LState, fn *bound, self *lua.LFunction) int {
	c := s.call(L, fn)
	var notDecoded error
	out, err := guarded(c, func(dst reflect.Value) error {
		notDecoded = fn.sig.decodeOperands(c, dst)
		return notDecoded
	})
	if notDecoded != nil && errors.Is(err, notDecoded) && L.GetTop() >= 2 {
		if other := metamethodOf(L.Get(2), fn.event); other != nil && other != self {
			left, right := L.Get(1), L.Get(2)
			L.Push(other)
			L.Push(left)
			L.Push(right)
			L.Call(2, 1)
			return 1
		}
	}
	if first := metamethodOf(L.Get(1), fn.event); notDecoded != nil && first != nil && first != self {
		err = errors.New("there is no such operation") // neither operand's operator takes both
	}
	if err != nil {
		raise(L, c.failure(err, false))
	}
	return s.push(c, out)
}

// decodeOperands reads the operands; Lua may pass more values than an event needs.
func (s *signature) decodeOperands(c *Call, dst reflect.Value) error {
	for i, p := range s.positional {
		if err := p.codec.decode(c, c.L.Get(i+1), dst.FieldByIndex(p.index)); err != nil {
			side := "left side"
			switch {
			case len(s.positional) == 1:
				side = "operand"
			case i == 1:
				side = "right side"
			}
			return atName(err, side)
		}
	}
	return nil
}

func metamethodOf(v lua.LValue, event string) *lua.LFunction {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return nil
	}
	if mt, ok := u.Metatable.(*lua.LTable); ok {
		if f, ok := mt.RawGetString(event).(*lua.LFunction); ok {
			return f
		}
	}
	return nil
}
