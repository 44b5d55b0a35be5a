package bindings_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
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

// value evaluates an expression of a script.
func value[T any](t testing.TB, h *host.Host, expression string) T {
	t.Helper()
	values, err := h.Eval(t.Context(), "test", "return "+expression)
	if err != nil {
		t.Fatal(err)
	}
	v, ok := values[0].(*lua.LUserData).Value.(T)
	if !ok {
		t.Fatalf("%s is a %T", expression, values[0].(*lua.LUserData).Value)
	}
	return v
}

var joint = kernel.Space{Names: []string{"x", "y"}, Inputs: 1}

// Radial kernels written by hand in one of many ways are evaluated by the loops of
// their family, like the library's.
func TestScriptedFamiliesAreFused(t *testing.T) {
	h := newHost(t)
	m, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Uniform(0, 1, 4, "y")))
	if err != nil {
		t.Fatal(err)
	}
	for source, library := range map[string]string{
		maternLua: "kernel.matern{nu = 2.5, lengthscale = 0.2}",
		"function(p, q) return math.exp(-((p.x - q.x)^2 + (p.y - q.y)^2)/(2*0.3^2)) end":                                   "kernel.se{lengthscale = 0.3}",
		"function(p, q) return math.exp(-dist(p, q, {0.3, 0.5})) end":                                                      "kernel.exponential{lengthscale = {0.3, 0.5}}",
		"function(p, q) local r = dist(p, q)/0.4 return (1 + math.sqrt(3)*r)*math.exp(-math.sqrt(3)*r) end":                "kernel.matern{nu = 1.5, lengthscale = 0.4}",
		"function(p, q) local s = 0 for i = 1, #p do s = s + ((q[i] - p[i])/0.3)^2 end return math.exp(-math.sqrt(s)) end": "kernel.exponential{lengthscale = 0.3}",
		"function(p, q) return kernel.matern{nu = 2.5, lengthscale = 0.1}(p, q) end":                                       "kernel.matern{nu = 2.5, lengthscale = 0.1}",
	} {
		var grams []*mat.Dense
		for _, expression := range []string{"kernel.define(" + source + ")", library} {
			f, err := kernels.Compile(value[kernel.Kernel](t, h, expression), joint)
			if err != nil {
				t.Fatal(err)
			}
			matrix, err := f.Matrix(m, m)
			if err != nil {
				t.Fatal(err)
			}
			if !matrix.Fused() {
				t.Errorf("%s: not in the loops of its family", expression)
			}
			g, err := f.Gram(t.Context(), m, m)
			if err != nil {
				t.Fatal(err)
			}
			grams = append(grams, g)
		}
		if !mat.EqualApprox(grams[0], grams[1], 1e-15) {
			t.Errorf("%s and %s differ", source, library)
		}
	}
}

