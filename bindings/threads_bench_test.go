//go:build unix

package bindings_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/workbench/host"
)

// threaded is what a user waits for, at sizes where a second processor is of little use or of none, and at some where
// it is: each script returns the function to time.
var threaded = []struct{ name, script string }{
	{"fit poisson", `local m = mesh.uniform(0, 1, 100)
local d = data.load("../scripts/data/poisson.npz", {input_mesh = m}):take(1, 500)
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.2}, lambda = 1e-6} end`},
	{"fit helmholtz, symmetric", `local m = mesh.uniform(0, 1, 100)
local d = data.load("../scripts/data/helmholtz.npz", {input_mesh = m}):take(1, 100)
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.02}, lambda = 1e-5, constraint = constraint.symmetric{"x", "y"}} end`},
	{"fit fokker_planck", fokkerPlanck("50") + `
local d = p:sample{n = 500, input = random.field{kernel = kernel.se{lengthscale = 0.22}, mesh = mesh.uniform(-2, 2, 50), n = 500, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.5}, lambda = 1e-4} end`},
	{"fit heat, time-invariant", `local p = pde.heat{mesh = mesh.uniform(0, 1, 25, "x"), time = mesh.uniform(0, 1, 25, "t"), alpha = 0.1}
local d = p:sample{n = 50, input = random.field{kernel = kernel.exponential{lengthscale = 0.1}, mesh = p.input_mesh, n = 50, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.3}, lambda = 1e-4, constraint = constraint.time_invariant{input = "s", output = "t"}} end`},
	{"solve heat 100²×100", `local p = pde.heat{mesh = mesh.uniform(0, 1, 100), time = mesh.uniform(0, 1, 100, "t"), alpha = 0.1}
local f = random.normal{shape = {100, p.input_mesh.size}, seed = 1}
return function() return p:solve(f) end`},
	{"solve fokker_planck 100²×500", fokkerPlanck("100") + `
local f = random.normal{shape = {500, 100}, seed = 1}
return function() return p:solve(f) end`},
	{"solve helmholtz 1000×500", `local p = pde.helmholtz{mesh = mesh.uniform(0, 1, 1000), omega = 20}
local f = random.normal{shape = {500, 1000}, seed = 1}
return function() return p:solve(f) end`},
	{"solve schrodinger 50²×200", `local a = mesh.uniform(0, 1, 50)
local p = pde.schrodinger{mesh = a * a, potential = pde.hexagon{height = 1000, radius = 0.25, x = 0.5, y = 0.5}}
local f = random.normal{shape = {200, p.input_mesh.size}, seed = 1}
return function() return p:solve(f) end`},
	{"eigh 50", eigh("50")},
	{"eigh 100", eigh("100")},
	{"eigh 200", eigh("200")},
	{"eigh 400", eigh("400")},
	{"dot 30", dot("30")},
	{"dot 60", dot("60")},
	{"dot 100", dot("100")},
	{"dot 200", dot("200")},
	{"dot 500", dot("500")},
	{"matrix · vector 1000", `local a, v = random.normal{shape = {1000, 1000}, seed = 1}, random.normal{shape = {1000}, seed = 2}
return function() return a:dot(v) end`},
	{"green 100²", green("100")},
	{"green 300²", green("300")},
	{"green 1000²", green("1000")},
	{"random field 1000", `return function() return random.field{kernel = kernel.se{lengthscale = 0.1}, mesh = mesh.uniform(0, 1, 1000), n = 100, seed = 1} end`},
	{"random field 50²", `local a = mesh.uniform(0, 1, 50)
return function() return random.field{kernel = kernel.exponential{lengthscale = 0.1}, mesh = a * a, n = 100, seed = 1} end`},
	{"gram 500", `local m = mesh.points(random.uniform{shape = {500, 2}, seed = 1})
return function() return kernel.matern{nu = 2.5, lengthscale = 0.3}:gram(m) end`},
	{"solve 200", `local a, b = random.normal{shape = {200, 200}, seed = 1}, random.normal{shape = {200}, seed = 2}
return function() return linalg.solve(a, b) end`},
	{"svd 100", `local a = random.normal{shape = {100, 100}, seed = 1}
return function() return linalg.svd(a) end`},
}

