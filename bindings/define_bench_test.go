package bindings_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/workbench/host"
)

// newHost makes the state that scripts run in.
func newHost(t testing.TB) *host.Host {
	h, err := host.New(host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

const maternLua = `function(p, q, v)
  local s = math.sqrt(5) * dist(p, q) / v.lengthscale
  return (1 + s + s^2/3) * math.exp(-s)
end, {lengthscale = 0.2}`

const gibbsLua = `function(p, q)
  local function length(a) return 0.1 + 0.2*a.x end
  local s = length(p)^2 + length(q)^2
  return math.sqrt(2*length(p)*length(q)/s) * math.exp(-(p.x - q.x)^2/s)
end`

// Tracing with the comparison of function and expression, then compilation with
// the search for structure: what stands between a function and its first value.
func BenchmarkDefine(b *testing.B) {
	for _, bb := range []struct{ name, source string }{{"matern", maternLua}, {"gibbs", gibbsLua}} {
		b.Run(bb.name, func(b *testing.B) {
			h := newHost(b)
			values, err := h.Eval(b.Context(), "bench", "return function() return kernel.define("+bb.source+") end")
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				k, err := h.Call(b.Context(), values[0].(*lua.LFunction))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := kernel.Compile(k[0].(*lua.LUserData).Value.(kernel.Kernel), kernel.Space{Names: []string{"x", "y"}, Inputs: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A kernel of fewer than 20 operations: traced and compiled, or called pair by pair.
func BenchmarkGram(b *testing.B) {
	for _, bb := range []struct{ name, options string }{{"traced", ""}, {"called", ", {trace = false}"}, {"library", ""}} {
		b.Run(bb.name, func(b *testing.B) {
			h := newHost(b)
			source := "kernel.define(function(p, q) local s = math.sqrt(5)*math.abs(p.x - q.x)/0.2 return (1 + s + s^2/3)*math.exp(-s) end" + bb.options + ")"
			if bb.name == "library" {
				source = "kernel.matern{nu = 2.5, lengthscale = 0.2}"
			}
			values, err := h.Eval(b.Context(), "bench", "local k, m = "+source+", mesh.uniform(0, 1, 300) return function() return k:gram(m) end")
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := h.Call(b.Context(), values[0].(*lua.LFunction)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/300/300, "ns/pair")
		})
	}
}
