package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// anywhere makes a state whose functions can be copied to others like it.
func anywhere(t *testing.T) *lua.LState {
	L := newState(t)
	UseStates(L, func() (*lua.LState, error) { return newState(t), nil })
	return L
}

const kernelOfLength = `(function()
	local length = 0.5
	local function scaled(x) return x/length end
	return function(p, q) return math.exp(-math.abs(scaled(p.x - q.x))) end
end)()`

// A called function gives what it computes, from many goroutines at once, in copies that
// hold its variables, and says what that costs.
func TestCalled(t *testing.T) {
	L := anywhere(t)
	c, f := scripted(t, L, kernelOfLength)
	start := time.Now()
	k, err := Call(c, f, Options{Points: 2})
	if err != nil {
		t.Fatal(err)
	}
	if all := time.Since(start); k.Cost*samples > all {
		t.Errorf("a call is said to cost %v, and %d of them took less than %v", k.Cost, samples, all)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				x := float64(i) / 10
				v, err := k.At([]string{"x"}, []float64{x}, []float64{float64(g)})
				if want := math.Exp(-math.Abs(x-float64(g)) / 0.5); err != nil || !(math.Abs(v-want) <= 1e-15) {
					t.Errorf("k(%v, %v) = %v, %v; want %v", x, g, v, err, want)
				}
			}
		})
	}
	wg.Wait()
	if text := k.String(); !strings.Contains(text, "for every pair of points") || !strings.Contains(text, "µs each") || k.Cost <= 0 || k.Over() {
		t.Errorf("%s, cost %v, over %v", text, k.Cost, k.Over())
	}
	if _, err := k.At([]string{"t"}, []float64{1}, []float64{2}); err == nil || !strings.Contains(err.Error(), "the coordinates here are t") || k.Err() == nil || !k.Over() {
		t.Errorf("points without an x: %v, remembered %v", err, k.Err())
	}
	if _, err := k.At([]string{"x"}, []float64{1}, []float64{2}); err == nil {
		t.Error("after a failure nothing is called")
	}
}

