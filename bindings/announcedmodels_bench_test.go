//go:build unix

package bindings_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// framesOf is a function that makes data of models: a function or two, with what else is asked for.
const framesOf = `
local function line(m) return mesh.uniform(0, 1, m) end
local function plane(m) return mesh.uniform(0, 1, m, "x1") * mesh.uniform(0, 1, m, "x2") end
local function field(n, x, seed) return random.field{kernel = kernel.se{lengthscale = 0.15}, mesh = x, n = n, seed = seed} end
local function noisy(u, seed) return u + 0.1 * random.normal{shape = u.shape, seed = seed} end
local function frame(n, x, with)
  local input, output = {f = field(n, x, 1)}, {u = noisy(field(n, x, 3), 5)}
  local group
  if with.g then input.g = field(n, x, 2) end
  if with.z then input.z = random.uniform{shape = {n}, seed = 7} end
  if with.v then output.v = noisy(field(n, x, 4), 6) end
  if with.group then
    group = {subject = {}}
    for i = 1, n do group.subject[i] = "s" .. (i % 8) end
  end
  return data.new{input = input, output = output, input_mesh = x, output_mesh = x, group = group}
end
local matern = kernel.matern{nu = 2.5, lengthscale = 0.2}
local both = {f = matern, g = matern}
`

// announcedModels are models of different structure: the arguments of each.
var announcedModels = []struct{ name, arguments string }{
	{"two functions", `data = frame(100, line(50), {g = true})`},
	{"two functions 200", `data = frame(300, line(200), {g = true})`},
	{"kernels", `data = frame(200, line(100), {g = true}), kernel = both`},
	{"kernels 300", `data = frame(300, line(300), {g = true}), kernel = both`},
	{"lambda", `data = frame(200, line(100), {g = true}), kernel = both, lambda = 1e-4`},
	{"graded lines", `data = frame(100, mesh.chebyshev(0, 1, 200), {g = true}), kernel = both`},
	{"varying coefficient", `data = frame(200, line(60), {z = true}), terms = {"f", "z", "z*f"}`},
	{"groups", `data = frame(150, line(80), {group = true})`},
	{"two outputs", `data = frame(100, line(60), {g = true, v = true})`},
	{"coupled outputs", `data = frame(80, line(40), {v = true}), outputs = "coregional"`},
	{"planes", `data = frame(60, plane(14), {g = true}), kernel = both`},
	{"planes, kernels open", `data = frame(60, plane(14), {g = true})`},
	{"noise diagonal", `data = frame(80, line(40), {g = true}), noise = "diagonal"`},
	{"noise auto", `data = frame(80, line(40), {g = true}), noise = "auto"`},
	{"huber", `data = frame(200, line(80), {g = true}), kernel = both, loss = "huber"`},
}

// BenchmarkAnnouncedModels is BenchmarkAnnounced for models of several terms.
func BenchmarkAnnouncedModels(b *testing.B) {
	for _, c := range announcedModels {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b)
			values, err := h.Eval(b.Context(), "bench", framesOf+"local p = {"+c.arguments+`}
				return function() return green.fit(p) end, function(e) return e.u.report.expected.seconds, e.u.report.expected.bytes end`)
			if err != nil {
				b.Fatal(err)
			}
			var e []lua.LValue
			var seconds, bytes float64
			for b.Loop() {
				one := func() {
					if e, err = h.Call(b.Context(), values[0].(*lua.LFunction)); err != nil {
						b.Fatal(err)
					}
				}
				bytes = mostLive(one)
				seconds = cpu(one) // by itself: looking at the memory takes time
			}
			said, err := h.Call(b.Context(), values[1].(*lua.LFunction), e[0])
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(seconds, "cpu-s")
			b.ReportMetric(bytes/1e6, "MB")
			b.ReportMetric(float64(said[0].(lua.LNumber))/seconds, "times-said")
			b.ReportMetric(float64(said[1].(lua.LNumber))/bytes, "bytes-said")
			b.ReportMetric(0, "ns/op")
		})
	}
}
