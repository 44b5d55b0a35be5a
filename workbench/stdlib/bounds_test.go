package stdlib

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// TestBounds checks that nothing exhausts the stack or memory, and that each refusal is an ordinary error.
func TestBounds(t *testing.T) {
	s := newState(t, Options{})
	if err := s.run("big = ('x'):rep(2e8)"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"local function f() return 1 + f() end f()", "stack overflow"},
		{"local function f() return pcall(f) end print(select('#', f()) > 100); f = nil", ""},
		{"local function f() return (coroutine.wrap(f)()) end f()", "more than 200 nested pcalls, coroutines and callbacks"},
		{"local t = setmetatable({}, {__index = function(t, k) return t[k .. 'x'] end}); return t.x", "stack overflow"},
		{"local t = {}; setmetatable(t, {__index = t}); return t.x", "refers to itself"},
		{"local mt = {}; mt.__tostring = function(x) return tostring(x) end; print(setmetatable({}, mt))", "stack overflow"},
		{"return ('x'):rep(1e12)", "result would be 1000000000000 bytes; the limit is 256 MiB"},
		{"return ('x'):rep(1e9, 'yyy')", "the limit is 256 MiB"},
		{"return ('x'):rep(134217729, 'y')", "result would be 268435457 bytes; the limit is 256 MiB"}, // half of them are separators
		{"return big .. big", "result would be 400000000 bytes; the limit is 256 MiB"},
		{"return 'x' .. big .. big", "the limit is 256 MiB"},
		{"return table.concat({big, big})", "the limit is 256 MiB"},
		{"return ('xx'):gsub('x', big)", "the limit is 256 MiB"},
		{"return ('x' .. ('y'):rep(1e8)):gsub('x', big, 1)", "result would be 300000000 bytes; the limit is 256 MiB"},
		{"return ('%s%s'):format(big, big)", "the limit is 256 MiB"},
		{"return load(function() return big end)", "the limit is 256 MiB"},
		{"return unpack({}, 1, 1e8)", "too many results to unpack"},
		{"return unpack({}, -1e300, 1e300)", "too many results to unpack"},
		{"assert(select('#', unpack({}, 1, 250000)) == 250000)", ""},
		{"return unpack({}, 1, 250001)", "too many results to unpack: 250001; the limit is 250000"},
		{"return ('x'):rep(1e6):byte(1, -1)", "string slice too long"},
		{"return ('x'):rep(250001):byte(1, -1)", "string slice too long: 250001 bytes; the limit is 250000"},
		{"assert(select('#', ('x'):rep(250000):byte(1, -1)) == 250000)", ""},
		{"return ('x'):match(('(x?)'):rep(40))", "too many captures"},
		{"return ('x'):rep(9000):match(('x?'):rep(9000))", "pattern too complex"},
		{"local co = coroutine.create(function() local function f() return 1 + f() end return f() end); print(select(2, coroutine.resume(co)):match('stack overflow'))", ""},
		{"local t = {}; t[6e7] = true; t[20240131] = 1; table.insert(t, 5e7, 1); return #t", ""},
	} {
		err := s.run(c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
		var internal *InternalError
		if errors.As(err, &internal) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	s.expect("print('still here')", "still here")
}

// How deep a pattern may be nested does not depend on those before it, whether they were given up or not: each single
// character that may be missing is one level, and the end of the pattern one more.
func TestDepthOfPatterns(t *testing.T) {
	s := newState(t, Options{})
	for range 3 {
		for _, c := range []struct {
			levels int
			want   string
		}{{maxPatternDepth, "true"}, {maxPatternDepth + 1, "false"}} {
			s.expect(fmt.Sprintf("local n = %d - 1; print((pcall(string.find, ('x'):rep(n), ('x?'):rep(n))))", c.levels), c.want)
		}
	}
}

// How deep calls may be nested is what is asked for, and less in safe mode.
func TestDepths(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    int
	}{
		{Options{}, DefaultDepth},
		{Options{Safe: true}, SafeDepth},
		{Options{MaxDepth: 1}, 1},
		{Options{MaxDepth: 300, Safe: true}, 300},
	} {
		if got := StateOptions(c.options).CallStackSize; got != c.want {
			t.Errorf("%+v: %d calls, want %d", c.options, got, c.want)
		}
	}
	if SafeDepth >= DefaultDepth {
		t.Error("safe mode is no safer")
	}
}

// The variables and arguments of nested calls have 2^20 places: each call of f needs as many as
// it has arguments, and as many again to pass them on. What needs more is told so, and told
// from calls that are too deep.
func TestPlacesOfNestedCalls(t *testing.T) {
	s := newState(t, Options{})
	s.expect(`local deepest, values = 0, 50000
local function f(depth, ...) deepest = depth; local r = f(depth + 1, ...); return r end
print(select(2, pcall(f, 1, unpack({}, 1, values))))
print(deepest * values <= 2^20, 2 * (deepest + 1) * values > 2^20)`,
		"case.lua:2: stack overflow: the variables and arguments of nested calls need more than 1048576 places\ntrue\ttrue")
}

// A stack overflow takes no longer than the calls that lead to it, wherever it
// happens: gopher-lua's own traceback of it takes a time quadratic in the depth.
func TestCostOfStackOverflow(t *testing.T) {
	L := lua.NewState(StateOptions(Options{}))
	defer L.Close()
	lib := Open(L, Options{})
	least := func(source string) time.Duration {
		fn, err := lib.Load(L, "a.lua", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		best := time.Hour
		for range 5 {
			began := time.Now()
			if _, err := lib.Call(L, fn); err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			best = min(best, time.Since(began))
		}
		return best
	}
	calls := least("local function f(n) if n > 0 then return 1 + f(n - 1) end return 0 end assert(pcall(f, 11900))")
	for _, source := range []string{
		"local function f() return 1 + f() end assert(not pcall(f))",
		"local function f() return 1 + f() end assert(not xpcall(f, function(e) return e end))",
		"local function f() return 1 + f() end assert(not pcall(table.sort, {3, 2, 1}, f))",
		"local function f() return 1 + f() end assert(not pcall(string.gsub, 'x', 'x', f))",
		"local m = setmetatable({}, {__call = function(m) return 1 + m() end}) assert(not pcall(m))",
	} {
		if took := least(source); took > 20*calls+20*time.Millisecond {
			t.Errorf("%s: %v, where %v suffice for as many calls", source, took, calls)
		}
	}
}

// Of a traceback of more than 21 calls ten at either end are shown, and how many others there are.
func TestLongTracebacks(t *testing.T) {
	var frames []Frame
	for n := range 30 {
		var want strings.Builder
		want.WriteString("stack traceback:")
		for i := range n {
			switch {
			case n > 21 && i == 10:
				fmt.Fprintf(&want, "\n\t... (%d more)", n-20)
			case n > 21 && i > 10 && i < n-10:
			default:
				fmt.Fprintf(&want, "\n\tf.lua:%d: in g", i)
			}
		}
		if got := FormatFrames(frames); got != want.String() {
			t.Errorf("%d calls:\n%s\nwant\n%s", n, got, want.String())
		}
		frames = append(frames, Frame{File: "f.lua", Line: n, Name: "g"})
	}
}
