-- A non-stationary kernel, written in Lua: Gibbs' squared exponential whose
-- lengthscale changes from place to place (Rasmussen & Williams 2006, equation
-- 4.32). A product over coordinates, so it works in any number of them.
--
--     workbench scripts/examples/kernel_gibbs.lua

local function length(x) return 0.02 + 0.3*x^2 end   -- short at 0, long at 1

local gibbs = kernel.define(function(p, q)
  local product = 1
  for i = 1, #p do
    local a, b = length(p[i]), length(q[i])
    local s = a^2 + b^2
    product = product * math.sqrt(2*a*b/s) * math.exp(-(p[i] - q[i])^2/s)
  end
  return product
end)

print(gibbs(0.3, 0.3), gibbs(0, 0.1) < 1e-3, gibbs(0.9, 1) > 0.9)  --> 1	true	true
print(gibbs:describe():find("x          not stationary") ~= nil)  --> true

-- Its functions wiggle on the left and are smooth on the right.
local m = mesh.uniform(0, 1, 200)
local f = random.field{kernel = gibbs, mesh = m, n = 3, seed = 1}
local step = f:slice{{}, {2, -1}} - f:slice{{}, {1, -2}}
print(step:slice{{}, {1, 50}}:norm() > 3 * step:slice{{}, {150, 199}}:norm())  --> true

local lines = {file = "out/gibbs.png", title = "three functions of Gibbs' kernel", xlabel = "x", show = false}
for i = 1, #f do lines[i] = {x = m, y = f[i]} end
plot.lines(lines)
