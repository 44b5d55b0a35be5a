-- A new kernel, written in Lua: Wendland's function of order 2, which is zero
-- beyond its support and twice differentiable (Wendland, Scattered Data
-- Approximation, 2005, table 9.1). It is positive semi-definite in up to three
-- coordinates.
--
--     workbench scripts/examples/kernel_wendland.lua
-- tol: 1e-4

local wendland = kernel.define(function(p, q, v)
  local r = dist(p, q) / v.support
  return math.max(0, 1 - r)^4 * (4*r + 1)
end, {support = 0.5})

print(wendland(0, 0), wendland(0, 0.1), wendland(0, 0.6))  --> 1	0.73728	0

-- The function was run once, on coordinates without values; what it computed with
-- them is now a formula, as fast as the kernels of the library. wendland:describe()
-- says which structure was found in it.
print(wendland:describe():find("by FFT") ~= nil)  --> true
print(wendland:check{mesh = mesh.uniform(0, 1, 30) * mesh.uniform(0, 1, 30, "y")}.smallest_eigen > -1e-12)  --> true

-- Most entries of its matrix are zero.
local g = wendland:with{support = 0.1}:gram(mesh.uniform(0, 1, 200))
print(1 - gt(g, 0):mean() > 0.8)  --> true

-- It learns like any other kernel.
local m = mesh.uniform(0, 1, 100)
local pairs = data.load("scripts/data/poisson.npz", {input_mesh = m})
local est = green.fit{data = pairs:take(1, 100), kernel = wendland:with{support = 2}, lambda = 1e-6}
local truth = pde.poisson{mesh = m, left = -0.1, right = 0.1}
print("relative error of G:", est:error{green = truth})  --> relative error of G:	0.0161276
