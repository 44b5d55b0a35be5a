-- Figure 10: predictions of the time-invariant and causal estimate of Figure 6 for
-- sources of several lengthscales, the best and the worst of each.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.heat
local m, n = quick and 12 or system.m, quick and 40 or system.n
local noisy = systems.train(system, m, n, seed)
local causal = {constraint.time_invariant{input = "s", output = "t"}, constraint.causal{input = "s", output = "t"}}
local e = systems.fit{data = noisy, kernel = kernel.exponential{lengthscale = 2 / m}, bias = false, constraint = causal, lambda = 2e-7}

local r = report.new{
  name = "figure10", out = out, seed = seed, title = "Figure 10: predictions for the heat equation",
  about = "From sources in space and time to temperatures. The estimate is the time-invariant and causal one of Figure 6 with λ = 2e-7, from " .. n .. " pairs with 20 % noise on 50 × 50 points. Fresh sources, solved and predicted on 150 × 150 points.",
}
local fine = quick and 18 or 150
local space, time = mesh.uniform(0, 1, fine, "x"), mesh.uniform(0, 1, fine, "t")
systems.examples(r, e, system, {
  lengthscales = quick and {.1, 1} or {.05, .1, .25, 1}, m = fine, n = quick and 3 or 30, seed = 100 * seed,
  axes = {space, time}, labels = {"$x$", "$t$"},
  input = function(f, title, first)
    return plot.heatmap(f:reshape(fine, fine), {x = space, y = time, title = title, xlabel = "$x$", ylabel = first and "input: $s$" or nil, palette = "bluered", aspect = "fill", show = false})
  end,
  caption = "For each lengthscale ℓ of the sources the best and the worst of 30 predictions: source, solution, prediction with its relative error.",
})
r:note(systems.certificate())
return r:close()
