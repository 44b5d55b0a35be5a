-- Figure 8: predictions of the Schrödinger estimate of Figure 4 for boundary values of
-- several lengthscales, the best and the worst of each.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.schrodinger
local m, n = quick and 16 or system.m, quick and 60 or system.n
local noisy = systems.train(system, m, n, seed)
local e = systems.fit{data = noisy, kernel = kernel.matern{nu = 2.5, lengthscale = {1 / m, 2 / m, 2 / m}}, bias = false}

local r = report.new{
  name = "figure8", out = out, seed = seed, title = "Figure 8: predictions for the Schrödinger equation",
  about = "Δu = Vu on the unit square from u on its boundary. The estimate is that of Figure 4, from " .. n .. " pairs with 20 % noise on 50 × 50 points, λ from the data. Fresh boundary values, solved and predicted on 300 × 300 points.",
}
local fine = quick and 24 or 300
local side, arc = mesh.uniform(0, 1, fine), system.problem(fine).input_mesh
systems.examples(r, e, system, {
  lengthscales = quick and {.1, 1} or {.05, .1, .25, 1}, m = fine, n = quick and 3 or 20, seed = 100 * seed,
  axes = {side, side}, labels = {"$y_1$", "$y_2$"},
  input = function(f, title, first) return plot.lines{{x = arc, y = f}, title = title, xlabel = "arc length", ylabel = first and "input" or nil, show = false} end,
  caption = "For each lengthscale ℓ of the boundary values the best and the worst of 20 predictions: boundary values, solution, prediction with its relative error.",
})
r:note(systems.certificate())
return r:close()
