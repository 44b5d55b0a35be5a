package bind_test

import (
	"io"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// The cost of a call from Lua, loop included: what a scalar loop in a script pays.
func BenchmarkCall(b *testing.B) {
	for _, bb := range []struct{ name, setup, call string }{
		{"loop", "", ""},
		{"method", "local v = vec{1,2,3}", "v:sum()"},
		{"function", "", "toy.two(7, 2)"},
		{"index", "local v = vec{1,2,3}", "local x = v[2]"},
		{"operator", "local v = vec{1,2,3}", "local x = v + 1"},
		{"constructor", "", "toy.matern{lengthscale=1}"},
		{"callback", "local f = function(x) return x end", "toy.apply(f, 1)"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			L, _ := newState(b, io.Discard)
			if err := L.DoString(bb.setup + "\nfunction run(n) for i = 1, n do " + bb.call + " end end"); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			if err := L.CallByParam(lua.P{Fn: L.GetGlobal("run"), Protect: true}, lua.LNumber(b.N)); err != nil {
				b.Fatal(err)
			}
		})
	}
}
