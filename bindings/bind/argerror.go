package bind

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// argError says what is wrong with one argument: "input.scale -1: must be > 0".
type argError struct {
	path      string // "lambda", "input.scale", "terms[3]"; "" while it is being built
	value     string // "-1"; "" if the value is not shown
	msg       string
	wrongKind bool // of the whole value, not of a part of it
	cause     error
}

func (e *argError) Error() string {
	switch {
	case e.path == "" && e.value == "":
		return e.msg
	case e.path == "":
		return e.value + ": " + e.msg
	case e.value == "":
		return e.path + ": " + e.msg
	}
	return e.path + " " + e.value + ": " + e.msg
}

func (e *argError) Unwrap() error { return e.cause }

// mismatch is the error for a value of the wrong type.
func mismatch(kind string, got lua.LValue) *argError {
	e := &argError{msg: "want " + phrase(kind) + ", got " + describe(got), wrongKind: true}
	if s, ok := got.(lua.LString); ok {
		e.msg += didYouMean(string(s), literalsOf(kind), `"`)
	}
	return e
}

func atName(err error, name string) error {
	e, ok := err.(*argError)
	if !ok {
		return &argError{path: name, msg: err.Error(), cause: err}
	}
	at := *e
	at.wrongKind = false
	switch {
	case e.path == "":
		at.path = name
	case e.path[0] == '[':
		at.path = name + e.path
	default:
		at.path = name + "." + e.path
	}
	return &at
}

func atIndex(err error, i int) error { return atName(err, "["+strconv.Itoa(i)+"]") }
