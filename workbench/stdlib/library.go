// Package stdlib is Lua's standard library for the workbench: what Lua 5.1's manual describes, written so that it can be
// interrupted, cannot exhaust the machine by accident, and gives the same numbers on every machine.
//
// Open installs it in a state and returns the Library, the part of it that Go code uses: calls that are protected, the
// session's context, sources of the loaded chunks for messages. There is one file per library (base.go, string.go, …);
// a function is added as one method and one line in the list of its file.
//
// Differences from Lua 5.1 a script can see:
//
//   - There is no debug library except debug.traceback, no string.dump, no loading of C libraries.
//   - pcall and xpcall run their function on a thread of its own: getfenv and setfenv by level do not reach past them.
//   - a % b is the exact remainder with the sign of b, as in Lua 5.4, Python and NumPy: 5 % math.huge is 5.
//   - Arithmetic never yields -0, except unary minus and functions of math.
//   - A for loop takes numbers, not strings that look like numbers.
//   - coroutine.wrap passes an error on as it is, without another position in front.
//   - A yield inside a metamethod, an iterator of a for loop, pcall or a function of Go is an error, as in Lua 5.1.
//   - math.random is a PCG generator that starts from the same seed in every session.
//   - From later versions and LuaJIT: table.pack, table.unpack, math.log(x, base), string.rep(s, n, separator), %f in
//     patterns, xpcall with arguments, load of a string with mode and environment, goto, \x and \z in strings,
//     __pairs, __ipairs and __len of tables, __tostring in %s and error messages.
package stdlib

import (
	"io"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// Options says how the library talks to the world.
type Options struct {
	Out io.Writer // print, io.write, io.stdout; nil means os.Stdout
	Err io.Writer // io.stderr; nil means os.Stderr
	In  io.Reader // io.read, io.stdin; nil means os.Stdin

	// Stdin is what commands read, which get a file as it is; what only copies In for them would take from it what they do not
	// want. Nil means In.
	Stdin *os.File

	// Safe leaves out what reaches beyond the script: see SafeNotice.
	Safe bool

	// Dir is where require, and in safe mode also dofile and loadfile, look for files: the folder of the script. Empty means the
	// current folder.
	Dir string

	// Seed is where math.random starts.
	Seed uint64

	// Math gives the functions of math a meaning for values that are not numbers. They are asked in order.
	Math []MathExtension

	// MaxDepth is how many calls may be nested in one thread; 0 means DefaultDepth, or SafeDepth if Safe.
	MaxDepth int
}

// Depths of nested calls.
const (
	DefaultDepth = 12000
	SafeDepth    = 5000
)

// StateOptions are the options of a Lua state that the library is made for: deep recursion, threads that begin small.
func StateOptions(o Options) lua.Options {
	depth := o.MaxDepth
	switch {
	case depth > 0:
	case o.Safe:
		depth = SafeDepth
	default:
		depth = DefaultDepth
	}
	return lua.Options{
		SkipOpenLibs: true, CallStackSize: depth, MinimizeStackMemory: true,
		RegistrySize: 256, RegistryMaxSize: 1 << 20,
		RegistryGrowStep: 1 << 11,
	}
}

// Library is the standard library of one state.
type Library struct {
	options Options
	main    *lua.LState
	session *Session
	started time.Time

	idle       []*worker
	matchers   []*matcher
	coroutines []*lua.LState // being resumed, the running one last
	nesting    *bind.Nesting
	resume     lua.LGFunction // gopher-lua's coroutine.resume
	create     lua.LGFunction // and coroutine.create
	trampoline *lua.LFunction // makes a Lua function that calls a Go function
	frames     frameReader

	sources map[string]*source
	random  generator
	fileMT  *lua.LTable
	in, out *lua.LUserData // default files of io
	writers map[*file]bool // open for writing
}

// arrayLimit is the largest index gopher-lua keeps in the array part of a table; it fills the array up to an index that is
// set. Its own limit of 67 million turns t[20240131] = true into seconds and gigabytes; beyond this one tables are hashed.
// The variable belongs to gopher-lua and thus to the whole process.
const arrayLimit = 1 << 24

// The limit is set while the program starts: later, states in other goroutines may already be reading it.
var _ = limitArrays()

func limitArrays() int {
	lua.MaxArrayIndex = arrayLimit
	return arrayLimit
}

// Open installs the library in a state made with StateOptions. Nothing else may have been opened there.
func Open(L *lua.LState, o Options) *Library {
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Err == nil {
		o.Err = os.Stderr
	}
	if o.In == nil {
		o.In = os.Stdin
	}
	lib := &Library{options: o, main: L, session: newSession(), started: time.Now(), sources: map[string]*source{}, writers: map[*file]bool{}}
	lib.frames, lib.nesting = newFrameReader(), bind.NestingOf(L)
	L.SetContext(lib.session)
	lib.openPackage(L)
	lib.openBase(L)
	lib.openTable(L)
	lib.openString(L)
	lib.openMath(L)
	lib.openCoroutine(L)
	lib.openDebug(L)
	lib.openOS(L)
	lib.openIO(L)
	return lib
}

// Session returns the context under which all Lua code of the state runs.
func (lib *Library) Session() *Session { return lib.session }

// call is one call of a library function.
type call struct {
	*lua.LState
	lib  *Library
	name string // for messages: "abs"
}

// entry is a function of a library table.
type entry struct {
	name string
	run  func(call) int
}

// register puts functions into a table.
func (lib *Library) register(L *lua.LState, table *lua.LTable, entries []entry) {
	for _, e := range entries {
		table.RawSetString(e.name, lib.function(L, e.name, e.run))
	}
}

func (lib *Library) function(L *lua.LState, name string, run func(call) int) *lua.LFunction {
	return L.NewFunction(func(L *lua.LState) int { return run(call{L, lib, name}) })
}

// module makes a global library table, also known to require.
func (lib *Library) module(L *lua.LState, name string, entries []entry) *lua.LTable {
	table := L.NewTable()
	lib.register(L, table, entries)
	L.G.Global.RawSetString(name, table)
	lib.loaded(L).RawSetString(name, table)
	return table
}
