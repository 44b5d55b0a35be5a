// Package mutation is compiled into packages under test by tools/mutate, which writes its
// calls in place of operators, numbers and conditions: one program then holds many mutants,
// of which the environment says the one that lives. Without it all calls are what stood
// there. A call notes its mutant the first time that the mutant gives another value, so
// that a test is known to matter before any mutant lives.
package mutation

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

const (
	Living   = "WORKBENCH_MUTANT"  // names the variable of the environment with the mutant that lives
	Recorded = "WORKBENCH_MUTANTS" // names the one with the file that gets those that would matter
	Most     = 1 << 12             // mutants in one program
)

type state struct {
	living int
	file   string
	// what has been noted
	ran, mattered [Most]atomic.Bool
}

// it is there before any other variable of the program is: some are mutants' work.
var it = read()

func read() *state {
	s := &state{living: -1, file: os.Getenv(Recorded)}
	if n, err := strconv.Atoi(os.Getenv(Living)); err == nil {
		s.living = n
	}
	return s
}

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128
}

func lives(id int) bool { return it.living == id }
func recording() bool   { return it.file != "" }

// Reach notes that a mutant may matter where the program is.
func Reach(id int) {
	if recording() {
		note(id, false)
		note(id, true)
	}
}

// note writes a mutant to the file the first time that the program is there, and the first
// time that it would matter there.
func note(id int, matters bool) {
	seen, word := &it.ran[id], "runs"
	if matters {
		seen, word = &it.mattered[id], "matters"
	}
	if seen.Load() || seen.Swap(true) {
		return
	}
	f, err := os.OpenFile(it.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, word, id)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// either is what stood there or, of the mutant that lives, the other value.
func either[T comparable](id int, old, other T) T {
	if lives(id) {
		return other
	}
	if recording() {
		note(id, false)
		if old != other {
			note(id, true)
		}
	}
	return old
}

// Pick is a constant.
func Pick[T comparable](id int, old, other T) T { return either(id, old, other) }

// Add is x + y, or x - y.
func Add[T number](id int, x, y T) T { return either(id, x+y, x-y) }

// Sub is x - y, or x + y.
func Sub[T number](id int, x, y T) T { return either(id, x-y, x+y) }

// Mul is x * y, or x / y.
func Mul[T number](id int, x, y T) T {
	if y == 0 && !lives(id) { // whole numbers cannot be divided by it
		Reach(id)
		return x * y
	}
	return either(id, x*y, x/y)
}

// Quo is x / y, or x * y.
func Quo[T number](id int, x, y T) T {
	if lives(id) {
		return x * y
	}
	return either(id, x/y, x*y)
}

// Neg is -x, or x.
func Neg[T number](id int, x T) T { return either(id, -x, x) }

// Less is x < y, or x <= y.
func Less[T cmp.Ordered](id int, x, y T) bool { return either(id, x < y, x <= y) }

// LessEqual is x <= y, or x < y.
func LessEqual[T cmp.Ordered](id int, x, y T) bool { return either(id, x <= y, x < y) }

// Greater is x > y, or x >= y.
func Greater[T cmp.Ordered](id int, x, y T) bool { return either(id, x > y, x >= y) }

// GreaterEqual is x >= y, or x > y.
func GreaterEqual[T cmp.Ordered](id int, x, y T) bool { return either(id, x >= y, x > y) }

// NotLess is x < y, or x >= y.
func NotLess[T cmp.Ordered](id int, x, y T) bool { return either(id, x < y, x >= y) }

// NotLessEqual is x <= y, or x > y.
func NotLessEqual[T cmp.Ordered](id int, x, y T) bool { return either(id, x <= y, x > y) }

// NotGreater is x > y, or x <= y.
func NotGreater[T cmp.Ordered](id int, x, y T) bool { return either(id, x > y, x <= y) }

// NotGreaterEqual is x >= y, or x < y.
func NotGreaterEqual[T cmp.Ordered](id int, x, y T) bool { return either(id, x >= y, x < y) }

// Flip is a condition, or its contrary.
func Flip(id int, x bool) bool { return either(id, x, !x) }

// And is x && y, or x || y; y is asked for only where that does.
func And(id int, x bool, y func() bool) bool {
	if lives(id) {
		return x || y()
	}
	if !x {
		Reach(id)
		return false
	}
	return either(id, y(), true)
}

// Or is x || y, or x && y.
func Or(id int, x bool, y func() bool) bool {
	if lives(id) {
		return x && y()
	}
	if x {
		Reach(id)
		return true
	}
	return either(id, y(), false)
}

// AddTo is *x += y, or *x -= y.
func AddTo[T number](id int, x *T, y T) { *x = Add(id, *x, y) }

// SubFrom is *x -= y, or *x += y.
func SubFrom[T number](id int, x *T, y T) { *x = Sub(id, *x, y) }

// MulBy is *x *= y, or *x /= y.
func MulBy[T number](id int, x *T, y T) { *x = Mul(id, *x, y) }

// QuoBy is *x /= y, or *x *= y.
func QuoBy[T number](id int, x *T, y T) { *x = Quo(id, *x, y) }
