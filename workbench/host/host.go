// Package host makes a Lua state that runs scripts of the workbench. It is the door for Go programs that embed it:
//
//	h, err := host.New(host.Options{})
//	err = h.Run(ctx, "hello.lua", `print("1 + 1 =", 1 + 1)`)
//	h.Close()
//
// Code is compiled by chunk, so that it computes what it says; it has the standard library of stdlib and the modules of a
// bind.Registry. A script can be interrupted from any goroutine, by a context, a time limit or a memory limit, and the state
// can be used again afterwards. Nothing a script does ends the process: os.exit and every failure come back as an *Error, which
// knows the exit status.
package host

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/screen"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// Options says what a Host is for. The zero value is the whole workbench.
type Options struct {
	Out io.Writer // nil means os.Stdout
	Err io.Writer // nil means os.Stderr
	In  io.Reader // nil means os.Stdin

	// Stdin is what commands of scripts read, if it is a file; nil means In.
	Stdin *os.File

	// Context ends everything the host runs; nil means that nothing does.
	Context context.Context

	// Safe is for scripts that were not read before: see stdlib.SafeNotice.
	Safe bool

	// MaxMemory is how many bytes the objects of the process may take before the running script is stopped; 0 means no limit. It
	// is also given to debug.SetMemoryLimit, which is a setting of the whole process.
	MaxMemory int64

	// Timeout is how long one Run or Eval may take; 0 means as long as it likes.
	Timeout time.Duration

	// Script is the path of the script: arg[0], and its folder is where require looks first.
	Script string

	// Args are what the script finds in arg[1], arg[2], … and in ... .
	Args []string

	// Command is what stands before the script on the command line, the program and its options: arg[-1] is the last of it.
	Command []string

	// Seed is where math.random starts.
	Seed uint64

	// Modules are installed as globals and for require; nil means StandardModules.
	Modules *bind.Registry

	// Open installs further things in the new state.
	Open []func(L *lua.LState)

	// Math gives the functions of math a meaning for values that are not numbers; nil means StandardMath.
	Math []stdlib.MathExtension
}

// Host is a Lua state with all that scripts need. One goroutine at a time may use it; only Interrupt may be called from
// others.
type Host struct {
	L        *lua.LState
	Library  *stdlib.Library
	Registry *bind.Registry

	options  Options
	running  atomic.Int32
	restored func()
	beside   *sync.Mutex // of the output of states beside this one
}

// lockedWriter is a writer for several goroutines.
type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// Flush has the writer write what it keeps.
func (l lockedWriter) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w, ok := l.w.(interface{ Flush() error }); ok {
		return w.Flush()
	}
	return nil
}

// New makes a host: a Lua state with the standard library and the modules. Costs about 3 ms.
func New(o Options) (*Host, error) {
	if o.MaxMemory < 0 {
		return nil, errors.New("max memory: must not be negative")
	}
	if o.Timeout < 0 {
		return nil, errors.New("timeout: must not be negative")
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Modules == nil {
		o.Modules = StandardModules()
	}
	if o.Math == nil {
		o.Math = StandardMath()
	}
	library := stdlib.Options{Out: o.Out, Err: o.Err, In: o.In, Stdin: o.Stdin, Safe: o.Safe, Seed: o.Seed, Math: o.Math}
	if o.Script != "" {
		library.Dir = filepath.Dir(o.Script)
	}
	L := lua.NewState(stdlib.StateOptions(library))
	h := &Host{L: L, Library: stdlib.Open(L, library), Registry: o.Modules, options: o, restored: func() {}}
	if o.MaxMemory > 0 {
		h.restored = limitMemory(o.MaxMemory)
	}
	o.Modules.Open(L, bind.Env{Out: o.Out})
	h.preload()
	trace.UseSource(L, h.Source)
	trace.UseStates(L, h.another)
	for _, open := range o.Open {
		open(L)
	}
	h.setArguments()
	return h, nil
}

// another makes a state with the same library, for what runs beside the scripts of h.
func (h *Host) another() (*lua.LState, error) {
	o := h.options
	o.MaxMemory, o.Open = 0, nil
	if h.beside == nil {
		h.beside = new(sync.Mutex)
	}
	o.Out = lockedWriter{h.beside, o.Out}
	if o.Err != nil {
		o.Err = lockedWriter{h.beside, o.Err}
	}
	other, err := New(o)
	if err != nil {
		return nil, err
	}
	return other.L, nil
}

// setArguments makes the global table arg.
func (h *Host) setArguments() {
	arg := h.L.NewTable()
	if h.options.Script != "" {
		arg.RawSet(lua.LNumber(0), lua.LString(h.options.Script))
	}
	for i, word := range h.options.Command {
		arg.RawSet(lua.LNumber(i-len(h.options.Command)), lua.LString(word))
	}
	for i, a := range h.options.Args {
		arg.RawSetInt(i+1, lua.LString(a))
	}
	h.L.G.Global.RawSetString("arg", arg)
}

// Run compiles and runs a script. The name is what messages show. A failure is an *Error.
func (h *Host) Run(ctx context.Context, name, source string) error {
	fn, err := h.Library.Load(h.L, name, []byte(source))
	if err != nil {
		return h.Describe(err)
	}
	_, err = h.Call(ctx, fn, h.arguments()...)
	return err
}

// RunFile runs the script in a file.
func (h *Host) RunFile(ctx context.Context, path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		e := h.Describe(err)
		e.Exit = ExitUsage
		return e
	}
	return h.Run(ctx, path, string(source))
}

