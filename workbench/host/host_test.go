package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/stdlib"
)

func newHost(t *testing.T, o Options) (*Host, *bytes.Buffer) {
	t.Helper()
	out := &bytes.Buffer{}
	if o.Out == nil {
		o.Out = out
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h, out
}

// TestExitStatus checks the status each kind of end gives, and that the state can be used after it.
func TestExitStatus(t *testing.T) {
	h, out := newHost(t, Options{})
	run := func(text string) error { return h.Run(context.Background(), "case.lua", text) }
	for text, want := range map[string]int{
		"x = 1": ExitOK, "error('x')": ExitFailure, "x = = 1": ExitUsage, "if x then": ExitUsage, "os.exit()": 0, "os.exit(3)": 3, "os.exit(false)": 1,
		"local f = loadstring('x = = 1'); f()": ExitFailure, "assert(loadstring('x = = 1'))": ExitFailure, "dofile('no such file')": ExitFailure,
	} {
		if err := run(text); ExitStatus(err) != want {
			t.Errorf("%s: status %d (%v), want %d", text, ExitStatus(err), err, want)
		}
	}
	if got := ExitStatus(h.RunFile(context.Background(), filepath.Join(t.TempDir(), "none.lua"))); got != ExitUsage {
		t.Errorf("no such file: status %d", got)
	}
	if err := run("print(x)"); err != nil || out.String() != "1\n" {
		t.Errorf("afterwards: %v, %q", err, out)
	}
	var exit *stdlib.ExitError
	if err := run("os.exit(0)"); !errors.As(err, &exit) || exit.Code != 0 {
		t.Errorf("os.exit(0): %v", err)
	}
}

// writer calls a function for everything that is written.
type writer func()

func (w writer) Write(b []byte) (int, error) {
	w()
	return len(b), nil
}

// TestStops checks the four ways of stopping a run: message, position, status, cause.
func TestStops(t *testing.T) {
	own, stop := context.WithCancelCause(context.Background())
	var once func()
	h, _ := newHost(t, Options{Context: own, Out: writer(func() { go once() })})
	running := func(f func()) { once = f }
	check := func(what string, err error, exit int, message string, cause error) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Exit != exit || e.Message != message || e.File != "spin.lua" || e.Line != 2 || !errors.Is(err, cause) {
			t.Errorf("%s: %#v", what, err)
		}
	}
	const spin = "print('running')\nwhile true do end"
	running(func() { h.Interrupt(nil) })
	check("Interrupt", h.Run(context.Background(), "spin.lua", spin), ExitInterrupted, "interrupted", ErrInterrupted)

	ctx, cancel := context.WithCancel(context.Background())
	running(cancel)
	check("cancelled context", h.Run(ctx, "spin.lua", spin), ExitInterrupted, "interrupted", context.Canceled)

	running(func() {})
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	check("deadline", h.Run(ctx, "spin.lua", spin), ExitTimeout, "time limit exceeded", context.DeadlineExceeded)
	cancel()

	h.Interrupt(nil) // nothing runs: no effect on the next run
	if err := h.Run(context.Background(), "case.lua", "x = 1"); err != nil {
		t.Errorf("after an interrupt of nothing: %v", err)
	}
	limited, _ := newHost(t, Options{Timeout: 30 * time.Millisecond})
	err := limited.Run(context.Background(), "spin.lua", spin)
	check("Timeout", err, ExitTimeout, "time limit of 30ms exceeded", errors.Unwrap(err))

	running(func() { stop(errors.New("shutting down")) })
	err = h.Run(context.Background(), "spin.lua", spin)
	check("the host's context", err, ExitInterrupted, "shutting down", errors.Unwrap(err))
}

