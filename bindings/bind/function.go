package bind

import (
	"errors"
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// Any is a Lua value of any type, as it is.
type Any struct{ lua.LValue }

// IsNil reports whether there is no value.
func (a Any) IsNil() bool { return a.LValue == nil || a.LValue == lua.LNil }

// DecodeLua accepts everything.
func (a *Any) DecodeLua(_ *Call, v lua.LValue) error {
	a.LValue = v
	return nil
}

// LuaKind is any.
func (a *Any) LuaKind() string { return "any" }

// anyCodec reads lua.LValue fields.
type anyCodec struct{}

func (anyCodec) kind(*Registry) string { return "any" }

func (anyCodec) fits(*Call, lua.LValue) bool { return true }

func (anyCodec) decode(_ *Call, v lua.LValue, dst reflect.Value) error {
	dst.Set(reflect.ValueOf(v))
	return nil
}

// A Function is a Lua function given as an argument. The zero value is no function.
type Function struct {
	fn   *lua.LFunction
	busy bool
	// A thread of its own keeps an error from detaching the variables of the
	// caller, which gopher-lua does to every frame of the thread that fails.
	thread *lua.LState
	entry  *lua.LFunction // of the thread: entered
}

// Parameters is how many arguments the function names; 0 for one that is not written in Lua.
func (f *Function) Parameters() int {
	if f.fn.IsG {
		return 0
	}
	return int(f.fn.Proto.NumParameters)
}

// DecodeLua accepts Lua functions.
func (f *Function) DecodeLua(_ *Call, v lua.LValue) error {
	fn, ok := v.(*lua.LFunction)
	if !ok {
		return ErrKind
	}
	f.fn = fn
	return nil
}

// LuaKind is function.
func (f *Function) LuaKind() string { return "function" }

// IsNil reports whether there is no function.
func (f *Function) IsNil() bool { return f.fn == nil }

// Value is the function itself.
func (f *Function) Value() lua.LValue {
	if f.fn == nil {
		return lua.LNil
	}
	return f.fn
}

// Call calls the function and returns all its results. The arguments can be
// anything that can be a result. An error of the script is a *ScriptError; a
// binding that returns it passes it on unchanged. Costs about 0.5 µs. Not for
// concurrent use: a Lua state is one thread of execution.
func (f *Function) Call(c *Call, args ...any) ([]lua.LValue, error) {
	if f.fn == nil {
		return nil, errors.New("no function")
	}
	if f.busy { // it calls itself through Go
		again := Function{fn: f.fn}
		return again.Call(c, args...)
	}
	outer, err := c.state.nesting.Enter(c.L)
	if err != nil {
		return nil, c.at(err)
	}
	f.busy = true
	defer func() {
		f.busy = false
		c.state.nesting.Restore(outer)
	}()
	t := f.prepare(c)
	t.Push(f.entry)
	t.Push(f.fn)
	for _, a := range args {
		t.Push(c.state.encode(t, a))
	}
	if err := t.PCall(len(args)+1, lua.MultRet, nil); err != nil {
		f.thread = nil
		return nil, scriptError(err)
	}
	results := make([]lua.LValue, t.GetTop())
	for i := range results {
		results[i] = t.Get(i + 1)
	}
	return results, nil
}

// deep is a depth of calls from which on gopher-lua's traceback, which takes a time
// quadratic in it, is not worth half a second.
const deep = 200

// entered calls its first argument with the others. It gives the errors of deep
// recursion a short traceback, and too deep ones a message.
func entered(L *lua.LState) int {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		api, ok := r.(*lua.ApiError)
		if !ok && r == "lua callstack overflow" {
			text := fmt.Sprintf("stack overflow: more than %d nested calls", L.Options.CallStackSize)
			if at := where(L); at != "" {
				text = at + ": " + text
			}
			api, ok = &lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(text)}, true
		}
		if !ok {
			panic(r)
		}
		if api.StackTrace == "" && depth(L) > deep {
			api.StackTrace = fmt.Sprintf("stack traceback:\n\t%s: in %d nested calls", where(L), depth(L))
		}
		panic(api)
	}()
	L.Call(L.GetTop()-1, lua.MultRet)
	return L.GetTop()
}

// at is err as an error of the script, at the line that made the call.
func (c *Call) at(err error) error {
	text := err.Error()
	if where := c.Where(); where != "" {
		text = where + ": " + text
	}
	return &ScriptError{Object: lua.LString(text)}
}

// prepare returns the thread, empty and under the context of the call.
func (f *Function) prepare(c *Call) *lua.LState {
	if f.thread == nil {
		thread, release := c.L.NewThread()
		if release != nil {
			release() // it would stay registered with the session's context for ever
		}
		f.thread, f.entry = thread, thread.NewFunction(entered)
	}
	if ctx := c.L.Context(); ctx != nil && f.thread.Context() != ctx {
		f.thread.SetContext(ctx)
	}
	f.thread.SetTop(0)
	return f.thread
}

// Number calls a function that must return one number.
func (f *Function) Number(c *Call, args ...any) (float64, error) {
	results, err := f.Call(c, args...)
	if err != nil {
		return 0, err
	}
	if len(results) > 0 {
		if x, ok := results[0].(lua.LNumber); ok {
			return float64(x), nil
		}
		return 0, fmt.Errorf("%s: want a number, got %s", f.String(), describe(results[0]))
	}
	return 0, fmt.Errorf("%s: want a number, got nothing", f.String())
}

// String says where the function was written.
func (f *Function) String() string {
	if f.fn == nil || f.fn.Proto == nil {
		return "the function"
	}
	return fmt.Sprintf("the function of line %d", f.fn.Proto.LineDefined)
}

func scriptError(err error) error {
	api, ok := err.(*lua.ApiError)
	if !ok {
		return err
	}
	return &ScriptError{Object: api.Object, Cause: api.Cause, Trace: api.StackTrace}
}
