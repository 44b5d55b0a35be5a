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
  local group, parameter
  if with.g then input.g = field(n, x, 2) end
  if with.z then input.z = random.uniform{shape = {n}, seed = 7} end
  if with.v then output.v = noisy(field(n, x, 4), 6) end
  if with.group then
    group = {subject = {}}
    for i = 1, n do group.subject[i] = "s" .. (i % 8) end
  end
  if with.theta then parameter = {theta = 10 * random.uniform{shape = {n}, seed = 8}} end
  if with.missing then output.u = where(random.uniform{shape = output.u.shape, seed = 9}:gt(with.missing), output.u, 0/0) end
  return data.new{input = input, output = output, input_mesh = x, output_mesh = x, group = group, parameter = parameter, missing = with.missing and true}
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
	{"parameter", `data = frame(80, line(40), {theta = true})`},
	{"parameter, kernel", `data = frame(150, line(60), {theta = true}), kernel = {f = matern}`},
	{"covariate", `data = frame(150, line(80), {z = true})`},
	{"covariate, groups", `data = frame(120, line(50), {z = true, group = true}), terms = {"f", "z", "subject", "z*subject"}`},
	{"covariate, groups, two functions", `data = frame(160, line(60), {g = true, z = true, group = true}), kernel = both`},
	{"missing", `data = frame(60, line(30), {g = true, missing = 0.1})`},
	{"missing, kernels", `data = frame(100, line(60), {g = true, missing = 0.1}), kernel = both`},
	{"noise a kernel", `data = frame(80, line(40), {g = true}), kernel = both, noise = kernel.exponential{lengthscale = "auto"}`},
	{"huber, open kernels", `data = frame(80, line(40), {g = true}), loss = "huber"`},
	{"weights, 3 decades", `data = frame(80, line(40), {g = true}), kernel = both, weights = {u = 10^(-3 * random.uniform{shape = {80, 40}, seed = 9})}`},
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
