package loops

import (
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// operation is what an instruction does. n are the numbers of a frame, t its tables.
type operation uint8

const (
	opEnd    operation = iota
	opBegin            // an iteration of the outermost loop, to which the frame goes back if it fails
	opMove             // n[a] = n[b]
	opAdd              // n[a] = n[b] + n[c]
	opSub              // n[a] = n[b] - n[c]
	opMul              // n[a] = n[b] * n[c]
	opDiv              // n[a] = n[b] / n[c]
	opMod              // n[a] = n[b] % n[c]
	opPow              // n[a] = n[b] ^ n[c]
	opSquare           // n[a] = n[b] ^ n[c] as the instruction of the virtual machine computes it
	opNeg              // n[a] = -n[b]
	opDraw             // n[a] = f[b]()
	opCall             // n[a] = f[b](n[c])
	opCall2            // n[a] = f[b](n[c], n[d])
	opLen              // n[a] = #t[b]
	opGet              // n[a] = t[b][key c], which must be a number
	opTable            // t[a] = t[b][key c], which must be a table without a metatable
	opSet              // t[b][key c] = n[a]
	opStore            // t[b][key c] = values[a]
	opJump             // to
	opLess             // to, if n[a] < n[b] is d; likewise the two below
	opAtMost           //
	opEqual            //
	opTrue             // to, if the truth of t[b][key c] is d
	opNil              // to, if t[b][key c] == nil is d
	opBack             // to, the beginning of a loop
	opFor              // n[a] += n[a+2]; n[a+3] = n[a] and to, unless the limit n[a+1] is passed
)

// instruction of a program. A key is names[c] if it is named, n[c] otherwise.
type instruction struct {
	op         operation
	a, b, c, d uint8
	named      bool
	last       bool // after this change of an element nothing can fail in the same iteration
	to         int32
}

// Sizes of a frame. Its numbers are the four of the outermost for, then variables of the program around it, then those of
// the loop, with the constants at the end.
const (
	numbers    = 256
	tables     = 16
	functions  = 8 // of each kind
	firstOuter = 4
	maxOuter   = 24
	firstInner = firstOuter + maxOuter
)

// kind is what a variable must hold.
type kind uint8

const (
	number kind = iota
	table
	nullary // a function called without arguments
	unary   // with one
	binary
	kinds
)

// outer is a variable of the program around a loop.
type outer struct {
	name    string
	field   string // for a function: math.sin is field sin of the variable math
	kind    kind
	slot    uint8
	global  bool
	written bool
}

// Program is a compiled loop. It is not changed while it runs, and may run in several states at the same time.
type Program struct {
	code      []instruction
	constants []float64 // from the end of the numbers downwards
	names     []string
	values    []lua.LValue
	small     []lua.LValue // the integers from 0 on, which then need no memory of their own
	outer     []outer
	fills     []uint8   // the tables that the outermost loop fills
	frames    sync.Pool // of *frame
	counts    bool      // the outermost loop is a numeric for
	fails     bool      // an iteration can fail after it has begun
	globals   bool
}

// smallNumbers is how many integers a program keeps as values.
const smallNumbers = 128

// value returns a number as the virtual machine has it.
func (p *Program) value(x float64) lua.LValue {
	if 1 <= x && x < smallNumbers {
		if k := int(x); float64(k) == x {
			return p.small[k]
		}
	}
	return lua.LNumber(x)
}

// Arguments are the variables whose values Run takes, after the first value, the limit and the step of a numeric for.
func (p *Program) Arguments() []string {
	return p.locals(func(v outer) bool { return true })
}

// Results are the variables whose new values Run returns.
func (p *Program) Results() []string { return p.locals(func(v outer) bool { return v.written }) }

func (p *Program) locals(which func(outer) bool) []string {
	var names []string
	for _, v := range p.outer {
		if !v.global && which(v) {
			names = append(names, v.name)
		}
	}
	return names
}

// Function is a function of numbers as it is with each count of arguments that it takes. Without arguments it may give another
// number each time; of others the same arguments always give the same.
type Function struct {
	None func() float64
	One  func(x float64) float64
	Two  func(x, y float64) float64
}

// functionsKey is where a state keeps the functions that programs may call.
const functionsKey = "chunk.loops.functions"

// Offer makes functions of a state known to the programs that run in it.
func Offer(L *lua.LState, known map[*lua.LFunction]Function) {
	L.G.Registry.RawSetString(functionsKey, &lua.LUserData{Value: known, Metatable: lua.LNil})
}
