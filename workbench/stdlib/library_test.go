package stdlib

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// state is a library in a state of its own that collects what scripts print.
type state struct {
	t   *testing.T
	L   *lua.LState
	lib *Library
	out bytes.Buffer
}

func newState(t *testing.T, o Options) *state {
	s := &state{t: t}
	o.Out = &s.out
	s.L = lua.NewState(StateOptions(o))
	s.lib = Open(s.L, o)
	t.Cleanup(func() {
		s.lib.Close()
		s.L.Close()
	})
	return s
}

// run runs a script and returns its error.
func (s *state) run(text string) error {
	s.t.Helper()
	fn, err := s.lib.Load(s.L, "case.lua", []byte(text))
	if err != nil {
		return err
	}
	_, err = s.lib.Call(s.L, fn)
	return err
}

// expect runs a script that prints the given text.
func (s *state) expect(text, want string) {
	s.t.Helper()
	s.out.Reset()
	if err := s.run(text); err != nil {
		s.out.WriteString(err.Error())
	}
	if got := strings.TrimSuffix(s.out.String(), "\n"); got != want {
		s.t.Errorf("%s\n got %s\nwant %s", text, got, want)
	}
}

// TestLibrary runs scripts and compares what they print with what lua5.1 (5.1.5, TZ=UTC) printed.
func TestLibrary(t *testing.T) { compared(t, "testdata/library.txt") }

// The same of functions with arguments at, inside and beyond all their bounds.
func TestLibraryAtEveryPlace(t *testing.T) { compared(t, "testdata/everyplace.txt") }

// What is wrong is said in the words of the script: which expression, and what was probably meant.
func TestMessages(t *testing.T) { compared(t, "testdata/messages.txt") }

