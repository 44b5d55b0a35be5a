-- A new constraint, written in Lua: G(x, y) = -G(y, x), as the Green's function of
-- a skew-adjoint operator obeys.
--
--     workbench scripts/examples/constraint_antisymmetric.lua
-- tol: 1e-4

local skew = constraint.define{average = {
  {sign = -1, map = function(p) return {x = p.y, y = p.x} end},
}}

-- Noisy pairs u(y) = ∫ G(x, y) f(x) dx of an antisymmetric G.
local m = mesh.uniform(0, 1, 60)
local G = array.from(60, 60, function(i, j) return math.sin(6*(i - j)/59) * math.exp(-((i - j)/30)^2) end)
local f = random.field{kernel = kernel.se{lengthscale = 0.05}, mesh = m, n = 40, seed = 1}
local pairs = data.new{input = f, output = (f * m:weights()):dot(G), input_mesh = m}:noise{level = 0.3, seed = 2}

local k = kernel.matern{nu = 2.5, lengthscale = 0.3}
local free = green.fit{data = pairs, kernel = k, bias = false}
local held = green.fit{data = pairs, kernel = k, bias = false, constraint = skew}
print("without:", free:error{green = G})  --> without:	0.0556289
print("with:   ", held:error{green = G})  --> with:	0.0335188

-- It holds everywhere, not only on the mesh.
print(held(0.123, 0.456) + held(0.456, 0.123) == 0, held(0.3, 0.3))  --> true	0

-- The library has this one: it is the same.
local own = green.fit{data = pairs, kernel = k, bias = false, constraint = constraint.antisymmetric{"x", "y"}}
print((held:green() - own:green()):norm())  --> 0