func fokkerPlanck(m string) string {
	return `local p = pde.fokker_planck{mesh = mesh.uniform(-2, 2, ` + m + `, "x"), time = mesh.uniform(0, 1, ` + m + `, "t"),
  potential = function(x) return x^4 - 3 * x^2 end, diffusivity = 0.05, drag = 20}`
}

func eigh(n string) string {
	return `local a = random.normal{shape = {` + n + `, ` + n + `}, seed = 1}
a = a + a:transpose()
return function() return linalg.eigh(a) end`
}

func dot(n string) string {
	return `local a, b = random.normal{shape = {` + n + `, ` + n + `}, seed = 1}, random.normal{shape = {` + n + `, ` + n + `}, seed = 2}
return function() return a:dot(b) end`
}

func green(n string) string {
	return `local d = data.load("../scripts/data/poisson.npz", {input_mesh = mesh.uniform(0, 1, 100)}):take(1, 500)
local e, fine = green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.2}, lambda = 1e-6}, mesh.uniform(0, 1, ` + n + `)
return function() return e:green(fine, fine) end`
}

// TestThreads: results are the same, to the last bit, for any number of processors: of some of the threaded, which are
// large enough to be shared out.
func TestThreads(t *testing.T) {
	for _, name := range []string{
		"fit poisson", "fit helmholtz, symmetric", "fit fokker_planck", "solve heat 100²×100", "solve schrodinger 50²×200", "solve helmholtz 1000×500",
		"dot 500", "matrix · vector 1000", "green 300²", "random field 50²", "gram 500",
	} {
		at := slices.IndexFunc(threaded, func(c struct{ name, script string }) bool { return c.name == name })
		h := newHost(t)
		values, err := h.Eval(t.Context(), "test", threaded[at].script)
		if err != nil {
			t.Fatal(name, err)
		}
		f := values[0].(*lua.LFunction)
		var want []float64
		for _, processors := range []int{1, 2, 5} {
			before := runtime.GOMAXPROCS(processors)
			got := numbers(t, h, f)
			runtime.GOMAXPROCS(before)
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: %d processors give other bits than one", name, processors)
			}
		}
	}
}

// numbers calls f and returns the elements of its array, or the weights of its estimate.
func numbers(t *testing.T, h *host.Host, f *lua.LFunction) []float64 {
	t.Helper()
	values, err := h.Call(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	switch v := values[0].(*lua.LUserData).Value.(type) {
	case *array.Array:
		return v.Data
	case *fit.Estimate:
		return v.Weights.RawMatrix().Data
	default:
		t.Fatalf("a %T has no numbers", v)
		return nil
	}
}

// BenchmarkThreads runs each with one processor and with two in turn, so that whatever else the machine does slows both,
// and reports the median time with one; how many times faster two are, of medians and of the least times seen; the
// time of all processors with two, relative to that of one; and how often, with two, a thread gave way to wait, which
// each handover makes it do. On an idle machine, "times" below 0.97 is a defect.
func BenchmarkThreads(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("one processor")
	}
	for _, c := range threaded {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b)
			values, err := h.Eval(b.Context(), "bench", c.script)
			if err != nil {
				b.Fatal(err)
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			var seconds, work, waits [2][]float64
			for b.Loop() {
				for i := range seconds {
					runtime.GOMAXPROCS(i + 1)
					time.Sleep(settling)
					start, before := time.Now(), voluntary()
					work[i] = append(work[i], cpu(func() {
						if _, err := h.Call(b.Context(), values[0].(*lua.LFunction)); err != nil {
							b.Fatal(err)
						}
					}))
					seconds[i] = append(seconds[i], time.Since(start).Seconds())
					waits[i] = append(waits[i], voluntary()-before)
				}
			}
			ratio := func(x [2][]float64, at func([]float64) float64) float64 { return at(x[0]) / at(x[1]) }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(1e3*median(seconds[0]), "ms-one")
			b.ReportMetric(ratio(seconds, median), "times")
			b.ReportMetric(ratio(seconds, slices.Min), "times-least")
			b.ReportMetric(1/ratio(work, median), "cpu")
			b.ReportMetric(median(waits[1]), "waits")
		})
	}
}

// settling is longer than a thread that the runtime has woken for a processor it was given looks for work: some 20 µs,
// in which it slows the other one of a core.
const settling = time.Millisecond

// voluntary counts the times that threads of this process have given way of their own accord.
func voluntary() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Nvcsw)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
