package stdlib

import (
	"io"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Benchmarks of what scripts pay for being interruptible and for the library's care. One operation is one pass of the loop in
// the script. A state without a context, which nothing could stop, is measured beside ours.
//
// Processor time on a Xeon of 2.x GHz with go1.26, nanoseconds, with and without a context: call 98 and 81, call of Go 139
// and 107, fib 91 and 67 per call; 'x' .. i 220, pcall 380, pcall with an error 4,200, yield and resume 670, a new coroutine
// 7,900, find with two captures 1,000, format of three 700. Loops that are compiled, and the same in the virtual machine: empty
// 3.4 and 37, sum 4.7 and 79, swap of two locals 6 and 58, an element moved 15 and 48, a field 40 and 91, a sine added 12 and
// 190, an element appended 66 and 110; a loop of one iteration, which stands in a function, 250 and 165.

func benchmark(b *testing.B, setup, loop string, stoppable bool) {
	options := Options{Out: io.Discard}
	L := lua.NewState(StateOptions(options))
	defer L.Close()
	lib := Open(L, options)
	if setup != "" {
		fn, err := lib.Load(L, "setup.lua", []byte(setup))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := lib.Call(L, fn); err != nil {
			b.Fatal(err)
		}
	}
	fn, err := lib.Load(L, "bench.lua", []byte(loop))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if stoppable {
		if _, err := lib.Call(L, fn, lua.LNumber(b.N)); err != nil {
			b.Fatal(err)
		}
		return
	}
	L.RemoveContext()
	L.Push(fn)
	L.Push(lua.LNumber(b.N))
	L.Call(1, 0)
}

func BenchmarkLoop(b *testing.B) { benchmark(b, "", "local n = ...; for i = 1, n do end", true) }

func BenchmarkSum(b *testing.B) {
	benchmark(b, "", "local n, s = ..., 0; for i = 1, n do s = s + i * 0.5 end", true)
}

func BenchmarkFill(b *testing.B) {
	benchmark(b, "", "local n, t = ..., {}; for i = 1, n do t[i] = i end", true)
}

func BenchmarkElement(b *testing.B) {
	benchmark(b, "", "local n, t = ..., {1, 2}; for i = 1, n do t[1] = t[2] end", true)
}

func BenchmarkBriefLoop(b *testing.B) {
	benchmark(b, "local x = {1}; function f(k) local s = 0; for i = 1, k do s = s + x[i] end end", "local n = ...; for i = 1, n do f(1) end", true)
}

const benchCall = "local function f(x) return x end; local n = ...; for i = 1, n do f(i) end"

func BenchmarkCall(b *testing.B)            { benchmark(b, "", benchCall, true) }
func BenchmarkCallUnstoppable(b *testing.B) { benchmark(b, "", benchCall, false) }

func BenchmarkCallGo(b *testing.B) {
	benchmark(b, "", "local exp, n = math.exp, ...; for i = 1, n do exp(0.5) end", true)
}

func BenchmarkSwap(b *testing.B) {
	benchmark(b, "", "local a, b, n = 1, 2, ...; for i = 1, n do a, b = b, a end", true)
}

func BenchmarkConcat(b *testing.B) {
	benchmark(b, "", "local n = ...; for i = 1, n do local s = 'x' .. i end", true)
}

func BenchmarkPcall(b *testing.B) {
	benchmark(b, "", "local function f() end; local pcall, n = pcall, ...; for i = 1, n do pcall(f) end", true)
}

func BenchmarkPcallError(b *testing.B) {
	benchmark(b, "", "local pcall, n = pcall, ...; for i = 1, n do pcall(error, 'x') end", true)
}

func BenchmarkYield(b *testing.B) {
	benchmark(b, "", "local n = ...; local co = coroutine.wrap(function() while true do coroutine.yield() end end); for i = 1, n do co() end", true)
}

func BenchmarkCoroutine(b *testing.B) {
	benchmark(b, "", "local n = ...; for i = 1, n do coroutine.wrap(function() end)() end", true)
}

func BenchmarkFind(b *testing.B) {
	benchmark(b, "", "local s, n = 'key = value', ...; for i = 1, n do s:find('(%w+)%s*=%s*(%w+)') end", true)
}

func BenchmarkFormat(b *testing.B) {
	benchmark(b, "", "local n = ...; for i = 1, n do ('%d %5.2f %s'):format(i, 1.5, 'x') end", true)
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		L := lua.NewState(StateOptions(Options{}))
		Open(L, Options{Out: io.Discard})
		L.Close()
	}
}
