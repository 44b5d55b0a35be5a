package stdlib

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
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
	if f.Value == lua.LNil {
		return `error() was called without saying what is wrong: write error("…")`
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

// noTrace stands in the place of gopher-lua's traceback, which nobody reads and
// which takes a time quadratic in the depth: half a second for a stack overflow.
const noTrace = "none"

// raise makes value the error of the running Lua code, with a cause that Go code can find again. It does not return.
func raise(L *lua.LState, value lua.LValue, cause error) {
	hook := L.Panic
	L.Panic = func(L *lua.LState) {
		L.Panic = hook
		panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: value, Cause: cause, StackTrace: noTrace})
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
	case error:
		return lib.internal(L, r.Error())
	case string:
		if r == callStackOverflow {
			return &Fault{Value: lua.LString(lib.scriptPosition(L) + lib.stackOverflow())}
		}
		return lib.internal(L, r)
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

// enter counts one more level of nesting; what it returns is for Restore.
func (lib *Library) enter(L *lua.LState) (outer bind.Nesting) {
	outer, err := lib.nesting.Enter(L)
	if err != nil {
		call{L, lib, ""}.refuse("%v", err)
	}
	return outer
}
