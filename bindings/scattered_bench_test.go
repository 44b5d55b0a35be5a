//go:build unix

package bindings_test

import (
	"math"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/fit"
)

// BenchmarkScattered fits 200 pairs at 150 and 250 scattered points of the plane, n·my =
// 50,000, to a residual of 1e-8, with all outputs and with a third of every second one
// missing: seconds of the processors, iterations and residual of each fit.
func BenchmarkScattered(b *testing.B) {
	const data = `
local function points(n, shift)
  local t = {}
  for i = 1, n do t[i] = {(i*0.6180339887 + shift) % 1, (i*0.7548776662 + 1.3*shift) % 1} end
  return mesh.points(t)
end
local n, x, y = 200, points(150, 0.1), points(250, 0.37)
local f, G, p, q = array.zeros(n, 150), array.zeros(150, 250), x:points(), y:points()
for i = 1, n do for j = 1, 150 do f:set(i, j, math.cos(3*i*j % 97)) end end
for i = 1, 150 do
  for j = 1, 250 do G:set(i, j, math.exp(-3*math.sqrt((p:at(i, 1) - q:at(j, 1))^2 + (p:at(i, 2) - q:at(j, 2))^2))) end
end
local u = (f/150):dot(G)
if missing then for i = 2, n, 2 do for j = 1, 250, 3 do u:set(i, j, 0/0) end end end
return data.new{input = f, output = u, input_mesh = x, output_mesh = y, missing = missing}`
	for _, c := range []struct{ name, kernel string }{
		{"se", "kernel.se{lengthscale = 0.5}"},
		{"exponential", "kernel.exponential{lengthscale = 0.5}"},
		{"matern", "kernel.matern{nu = 2.5, lengthscale = 0.5}"},
		{"scripted matern", `kernel.define(function(p, q) local s = math.sqrt(5)*dist(p, q)/0.5 return (1 + s + s^2/3)*math.exp(-s) end)`},
		{"gibbs", "kernel.define(function(p, q) local function length(a) return 0.15 + 0.3*a[1] end local s = length(p)^2 + length(q)^2 return 2*length(p)*length(q)/s*math.exp(-dist(p, q)^2/s) end)"},
		{"gibbs, short", "kernel.define(function(p, q) local function length(a) return 0.02 + 0.1*a[1] end local s = length(p)^2 + length(q)^2 return 2*length(p)*length(q)/s*math.exp(-dist(p, q)^2/s) end)"},
	} {
		for _, missing := range []string{"false", "true"} {
			b.Run(c.name+"/missing="+missing, func(b *testing.B) {
				h := newHost(b)
				values, err := h.Eval(b.Context(), "bench", "local data, missing = data, "+missing+
					"\nlocal d = (function() "+data+" end)()\nlocal k = "+c.kernel+
					"\nreturn function() return green.fit{data = d, kernel = k, lambda = 1e-4, tolerance = 1e-8} end")
				if err != nil {
					b.Fatal(err)
				}
				var r fit.Report
				seconds := math.Inf(1)
				for b.Loop() {
					seconds = min(seconds, cpu(func() {
						e, err := h.Call(b.Context(), values[0].(*lua.LFunction))
						if err != nil {
							b.Fatal(err)
						}
						r = e[0].(*lua.LUserData).Value.(*fit.Estimate).Report
					}))
				}
				b.ReportMetric(seconds, "cpu-s")
				b.ReportMetric(float64(r.Iterations), "iterations")
				b.ReportMetric(math.Log10(max(r.Residual, 1e-17)), "log10(residual)")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
