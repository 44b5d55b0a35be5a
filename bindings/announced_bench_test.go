//go:build unix

package bindings_test

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/fit"
)

// announcedData are functions that make what the fits below are of.
const announcedData = `
local function poisson(n) return data.load("../scripts/data/poisson.npz", {input_mesh = mesh.uniform(0, 1, 100)}):take(1, n):noise{level = 0.1, seed = 1} end
local function helmholtz(n) return data.load("../scripts/data/helmholtz.npz", {input_mesh = mesh.uniform(0, 1, 100)}):take(1, n):noise{level = 0.2, seed = 1} end
local function random_pairs(n, x, y, missing)
  local f, u = random.normal{shape = {n, x.size}, seed = 1}, random.normal{shape = {n, y.size}, seed = 2}
  if missing then u = where(random.uniform{shape = {n, y.size}, seed = 3}:gt(missing), u, 0/0) end
  return data.new{input = f, output = u, input_mesh = x, output_mesh = y, missing = missing and true}
end
local function line(m, name) return mesh.uniform(0, 1, m, name or "x") end
local function plane(m, a, b) return line(m, a or "x1") * line(m, b or "x2") end
local function disc(m, seed) return mesh.points(random.uniform{shape = {m, 2}, seed = seed}) end
local function string_of(m, n)
  local p = pde.poisson{mesh = line(m)}
  return p:sample{n = n, input = random.field{kernel = kernel.se{lengthscale = 0.1}, mesh = p.input_mesh, n = n, seed = 1}, seed = 1}:noise{level = 0.1, seed = 1}
end
local function heat(m, n)
  local p = pde.heat{mesh = line(m), time = line(m, "t"), alpha = 0.1}
  return p:sample{n = n, input = random.field{kernel = kernel.exponential{lengthscale = 0.1}, mesh = p.input_mesh, n = n, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
end
local function fokker_planck(m, n)
  local p = pde.fokker_planck{mesh = mesh.uniform(-2, 2, m, "x"), time = mesh.uniform(0, 1, m, "t"), potential = function(x) return x^4 - 3 * x^2 end, diffusivity = 0.05, drag = 20}
  return p:sample{n = n, input = random.field{kernel = kernel.se{lengthscale = 0.22}, mesh = mesh.uniform(-2, 2, m), n = n, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
end
local function schrodinger(m, n)
  local a = mesh.uniform(0, 1, m)
  local p = pde.schrodinger{mesh = a * a, potential = pde.hexagon{height = 1000, radius = 0.25, x = 0.5, y = 0.5}}
  return p:sample{n = n, input = random.field{kernel = kernel.periodic{period = 4, lengthscale = 0.1}, mesh = p.input_mesh, n = n, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
end
local function smooth_pairs(n, x, y)
  local f = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = x, n = n, seed = 1}
  local u = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = y, n = n, seed = 2}
  return data.new{input = f, output = u + 0.1 * random.normal{shape = u.shape, seed = 3}, input_mesh = x, output_mesh = y}
end
local function holes(d, part)
  local u = where(random.uniform{shape = d.output.shape, seed = 3}:gt(part), d.output, 0/0)
  return data.new{input = d.input, output = u, input_mesh = d.input_mesh, output_mesh = d.output_mesh, missing = true}
end
local function wrong(d, part) -- some values are off by a lot
  local off = where(random.uniform{shape = d.output.shape, seed = 4}:gt(part), 0, 5 * d.output:max())
  return data.new{input = d.input, output = d.output + off, input_mesh = d.input_mesh, output_mesh = d.output_mesh}
end
local function spread(d, decades) return 10^(-decades * random.uniform{shape = d.output.shape, seed = 9}) end
local function on_discs(n, m) return smooth_pairs(n, disc(m, 5), disc(m, 6)) end
local matern = function(l, nu) return kernel.matern{nu = nu or 2.5, lengthscale = l} end
local invariant = constraint.time_invariant{input = "s", output = "t"}
`

