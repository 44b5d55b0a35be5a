-- Figure 9: predictions of the Fokker–Planck estimate of Figure 5 for initial densities
-- of several lengthscales (kw of exp(-d²/kw)), the best and the worst of each.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.fokker_planck
local m, n = quick and 16 or system.m, quick and 60 or system.n
local noisy = systems.train(system, m, n, seed)
local e = systems.fit{data = noisy, kernel = kernel.matern{nu = 2.5, lengthscale = {.24, .24, .48}}, bias = false, constraint = constraint.flip{"x", "y"}}

local r = report.new{
  name = "figure9", out = out, seed = seed, title = "Figure 9: predictions for the Fokker–Planck equation",
  about = "From the density at t = 0 to the density at all times. The estimate is that of Figure 5, from " .. n .. " pairs with 20 % noise on 50 × 50 points, kernel and λ from the data. Fresh initial densities, solved and predicted on 300 points of space and of time.",
}
local fine = quick and 24 or 300
local space = mesh.uniform(-2, 2, fine, "x")
systems.examples(r, e, system, {
  lengthscales = quick and {.1, 1} or {.01, .05, .1, 1}, m = fine, n = quick and 3 or 30, seed = 100 * seed,
  axes = {space, mesh.uniform(0, 1, fine, "t")}, labels = {"$x$", "$t$"},
  input = function(f, title, first) return plot.lines{{x = space, y = f}, title = title, xlabel = "$x$", ylabel = first and "input" or nil, show = false} end,
  caption = "For each ℓ of the initial densities the best and the worst of 30 predictions: initial density, solution, prediction with its relative error.",
})
r:note(systems.certificate())
return r:close()
