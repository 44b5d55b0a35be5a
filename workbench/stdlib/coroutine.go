package stdlib

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
)

// openCoroutine wraps gopher-lua's coroutines. What it changes: which coroutine is running is kept here and stays right
// after errors and under pcall; results of yield are counted; a yield that would have to unwind Go code is an error where
// it happens, not a broken state later; a Go function can be a coroutine; nesting is bounded; interrupts and exits pass
// through.
func (lib *Library) openCoroutine(L *lua.LState) {
	original := invoke(L, L.NewFunction(lua.OpenCoroutine)).(*lua.LTable)
	lib.resume = original.RawGetString("resume").(*lua.LFunction).GFunction
	lib.create = original.RawGetString("create").(*lua.LFunction).GFunction
	lib.trampoline = lib.internalChunk(L, "trampoline", `local f = ... return function(...) return f(...) end`)
	table := lib.module(L, "coroutine", []entry{
		{"create", coroutineCreate},
		{"resume", coroutineResume},
		{"wrap", coroutineWrap},
		{"status", coroutineStatus},
		{"running", coroutineRunning},
		{"isyieldable", coroutineYieldable},
	})
	// The outer function keeps the number of results of yield: it may receive more or fewer than it is asked for.
	wrapper := lib.internalChunk(L, "yield", `
		local yield = ...
		local function pass(...) return ... end
		return function(...) return pass(yield(...)) end`)
	table.RawSetString("yield", invoke(L, wrapper, lib.function(L, "yield", coroutineYield)))
}

// internalChunk compiles a piece of the library that is written in Lua.
func (lib *Library) internalChunk(L *lua.LState, name, source string) *lua.LFunction {
	fn, err := chunk.Load(L, hiddenSource+name, []byte(source))
	if err != nil {
		panic(err)
	}
	return fn
}

func (c call) thread(i int) *lua.LState {
	t, ok := c.Get(i).(*lua.LState)
	if !ok {
		c.wrongType(i, "coroutine")
	}
	return t
}

func coroutineCreate(c call) int {
	fn := c.function(1)
	if fn.IsG {
		fn = invoke(c.LState, c.lib.trampoline, fn).(*lua.LFunction)
	}
	c.SetTop(0)
	c.Push(fn)
	c.RemoveContext() // so that the new one gets none to release
	c.lib.create(c.LState)
	c.SetContext(c.lib.session)
	c.Get(-1).(*lua.LState).SetContext(c.lib.session)
	return 1
}

// status returns what coroutine.status says.
func (lib *Library) status(t *lua.LState) string {
	switch i := slices.Index(lib.coroutines, t); {
	case i >= 0 && i == len(lib.coroutines)-1:
		return "running"
	case i >= 0:
		return "normal"
	case t.Dead:
		return "dead"
	}
	return "suspended"
}

func coroutineStatus(c call) int { return c.push(lua.LString(c.lib.status(c.thread(1)))) }

func coroutineRunning(c call) int {
	if n := len(c.lib.coroutines); n > 0 {
		return c.push(c.lib.coroutines[n-1])
	}
	return c.push(lua.LNil)
}

func coroutineYieldable(c call) int {
	n := len(c.lib.coroutines)
	return c.push(lua.LBool(n > 0 && c.lib.coroutines[n-1] == c.LState))
}

func coroutineResume(c call) int {
	t := c.thread(1)
	if status := c.lib.status(t); status != "suspended" {
		return c.push(lua.LFalse, lua.LString("cannot resume "+status+" coroutine"))
	}
	return c.lib.resumeThread(c.LState, t)
}

// resumeThread resumes the coroutine at the bottom of the stack of L with the values above it. It returns the number of
// results: true and values, or false and an error object.
func (lib *Library) resumeThread(L, t *lua.LState) int {
	outer := lib.enter(L)
	current, coroutines := L.G.CurrentThread, len(lib.coroutines)
	lib.coroutines = append(lib.coroutines, t)
	defer func() {
		lib.nesting.Restore(outer)
		lib.coroutines, L.G.CurrentThread = lib.coroutines[:coroutines], current
	}()
	n := lib.resume(L)
	if n == 0 || L.Get(-n) != lua.LFalse {
		return n
	}
	fault := lib.recovered(t, &lua.ApiError{Type: lua.ApiErrorRun, Object: L.Get(-1)})
	if lib.final(fault) {
		raise(L, fault.Value, fault.Cause)
	}
	if text, _ := fault.Value.(lua.LString); fault.Cause == nil {
		switch {
		case text == callStackOverflow:
			fault.Value = lua.LString(lib.stackOverflow())
		case strings.HasPrefix(string(text), "runtime error: "):
			fault = lib.internal(t, string(text))
		}
	}
	lib.improve(nil, fault)
	L.Pop(1)
	L.Push(fault.Value)
	return n
}

func coroutineWrap(c call) int {
	coroutineCreate(c)
	t := c.Get(-1).(*lua.LState)
	return c.push(c.lib.function(c.LState, "wrap", func(c call) int {
		if status := c.lib.status(t); status != "suspended" {
			c.refuse("cannot resume %s coroutine", status)
		}
		c.Insert(t, 1)
		n := c.lib.resumeThread(c.LState, t)
		if c.Get(-n) == lua.LFalse {
			raise(c.LState, c.Get(-1), nil)
		}
		return n - 1
	}))
}

// coroutineYield suspends the running coroutine. Between it and the coroutine there may be only Lua functions calling each
// other: anything else has frames of Go in between, which cannot be left and entered again.
func coroutineYield(c call) int {
	n := len(c.lib.coroutines)
	switch {
	case n == 0:
		c.refuse("attempt to yield from outside a coroutine")
	case c.lib.coroutines[n-1] != c.LState:
		c.refuse("attempt to yield across a pcall or a function of Go")
	}
	for f := c.lib.top(c.LState).parent(); f.exists(); f = f.parent() {
		if f.isGo() {
			c.refuse("attempt to yield across a function of Go, such as table.sort or string.gsub")
		}
		if op := int(f.instruction() >> 26); op != lua.OP_CALL && op != lua.OP_TAILCALL {
			c.refuse("attempt to yield across a metamethod or the iterator of a for loop")
		}
	}
	return -1
}