// announced are fits of different structures: each a dataset, and the arguments of the fit.
var announced = []struct{ name, data, arguments string }{
	{"poisson", `poisson(500)`, `kernel = matern(0.2), lambda = 1e-6`},
	{"poisson, λ", `poisson(500)`, `kernel = matern(0.2)`},
	{"poisson, kernel", `poisson(200)`, ``},
	{"helmholtz, kernel", `helmholtz(100)`, ``},
	{"30 points, kernel", `string_of(30, 100)`, ``},
	{"60 points, kernel", `string_of(60, 300)`, ``},
	{"no kink, kernel", `smooth_pairs(300, line(60), line(60, "y"))`, ``},
	{"lengthscale", `helmholtz(100)`, `kernel = matern("auto")`},
	{"flip, lengthscale", `fokker_planck(30, 200)`, `kernel = matern("auto"), constraint = constraint.flip{"x", "y"}`},
	{"many pairs", `random_pairs(20000, line(100), line(100, "y"))`, `kernel = matern(0.2), lambda = 1e-4`},
	{"symmetric", `helmholtz(100)`, `kernel = matern(0.02), lambda = 1e-5, constraint = constraint.symmetric{"x", "y"}`},
	{"symmetric, λ", `helmholtz(100)`, `kernel = matern(0.05), constraint = constraint.symmetric{"x", "y"}`},
	{"Fokker–Planck", `fokker_planck(50, 500)`, `kernel = matern(0.5), lambda = 1e-4`},
	{"Fokker–Planck, flip, λ", `fokker_planck(50, 300)`, `kernel = kernel.matern{nu = 1.5, lengthscale = {.16, .16, .04}}, bias = false, constraint = constraint.flip{"x", "y"}`},
	{"Schrödinger", `schrodinger(50, 500)`, `kernel = kernel.matern{nu = 1.5, lengthscale = 0.1}, lambda = 1e-6`},
	{"Schrödinger, λ", `schrodinger(30, 300)`, `kernel = kernel.matern{nu = 1.5, lengthscale = 0.1}`},
	{"heat, invariant", `heat(30, 100)`, `kernel = kernel.exponential{lengthscale = .06}, bias = false, lambda = 2e-7, constraint = invariant`},
	{"heat, causal", `heat(30, 100)`, `kernel = kernel.exponential{lengthscale = .06}, bias = false, lambda = 2e-7, constraint = {invariant, constraint.causal{input = "s", output = "t"}}`},
	{"heat, invariant, λ", `heat(30, 50)`, `kernel = kernel.exponential{lengthscale = .06}, bias = false, constraint = invariant`},
	{"heat, free", `heat(24, 50)`, `kernel = matern(0.2), lambda = 1e-4`},
	{"line 1000", `smooth_pairs(100, line(1000), line(1000, "y"))`, `kernel = matern(0.1), lambda = 1e-4`},
	{"line 500, λ", `smooth_pairs(100, line(500), line(500, "y"))`, `kernel = matern(0.1)`},
	{"graded lines", `smooth_pairs(100, mesh.chebyshev(0, 1, 300), mesh.gauss(0, 1, 200, "y"))`, `kernel = matern(0.1), lambda = 1e-4`},
	{"graded lines 1000", `smooth_pairs(100, mesh.chebyshev(0, 1, 1000), mesh.gauss(0, 1, 1000, "y"))`, `kernel = matern(0.1), lambda = 1e-4`},
	{"planes 24", `smooth_pairs(50, plane(24), plane(24, "y1", "y2"))`, `kernel = matern(0.1), lambda = 1e-4`},
	{"planes 16, λ", `smooth_pairs(50, plane(16), plane(16, "y1", "y2"))`, `kernel = matern(0.2)`},
	{"planes 32, product", `smooth_pairs(50, plane(32), plane(32, "y1", "y2"))`, `kernel = kernel.se{lengthscale = 0.2}, lambda = 1e-4`},
	{"points 200", `on_discs(50, 200)`, `kernel = matern(0.3), lambda = 1e-4`},
	{"points 500", `on_discs(100, 500)`, `kernel = matern(0.3), lambda = 1e-4`},
	{"points 500, λ", `on_discs(100, 500)`, `kernel = matern(0.3)`},
	{"points 1500", `on_discs(100, 1500)`, `kernel = matern(0.3), lambda = 1e-4`},
	{"points 4000", `on_discs(50, 4000)`, `kernel = matern(0.3)`},
	{"points, own kernel", `random_pairs(200, disc(150, 1), disc(250, 2))`, `kernel = kernel.define(function(p, q) local function length(a) return 0.15 + 0.3*a[1] end local s = length(p)^2 + length(q)^2 return 2*length(p)*length(q)/s*math.exp(-dist(p, q)^2/s) end), lambda = 1e-4`},
	{"points, missing", `random_pairs(100, disc(150, 1), disc(250, 2), 0.3)`, `kernel = matern(0.5), lambda = 1e-4`},
	{"lines, missing, λ", `random_pairs(60, line(80), line(80, "y"), 0.2)`, `kernel = matern(0.2)`},
	{"smooth, missing, λ", `holes(smooth_pairs(60, line(50), line(50, "y")), 0.1)`, `kernel = matern(0.3)`},
	{"few values", `holes(smooth_pairs(20, mesh.points(0.5 + 0.001 * random.uniform{shape = {9, 2}, seed = 5}), disc(9, 6)), 0.98)`, ``},
	{"missing, noise auto", `holes(string_of(24, 25), 0.2)`, `kernel = matern(0.2), noise = "auto"`},
	{"missing, noise diagonal", `holes(string_of(24, 25), 0.2)`, `kernel = matern(0.2), noise = "diagonal"`},
	{"missing, huber", `holes(string_of(40, 60), 0.1)`, `kernel = matern(0.2), loss = "huber"`},
	{"weights of values", `string_of(40, 25)`, `kernel = matern(0.2), weights = 0.5 + random.uniform{shape = d.output.shape, seed = 9}`},
	{"huber", `poisson(200)`, `kernel = matern(0.2), loss = "huber"`},
	{"noise auto", `poisson(200)`, `kernel = matern(0.2), noise = "auto"`},
	{"noise a kernel", `poisson(200)`, `kernel = matern(0.2), noise = kernel.exponential{lengthscale = "auto"}`},
	{"noise diagonal", `poisson(200)`, `kernel = matern(0.2), noise = "diagonal"`},
	{"symmetric, noise diagonal", `helmholtz(60)`, `kernel = matern(0.05), noise = "diagonal", constraint = constraint.symmetric{"x", "y"}`},
	{"heat, invariant, noise", `heat(16, 40)`, `kernel = kernel.exponential{lengthscale = .06}, bias = false, noise = "diagonal", constraint = invariant`},
	{"huber 50 × 41, kernel", `string_of(41, 50)`, `loss = "huber"`},
	{"huber 50 × 41, wrong", `wrong(string_of(41, 50), .05)`, `kernel = matern(0.2), loss = "huber"`},
	{"huber 200 × 80", `string_of(80, 200)`, `kernel = matern(0.2), loss = "huber"`},
	{"huber 200 × 80, wrong", `wrong(string_of(80, 200), .05)`, `kernel = matern(0.2), loss = "huber"`},
	{"symmetric, huber", `wrong(string_of(30, 60), .05)`, `kernel = matern(0.2), loss = "huber", constraint = constraint.symmetric{"x", "y"}`},
	{"constraint auto", `helmholtz(60)`, `kernel = matern(0.05), constraint = "auto"`},
	{"constraint auto, kernel", `string_of(30, 60)`, `constraint = "auto"`},
	{"constraint auto, lengthscale", `smooth_pairs(40, line(40), line(40))`, `kernel = matern("auto"), constraint = "auto"`},
	{"constraint auto, heat", `heat(12, 40)`, `kernel = kernel.exponential{lengthscale = .1}, bias = false, constraint = "auto"`},
	{"constraint auto, missing", `holes(string_of(30, 60), 0.1)`, `kernel = matern(0.2), constraint = "auto"`},
	{"constraint auto, noise", `string_of(30, 60)`, `kernel = matern(0.2), noise = "diagonal", constraint = "auto"`},
	{"weights, 4 decades", `string_of(40, 60)`, `kernel = matern(0.2), weights = spread(d, 4)`},
	{"weights, 4 decades, λ given", `string_of(40, 60)`, `kernel = matern(0.2), lambda = 1e-5, weights = spread(d, 4)`},
	{"weights, 6 decades, λ given", `string_of(60, 100)`, `kernel = matern(0.2), lambda = 1e-6, weights = spread(d, 6)`},
	{"weights, 2 decades, many", `string_of(100, 200)`, `kernel = matern(0.2), weights = spread(d, 2)`},
	{"weights, planes", `smooth_pairs(40, plane(12), plane(12, "y1", "y2"))`, `kernel = matern(0.3), lambda = 1e-4, weights = spread(d, 3)`},
	{"weights, symmetric", `string_of(30, 60)`, `kernel = matern(0.2), constraint = constraint.symmetric{"x", "y"}, weights = spread(d, 3)`},
	{"weights of pairs", `string_of(80, 300)`, `kernel = matern(0.2), weights = 10^(-3 * random.uniform{shape = {300}, seed = 9})`},
	{"weights, kernel", `string_of(24, 40)`, `weights = spread(d, 2)`},
	{"planes, missing", `holes(smooth_pairs(60, plane(12), plane(12, "y1", "y2")), 0.3)`, `kernel = matern(0.3), lambda = 1e-4`},
	{"many missing, λ", `holes(string_of(60, 200), 0.5)`, `kernel = matern(0.2)`},
	{"dense", `random_pairs(30, line(40), line(40, "y"))`, `kernel = matern(0.2), lambda = 1e-4, method = "dense"`},
	{"leave-one-out", `helmholtz(100)`, `kernel = matern(0.1), criterion = "loo"`},
	{"cross-validation", `helmholtz(100)`, `kernel = matern(0.1), criterion = "cv"`},
}

