package bindings_test

import (
	"strings"
	"testing"
)

// Constraints of scripts are formulas, and estimates with them are the same after a file; what a script calls is none, and
// the error says what to do. Kernels are then written as they are typed, those of the checks, the terms and the bias, too.
func TestConstraintsOfScriptsAreSaved(t *testing.T) {
	L := openAll(t, nil)
	if err := L.DoString(`local x = mesh.uniform(0, 1, 9)
local d = pde.poisson{mesh = x, left = 0, right = 0.05}:sample{n = 12, input = {kernel = kernel.se{lengthscale = 0.2}}}:noise{level = 0.1}
local K, path = kernel.matern{nu = 2.5, lengthscale = 0.4}, os.tmpname() .. ".npz"
local scale = 0.5
local causal = constraint.mask(function(q) return ge(q.y, scale*q.x) end)
for _, c in ipairs{causal, constraint.define{average = {{map = function(p) return {x = p.y, y = p.x} end}}}, {constraint.flip{"x", "y", about = 0.5}, causal}} do
  for _, fit in ipairs{{constraint = c, kernel = K}, type(c) ~= "table" and {kernel = c:apply(K)} or nil} do
    local e = green.fit{data = d, kernel = fit.kernel, constraint = fit.constraint, lambda = 1e-6}
    e:save(path, {data = true})
    local back = green.load(path)
    assert(back:green():eq(e:green()):all() and back(0.83, 0.21) == e(0.83, 0.21) and back(0.21, 0.83) == e(0.21, 0.83))
    assert(((back:std() - e:std())^2):max() <= 1e-18 * (e:std()^2):max())
    local first = function(v) return tostring(v):match("^[^\n]*") end
    assert(first(back) == first(e), first(back) .. " beside " .. first(e))
    assert(back:summary().kernel == e:summary().kernel and back:summary().kernel:find("kernel.matern{", 1, true))
    for at in tostring(back):gmatch("()matern{") do assert(tostring(back):sub(at - 7, at - 1) == "kernel.", tostring(back)) end
  end
end
local age = random.normal{shape = {12}, seed = 1}
local m = green.fit{data = data.new{input = {f = d.input, age = age}, output = {u = d.output}, input_mesh = x}, kernel = {f = K, age = K}}
m:save(path)
for _, v in ipairs{m, green.load(path)} do
  for at in tostring(v):gmatch("()matern{") do assert(tostring(v):sub(at - 7, at - 1) == "kernel.", tostring(v)) end
end
os.remove(path)`); err != nil {
		t.Fatal(err)
	}
	err := L.DoString(`local d = pde.poisson{mesh = mesh.uniform(0, 1, 5)}:sample{n = 6, input = {kernel = kernel.se{lengthscale = 0.2}}}
green.fit{data = d, kernel = kernel.define(function(p, q) return math.exp(-(p.x - q.x)^2 - (p.y - q.y)^2) end, {trace = false}), bias = false, lambda = 1e-3}:save(os.tmpname() .. ".npz")`)
	if err == nil || !strings.Contains(err.Error(), `save what it gives, as arrays: est:green():save("green.npy")`) {
		t.Errorf("a kernel that is called: %v", err)
	}
}

// A penalty that is no number is refused with what one can do in a script, where 0 is refused, too.
func TestPenaltiesAreChosenByAuto(t *testing.T) {
	L := openAll(t, nil)
	for _, name := range []string{"lambda", "rho"} {
		err := L.DoString(`local d = pde.poisson{mesh = mesh.uniform(0, 1, 5)}:sample{n = 6, input = {kernel = kernel.se{lengthscale = 0.2}}}
green.fit{data = d, kernel = kernel.se{lengthscale = 0.2}, ` + name + ` = 1/0}`)
		if want := name + ` +Inf: must be > 0 and finite; leave it out, or give "auto", to have it chosen`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := L.DoString(`green.fit{data = pde.poisson{mesh = mesh.uniform(0, 1, 5)}:sample{n = 6, input = {kernel = kernel.se{lengthscale = 0.2}}}, kernel = kernel.se{lengthscale = 0.2}, lambda = "auto", rho = "auto"}`); err != nil {
		t.Error(err)
	}
}