// A scripted Matérn kernel takes the route of the library's through the estimator
// and gives the same estimate.
func TestScriptedEstimate(t *testing.T) {
	h := newHost(t)
	x := mesh.Must(mesh.Uniform(0, 1, 40, "x"))
	f, u := array.New(20, 40), array.New(20, 40)
	for i := range f.Data {
		f.Data[i], u.Data[i] = math.Sin(float64(i*i)), math.Cos(float64(i*i+i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: x})
	if err != nil {
		t.Fatal(err)
	}
	var estimates []*fit.Estimate
	for _, k := range []string{"kernel.define(" + maternLua + ")", "kernel.matern{nu = 2.5, lengthscale = 0.2}"} {
		e, err := fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: value[kernel.Kernel](t, h, k), Lambda: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		estimates = append(estimates, e)
	}
	a, b := estimates[0], estimates[1]
	if a.Report.Reason != b.Report.Reason || !strings.Contains(a.Report.Reason, "uniform") {
		t.Errorf("routes %q and %q", a.Report.Reason, b.Report.Reason)
	}
	ga, err := a.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	gb, err := b.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	var diff mat.Dense
	diff.Sub(ga, gb)
	if e := mat.Norm(&diff, 2) / mat.Norm(gb, 2); e > 1e-10 {
		t.Errorf("estimates are %g apart", e)
	}
}

// A kernel whose function is called may be evaluated by several goroutines, on a
// part of the coordinates too, and says why it failed.
func TestCalledKernel(t *testing.T) {
	h := newHost(t)
	k := value[kernel.Kernel](t, h, `kernel.define(function(p, q)
		if p.y > 1.5 then error("too far") end
		return math.min(p.x, q.x) + p.y*q.y
	end, {trace = false})`)
	m, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 9, "x")), mesh.Must(mesh.Uniform(0, 1, 7, "y")))
	if err != nil {
		t.Fatal(err)
	}
	f, err := kernels.Compile(k, joint)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Gram(t.Context(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	p, q := make([]float64, 2), make([]float64, 2)
	for i := range m.Size() {
		m.Point(p, i)
		m.Point(q, m.Size()-1-i)
		if want := min(p[0], q[0]) + p[1]*q[1]; g.At(i, m.Size()-1-i) != want {
			t.Fatalf("%g at %v, %v, must be %g", g.At(i, m.Size()-1-i), p, q, want)
		}
	}
	on, err := kernels.Compile(kernels.Restrict(k, joint, 1, 2, []float64{.25, 0}), kernel.Space{Names: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	if v := on.At([]float64{.5}, []float64{.5}); v != .5 {
		t.Errorf("restricted: %g, must be 0.25 + 0.5²", v)
	}
	if v := f.At([]float64{0, 2}, []float64{0, 0}); !math.IsNaN(v) || !strings.Contains(k.String(), "too far") {
		t.Errorf("%g of %s, must be NaN because it is too far", v, k)
	}
	if _, err := h.Eval(t.Context(), "test", `return kernel.define(function(p, q) if p[1] > 0 then return p end return 1 end, {trace = false})`); err == nil {
		t.Error("a table for some points is accepted")
	}
}

// A function that is called runs on a Lua state for each processor, which has copies
// of the variables around it, with their tables and functions, as they were when it
// was given. What belongs to one state keeps it there.
func TestCalledOnSeveralStates(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	h := newHost(t)
	k := value[kernel.Kernel](t, h, `(function()
		local inner = kernel.se{lengthscale = 0.3}
		local t = {weights = {1, 2}, step = function(a) if a > 0.5 then return 1 end return 0.5 end}
		t.itself = t
		factor = 2
		local function f(p, q, v)
			local sum = 0
			for _, w in ipairs(t.itself.weights) do sum = sum + w end
			if math.abs(p.x - q.x) < 0.1 then sum = sum + v.near end
			return factor*sum*t.step(p.x)*t.step(q.x) + inner(p.x, q.x)
		end
		local k = kernel.define(f, {trace = false, near = 4})
		factor, t.weights[1] = 7, 8
		return k
	end)()`)
	if text := k.(interface{ Describe() string }).Describe(); !strings.Contains(text, "on 4 Lua states at once") {
		t.Errorf("called %s, must be on 4 states", text)
	}
	f, err := kernels.Compile(k, kernel.Space{Names: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	m := mesh.Must(mesh.Uniform(0, 1, 40, "x"))
	g, err := f.Gram(t.Context(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	step := func(a float64) float64 {
		if a > 0.5 {
			return 1
		}
		return 0.5
	}
	for i, p := range m.Points() {
		for j, q := range m.Points() {
			d, sum := math.Abs(p-q), 3.0
			if d < 0.1 {
				sum += 4
			}
			want := 2*sum*step(p)*step(q) + math.Exp(-d*d/(2*0.09))
			if got := g.At(i, j); math.Abs(got-want) > 1e-12 {
				t.Fatalf("k(%g, %g) = %.15g, must be %.15g", p, q, got, want)
			}
		}
	}
	alone := value[kernel.Kernel](t, h, `(function()
		local co = coroutine.create(function() end)
		return kernel.define(function(p, q) if co and p.x > q.x then return 1 end return 1 end, {trace = false})
	end)()`)
	if text := alone.(interface{ Describe() string }).Describe(); !strings.Contains(text, "one after the other, for it uses a thread") {
		t.Errorf("called %s, must be alone", text)
	}
	random := value[kernel.Kernel](t, h, `kernel.define(function(p, q) calls = (calls or 0) + 1 return calls end, {trace = false})`)
	if text := random.(interface{ Describe() string }).Describe(); !strings.Contains(text, "a copy of it gives") {
		t.Errorf("called %s, must be alone", text)
	}
}

// A function in the variables of a kernel may call itself, and one that another
// function makes is known by its own variables, traced or not.
func TestRecursiveFunctions(t *testing.T) {
	h := newHost(t)
	const around = `
local even, odd
even = function(n, x) if n == 0 then return 1 end return x*odd(n - 1, x) end
odd = function(n, x) if n == 0 then return 0 end return even(n - 1, x) end
local function power(n, x) if n == 0 then return 1 end return x*power(n - 1, x) end
local function applied(f) return function(x) return f(x) end end
local id, square = applied(function(x) return x end), applied(function(x) return x^2 end)
return kernel.define(function(p, q) return even(4, p.x*q.x) + power(3, p.x*q.x) + id(p.x*q.x) + square(p.x*q.x) end, {trace = %t})(3, 0.5)`
	for _, traced := range []bool{true, false} {
		values, err := h.Eval(t.Context(), "test", fmt.Sprintf(around, traced))
		if err != nil {
			t.Fatal(err)
		}
		const x = 1.5
		if got := float64(values[0].(lua.LNumber)); math.Abs(got-(x*x+x*x*x+x+x*x)) > 1e-14 {
			t.Errorf("trace = %t: %g, must be 2x² + x³ + x at x = %g", traced, got, x)
		}
	}
	_, err := h.Eval(t.Context(), "test", `
local function made(f) return function(x) return f(x) end end
local same, random = made(math.exp), made(math.random)
return kernel.define(function(p, q) return same(-dist(p, q)) + random(1000) end)`)
	if err == nil || !strings.Contains(err.Error(), "must depend on its arguments only") {
		t.Errorf("a function that draws random numbers: %v", err)
	}
}

// The values of a kernel do not depend on how often it was asked for them, nor on what was asked for in between.
func TestCallsOfDefinedKernels(t *testing.T) {
	h := newHost(t)
	if _, err := h.Eval(t.Context(), "test", `
local lines = kernel.define(function(p, q, v) return math.exp(-v.rate * (p.x - q.x)^2) * (1 + p.t * q.t) end, {rate = 2})
local function want(rate, p, q) return math.exp(-rate * (p[1] - q[1])^2) * (1 + p[2] * q[2]) end
local function near(a, b) assert(math.abs(a - b) <= 1e-14 * math.abs(b), a .. " is not " .. b) end
for rate = 1, 12 do
  local k = lines:with{rate = rate}
  for i = 1, 3 do
    local p, q = {0.1 * i, 0.3}, {0.7, 0.2 * i}
    near(k({x = p[1], t = p[2]}, {t = q[2], x = q[1]}), want(rate, p, q))
    near(lines({x = p[1], t = p[2]}, {x = q[1], t = q[2]}), want(2, p, q))
  end
end
local wave = kernel.define(function(p, q) return math.exp(-dist(p, q)^2) end)
for i = 1, 3 do
  near(wave(0.1 * i, 0.5), math.exp(-(0.1 * i - 0.5)^2))
  near(wave({0.1 * i, 1}, {0.5, 2}), math.exp(-(0.1 * i - 0.5)^2 - 1))
end
local ok, message = pcall(lines, {x = 1, y = 2}, {x = 1, y = 3})
assert(not ok and message:find('no coordinate "t"', 1, true), message)
`); err != nil {
		t.Error(err)
	}
}