// Parameters are passed on as they are; a list of names says what the coordinates are.
func TestCalledWithParameters(t *testing.T) {
	L := newState(t) // which knows no others
	c, f := scripted(t, L, "function(p, q, v) return v.a*p.t + v.b[2]*q.x end")
	k, err := Call(c, f, Options{Points: 2, Names: []string{"x", "t"}, Params: []Param{{"a", lua.LNumber(2)}, {"b", value(t, L, "{0, 3}")}}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := k.At([]string{"x", "t"}, []float64{1, 10}, []float64{100, 1000}); err != nil || v != 2*10+3*100 {
		t.Errorf("%v, %v", v, err)
	}
	if text := k.String(); !strings.Contains(text, "one after the other, for this program has one Lua state") {
		t.Errorf("%s", text)
	}
	for source, want := range map[string]string{
		"function(p, q) return 'a' end":  "must return a number",
		"function(p, q) error('no') end": "no",
		"function(p) return p.x.y end":   "attempt to index",
		"function(p, q, r) return 1 end": "but there are no parameters",
		"math.exp":                       "written in Lua",
	} {
		c, f := scripted(t, L, source)
		_, err := Call(c, f, Options{Points: 2})
		refused(t, source, err, want)
	}
	c, f = scripted(t, L, "function(p, q, v) return v.a end")
	_, err = Call(c, f, Options{Points: 2, Params: []Param{{"a", lua.LTrue}}})
	refused(t, "a parameter that is no number", err, "parameter a: want a finite number")
}

// An interrupt ends the calls, and is no failure of the function.
func TestCalledUntilInterrupted(t *testing.T) {
	L := anywhere(t)
	c, f := scripted(t, L, kernelOfLength)
	k, err := Call(c, f, Options{Points: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	L.SetContext(ctx)
	if v, err := k.At([]string{"x"}, []float64{0}, []float64{1}); err != nil || v != math.Exp(-2) {
		t.Errorf("before the interrupt: %v, %v", v, err)
	}
	cancel()
	if _, err := k.At([]string{"x"}, []float64{0}, []float64{1}); !errors.Is(err, context.Canceled) || k.Err() != nil || !k.Over() {
		t.Errorf("interrupted: %v, remembered as a failure: %v, over %v", err, k.Err(), k.Over())
	}
}

// A call that is under way ends with the context of the session, in every state that calls.
func TestCalledUntilInterruptedWithin(t *testing.T) {
	L := anywhere(t)
	c, f := scripted(t, L, "function(p, q) if p[1] > 1e6 then while true do end end return p[1]*q[1] end")
	k, err := Call(c, f, Options{Points: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	L.SetContext(ctx)
	for range 3 {
		if _, err := k.At([]string{"x"}, []float64{1e7}, []float64{1}); err == nil || k.Err() != nil {
			t.Errorf("interrupted: %v, remembered as a failure: %v", err, k.Err())
		}
	}
}

// A function is tried on points of one to six coordinates, each different from the other, until it accepts them.
func TestDimensionsOfCalledFunctions(t *testing.T) {
	L := anywhere(t)
	for d := 1; d <= tryDims+1; d++ {
		c, f := scripted(t, L, fmt.Sprintf("function(p, q) if #p < %d then return p[%d] end if p[1] == q[1] then error('one point') end return #p end", d, d))
		k, err := Call(c, f, Options{Points: 2})
		if (err == nil) != (d <= tryDims) {
			t.Errorf("a function of %d coordinates: %v", d, err)
		}
		if err != nil {
			refused(t, "seven coordinates", err, "no coordinate 7: the point has 6")
			continue
		}
		if _, works := k.At(nil, make([]float64, d-1), make([]float64, d-1)); d > 1 && works == nil {
			t.Errorf("a function of %d coordinates takes points of fewer", d)
		}
	}
}

// Functions whose copies would not be the same are called in their own state, and say why.
func TestFunctionsThatCannotBeCopied(t *testing.T) {
	for source, why := range map[string]string{
		"(function() local co = coroutine.create(print) return function(p, q) return co and p[1]*q[1] end end)()":                                  "which belongs to one Lua state",
		"(function() local n = 0 return function(p, q) n = n + 1 return n end end)()":                                                              "a copy of it gives",
		"(function() local n = 0 return function(p, q) n = n + 1 return n == 1 and 0/0 or n end end)()":                                            "instead of NaN",
		"(function() local f = setmetatable({}, {__call = function() return 1 end, __gc = io.stdout}) return function(p, q) return f() end end)()": "which belongs to one Lua state",
	} {
		L := anywhere(t)
		c, f := scripted(t, L, source)
		k, err := Call(c, f, Options{Points: 2})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if text := k.String(); !strings.Contains(text, "one after the other") || !strings.Contains(text, why) {
			t.Errorf("%s: %s\nwant %s", source, text, why)
		}
	}
}

// What CopyState copies works in the other state and shares nothing with the first: tables
// with their metatables, functions with shared variables, globals, recursion; what is the
// library's is that of the other state.
func TestCopyState(t *testing.T) {
	L := anywhere(t)
	source := `(function()
		shared = {1, 2, {3}}
		function tostring() return 'mine' end
		string = 7
		local count = 0
		local function fac(n) if n <= 1 then return 1 end return n*fac(n - 1) end
		local object = setmetatable({}, {__index = function(_, k) return k .. '!' end})
		object.self = object
		return {
			add = function() count = count + 1 return count end,
			get = function() return count end,
			fac = fac, sum = function() return shared[1] + shared[2] + shared[3][1] end,
			field = function() return object.self.self.name end,
			own = function() return tostring(1) end, seven = function() return string end,
			exp = function(x) return math.exp(x) end,
		}
	end)()`
	table := value(t, L, source)
	other, copies, err := CopyState(L, table, lua.LString("text"), lua.LNil)
	if err != nil {
		t.Fatal(err)
	}
	if copies[1] != lua.LString("text") || copies[2] != lua.LNil {
		t.Errorf("simple values become %v", copies[1:])
	}
	call := func(L *lua.LState, table lua.LValue, name string, args ...lua.LValue) string {
		t.Helper()
		if err := L.CallByParam(lua.P{Fn: table.(*lua.LTable).RawGetString(name), NRet: 1, Protect: true}, args...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer L.Pop(1)
		return L.Get(-1).String()
	}
	for _, c := range []struct{ name, want string }{
		{"add", "1"}, {"add", "2"}, {"get", "2"}, {"sum", "6"}, {"field", "name!"}, {"own", "mine"}, {"seven", "7"},
	} {
		if got := call(other, copies[0], c.name); got != c.want {
			t.Errorf("%s in the other state: %s, want %s", c.name, got, c.want)
		}
	}
	if got := call(other, copies[0], "fac", lua.LNumber(5)); got != "120" {
		t.Errorf("5! = %s", got)
	}
	if got := call(other, copies[0], "exp", lua.LNumber(0)); got != "1" {
		t.Errorf("exp 0 = %s", got)
	}
	if got := call(L, table, "get"); got != "0" {
		t.Errorf("the first state counts %s after the other has counted", got)
	}
	thread, _ := L.NewThread()
	if _, _, err := CopyState(L, thread); err == nil || !strings.Contains(err.Error(), "belongs to one Lua state") {
		t.Errorf("a coroutine: %v", err)
	}
	if _, _, err := CopyState(newState(t), table); err == nil || !strings.Contains(err.Error(), "one Lua state") {
		t.Errorf("a program of one state: %v", err)
	}
}

// Write gives text that means the same elsewhere: as it was written if it stands alone,
// else the formula with its values in it.
func TestWrite(t *testing.T) {
	L := newState(t)
	const file = "local a = 2\nalone = function(p, q) return math.exp(-dist(p, q)) end\nbound = function(p, q) return a*p.x*q.x end\nhelper = function(x) return 3*x end helped = function(p, q) return helper(p.x) end\nlong = function(p, q) return p.x end, function(p, q) return q.x end\n"
	UseSource(L, func(name string) (string, bool) { return file, name == "kernels.lua" })
	fn, err := L.Load(strings.NewReader(file), "kernels.lua")
	if err != nil {
		t.Fatal(err)
	}
	L.Push(fn)
	L.Call(0, 0)
	for name, want := range map[string]string{
		"alone":  "function(p, q) return math.exp(-dist(p, q)) end",
		"bound":  "function(p, q) return 2*p.x*q.x end",
		"long":   "function(p, q) return p.x end",
		"helped": "function(p, q) return 3*p.x end",
	} {
		c, f := scripted(t, L, name)
		traced, err := Points(c, f, Options{Points: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got := Write(c, f, traced); got != want && !(name == "bound" && equivalent(t, L, got, want)) {
			t.Errorf("%s is written %s, want %s", name, got, want)
		}
	}
	c, f := scripted(t, L, "(function() local b = 3 return function(p, q) return b*p[2] end end)()")
	if traced, err := Points(c, f, Options{Points: 2}); err != nil || Write(c, f, traced) != "function(p, q) return 3*p[2] end" {
		t.Errorf("coordinates by number: %v, %v", Write(c, f, traced), err)
	}
	c, f = scripted(t, L, "(function() local b = 3 return function(p, q, v) return b*p.x + v.a*v.c end end)()")
	if traced, err := Points(c, f, Options{Points: 2, Params: []Param{{"a", lua.LNumber(2)}, {"c", lua.LNumber(5)}}}); err != nil || !strings.HasPrefix(Write(c, f, traced), "function(p, q, v) return ") {
		t.Errorf("with parameters: %v, %v", Write(c, f, traced), err)
	}
	c, f = scripted(t, L, "(function() local b = 3 return function(p, q, v) local s = 0 for i = 1, v.n do s = s + b*p.x end return s end end)()")
	if traced, err := Points(c, f, Options{Points: 2, Params: []Param{{"n", lua.LNumber(2)}}}); err != nil || !strings.HasPrefix(Write(c, f, traced), "function(p, q) return ") {
		t.Errorf("with a parameter that is counted with, so that the formula has none: %v, %v", Write(c, f, traced), err)
	}
	c, f = scripted(t, L, "bound")
	if got := Write(c, f, nil); got != "function(p, q) return a*p.x*q.x end" {
		t.Errorf("without a trace: %s", got)
	}
	c, f = scripted(t, L, "(function() local b = 3 return function(p, q) return b*p.x end end)()")
	if got := Write(c, f, nil); got != "function(p, q) … end" {
		t.Errorf("without a text: %s", got)
	}
	c, f = scripted(t, L, "math.exp")
	if got := Write(c, f, nil); got != "…" {
		t.Errorf("a function of the library: %s", got)
	}
	c, f = scripted(t, L, "(function() local b = 3 return function(p) return {x = b*p.x} end end)()")
	if traced, err := Points(c, f, Options{Points: 1, Image: true}); err != nil || Write(c, f, traced) != "function(p) return {x = 3*p.x} end" {
		t.Errorf("an image: %v, %v", Write(c, f, traced), err)
	}
	for _, long := range []bool{false, true} { // of 400 characters, and of 401
		name := strings.Repeat("p", 400-len("3*.x"))
		if long {
			name += "p"
		}
		c, f := scripted(t, L, "(function() local b = 3 return function("+name+") return b*"+name+".x end end)()")
		traced, err := Points(c, f, Options{Points: 1})
		if err != nil || strings.Contains(Write(c, f, traced), "…") != long {
			t.Errorf("a formula that is too long: %t, written %s, %v", long, Write(c, f, traced), err)
		}
	}
}

// equivalent says whether two texts are functions with one value.
func equivalent(t *testing.T, L *lua.LState, a, b string) bool {
	t.Helper()
	at := "({x = 3}, {x = 5})"
	return value(t, L, "("+a+")"+at) == value(t, L, "("+b+")"+at)
}

// Distances with scales, and points in all ways to write them.
func TestDistance(t *testing.T) {
	L := newState(t)
	for source, want := range map[string]string{
		"dist(1, 4)": "3", "dist({0, 0}, {3, 4})": "5", "dist({0, 0}, {3, 4}, {1, 2})": fmt.Sprint(lua.LNumber(math.Sqrt(13))),
		"dist({0, 0}, {3, 4}, 2)": "2.5", "dist({x = 1, t = 2}, {t = 5, x = 5})": "5",
	} {
		if got := value(t, L, source).String(); got != want {
			t.Errorf("%s = %s, want %s", source, got, want)
		}
	}
	for source, want := range map[string]string{
		"dist({0}, {3, 4})":               "has 2 coordinates, p has 1: must be equally many",
		"dist({x = 1}, {y = 1})":          "has the coordinates [y], p has [x]: must be the same",
		"dist({0, 0}, {3, 4}, {1, 2, 3})": "got 3 for 2 coordinates: must be one, or one for each",
		"dist(0, 1, 0)":                   "scales: 0: must be > 0",
		"dist(0, {})":                     "has no coordinates",
		"dist(0, {'a'})":                  "[1]: want a number, got a string",
		"dist(0, {x = 'a'})":              "[x]: want coordinates, got a string",
		"dist(0, {0/0})":                  "NaN: must be a number",
		"dist(0, true)":                   "want",
	} {
		err := L.DoString("return " + source)
		L.SetTop(0)
		refused(t, source, err, want)
	}
}

// A point that is handed to a function has its coordinates by number and by name, and no
// others; it stays what it is where it is decoded again.
func TestHanded(t *testing.T) {
	L := newState(t)
	c, f := scripted(t, L, "function(p) return p.x - 10*p.t + 100*p[2] end")
	x := []*expr.Node{expr.Var(0, "x"), expr.Var(1, "t")}
	results, err := f.Call(c, Handed(c, []string{"x", "t"}, x))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := NodeOf(results[0])
	program, err := expr.Compile(n, 2)
	if err != nil || program.Eval([]float64{1, 2}) != 1-20+200 {
		t.Errorf("%v, %v", n, err)
	}
	_, g := scripted(t, L, "function(p) return p.y end")
	if _, err := g.Call(c, Handed(c, []string{"x", "t"}, x)); err == nil || !strings.Contains(err.Error(), "no coordinate 'y': the coordinates here are x, t") {
		t.Errorf("%v", err)
	}
	var p Point
	if err := p.DecodeLua(c, Handed(c, []string{"x", "t"}, x)); err != nil || len(p.X) != 2 || fmt.Sprint(p.Names) != "[x t]" || p.Named("t") != x[1] {
		t.Errorf("decoded again: %+v, %v", p, err)
	}
	for _, c := range []struct {
		p    Point
		want string
	}{
		{Point{X: x}, "[x y]"}, {Point{X: x, Names: []string{"a", "b"}}, "[a b]"},
	} {
		if got := fmt.Sprint(c.p.Of().Space.Names); got != c.want {
			t.Errorf("%v is a point of %s, want %s", c.p.Names, got, c.want)
		}
	}
	if got := fmt.Sprint(Numbered(5).Names); got != "[x y z x4 x5]" {
		t.Errorf("five coordinates are called %s", got)
	}
}

// A million values take as long as their calls, shared among the states.
func TestTimeOfCalls(t *testing.T) {
	for _, c := range []struct {
		k    *Called
		want string
	}{
		{&Called{Cost: 2 * time.Microsecond, count: 1}, "one after the other: 2 µs each, 2 s for"},
		{&Called{Cost: 2 * time.Microsecond, count: 4}, "on 4 Lua states at once: 2 µs each, 0.5 s for"},
		{&Called{Cost: 2 * time.Microsecond, count: 4, alone: "x"}, "one after the other, for x: 2 µs"},
	} {
		if got := c.k.String(); !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A function that is called gets its points, and parameters where there are any, and nothing else.
func TestArgumentsOfCalledFunctions(t *testing.T) {
	L := anywhere(t)
	for _, o := range []struct {
		Options
		want float64
	}{{Options{Points: 2}, 2}, {Options{Points: 2, Params: []Param{{"a", lua.LNumber(2)}}}, 3}} {
		c, f := scripted(t, L, "function(...) return select('#', ...) end")
		k, err := Call(c, f, o.Options)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := k.At([]string{"x"}, []float64{1}, []float64{2}); err != nil || got != o.want {
			t.Errorf("%d parameters: %g arguments, %v; want %g", len(o.Params), got, err, o.want)
		}
	}
}

// A function that is traced is compared with what it gives by itself, of the same arguments: without parameters there is none for them.
func TestArgumentsOfTracedFunctions(t *testing.T) {
	L := anywhere(t)
	c, f := scripted(t, L, "function(...) local p, q, a = ... if a then return 5 end return p.x*q.x end")
	traced, err := Points(c, f, Options{Points: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := Write(c, f, traced); got != "function(...) … end" {
		t.Errorf("it is written %s", got)
	}
}
