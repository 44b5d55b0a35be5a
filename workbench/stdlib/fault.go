package stdlib

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Fault is the failure of Lua code.
type Fault struct {
	Value  lua.LValue // the error object
	Cause  error      // of an interrupt, an exit, or a Go function that failed; nil for errors of the script itself
	Frames []Frame    // active calls where it happened, innermost first; only from Library.Call
}

// Error returns the message.
func (f *Fault) Error() string {
	if s, ok := f.Value.(lua.LString); ok {
		return string(s)
	}
	if f.Cause != nil {
		return f.Cause.Error()
	}
	return fmt.Sprintf("(error object is a %s value)", f.Value.Type())
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Cause }

// ExitError is the cause of the failure by which os.exit ends a script.
type ExitError struct{ Code int }

// Error says which status was asked for.
func (e *ExitError) Error() string { return fmt.Sprintf("exit %d", e.Code) }

// InternalError is a panic of Go code inside a function that Lua called.
type InternalError struct {
	Message string
	Stack   []byte
}

// Error returns the message; the stack is for crash reports.
func (e *InternalError) Error() string { return "internal error (please report): " + e.Message }

// raisePanic is the hook by which gopher-lua raises errors in our threads: the error object, no traceback, which costs more
// than the error itself.
func raisePanic(L *lua.LState) {
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: L.Get(-1)})
}

// raise makes value the error of the running Lua code, with a cause that Go code can find again. It does not return.
func raise(L *lua.LState, value lua.LValue, cause error) {
	hook := L.Panic
	L.Panic = func(L *lua.LState) {
		L.Panic = hook
		panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: value, Cause: cause})
	}
	L.Error(value, 0) // closes captured variables on the way
}

// recovered makes a Fault of what a panic in the thread left.
func (lib *Library) recovered(L *lua.LState, r any) *Fault {
	switch r := r.(type) {
	case *lua.ApiError:
		f := &Fault{Value: r.Object, Cause: r.Cause}
		if r.Type == lua.ApiErrorPanic && r.Cause == nil {
			return lib.recovered(L, r.Object.String())
		}
		if exit := exitOf(r.Object); exit != nil {
			f.Cause = exit
		}
		return f
	case string:
		if r == callStackOverflow {
			return &Fault{Value: lua.LString(lib.position(L, 0) + lib.stackOverflow())}
		}
		return lib.internal(L, r)
	case runtime.Error:
		return lib.internal(L, r.Error())
	}
	return lib.internal(L, fmt.Sprint(r))
}

// callStackOverflow is what gopher-lua panics with when there are too many calls.
const callStackOverflow = "lua callstack overflow"

func (lib *Library) stackOverflow() string {
	return fmt.Sprintf("stack overflow: more than %d nested calls", lib.main.Options.CallStackSize)
}

func (lib *Library) internal(L *lua.LState, message string) *Fault {
	e := &InternalError{Message: strings.TrimPrefix(message, "runtime error: "), Stack: debug.Stack()}
	return &Fault{Value: lua.LString(lib.scriptPosition(L) + e.Error()), Cause: e}
}

// exitOf returns the exit that an error object stands for.
func exitOf(v lua.LValue) *ExitError {
	if u, ok := v.(*lua.LUserData); ok {
		exit, _ := u.Value.(*ExitError)
		return exit
	}
	return nil
}

// final reports whether a failure may not be caught by the script: an exit, or the end of the run.
func (lib *Library) final(f *Fault) bool {
	var exit *ExitError
	return lib.session.Err() != nil || errors.As(f.Cause, &exit)
}

// thread returns an idle thread of the state for a protected call. An error closes the captured variables of all frames of
// the thread in which it is raised, and so must not meet any frame that goes on afterwards.
func (lib *Library) thread(L *lua.LState) *lua.LState {
	if n := len(lib.idle); n > 0 {
		t := lib.idle[n-1]
		lib.idle = lib.idle[:n-1]
		t.Env = L.Env
		return t
	}
	return lib.newThread(L)
}

// newThread makes a thread that runs under the session. Without a context of its own none has to be released.
func (lib *Library) newThread(L *lua.LState) *lua.LState {
	L.RemoveContext()
	t, _ := L.NewThread()
	L.SetContext(lib.session)
	t.SetContext(lib.session)
	t.Panic = raisePanic
	return t
}

// release keeps a thread whose call returned for the next one. One that failed is left alone: closures made in it may use
// its registers.
func (lib *Library) release(t *lua.LState) {
	if len(lib.idle) < 8 {
		t.SetTop(0)
		lib.idle = append(lib.idle, t)
	}
}

// protect calls the function at the bottom of the thread with the arguments above it.
func (lib *Library) protect(t *lua.LState) (fault *Fault) {
	defer func() {
		if r := recover(); r != nil {
			fault = lib.recovered(t, r)
		}
	}()
	t.Call(t.GetTop()-1, lua.MultRet)
	return nil
}

// enter counts one more level of nesting; leave ends it.
func (lib *Library) enter(L *lua.LState) {
	if lib.nesting >= maxNesting {
		call{L, lib, ""}.refuse("stack overflow: more than %d nested pcalls and coroutines", maxNesting)
	}
	lib.nesting++
}

func (lib *Library) leave() { lib.nesting-- }

// Call calls a Lua function from Go and returns all its results. The error is a *Fault with the frames that were active.
// It may be used while Lua code runs, from a function that this code called with the state L.
func (lib *Library) Call(L *lua.LState, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error) {
	if lib.nesting >= maxNesting {
		return nil, &Fault{Value: lua.LString("stack overflow: too many nested calls through Go")}
	}
	nesting, coroutines, current := lib.nesting, len(lib.coroutines), L.G.CurrentThread
	lib.nesting++
	defer func() {
		lib.nesting, lib.coroutines, L.G.CurrentThread = nesting, lib.coroutines[:coroutines], current
	}()
	t := lib.thread(L)
	t.Push(fn)
	for _, a := range args {
		t.Push(a)
	}
	if fault := lib.protect(t); fault != nil {
		fault.Frames = lib.Frames(t)
		lib.improve(t, fault)
		return nil, fault
	}
	results := make([]lua.LValue, t.GetTop())
	for i := range results {
		results[i] = t.Get(i + 1)
	}
	lib.release(t)
	return results, nil
}
