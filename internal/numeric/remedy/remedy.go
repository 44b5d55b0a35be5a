// Package remedy lets an error carry what to do about it, apart from what is wrong, so
// that a program that knows what its users type can say it in their words.
//
// [Remedy.For] adds a remedy to an error; the text of the result is that of the error, then
// the remedy as a Go programmer reads it. [Reword] is that text with remedies in other words.
package remedy

import (
	"errors"
	"fmt"
	"strings"
)

// A Remedy is a sentence with the verbs of package fmt for what it names. The list of them
// is [All].
type Remedy string

// An Error is an error with what to do about it.
type Error struct {
	Err    error
	Remedy Remedy
	Args   []any // what the remedy names
}

// For returns err with the remedy; args are what it names, in the order of its verbs.
func (r Remedy) For(err error, args ...any) error { return &Error{err, r, args} }

// Text is the remedy as it is said in Go.
func (e *Error) Text() string { return fmt.Sprintf(string(e.Remedy), e.Args...) }

func (e *Error) Error() string { return join(e.Err, e.Text()) }

func (e *Error) Unwrap() error { return e.Err }

func join(err error, text string) string { return err.Error() + "; " + text }

// Reword returns the text of err with every remedy in it as say puts it.
func Reword(err error, say func(*Error) string) string {
	text := err.Error()
	each(err, func(e *Error) { text = strings.Replace(text, join(e.Err, e.Text()), join(e.Err, say(e)), 1) })
	return text
}

// each visits the errors with remedies in the tree of err, the inner ones last.
func each(err error, visit func(*Error)) {
	if e, ok := err.(*Error); ok { //nolint:errorlint // the tree is walked here
		visit(e)
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			each(e, visit)
		}
		return
	}
	if inner := errors.Unwrap(err); inner != nil {
		each(inner, visit)
	}
}
