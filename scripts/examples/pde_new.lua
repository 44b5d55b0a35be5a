-- A new PDE, written in Lua, from its operator to its learned Green's function:
-- a rod whose conductivity jumps in the middle, which loses heat along its length,
--
--     -(k(x) u')' + 20 u = f,    u = 0.2 at the left end, no flux at the right end.
--
--     workbench scripts/examples/pde_new.lua

local m = mesh.uniform(0, 1, 101)
local rod = pde.define{
  name = "rod", mesh = m,
  operator = function(u, at)
    local k = where(lt(at.x, 0.5), 1, 0.2)
    return -u:div(k * u:grad()) + 20*u
  end,
  boundary = {["x-"] = {dirichlet = 0.2}, ["x+"] = {neumann = 0}},
}

-- Random sources and the temperatures that they make.
local pairs = rod:sample{n = 200, input = {kernel = kernel.se{lengthscale = 0.05}, scale = 10}, seed = 1}
local train, test = pairs:split{train = 150, seed = 2}

-- G is continuous, with kinks.
local est = green.fit{data = train, kernel = kernel.exponential{lengthscale = 1}}
print(est:error{data = test}.mean < 1e-4)  --> true

-- There is no formula for this Green's function; the problem computes it column by
-- column, the answer to one unit impulse after another.
local exact = rod:green()
print(est:error{green = exact} < 0.02, est:error{bias = rod:bias()} < 1e-4)  --> true	true

plot.grid{ {
  plot.heatmap(exact, {x = m, y = m, title = "column by column", xlabel = "x", ylabel = "y", show = false}),
  plot.heatmap(est:green(), {x = m, y = m, title = "learned", xlabel = "x", show = false}),
}, same_colors = true, title = "Green's function of the rod", file = "out/rod.png" }
