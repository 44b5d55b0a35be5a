package bind

import (
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// Bounds of a Nesting.
const (
	maxLevels = 200   // the number of Lua 5.1
	maxFrames = 24000 // calls of Lua that wait, of the levels beyond freeLevels
	// The frames of the first levels are not counted: the size of a thread's own
	// call stack bounds them.
	freeLevels = 4
)

// Nesting bounds how often Go and Lua may call one another without returning.
// Every such level uses the stack of Go, and a program does not survive
// exhausting that: it cannot be recovered from. Everything that runs Lua code on
// another thread enters it first, be it pcall, a coroutine or a function that was
// given to a module. There is one for all threads of a Lua state. Calls within
// one thread (metamethods, table.sort) are bounded by the size of its call stack.
type Nesting struct{ level, frames int }

const nestingKey = "workbench.nesting"

// NestingOf returns the nesting of a Lua state.
func NestingOf(L *lua.LState) *Nesting {
	if u, ok := L.G.Registry.RawGetString(nestingKey).(*lua.LUserData); ok {
		if n, ok := u.Value.(*Nesting); ok {
			return n
		}
	}
	n, u := new(Nesting), L.NewUserData()
	u.Value = n
	L.G.Registry.RawSetString(nestingKey, u)
	return n
}

// Enter counts one more level, called by L; outer is for Restore.
func (n *Nesting) Enter(L *lua.LState) (outer Nesting, err error) {
	outer = *n
	if n.level >= maxLevels {
		return outer, fmt.Errorf("stack overflow: more than %d nested pcalls, coroutines and callbacks", maxLevels)
	}
	frames := n.frames
	if n.level >= freeLevels {
		frames += depth(L)
	}
	if frames > maxFrames {
		return outer, fmt.Errorf("stack overflow: more than %d nested calls in all", maxFrames)
	}
	n.level, n.frames = n.level+1, frames
	return outer, nil
}

// Restore goes back to what Enter returned.
func (n *Nesting) Restore(outer Nesting) { *n = outer }

// depth returns how many calls are active in a thread.
func depth(L *lua.LState) int {
	frame, ok := CallFrame(L)
	if !ok {
		return 0
	}
	return int(frame.FieldByName("Idx").Int()) + 1
}

// CallFrame returns the innermost active call of a thread, a structure that
// gopher-lua keeps to itself: reflection may read what it may not change.
func CallFrame(L *lua.LState) (frame reflect.Value, ok bool) {
	debug, ok := L.GetStack(0)
	if !ok {
		return reflect.Value{}, false
	}
	pointer := reflect.ValueOf(debug).Elem().FieldByName("frame")
	if pointer.IsNil() {
		return reflect.Value{}, false
	}
	return pointer.Elem(), true
}
