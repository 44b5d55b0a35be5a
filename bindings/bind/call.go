package bind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"gonum.org/v1/gonum/mat"
)

// A Call is one call of a bound function. It is the context of the computation:
// cancelled when the user interrupts.
type Call struct {
	context.Context
	L   *lua.LState
	Out io.Writer // where printing goes

	state *state
	fn    *bound
}

// At returns a Call for Go code that was not called through a bound function,
// so that it can use [Decode], [Call.Lua] and [Call.Where]. It panics when no
// Registry was opened in L.
func At(L *lua.LState) *Call {
	s := stateOf(L)
	if s == nil {
		panic("bind: no registry is open in this Lua state")
	}
	return s.call(L, &bound{})
}

// Where returns "file:line" of the Lua code that made the call, "" if Go made it.
func (c *Call) Where() string { return where(c.L) }

// Lua returns the Lua value of a Go value of any type that can be a result. It
// panics for other types.
func (c *Call) Lua(v any) lua.LValue { return c.state.encode(c.L, v) }

// Decode reads a Lua value as an argument of type T would be read.
func Decode[T any](c *Call, v lua.LValue) (T, error) {
	var out T
	t := reflect.TypeFor[T]()
	decode, err := c.state.reg.codecOf(t)
	if err == nil {
		err = decode.decode(c, v, reflect.ValueOf(&out).Elem())
	}
	return out, err
}

// where finds the nearest Lua frame. L.Where(1) is not that: it counts Go frames
// and names them "[G]".
func where(L *lua.LState) string {
	for level := 0; ; level++ {
		d, ok := L.GetStack(level)
		if !ok {
			return ""
		}
		if _, err := L.GetInfo("Sl", d, lua.LNil); err != nil {
			return ""
		}
		if d.Source != "" && d.CurrentLine > 0 {
			return fmt.Sprintf("%s:%d", strings.TrimLeft(d.Source, "@="), d.CurrentLine)
		}
	}
}

// An Error is a failed call of a bound function. It is the Cause of the
// lua.ApiError that the Lua state returns to the host.
type Error struct {
	Where string // "file:line"; "" when Go made the call
	Func  string // "kernel.matern"
	Err   error
	Usage string // how to call it, for wrong arguments; "" otherwise
	Stack []byte // of Go, for internal errors
}

// Error is what a script sees: "file:12: kernel.matern: nu -1: must be > 0",
// and the usage on a second line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Where != "" {
		b.WriteString(e.Where + ": ")
	}
	if e.Func != "" {
		b.WriteString(e.Func + ": ")
	}
	b.WriteString(e.Err.Error())
	if e.Usage != "" {
		b.WriteString("\n  usage: " + e.Usage)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// A ScriptError is an error that Lua code raised while Go was calling it. Return
// it as it is and the script sees its own error again.
type ScriptError struct {
	Object lua.LValue // what was raised: mostly a string with its position
	Cause  error      // nil unless Go raised it
	Trace  string
}

func (e *ScriptError) Error() string { return e.Object.String() }

func (e *ScriptError) Unwrap() error { return e.Cause }

// raise makes err the error of the running Lua code. It does not return.
func raise(L *lua.LState, err error) {
	object, cause := lua.LValue(lua.LString(err.Error())), err
	if script, ok := err.(*ScriptError); ok {
		object, cause = script.Object, script.Cause
	}
	// L.Error closes the upvalues of the frames that end here; the Panic hook is
	// where it would make an ApiError without the cause.
	hook := L.Panic
	L.Panic = func(L *lua.LState) {
		L.Panic = hook
		panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: object, Cause: cause})
	}
	L.Error(object, 0)
}

// bound is a declaration in its place: the function of a module or type.
type bound struct {
	*Func
	kind   string
	full   string      // "kernel.matern", "array:sum"
	owner  string      // name of the type, "" for functions of a module
	module *lua.LTable // the module's table in this Lua state
}

// The kinds of a bound function.
const (
	kindFunction = "function"
	kindMethod   = "method"
	kindOperator = "operator"
	kindCall     = "call" // of a module: array{1, 2}
)

// run calls the function with the arguments on the stack of L and returns how
// many results it pushed. It is the one trampoline between Lua and Go.
func (s *state) run(L *lua.LState, fn *bound) int {
	c := s.call(L, fn)
	decoded := false
	out, err := guarded(c, func(dst reflect.Value) error {
		err := fn.sig.decodeCall(c, dst)
		decoded = err == nil
		return err
	})
	if err == nil && c.Err() != nil { // whatever came to its end early, in numbers of no use
		err = fmt.Errorf("stopped: %w", context.Cause(c))
	}
	if err != nil {
		raise(L, c.failure(err, !decoded || fn.checks))
	}
	return s.push(c, out)
}

// guarded turns a panic of the Go code into an error: gonum's are messages to
// the user, anything else is a bug and is marked as one.
func guarded(c *Call, decode func(reflect.Value) error) (out any, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *lua.ApiError: // Lua code that this call called, on its way up
			panic(r)
		case mat.Error:
			err = errors.New(strings.TrimPrefix(r.Error(), "mat: "))
		case mat.ErrorStack:
			err = errors.New(strings.TrimPrefix(r.Err.Error(), "mat: "))
		default:
			err = &internalError{fmt.Errorf("internal error (please report): %v", r), debug.Stack()}
			if e, ok := r.(runtime.Error); ok {
				err = &internalError{fmt.Errorf("internal error (please report): %w", e), debug.Stack()}
			}
		}
	}()
	args := c.fn.make()
	if err := decode(args.Elem()); err != nil {
		return nil, err
	}
	return c.fn.run(c, args.Interface())
}

type internalError struct {
	error
	stack []byte
}

func (e *internalError) Unwrap() error { return e.error }

// failure is the error that the script sees for err.
func (c *Call) failure(err error, arguments bool) error {
	if script, ok := err.(*ScriptError); ok {
		return script
	}
	e := &Error{Where: c.Where(), Func: c.fn.full, Err: c.state.reg.inWords(err)}
	var internal *internalError
	if errors.As(err, &internal) {
		e.Stack = internal.stack
	} else if arguments && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		e.Usage = c.fn.usage(c.state.reg)
	}
	if c.fn.kind == kindOperator {
		e.Func = operation(c)
	}
	return e
}

func (s *state) push(c *Call, out any) int {
	switch out := out.(type) {
	case None:
		return 0
	case Results:
		for _, v := range out {
			c.L.Push(s.encode(c.L, v))
		}
		return len(out)
	}
	c.L.Push(s.encode(c.L, out))
	return 1
}