// Eval runs what was typed at a prompt, expressions or statements, and returns the values. A failure is an *Error; if more
// input could complete the text, it contains a *chunk.SyntaxError that says so.
func (h *Host) Eval(ctx context.Context, name, source string) ([]lua.LValue, error) {
	fn, err := h.Library.LoadInput(h.L, name, []byte(source))
	if err != nil {
		return nil, h.Describe(err)
	}
	return h.Call(ctx, fn, h.arguments()...)
}

// Execute runs a tree that was parsed, and perhaps changed, before; it uses the tree up.
func (h *Host) Execute(ctx context.Context, tree *chunk.Tree) ([]lua.LValue, error) {
	fn, err := h.Library.LoadTree(h.L, tree)
	if err != nil {
		return nil, h.Describe(err)
	}
	return h.Call(ctx, fn, h.arguments()...)
}

func (h *Host) arguments() []lua.LValue {
	values := make([]lua.LValue, len(h.options.Args))
	for i, a := range h.options.Args {
		values[i] = lua.LString(a)
	}
	return values
}

// Call calls a Lua function under the limits of the host and returns all its results. A failure is an *Error.
func (h *Host) Call(ctx context.Context, fn *lua.LFunction, args ...lua.LValue) ([]lua.LValue, error) {
	ctx, stop := h.limit(ctx)
	defer stop()
	if bindings.DisplayOf(ctx) == nil {
		ctx = bindings.WithDisplay(ctx, displayText)
	}
	if h.options.Safe {
		ctx = bindings.WithFileAccess(ctx, h.Library)
	}
	h.running.Add(1)
	defer h.running.Add(-1)
	defer h.Library.Session().Begin(ctx)()
	values, err := h.Library.Call(h.L, fn, args...)
	cause := h.Library.Session().Cause()
	if flushed := h.Library.Flush(); err == nil && flushed != nil {
		err = flushed
	}
	if err == nil {
		return values, nil
	}
	return nil, h.describe(err, cause)
}

// displayText shows figures where the program has said nothing of how: as text without colours.
func displayText(out io.Writer, f plot.Figure) error {
	text, err := screen.Text(f, screen.Options{Unicode: true})
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

// limit adds the host's own limits to the context of a run.
func (h *Host) limit(ctx context.Context) (limited context.Context, stop func()) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stops := []func(){func() { cancel(nil) }}
	if own := h.options.Context; own != nil {
		release := context.AfterFunc(own, func() { cancel(context.Cause(own)) })
		stops = append(stops, func() { release() })
	}
	if h.options.Timeout > 0 {
		var release context.CancelFunc
		ctx, release = context.WithTimeoutCause(ctx, h.options.Timeout, &TimeoutError{h.options.Timeout})
		stops = append(stops, release)
	}
	if h.options.MaxMemory > 0 {
		stops = append(stops, watchMemory(uint64(h.options.MaxMemory), cancel))
	}
	return ctx, func() {
		for _, s := range stops {
			s()
		}
	}
}

// Interrupt stops what is running, as Ctrl-C should; any goroutine may call it. Without a cause it is ErrInterrupted. When
// nothing is running it does nothing.
func (h *Host) Interrupt(cause error) {
	if cause == nil {
		cause = ErrInterrupted
	}
	if h.running.Load() > 0 {
		h.Library.Session().Cancel(cause)
	}
}

// Source returns the text of a chunk by the name that messages use for it.
func (h *Host) Source(name string) (string, bool) { return h.Library.Source(name) }

// Close closes the files that scripts left open, and the state.
func (h *Host) Close() error {
	h.restored()
	err := h.Library.Close()
	h.L.Close()
	return err
}
