package chunk_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/stdlib"
)

var fuzzLoops = flag.Int("fuzzloops", 0, "programs of loops to generate and run with and without the compiler of loops")

// watched counts how the programs before loops end.
type watched struct{ done, left int }

// watch puts a counter around each program before a loop in a function and those inside it.
func (w *watched) watch(f *lua.FunctionProto) {
	for i, value := range f.Constants {
		if fn, ok := value.(*lua.LFunction); ok && fn.IsG {
			run := fn.GFunction
			f.Constants[i] = &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
				n := run(L)
				switch L.Get(-n) {
				case lua.LTrue:
					w.left++
				case lua.LFalse:
					w.done++
				}
				return n
			}}
		}
	}
	for _, inner := range f.FunctionPrototypes {
		w.watch(inner)
	}
}

// atLimit is the end of what can be seen of a program that did not end by itself.
const atLimit = "\n(at its limit)"

// runLoops runs a program and returns all that can be seen of it: what it prints, to the last bit, and its error.
func runLoops(text string, w *watched, limit time.Duration) string {
	options := stdlib.Options{Out: io.Discard}
	L := lua.NewState(stdlib.StateOptions(options))
	defer L.Close()
	lib := stdlib.Open(L, options)
	var out strings.Builder
	set := func(name string, f func(L *lua.LState)) {
		L.G.Global.RawSetString(name, L.NewFunction(func(L *lua.LState) int { f(L); return 0 }))
	}
	set("E", func(*lua.LState) {})
	set("P", func(L *lua.LState) {
		for i := range L.GetTop() {
			fmt.Fprint(&out, bits(L.Get(i+1)), " ")
		}
	})
	set("D", func(L *lua.LState) {
		for i := range L.GetTop() {
			value := L.Get(i + 1)
			fmt.Fprint(&out, "\n", bits(value))
			t, ok := value.(*lua.LTable)
			if !ok {
				continue
			}
			fmt.Fprint(&out, " #", t.Len())
			for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
				fmt.Fprint(&out, " ", bits(k), "=", bits(v))
			}
		}
	})
	fn, err := lib.Load(L, "p.lua", []byte(text))
	if err != nil {
		return err.Error()
	}
	w.watch(fn.Proto)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	defer lib.Session().Begin(ctx)()
	if _, err := lib.Call(L, fn); err != nil {
		fmt.Fprint(&out, "\n", err)
	}
	if ctx.Err() != nil {
		out.WriteString(atLimit)
	}
	return out.String()
}

// bits writes a value so that two that differ at all differ in it.
func bits(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		if v != v {
			return "nan"
		}
		return fmt.Sprintf("%v/%x", float64(v), math.Float64bits(float64(v)))
	case lua.LString:
		return fmt.Sprintf("%q", string(v))
	case lua.LBool, *lua.LNilType:
		return v.String()
	}
	return v.Type().String()
}

// TestLoopsAgree runs generated loops as they are and with a call in each body, with which none is compiled.
func TestLoopsAgree(t *testing.T) {
	var fast, slow watched
	n := max(*fuzzLoops, 6000/testmain.Stride(40))
	for seed := range uint64(n) {
		seed += *fuzzSeed
		text := loopProgram(seed, false)
		want := runLoops(loopProgram(seed, true), &slow, time.Second/2)
		if strings.HasSuffix(want, atLimit) {
			continue // its tables grow while it goes through them
		}
		if got := runLoops(text, &fast, Limit); got != want {
			t.Fatalf("program %d:\n%s got %s\nwant %s", seed, text, got, want)
		}
	}
	t.Logf("%d programs; %d loops done by programs, %d left to the machine", n, fast.done, fast.left)
	if fast.done < n/2 || fast.left < n/20 || slow != (watched{}) {
		t.Errorf("of %d programs, %d loops were done and %d left: too few to tell anything", n, fast.done, fast.left)
	}
}

