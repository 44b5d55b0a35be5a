package stdlib

import lua "github.com/yuin/gopher-lua"

// pcall (f, ...) calls f and returns true and its results, or false and the error object.
func pcall(c call) int {
	if message := c.uncallable(c.any(1)); message != "" {
		return c.push(lua.LFalse, lua.LString(message))
	}
	c.lib.enter(c.LState)
	defer c.lib.leave()
	t := c.lib.thread(c.LState)
	for i := 1; i <= c.GetTop(); i++ {
		t.Push(c.Get(i))
	}
	fault := c.lib.attempt(c.LState, t)
	if fault != nil {
		c.Push(lua.LFalse)
		c.Push(fault.Value)
		return 2
	}
	return c.lib.results(c.LState, t)
}

// uncallable is the message for a value that cannot be called, else "".
func (c call) uncallable(f lua.LValue) string {
	if f.Type() == lua.LTFunction || c.GetMetaField(f, "__call").Type() == lua.LTFunction {
		return ""
	}
	return "attempt to call " + kind(f.Type().String())
}

// xpcall (f, handler, ...) is pcall whose error object goes through the handler, which runs before the calls that failed
// are gone: debug.traceback shows them.
func xpcall(c call) int {
	if message := c.uncallable(c.Get(1)); message != "" {
		return c.push(lua.LFalse, invoke(c.LState, c.any(2), lua.LString(message)))
	}
	c.lib.enter(c.LState)
	defer c.lib.leave()
	t := c.lib.thread(c.LState)
	t.Push(c.Get(1))
	for i := 3; i <= c.GetTop(); i++ {
		t.Push(c.Get(i))
	}
	fault := c.lib.attempt(c.LState, t)
	if fault == nil {
		return c.lib.results(c.LState, t)
	}
	value, failed := c.lib.handle(c.LState, t, c.Get(2), fault.Value)
	if failed {
		value = lua.LString("error in error handling")
	}
	c.Push(lua.LFalse)
	c.Push(value)
	return 2
}

// attempt runs what was pushed on the thread. A failure that must not be caught is raised again in L.
func (lib *Library) attempt(L, t *lua.LState) *Fault {
	coroutines, current := len(lib.coroutines), L.G.CurrentThread
	fault := lib.protect(t)
	if fault == nil {
		return nil
	}
	lib.coroutines, L.G.CurrentThread = lib.coroutines[:coroutines], current
	if lib.final(fault) {
		raise(L, fault.Value, fault.Cause)
	}
	lib.improve(t, fault)
	return fault
}

// results moves true and all values of the thread to L.
func (lib *Library) results(L, t *lua.LState) int {
	n := t.GetTop()
	L.Push(lua.LTrue)
	for i := 1; i <= n; i++ {
		L.Push(t.Get(i))
	}
	lib.release(t)
	return n + 1
}

// handle calls the error handler on top of the frames that failed, or, when they have left no room, on a thread of its own.
func (lib *Library) handle(L, t *lua.LState, handler, value lua.LValue) (result lua.LValue, failed bool) {
	if text, ok := value.(lua.LString); ok && isOverflow(string(text)) {
		t = lib.thread(L)
	}
	t.Push(handler)
	t.Push(value)
	fault := func() (fault *Fault) {
		defer func() {
			if r := recover(); r != nil {
				fault = lib.recovered(t, r)
			}
		}()
		t.Call(1, 1)
		return nil
	}()
	switch {
	case fault == nil:
		return t.Get(-1), false
	case lib.final(fault):
		raise(L, fault.Value, fault.Cause)
	}
	return lua.LNil, true
}