// compared runs scripts of a file, each with what it prints, or its error, after >>>.
func compared(t *testing.T, file string) {
	t.Setenv("TZ", "UTC")
	time.Local = time.UTC
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq("\n"+string(data), "\n--- ") {
		title, body, _ := strings.Cut(part, "\n")
		text, want, ok := strings.Cut(body, ">>>\n")
		if !ok {
			continue
		}
		n++
		t.Run(title, func(t *testing.T) {
			s := newState(t, Options{})
			if err := s.run(text); err != nil {
				s.out.WriteString(err.Error())
			}
			gotLines, wantLines := strings.Split(strings.TrimSpace(s.out.String()), "\n"), strings.Split(strings.TrimSpace(want), "\n")
			for i := range max(len(gotLines), len(wantLines)) {
				if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
					t.Errorf("line %d\n got %q\nwant %q", i+1, line(gotLines, i), line(wantLines, i))
				}
			}
		})
	}
	if n < 10 {
		t.Errorf("%d cases", n)
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// TestFrameFields fails when gopher-lua's structures are not those that frameReader reads.
func TestFrameFields(t *testing.T) {
	s := newState(t, Options{})
	var frames []Frame
	s.L.G.Global.RawSetString("frames", s.L.NewFunction(func(L *lua.LState) int {
		frames = s.lib.Frames(L)
		return 0
	}))
	err := s.run("local function inner()\n  frames()\nend\nlocal function outer()\n  inner()\n  local x\nend\nouter()")
	if err != nil {
		t.Fatal(err)
	}
	want := []Frame{{"case.lua", 2, "function 'inner'"}, {"case.lua", 5, "function 'outer'"}, {"case.lua", 8, "main chunk"}}
	if len(frames) != len(want) {
		t.Fatalf("got %v", frames)
	}
	for i := range want {
		if frames[i] != want[i] {
			t.Errorf("frame %d: got %v, want %v", i, frames[i], want[i])
		}
	}
}

// TestInterrupt checks that a run ends soon after it is cancelled, whatever it does, that pcall and coroutines cannot hold it
// up, and that the state, with the coroutines made before, can be used and interrupted again.
func TestInterrupt(t *testing.T) {
	s := newState(t, Options{})
	if err := s.run("gen = coroutine.wrap(function() local i = 0; while true do i = i + 1; coroutine.yield(i) end end); spin = coroutine.wrap(function() while true do end end); gen()"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"while true do end",
		"while true do pcall(function() while true do end end) end",
		"while true do xpcall(function() while true do end end, function(m) return m end) end",
		"local co = coroutine.wrap(function() while true do end end); while true do pcall(co) end",
		"spin()",
		"for i in gen do end",
		`local s = ("a"):rep(40); print(s:find(("a?"):rep(40) .. s .. "b"))`,
		`local s = ("a"):rep(300000); print(s:find(".-b"))`,
		`local s = ("a"):rep(300000); print(s:gsub(".-b", ""))`,
		"local t = {}; for i = 1, 2000000 do t[i] = (i * 7919) % 2000003 end; while true do table.sort(t); t[1], t[#t] = t[#t], t[1] end",
		"local function f() return f() end; f()",
		"while true do string.rep('x', 100) end",
		"table.sort({3, 2, 1}, function() while true do end end)",
		"setmetatable({}, {__index = function() while true do end end}).x = tostring(setmetatable({}, {__tostring = function() while true do end end}))",
		"goto a; ::a:: goto a",
	} {
		cause := errors.New("stop it")
		end := s.lib.Session().Begin(context.Background())
		timer := time.AfterFunc(20*time.Millisecond, func() { s.lib.Session().Cancel(cause) })
		start := time.Now()
		err := s.run(text)
		elapsed := time.Since(start)
		if got := s.lib.Session().Cause(); got != cause {
			t.Errorf("%s: cause %v", text, got)
		}
		end()
		timer.Stop()
		if err == nil || elapsed > 5*time.Second {
			t.Errorf("%s: %v after %v", text, err, elapsed)
		}
	}
	s.expect("local co = coroutine.wrap(function() coroutine.yield(1) end); print(co(), 1 + 1)", "1\t2")
}

// TestCoroutineOutlivesInterrupt checks that a coroutine made before an interrupt goes on after it.
func TestCoroutineOutlivesInterrupt(t *testing.T) {
	s := newState(t, Options{})
	s.expect("gen = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end); print(gen())", "1")
	end := s.lib.Session().Begin(context.Background())
	s.lib.Session().Cancel(nil)
	if err := s.run("while true do end"); err == nil {
		t.Error("the loop ended")
	}
	end()
	s.expect("print(gen())", "2")
}

// TestExit checks that os.exit cannot be caught and carries its status.
func TestExit(t *testing.T) {
	s := newState(t, Options{})
	for text, want := range map[string]int{
		"os.exit()": 0, "os.exit(3)": 3, "os.exit(true)": 0, "os.exit(false)": 1, "pcall(os.exit, 4)": 4,
		"xpcall(function() os.exit(5) end, print)":                                                           5,
		"coroutine.wrap(function() os.exit(6) end)()":                                                        6,
		"coroutine.resume(coroutine.create(function() pcall(function() os.exit(7) end) end))":                7,
		"table.sort({1, 2, 3}, function() os.exit(8) end)":                                                   8,
		"pcall(function() local t = setmetatable({}, {__index = function() os.exit(9) end}) return t.x end)": 9,
	} {
		var exit *ExitError
		if err := s.run(text); !errors.As(err, &exit) || exit.Code != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	s.expect("print('still here')", "still here")
}

// TestCoroutinesOfGoFunctions checks that a function of the library is a coroutine as one is that calls it: by its results,
// its errors, what it yields and receives, and that it is dead in the end.
func TestCoroutinesOfGoFunctions(t *testing.T) {
	s := newState(t, Options{})
	for name, want := range map[string]string{
		"math.max":        "true,5,dead,false,cannot resume dead coroutine,dead",
		"select":          "true,3,dead,false,cannot resume dead coroutine,dead",
		"coroutine.yield": "true,2,5,3,suspended,true,2,5,3,dead",
		"error":           "false,2,dead,false,cannot resume dead coroutine,dead",
	} {
		for _, f := range []string{name, "function(...) return " + name + "(...) end"} {
			s.expect(`
				local co, all = coroutine.create(`+f+`), {}
				local function note(...)
					for i = 1, select('#', ...) do all[#all + 1] = tostring((select(i, ...))) end
					all[#all + 1] = coroutine.status(co)
				end
				for _ = 1, 2 do note(coroutine.resume(co, 2, 5, 3)) end
				print(table.concat(all, ','))`, want)
		}
	}
}

// TestYieldBoundaries checks that a yield which would have to leave Go code is an error at the yield, and that the coroutine
// can catch it.
func TestYieldBoundaries(t *testing.T) {
	s := newState(t, Options{})
	for text, want := range map[string]string{
		"pcall(coroutine.yield, 1)": "across a pcall", "local _, m = pcall(function() coroutine.yield(1) end); error(m, 0)": "across a pcall",
		"table.sort({2, 1}, function() coroutine.yield(1) end)":                          "across a function of Go",
		"('x'):gsub('x', function() coroutine.yield(1) end)":                             "across a function of Go",
		"return setmetatable({}, {__add = function() coroutine.yield(1) end}) + 1":       "across a metamethod",
		"return setmetatable({}, {__index = function() coroutine.yield(1) end}).x":       "across a metamethod",
		"return setmetatable({}, {__concat = function() coroutine.yield(1) end}) .. 'x'": "across a",
		"for x in function() return coroutine.yield(1) end do end":                       "across a metamethod or the iterator",
		"tostring(setmetatable({}, {__tostring = function() coroutine.yield(1) end}))":   "across a function of Go",
		"require 'no such'; ": "not found",
		"xpcall(error, function() coroutine.yield(1) end); error('handler failed quietly', 0)": "handler failed quietly",
	} {
		script := "local co = coroutine.create(function() " + text + " end)\nlocal ok, m = coroutine.resume(co)\nprint(ok, m, coroutine.status(co))"
		s.out.Reset()
		if err := s.run(script); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if want == "across a pcall" && strings.HasPrefix(text, "pcall(coroutine") {
			continue // caught
		}
		if got := s.out.String(); !strings.HasPrefix(got, "false\t") || !strings.Contains(got, want) || !strings.HasSuffix(got, "dead\n") {
			t.Errorf("%s: %s", text, got)
		}
	}
	s.expect("coroutine.wrap(function() print(load(function() coroutine.yield(1) end)) end)()", "nil\tcase.lua:1: attempt to yield across a pcall or a function of Go")
	s.expect("print(pcall(coroutine.yield, 1))", "false\tattempt to yield from outside a coroutine")
	s.expect("local co = coroutine.wrap(function() print(pcall(coroutine.yield, 1)); coroutine.yield(2) end); print(co())",
		"false\tattempt to yield across a pcall or a function of Go\n2")
	s.expect("print(coroutine.isyieldable(), coroutine.wrap(function() return coroutine.isyieldable() end)())", "false\ttrue")
}

// TestProtected checks errors that are values, closures made where an error happened, handlers, and tracebacks.
func TestProtected(t *testing.T) {
	s := newState(t, Options{})
	s.expect(`
		local n, get = 0
		for i = 1, 20 do
			pcall(function() local mine = i; n = n + 1; get = function() mine = mine + 100; return mine end; if i % 2 == 0 then error('x') end end)
		end
		print(n, get(), get())`, "20\t120\t220")
	s.expect(`
		local keep
		local function f(n) local v = n; if n == 5000 then keep = function() return v end end; return 1 + f(n + 1) end
		print(pcall(f, 1) == false, keep())`, "true\t5000")
	s.expect(`local function inner() error("deep", 0) end
local function middle() inner() end
print(select(2, xpcall(middle, debug.traceback)))`, "deep\nstack traceback:\n\tcase.lua:1: in function 'inner'\n\tcase.lua:2: in function at line 2")
	s.expect("print(xpcall(function(...) return select('#', ...), ... end, print, 1, nil))", "true\t2\t1\tnil")
	s.expect("print(xpcall(error, function() error('again') end))", "false\terror in error handling")
	for value, kind := range map[string]string{"nil": "nil", "{}": "a table", "7": "a number", "setmetatable({}, {__call = 7})": "a table"} {
		s.expect("print(xpcall("+value+", function(m) return m .. '!' end))", "false\tattempt to call "+kind+"!")
		s.expect("print(xpcall("+value+", function() error('again') end))", "false\terror in error handling")
	}
	s.expect("print(xpcall(setmetatable({}, {__call = function(_, ...) return ... end}), 7, 3))", "true\t3")
	s.expect("local function f() return 1 + f() end; print(xpcall(f, function(m) return m:match('stack overflow') end))", "false\tstack overflow")
	s.expect("print(select(2, coroutine.resume(coroutine.create(function() local function f() return 1 + f() end return f() end))):match('stack overflow: more than %d+ nested calls') ~= nil)", "true")
	s.expect("print(coroutine.resume(coroutine.create(function() return 'runtime error: mine' end)))", "true\truntime error: mine")
	s.expect("print(select(2, pcall(function() return string.rep('x') end)):match('bad argument #%d'))", "bad argument #2")
	s.expect("print(tonumber('-+7', 8), tonumber('+7', 8), tonumber('-7', 8), tonumber('-', 8), tonumber('+-7', 8))", "nil\t7\t-7\tnil\tnil")
	s.expect("print(pcall(nil), pcall({}))", "false\tfalse\tattempt to call a table") // one value of the first call, all of the last
	s.expect("print(select(2, pcall(pcall)))", "bad argument #1 to 'pcall' (value expected)")
}

// TestPanicInGo checks that a bug in a Go function is an error of the script, marked as internal.
func TestPanicInGo(t *testing.T) {
	s := newState(t, Options{})
	s.L.G.Global.RawSetString("bug", s.L.NewFunction(func(L *lua.LState) int {
		var table *lua.LTable
		return table.Len()
	}))
	var internal *InternalError
	if err := s.run("\nbug()"); !errors.As(err, &internal) || len(internal.Stack) == 0 || !strings.HasPrefix(err.Error(), "case.lua:2: internal error (please report): ") {
		t.Errorf("got %v", err)
	}
	s.expect("print(pcall(bug))", "false\tinternal error (please report): invalid memory address or nil pointer dereference")
	s.expect("print(coroutine.resume(coroutine.create(bug)))", "false\tinternal error (please report): invalid memory address or nil pointer dereference")
}

// next refuses a key that the table never had, and goes on after one whose value was set to nil.
func TestNextOfUnknownKey(t *testing.T) {
	s := newState(t, Options{})
	s.expect(`print(pcall(next, {}, "nokey"))`, "false\tinvalid key to 'next'")
	s.expect(`print(pcall(next, {a = 1, b = 2}, "c"))`, "false\tinvalid key to 'next'")
	s.expect(`print(pcall(next, {a = 1, b = 2}, {}))`, "false\tinvalid key to 'next'")
	s.expect(`print(pcall(next, {a = 1}, 1.5))`, "false\tinvalid key to 'next'")
	s.expect(`t = {1, 2, a = 1, b = 2, [true] = 3, [1.5] = 4} n = 0
for k in pairs(t) do t[k] = nil n = n + 1 end print(n, next(t))`, "6\tnil")
	s.expect(`t = {1, 2, 3} for k in pairs(t) do table.remove(t) end print(#t)`, "1")
}

// A time beside none is counted from zero, as in C.
func TestDifferenceOfOneTime(t *testing.T) {
	newState(t, Options{}).expect("print(os.difftime(5, 3), os.difftime(5), os.difftime(5, 0))", "2\t5\t5")
}

// A run ends with the context it was begun with, and without one by itself only; what is around it goes on.
func TestRunsEndWithTheirContext(t *testing.T) {
	s := newSession()
	ctx, cancel := context.WithCancelCause(t.Context())
	end := s.Begin(ctx)
	var none context.Context
	inner := s.Begin(none)
	if s.Err() != nil {
		t.Errorf("a run without a context: %v", s.Err())
	}
	inner()
	if s.Err() != nil {
		t.Errorf("before its context ends: %v", s.Err())
	}
	why := errors.New("why")
	cancel(why)
	if s.Err() == nil || !errors.Is(s.Cause(), why) {
		t.Errorf("after its context has ended: %v, %v", s.Err(), s.Cause())
	}
	end()
	if s.Err() != nil {
		t.Errorf("after the run: %v", s.Err())
	}
}

// os.clock counts processor time: waiting is none.
func TestClock(t *testing.T) {
	if _, ok := progress.Processor(); !ok {
		t.Skip("this system does not tell processor time")
	}
	s := newState(t, Options{})
	s.expect(`local c = os.clock() local n = 0 while os.clock() - c < 0.02 do n = n + 1 end print(n > 0)`, "true")
	atLeast, _ := progress.Processor()
	if err := s.run("clock = os.clock()"); err != nil {
		t.Fatal(err)
	}
	if clock := float64(s.L.GetGlobal("clock").(lua.LNumber)); clock < atLeast.Seconds() {
		t.Errorf("os.clock() is %g after %v of processor time", clock, atLeast)
	}
	began := time.Now()
	before, _ := progress.Processor()
	s.expect(`os.execute("sleep 0.3")`, "")
	after, _ := progress.Processor()
	if waited, used := time.Since(began), after-before; used > waited/2 {
		t.Errorf("%v of processor time in %v of waiting", used, waited)
	}
}

// TestTimeOutOfBound: fields of a date that C's integers cannot hold are refused, not turned to another year.
func TestTimeOutOfBound(t *testing.T) {
	s := newState(t, Options{})
	for _, field := range []string{"year", "month", "day", "hour", "min", "sec"} {
		for _, value := range []string{"1e18", "-1e10", "0/0", "1/0"} {
			err := s.run("local t = {year = 2000, month = 1, day = 1} t." + field + " = " + value + " os.time(t)")
			if err == nil || !strings.Contains(err.Error(), "field '"+field+"' is out-of-bound") {
				t.Errorf("%s = %s: %v", field, value, err)
			}
		}
	}
}