// TestLoopsDone checks which loops are done by a program, and which are left to the virtual machine where something is not a
// number, with the same result.
func TestLoopsDone(t *testing.T) {
	for _, c := range []struct {
		text string
		want watched
	}{
		{"local s = 0 for i = 1, 9 do s = s + i end P(s)", watched{1, 0}},
		{"s = 0 for i = 9, 1, -2 do s = s - i * 0.5 end P(s)", watched{1, 0}},
		{"local t = {} for i = 1, 9 do t[i] = i end P(#t, t[9])", watched{1, 0}},
		{"local t = {} for i = 1, 40 do t[#t + 1] = i end P(#t, t[40])", watched{1, 0}},
		{"local t, u = {}, {x = 1, [-1] = 2} for i = 1, 9.5 do t[i] = i u[i] = i end t[10] = 1 D(t, u)", watched{1, 0}},
		{"local t, k = {1, 2, x = 3}, nil t[1], t[2], t.x = nil for i = 1, 9 do t[i] = i end D(t, next(t, 4))", watched{1, 0}},
		{"local t = {} for i = 1, 9 do t[i] = i t[i] = nil t[i + 1] = true end D(t)", watched{1, 0}},
		{"local t, u = {}, {} for i = 1, 9 do local t = u t[i] = i end D(t, u)", watched{}},
		{"local t = {} for i = 1, 1 / 0 do if i > 9 then break end t[i] = i end D(t)", watched{1, 0}},
		{"local t, u = {}, {1, 2} for i = 1, 1e6 do t[i] = u[i] * 2 end", watched{0, 1}},
		{"local t = {} for i = 1, 0 / 0 do t[i] = i end for i = 1, -1 do t[#t + 1] = i end D(t)", watched{1, 0}},
		{"local t = {} for i = 0, 9 do t[i] = i < 5 and i or -i end P(#t, t[0], t[9])", watched{1, 0}},
		{"local x = 1 while x < 1e6 do x = x * 2 end P(x)", watched{1, 0}},
		{"local x = 1 repeat local y = x x = x * 2 until y > 100 P(x)", watched{1, 0}},
		{"local s = 0 for i = 1, 5 do for j = i, 5 do if j == 4 then break end s = s + j end end P(s)", watched{1, 0}},
		{"local s, sin = 0, math.sin for i = 1, 9 do s = s + sin(i) + math.max(i, 3) ^ 1.5 end P(s)", watched{1, 0}},
		{"local m, s = {{1, 2}, {3, 4}}, 0 for i = 1, #m + 1 do if m[i] then local r = m[i] s = s + r[1] * r[2] end end P(s)", watched{1, 0}},
		{"local p = {x = 1, y = 2} for i = 1, 9 do p.x, p.y = p.y, p.x + p.y end P(p.x, p.y)", watched{1, 0}},
		{"local t, n = {}, 0 for i = 2, 50 do if not t[i] then n = n + 1 for j = i, 50, i do t[j] = true end end end P(n)", watched{1, 0}},
		{"local a, b = 0, 1 local function f() for i = 1, 9 do a, b = b, a + b end end f() P(a, b)", watched{1, 0}},

		{"local n = 0 for i = 1, 99 do local x, y = math.random(), math.random() if x * x + y * y < 1 then n = n + 1 end end P(n, math.random())", watched{1, 0}},
		{"local r, t = math.random, {} for i = 1, 9 do t[i] = r() end P(t[1], t[9], r())", watched{1, 0}},
		{"local t = {1, 2} for i = 1, 9 do t[i] = math.random() + t[1] end P(t[1], t[9], math.random())", watched{}},

		{"local s = '1' for i = 1, 9 do s = s + i end P(s)", watched{0, 1}},
		{"local t = {1, 2, '3', 4} local s = 0 for i = 1, 4 do t[i] = t[i] + 1 s = s + t[i] end P(s, t[3])", watched{0, 1}},
		{"local t = {5, 5, 5} for i = 1, 9 do t[i] = i local s = t[i + 1] + 1 end", watched{0, 1}},
		{"local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, -v) end}) for i = 1, 9 do t[i] = i end P(t[3])", watched{0, 1}},
		{"local t = setmetatable({}, {__index = function(t, k) return k end}) local s = 0 for i = 1, 9 do s = s + t[i] end P(s)", watched{0, 1}},
		{"math.sin = math.cos math.cos = nil local s = 0 for i = 1, 9 do s = s + math.sin(i) end P(s)", watched{1, 0}},
		{"math.sin = function(x) return 2 end local s = 0 for i = 1, 9 do s = s + math.sin(i) end P(s)", watched{0, 1}},
		{"math = nil local s = 0 for i = 1, #{} do s = s + math.sin(i) end P(s)", watched{0, 1}},
		{"local s = 0 for i = 1, 9 do undefined = s + i end P(undefined)", watched{0, 1}},
		{"s = 1 local e = _G for i = 1, 9 do e.s = 2 s = s + e.s end P(s)", watched{0, 1}},
		{"local m, s = math, 0 for i = 1, 9 do s = s + math.sin(i) m.sin = 3 end", watched{0, 1}},
		{"local s = 0 for i = 0.5, 9 do s = s + ({i})[1] end P(s)", watched{}},
		{"local s, t = 0, {1} for i = 0.5, 9 do s = s + t[1] end P(s)", watched{0, 1}},
		{"local t = {1, 2, '3'} for i = 1, #t do t[1] = t[1] + 1 local y = t[i] * 2 end P(t[1])", watched{0, 1}},
		{"local t, o = {1, 2, '3'}, {x = 1} for i = 1, #t do o.x = o.x + 1 local y = t[i] * 2 end P(o.x)", watched{0, 1}},
		{"local t = {1, 2, '3', [0] = 5} for i = 1, #t do t[0] = t[0] + 1 t[#t + 1] = 7 local y = t[i] * 2 end P(t[0], #t)", watched{0, 1}},
		{"local t, u = {1, 2, '3'}, {0} for k = 1, #t - 1 do for i = 1, #t do local y = t[i] * 2 u[1] = u[1] + 1 end end P(u[1])", watched{0, 3}},
		{"local t = {} for i = 1, 5000 do t[i] = i end for k = 1, #{1, 2} do for i = 1, 5000 do t[i] = t[i] + 1 end end P(t[1], t[5000])", watched{3, 1}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = -o end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z + z end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z - o end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z * i end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z / i end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z % i end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = z ^ 3 end P(y)", watched{1, 0}},
		{"local o, z, y = 0, -0, 1 for i = 1, 9 do y = math.ceil(-0.5) end P(y)", watched{1, 0}},
		{"for i = nil, 3 do local x = i + 1 end", watched{0, 1}},
		{"for i = 1, false do local x = i + 1 end", watched{0, 1}},
		{"local s = 0 for i = 1, 9 do s = s .. i end P(s)", watched{}},
		{"setfenv(1, setmetatable({P = P, rawequal = rawequal}, {__index = function(e, k) error('no ' .. k) end})) for i = 1, #'four' do if i < 0 then q = q + 1 end end P(1)", watched{0, 1}},
	} {
		var fast, slow watched
		got := runLoops(c.text, &fast, Limit)
		want := runLoops(strings.NewReplacer(" do ", " do rawequal(1, 2) ", " repeat ", " repeat rawequal(1, 2) ").Replace(c.text), &slow, Limit)
		if got != want || fast != c.want || slow != (watched{}) {
			t.Errorf("%s\n got %s, %+v\nwant %s, %+v, and in the comparison none: %+v", c.text, got, fast, want, c.want, slow)
		}
	}
}

// TestLoopsFill measures the memory of tables that loops fill: beside the elements, each a value and a number, next to none.
func TestLoopsFill(t *testing.T) {
	const count = 100_000
	for _, body := range []string{"t[i] = i + 0.5", "t[#t + 1] = i + 0.5", "local x = i + 0.5 t[i] = x"} {
		proto, err := chunk.Compile("p.lua", fmt.Appendf(nil, "local t = {} for i = 1, %d do %s end return t", count, body))
		if err != nil {
			t.Fatal(err)
		}
		options := stdlib.Options{Out: io.Discard}
		L := lua.NewState(stdlib.StateOptions(options))
		defer L.Close()
		stdlib.Open(L, options)
		L.Push(L.NewFunctionFromProto(proto))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		L.Call(0, 1)
		runtime.ReadMemStats(&after)
		if filled := L.CheckTable(-1); filled.Len() != count || filled.RawGetInt(count) != lua.LNumber(count+0.5) {
			t.Errorf("%s: %d elements, the last %v", body, filled.Len(), filled.RawGetInt(count))
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / count; each > 30 {
			t.Errorf("%s: %d bytes an element, want 24", body, each)
		}
	}
}

// TestLoopsEnd stops loops that would never end.
func TestLoopsEnd(t *testing.T) {
	for _, text := range []string{
		"local x = 0\nwhile true do x = x + 1 end",
		"local x = 0\nrepeat x = x + 1 until x < 0",
		"local x = 0\nfor i = 1, 1e18 do x = x + 1 end",
		"local x = 0\nfor i = 1, 3 do for j = 1, 1e18 do x = x + 1 end end",
		"local x, t = 0, {}\nwhile 1 do t[x % 9] = x; x = x + 1 end",
		"local x = 0\npcall(function() for i = 1, 0, 0 do x = x + 1 end end)",
		"local x = 0\ncoroutine.wrap(function() while true do x = x + 1 end end)()",
	} {
		var w watched
		start := time.Now()
		got := runLoops(text, &w, 20*time.Millisecond)
		if !strings.Contains(got, "p.lua:2: context deadline exceeded") || w != (watched{left: 1}) || time.Since(start) > Limit {
			t.Errorf("%s: %s, %+v after %v", text, got, w, time.Since(start))
		}
	}
}

// TestLoopsInSeveralStates runs one function in several states at the same time.
func TestLoopsInSeveralStates(t *testing.T) {
	const text = "local n = ...; local s, t = 0, {}; for k = 1, 300 do for i = 1, 9 do t[i % 5] = n; s = s + t[i % 5] + math.floor(i) end end return s"
	proto, err := chunk.Compile("p.lua", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var states sync.WaitGroup
	for n := range 4 {
		states.Go(func() {
			options := stdlib.Options{Out: io.Discard}
			L := lua.NewState(stdlib.StateOptions(options))
			defer L.Close()
			stdlib.Open(L, options)
			L.Push(L.NewFunctionFromProto(proto))
			L.Push(lua.LNumber(n))
			L.Call(1, 1)
			if want := lua.LNumber(300 * (9*n + 45)); L.Get(-1) != want {
				t.Errorf("with %d: %v, want %v", n, L.Get(-1), want)
			}
		})
	}
	states.Wait()
}
