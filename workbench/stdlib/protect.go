package stdlib

import lua "github.com/yuin/gopher-lua"

// pcall (f, ...) calls f and returns true and its results, or false and the error object.
func pcall(c call) int {
	if message := c.uncallable(c.any(1)); message != "" {
		return c.push(lua.LFalse, lua.LString(message))
	}
	w := c.protected(1)
	fault := c.attempt(w, func(f *Fault) { c.lib.improve(w.LState, f) })
	if fault != nil {
		return c.push(lua.LFalse, fault.Value)
	}
	return c.results(w)
}

// xpcall (f, handler, ...) is pcall whose error object goes through the handler, which runs before the calls that failed
// are gone: debug.traceback shows them.
func xpcall(c call) int {
	handler := c.any(2)
	uncallable := c.uncallable(c.Get(1))
	c.Remove(2)
	w := c.protected(1)
	fault := c.attempt(w, func(f *Fault) {
		if c.lib.final(f) {
			return
		}
		c.lib.improve(w.LState, f)
		if uncallable != "" {
			f.Value = lua.LString(uncallable)
		}
		c.handle(w.LState, handler, f)
	})
	if fault != nil {
		return c.push(lua.LFalse, fault.Value)
	}
	return c.results(w)
}

// uncallable is the message for a value that cannot be called, else "".
func (c call) uncallable(f lua.LValue) string {
	if f.Type() == lua.LTFunction || c.GetMetaField(f, "__call").Type() == lua.LTFunction {
		return ""
	}
	return "attempt to call " + kind(f.Type().String())
}

// protected returns a worker to which the arguments from i on, function first, were moved.
func (c call) protected(i int) *worker {
	outer := c.lib.enter(c.LState)
	w := c.lib.worker(c.LState)
	w.outer = outer
	for ; i <= c.GetTop(); i++ {
		w.Push(c.Get(i))
	}
	return w
}

// attempt runs a worker, and releases it if it fails. A failure that must not be caught is raised again.
func (c call) attempt(w *worker, seen func(*Fault)) *Fault {
	coroutines, current := len(c.lib.coroutines), c.G.CurrentThread
	fault := w.call(seen)
	c.lib.nesting.Restore(w.outer)
	if fault == nil {
		return nil
	}
	c.lib.coroutines, c.G.CurrentThread = c.lib.coroutines[:coroutines], current
	w.release()
	if c.lib.final(fault) {
		raise(c.LState, fault.Value, fault.Cause)
	}
	return fault
}

// results moves true and the results of a worker to the caller.
func (c call) results(w *worker) int {
	n := w.GetTop()
	c.Push(lua.LTrue)
	for i := 1; i <= n; i++ {
		c.Push(w.Get(i))
	}
	w.release()
	return n + 1
}

// handle puts what the error handler returns in the place of the error object. The handler runs on top of the frames that
// failed, or, when they have left no room, on a thread of its own.
func (c call) handle(L *lua.LState, handler lua.LValue, f *Fault) {
	defer func() {
		if r := recover(); r != nil {
			if again := c.lib.recovered(L, r); c.lib.final(again) {
				f.Value, f.Cause = again.Value, again.Cause
			} else {
				f.Value, f.Cause = lua.LString("error in error handling"), nil
			}
		}
	}()
	text, _ := f.Value.(lua.LString)
	if isOverflow(string(text)) {
		w := c.lib.worker(c.LState)
		defer w.release()
		L = w.LState
	}
	f.Value, f.Cause = invoke(L, handler, f.Value), nil
}
