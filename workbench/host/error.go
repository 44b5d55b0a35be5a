package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// Exit statuses of the program.
const (
	ExitOK          = 0
	ExitFailure     = 1 // the script failed
	ExitUsage       = 2 // wrong usage, no such file, not Lua
	ExitTimeout     = 124
	ExitInterrupted = 130
	ExitMemory      = 137
)

// ErrInterrupted is the cause when the user interrupts.
var ErrInterrupted = errors.New("interrupted")

// TimeoutError is the cause when a script ran for too long.
type TimeoutError struct{ Limit time.Duration }

// Error says how long it was allowed to run.
func (e *TimeoutError) Error() string { return fmt.Sprintf("time limit of %v exceeded", e.Limit) }

// MemoryError is the cause when objects took too much memory. Both are in bytes.
type MemoryError struct{ Limit, Used uint64 }

// Error says how much there is and how much was used.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("memory limit of %s exceeded (%s in use)", formatBytes(e.Limit), formatBytes(e.Used))
}

func formatBytes(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// Error is the failure of a script, for the person who wrote it.
type Error struct {
	File      string   // "" if it is not known
	Line      int      // from 1; 0 if it is not known
	Column    int      // in characters, from 1; 0 if it is not known
	Message   string   // further lines say more: usage of a function
	Hint      string   // what to do; often empty
	Traceback []string // active calls of Lua code, innermost first: "fit.lua:12: in function 'solve'"
	Exit      int      // the status the program should end with
	Cause     error    // *chunk.SyntaxError, *stdlib.ExitError, ErrInterrupted, *TimeoutError, *MemoryError, *bind.Error, …
}

// Error returns "file:line: message".
func (e *Error) Error() string {
	if e.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// ExitStatus returns the status a program should end with after err: 0 without one.
func ExitStatus(err error) int {
	var e *Error
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &e):
		return e.Exit
	}
	return ExitFailure
}

// Describe makes an *Error of any error that came out of Lua code, also out of a function that a binding called.
func (h *Host) Describe(err error) *Error { return h.describe(err, nil) }

// describe is Describe for a run that was cancelled for the given cause, if it is not nil.
func (h *Host) describe(err, cause error) *Error {
	var known *Error
	var syntax *chunk.SyntaxError
	var exit *stdlib.ExitError
	var fault *stdlib.Fault
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &exit):
		return &Error{Message: exit.Error(), Exit: exit.Code, Cause: exit}
	case errors.As(err, &syntax):
		e := &Error{
			File: syntax.File, Line: syntax.Line, Column: syntax.Column, Message: syntax.Message, Hint: syntax.Hint,
			Exit: ExitUsage, Cause: syntax,
		}
		if errors.As(err, &fault) {
			e.Exit, e.Traceback = ExitFailure, traceback(fault.Frames)
		}
		return e
	case !errors.As(err, &fault):
		fault = &stdlib.Fault{Value: objectOf(err), Cause: errors.Unwrap(err)}
	}
	e := &Error{Exit: ExitFailure, Cause: fault.Cause, Traceback: traceback(fault.Frames)}
	text := h.text(fault)
	if cause == nil {
		text = h.Library.Explain(nil, text)
	}
	e.File, e.Line, e.Message = h.Library.SplitPosition(text)
	if e.File == "" && len(fault.Frames) > 0 {
		e.File, e.Line = fault.Frames[0].File, fault.Frames[0].Line
	}
	if cause != nil {
		e.stopped(cause)
	} else if strings.HasPrefix(e.Message, "stack overflow") {
		e.Hint = "a function probably calls itself without end"
	}
	return e
}

// objectOf returns the error object inside an error that did not come from Library.Call.
func objectOf(err error) lua.LValue {
	var api *lua.ApiError
	if errors.As(err, &api) && api.Object != nil {
		return api.Object
	}
	return lua.LString(err.Error())
}

// text returns what an error object says: a string itself, others by their __tostring.
func (h *Host) text(fault *stdlib.Fault) string {
	if _, ok := fault.Value.(lua.LString); ok || fault.Value == nil {
		return fault.Error()
	}
	if h.L.GetMetaField(fault.Value, "__tostring") == lua.LNil {
		if t, ok := fault.Value.(*lua.LTable); ok && fault.Cause == nil {
			return "error value " + contents(t)
		}
		return fault.Error()
	}
	values, err := h.Library.Call(h.L, h.L.G.Global.RawGetString("tostring").(*lua.LFunction), fault.Value)
	if err != nil || len(values) == 0 {
		return fault.Error()
	}
	return values[0].String()
}

// mostContents is how many entries of an error object are shown.
const mostContents = 8

// contents are the entries of a table, lists first, then names in their order; tables inside
// are {…}.
func contents(t *lua.LTable) string {
	short := func(v lua.LValue) string {
		switch v := v.(type) {
		case lua.LString:
			return strconv.Quote(strings.ToValidUTF8(string(v[:min(len(v), 80)]), ""))
		case *lua.LTable:
			return "{…}"
		case lua.LNumber, lua.LBool:
			return v.String()
		}
		return v.Type().String()
	}
	var list, named []string
	t.ForEach(func(k, v lua.LValue) {
		switch k := k.(type) {
		case lua.LNumber:
			list = append(list, short(v))
		case lua.LString:
			named = append(named, string(k)+" = "+short(v))
		}
	})
	slices.Sort(named)
	if list = append(list, named...); len(list) > mostContents {
		list = append(list[:mostContents], "…")
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// stopped says that the run was cancelled, and where, if a binding was at work.
func (e *Error) stopped(cause error) {
	where := "" // a binding says its name before what stopped it; any other text is the script's
	for _, end := range []error{context.Canceled, context.DeadlineExceeded, cause} {
		if name, ok := strings.CutSuffix(e.Message, ": "+end.Error()); ok {
			where = strings.TrimSuffix(name, " stopped")
		}
	}
	var timeout *TimeoutError
	var memory *MemoryError
	e.Cause, e.Message = cause, cause.Error()
	switch {
	case errors.As(cause, &timeout):
		e.Exit = ExitTimeout
	case errors.Is(cause, context.DeadlineExceeded):
		e.Exit, e.Message = ExitTimeout, "time limit exceeded"
	case errors.As(cause, &memory):
		e.Exit = ExitMemory
	default:
		e.Exit = ExitInterrupted
		if errors.Is(cause, context.Canceled) {
			e.Message = ErrInterrupted.Error()
		}
	}
	if where != "" && !strings.Contains(where, "\n") && len(where) < 200 {
		e.Message += " in " + where
	}
}

// tracebackEnds is how many calls of a long traceback are kept at each end.
const tracebackEnds = 20

func traceback(frames []stdlib.Frame) []string {
	var lines []string
	for i, f := range frames {
		switch {
		case len(frames) <= 2*tracebackEnds || i < tracebackEnds || i >= len(frames)-tracebackEnds:
			lines = append(lines, fmt.Sprintf("%s:%d: in %s", f.File, f.Line, f.Name))
		case i == tracebackEnds:
			lines = append(lines, fmt.Sprintf("… %d more", len(frames)-2*tracebackEnds))
		}
	}
	return lines
}