// TestInterruptedBinding checks that the message says in which function of Go the run was.
func TestInterruptedBinding(t *testing.T) {
	type none struct{}
	registry := bind.New(bind.Module{Name: "slow", Doc: "Slow things.", Funcs: []bind.Func{
		bind.Fn("solve", "Waits.", func(c *bind.Call, _ *none) (float64, error) {
			<-c.Done()
			return 0, c.Err()
		}, bind.Example("slow.solve()")),
	}})
	h, _ := newHost(t, Options{Modules: registry})
	time.AfterFunc(20*time.Millisecond, func() { h.Interrupt(nil) })
	err := h.Run(context.Background(), "fit.lua", "\npcall(slow.solve)")
	if got := err.Error(); got != "fit.lua:2: interrupted in slow.solve" {
		t.Errorf("got %s", got)
	}
	within := &Error{Message: "slow.solve: choice of lambda stopped: " + context.Canceled.Error()}
	if within.stopped(context.Canceled); within.Message != "interrupted in slow.solve: choice of lambda" {
		t.Errorf("what stopped within it: %s", within.Message)
	}
}

// TestWhereItStopped checks that what a script raises itself is not taken for the name of a function.
func TestWhereItStopped(t *testing.T) {
	h, _ := newHost(t, Options{Timeout: 20 * time.Millisecond})
	for _, source := range []string{
		`while true do pcall(function() error("xyz") end) end`,
		`while true do pcall(error, "xyz: ") end`,
		`while true do pcall(string.rep) end`,
	} {
		if err := h.Run(context.Background(), "a.lua", source); err == nil || err.Error() != "a.lua:1: time limit of 20ms exceeded" {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// TestBindingErrors checks that an error of a binding arrives with its cause, and that a misspelt function is suggested.
func TestBindingErrors(t *testing.T) {
	type arguments struct {
		Nu float64 `arg:"nu" doc:"Smoothness." allow:">0"`
	}
	registry := bind.New(bind.Module{Name: "kernel", Doc: "Kernels.", Funcs: []bind.Func{
		bind.Fn("matern", "A kernel.", func(c *bind.Call, a *arguments) (float64, error) { return a.Nu, nil }, bind.Example("kernel.matern{nu = 1}")),
	}})
	h, _ := newHost(t, Options{Modules: registry})
	if h.Registry != registry {
		t.Error("Registry is not the one of the options")
	}
	err := h.Run(context.Background(), "fit.lua", "kernel.matern{nu = -1}")
	var cause *bind.Error
	if !errors.As(err, &cause) || !strings.HasPrefix(err.Error(), "fit.lua:1: kernel.matern: nu -1: must be > 0\n  usage: ") {
		t.Errorf("got %v", err)
	}
	err = h.Run(context.Background(), "fit.lua", "kernel.mattern{nu = 1}")
	if err == nil || !strings.Contains(err.Error(), "did you mean 'matern'?") {
		t.Errorf("got %v", err)
	}
}

// TestMemoryLimit checks that a script that fills the memory is stopped, and the session goes on.
func TestMemoryLimit(t *testing.T) {
	testmain.CollectAsUsually(t)
	limit := int64(stdlib.HeapInUse()) + 64<<20
	h, out := newHost(t, Options{MaxMemory: limit, Timeout: time.Minute})
	err := h.Run(context.Background(), "fill.lua", "local t = {}\nfor i = 1, 1e9 do t[i] = {i} end")
	var memory *MemoryError
	if !errors.As(err, &memory) || ExitStatus(err) != ExitMemory || !strings.HasPrefix(err.Error(), "fill.lua:2: memory limit of ") {
		t.Fatalf("got %v", err)
	}
	if err := h.Run(context.Background(), "case.lua", "print('still here')"); err != nil || out.String() != "still here\n" {
		t.Errorf("afterwards: %v, %q", err, out)
	}
}

// TestEval checks values, statements, incomplete input and what a session keeps.
func TestEval(t *testing.T) {
	h, out := newHost(t, Options{})
	eval := func(text string) ([]lua.LValue, error) { return h.Eval(context.Background(), "stdin", text) }
	if v, err := eval("1 + 1, nil, 'x'"); err != nil || len(v) != 3 || v[0] != lua.LNumber(2) || v[1] != lua.LNil {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := eval("x = 5; print(x)"); err != nil || len(v) != 0 || out.String() != "5\n" {
		t.Errorf("got %v, %v, %q", v, err, out)
	}
	if v, err := eval("x"); err != nil || v[0] != lua.LNumber(5) {
		t.Errorf("got %v, %v", v, err)
	}
	var syntax *chunk.SyntaxError
	if _, err := eval("for i = 1, 3 do"); !errors.As(err, &syntax) || !syntax.Incomplete {
		t.Errorf("got %v", err)
	}
	if _, err := eval("\"abc"); !errors.As(err, &syntax) || syntax.Incomplete || err.(*Error).Column != 1 {
		t.Errorf("got %v", err)
	}
}

// TestExecute checks that a tree can be changed before it runs.
func TestExecute(t *testing.T) {
	h, out := newHost(t, Options{})
	tree, err := chunk.Parse("case.lua", []byte("print(1)\nprint(2)\nreturn 3"))
	if err != nil {
		t.Fatal(err)
	}
	tree.Block = tree.Block[1:]
	if v, err := h.Execute(context.Background(), tree); err != nil || len(v) != 1 || out.String() != "2\n" {
		t.Errorf("got %v, %v, %q", v, err, out)
	}
}

// TestArguments checks arg and ... .
func TestArguments(t *testing.T) {
	h, out := newHost(t, Options{Script: "dir/fit.lua", Args: []string{"a", "b c"}})
	if err := h.Run(context.Background(), "dir/fit.lua", "print(arg[0], arg[1], arg[2], #arg, select('#', ...), ...)"); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "dir/fit.lua\ta\tb c\t2\t2\ta\tb c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFiles checks that require looks beside the script, and that files a script did not close are complete after the run.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("fit.lua", "local m = require 'part'\nf = io.open(arg[1], 'w')\nf:write(m.value)\nprint(m.swap(1, 2))")
	write("part.lua", "local function swap(a, b) a, b = b, a; return a, b end\nreturn {value = 'written', swap = swap}")
	script, data := filepath.Join(dir, "fit.lua"), filepath.Join(dir, "out.txt")
	h, out := newHost(t, Options{Script: script, Args: []string{data}})
	if err := h.RunFile(context.Background(), script); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(data); string(text) != "written" || out.String() != "2\t1\n" {
		t.Errorf("file %q, %v; output %q", text, err, out)
	}
	if text, ok := h.Source(script); !ok || !strings.HasPrefix(text, "local m") {
		t.Errorf("source %q", text)
	}
}

// TestNested checks that a function of Go which a script called can run code in the same host, and that an interrupt ends
// both.
func TestNested(t *testing.T) {
	h, out := newHost(t, Options{})
	h.L.G.Global.RawSetString("run", h.L.NewFunction(func(L *lua.LState) int {
		err := h.Run(L.Context(), "inner.lua", L.CheckString(1))
		L.Push(lua.LNumber(ExitStatus(err)))
		return 1
	}))
	if err := h.Run(context.Background(), "outer.lua", "print(run('print(1)'), run('error(2)'), run('os.exit(4)'))"); err != nil || out.String() != "1\n0\t1\t4\n" {
		t.Errorf("%v, %q", err, out)
	}
	time.AfterFunc(20*time.Millisecond, func() { h.Interrupt(nil) })
	if err := h.Run(context.Background(), "outer.lua", "run('while true do end')\nwhile true do end"); ExitStatus(err) != ExitInterrupted {
		t.Errorf("got %v", err)
	}
}

// TestDescribe checks errors that reach Go code by other ways than Run.
func TestDescribe(t *testing.T) {
	h, _ := newHost(t, Options{})
	if err := h.Run(context.Background(), "lib.lua", "solve = print\nfunction f() solev(1) end"); err != nil {
		t.Fatal(err)
	}
	err := h.L.CallByParam(lua.P{Fn: h.L.GetGlobal("f"), Protect: true})
	e := h.Describe(err)
	if e.File != "lib.lua" || e.Line != 2 || !strings.HasSuffix(e.Message, "'solev' (did you mean 'solve'?)") || e.Exit != ExitFailure {
		t.Errorf("got %#v", e)
	}
	for value, want := range map[string]string{
		`{code = 1, text = "no", {2}, 3}`: `error value {{…}, 3, code = 1, text = "no"}`,
		`{}`:                              "error value {}",
		`setmetatable({}, {__tostring = function() return "said" end})`: "said",
	} {
		if e := h.Describe(h.Run(context.Background(), "e.lua", "\nerror("+value+")")); e.Message != want || e.Line != 2 {
			t.Errorf("error(%s): %s, line %d", value, e.Message, e.Line)
		}
	}
	if e := h.Describe(errors.New("plain")); e.Message != "plain" || e.File != "" || e.Exit != ExitFailure {
		t.Errorf("got %#v", e)
	}
}

// TestSafe checks what safe mode leaves out and what it keeps.
func TestSafe(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"script/main.lua": "", "script/part.lua": "return 'part'", "secret.lua": "return 'secret'"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret.lua"), filepath.Join(dir, "script", "link.lua")); err != nil {
		t.Logf("no symbolic links here: %v", err)
	}
	h, out := newHost(t, Options{Safe: true, Script: filepath.Join(dir, "script", "main.lua")})
	run := func(text string) error { return h.Run(context.Background(), "main.lua", text) }
	err := run(`print(require "part", io.open, io.lines, io.popen, os.execute, os.remove, os.rename, os.getenv, os.tmpname, getfenv, setfenv, debug.getinfo, type(os.time), type(io.write))`)
	if got := out.String(); err != nil || got != "part"+strings.Repeat("\tnil", 11)+"\tfunction\tfunction\n" {
		t.Errorf("%v, %q", err, got)
	}
	for _, text := range []string{
		"dofile('../secret.lua')", "assert(loadfile('" + filepath.Join(dir, "secret.lua") + "'))", "package.path = '../?.lua'; require 'secret'",
		"package.path = '" + dir + "/?.lua'; require 'secret'", "require 'link'", "dofile('/etc/passwd')", "local function f() return 1 + f() end f()",
	} {
		if err := run(text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	if err := run("local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end; assert(depth(4000) == 4000)"); err != nil {
		t.Error(err)
	}
	if err := run("return (('a?'):rep(40) .. ('a'):rep(40)), (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40) .. 'b')"); err == nil || !strings.Contains(err.Error(), "pattern too complex") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(stdlib.SafeNotice, "not a security boundary") {
		t.Error("the notice does not say what safe mode is not")
	}
}

// TestOptions checks that senseless options are refused.
func TestOptions(t *testing.T) {
	for _, o := range []Options{{MaxMemory: -1}, {Timeout: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// TestFiguresAreShown: a figure appears where printing goes, as text, or with the display of the program.
func TestFiguresAreShown(t *testing.T) {
	h, out := newHost(t, Options{})
	const script = "plot.lines{ {y = {1, 2, 3}}, title = 'rising' }"
	if err := h.Run(context.Background(), "figure.lua", script); err != nil || !strings.Contains(out.String(), "rising") || !strings.Contains(out.String(), "└") {
		t.Errorf("%v, %q", err, out)
	}
	out.Reset()
	shown := 0
	ctx := bindings.WithDisplay(context.Background(), func(io.Writer, plot.Figure) error { shown++; return nil })
	if err := h.Run(ctx, "figure.lua", script); err != nil || shown != 1 || out.Len() > 0 {
		t.Errorf("%v, shown %d times, printed %q", err, shown, out)
	}
}

// What is written beside a script is flushed as what it writes itself.
func TestFlushBeside(t *testing.T) {
	var out bytes.Buffer
	w := lockedWriter{new(sync.Mutex), bufio.NewWriter(&out)}
	if _, err := w.Write([]byte("a")); err != nil || out.String() != "" {
		t.Errorf("%q is written before it is flushed, %v", out.String(), err)
	}
	if err := w.Flush(); err != nil || out.String() != "a" {
		t.Errorf("%q is written: want a; %v", out.String(), err)
	}
	if err := (lockedWriter{new(sync.Mutex), &out}).Flush(); err != nil {
		t.Error(err)
	}
}
