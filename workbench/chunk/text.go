package chunk

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// MaxString is the longest string, in bytes, that .. and the string library make.
const MaxString = 256 << 20

// LengthError is the message for a string of n bytes if it would be too long, else "". Asking before allocating is the only
// protection there is: a Go program cannot survive running out of memory.
func LengthError(n float64) string {
	if n <= MaxString {
		return ""
	}
	return fmt.Sprintf("result would be %s bytes; the limit is 256 MiB", FormatNumber(n))
}

func checkLength(L *lua.LState, n int) {
	if message := LengthError(float64(n)); message != "" {
		L.RaiseError("%s", message)
	}
}

// joinValues (a, b, …) is the function behind a .. b: the operands from right to left, text and numbers joined, the metamethod
// __concat called for others.
func joinValues(L *lua.LState) int {
	last := L.GetTop()
	right := L.Get(last)
	for i := last - 1; i >= 1; {
		if !isText(L.Get(i)) || !isText(right) {
			right = concatObjects(L, L.Get(i), right)
			i--
			continue
		}
		first := i
		for first > 1 && isText(L.Get(first-1)) {
			first--
		}
		right = joined(L, first, i, right)
		i = first - 1
	}
	L.Push(right)
	return 1
}

func isText(v lua.LValue) bool {
	t := v.Type()
	return t == lua.LTString || t == lua.LTNumber
}

// textOf returns a string or a number as text.
func textOf(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return FormatNumber(float64(v))
	}
	return ""
}

// joined returns the texts at stack positions first to last, followed by right.
func joined(L *lua.LState, first, last int, right lua.LValue) lua.LValue {
	if first == last {
		a, b := textOf(L.Get(first)), textOf(right)
		checkLength(L, len(a)+len(b))
		return lua.LString(a + b)
	}
	parts := make([]string, 0, 8)
	size := 0
	for i := first; i <= last; i++ {
		parts = append(parts, textOf(L.Get(i)))
		size += len(parts[len(parts)-1])
	}
	parts = append(parts, textOf(right))
	checkLength(L, size+len(parts[len(parts)-1]))
	return lua.LString(strings.Join(parts, ""))
}

// concatObjects calls the metamethod of one of the operands.
func concatObjects(L *lua.LState, a, b lua.LValue) lua.LValue {
	event := L.GetMetaField(a, "__concat")
	if event == lua.LNil {
		event = L.GetMetaField(b, "__concat")
	}
	if event == lua.LNil {
		wrong := a
		if isText(a) {
			wrong = b
		}
		L.RaiseError("attempt to concatenate a %s value", wrong.Type())
	}
	L.Push(event)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}
