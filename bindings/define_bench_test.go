//go:build unix

package bindings_test

import (
	"fmt"
	"syscall"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

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
				if _, err := kernels.Compile(k[0].(*lua.LUserData).Value.(kernel.Kernel), kernel.Space{Names: []string{"x", "y"}, Inputs: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// upToTwenty are expressions of at most 20 operations, cheap ones and costly ones.
func upToTwenty() []struct{ name, formula string } {
	return []struct{ name, formula string }{
		{"one", "p.x*q.x"},
		{"se", "math.exp(-(p.x - q.x)^2/0.08)"},
		{"matern", "(1 + math.abs(p.x - q.x)/0.1 + (p.x - q.x)^2/0.03)*math.exp(-math.abs(p.x - q.x)/0.1)"},
		{"rational", "1/(1 + (p.x - q.x)^2/0.1)"},
		{"power", "(1 + (p.x - q.x)^2/0.1)^-1.3"},
		{"gibbs", "math.exp(-(p.x - q.x)^2/(0.01 + p.x^2 + q.x^2))*math.sqrt((0.1 + p.x^2)*(0.1 + q.x^2)/(0.01 + p.x^2 + q.x^2))"},
		{"hat", "math.max(0, 1 - math.abs(p.x - q.x)/0.3)"},
		{"where", "where(lt(math.abs(p.x - q.x), 0.2), 1 - 5*math.abs(p.x - q.x), 0)"},
		{"waves", "math.cos(3*(p.x - q.x)) + math.sin(5*p.x)*math.sin(5*q.x) + math.cos(7*p.x)*math.cos(7*q.x)"},
		{"tangents", "math.tan(p.x)*math.tan(q.x) + math.atan(p.x)*math.atan(q.x) + math.tanh(p.x)*math.tanh(q.x)"},
		{"arcs", "math.asin(p.x*q.x)*math.acos(p.x*q.x) + math.atan2(p.x + q.x, 1)*math.log(2 + p.x*q.x)"},
		{"hyperbolic", "math.cosh(p.x - q.x)*math.sinh(p.x + q.x)*math.tan(p.x*q.x)*math.asin(p.x*q.x)"},
		{"remainder", "((p.x - q.x) % 0.3)*math.fmod(p.x + q.x, 0.7)"},
		{"powers", "(1 + p.x)^(1 + q.x)*(1 + q.x)^(1 + p.x)"},
	}
}

// BenchmarkAgainstLua compares values of a traced kernel with calls of its function
// in a loop in Lua, over points that are made beforehand, and with trace = false.
// They take turns; the least processor times count. times is the time of the loop
// divided by that of the traced kernel.
func BenchmarkAgainstLua(b *testing.B) {
	const many, few = 1500, 200 // points on a side of the matrix
	for _, c := range upToTwenty() {
		b.Run(c.name, func(b *testing.B) {
			h := newHost(b)
			values, err := h.Eval(b.Context(), "bench", fmt.Sprintf(`
local many, few, n = mesh.uniform(0.05, 0.95, %d), mesh.uniform(0.05, 0.95, %d), %[2]d
local f = function(p, q) return %[3]s end
local traced, called = kernel.define(f), kernel.define(f, {trace = false})
local points = few:points():table()
for i = 1, n do points[i] = {x = points[i][1]} end
return function() traced:gram(many) end, function() called:gram(few) end, function()
  for i = 1, n do
    local p = points[i]
    for j = 1, n do f(p, points[j]) end
  end
end`, many, few, c.formula))
			if err != nil {
				b.Fatal(err)
			}
			pairs, least := [3]float64{many * many, few * few, few * few}, [3]float64{}
			for b.Loop() {
				for k := range least {
					seconds := cpu(func() {
						if _, err := h.Call(b.Context(), values[k].(*lua.LFunction)); err != nil {
							b.Fatal(err)
						}
					}) / pairs[k]
					if least[k] == 0 || seconds < least[k] {
						least[k] = seconds
					}
				}
			}
			for k, name := range []string{"traced", "called", "lua"} {
				b.ReportMetric(least[k]*1e9, name+"-ns/pair")
			}
			b.ReportMetric(least[2]/least[0], "times")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// cpu is the time that a function takes of the processors, in seconds.
func cpu(do func()) float64 {
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	do()
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return float64(after.Utime.Nano()-before.Utime.Nano()+after.Stime.Nano()-before.Stime.Nano()) / 1e9
}