// BenchmarkAnnounced makes fits of different structures: seconds of the processors, and the most bytes of objects at
// a time, and what was said of each beforehand, over these: 0.5 to 2 for nine of ten. Seconds said are wall time, so
// run it with GOMAXPROCS=1.
func BenchmarkAnnounced(b *testing.B) {
	for _, c := range announced {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b)
			values, err := h.Eval(b.Context(), "bench", announcedData+"local d = "+c.data+"\nreturn function() return green.fit{data = d, "+c.arguments+"} end")
			if err != nil {
				b.Fatal(err)
			}
			var r fit.Report
			var seconds, bytes float64
			for b.Loop() {
				one := func() {
					e, err := h.Call(b.Context(), values[0].(*lua.LFunction))
					if err != nil {
						b.Fatal(err)
					}
					r = e[0].(*lua.LUserData).Value.(*fit.Estimate).Report
				}
				bytes = mostLive(one)
				seconds = cpu(one) // by itself: looking at the memory takes time
			}
			b.ReportMetric(seconds, "cpu-s")
			b.ReportMetric(bytes/1e6, "MB")
			b.ReportMetric(r.Expected.Seconds/seconds, "times-said")
			b.ReportMetric(r.Expected.Bytes/bytes, "bytes-said")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// mostLive is the most bytes of objects at a time while do runs, more than before, with little garbage among them.
func mostLive(do func()) float64 {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	live := func() float64 { metrics.Read(sample); return float64(sample[0].Value.Uint64()) }
	before := live()
	most, done := before, make(chan bool)
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				most = max(most, live())
			}
		}
	})
	do()
	close(done)
	wait.Wait()
	return most - before
}
