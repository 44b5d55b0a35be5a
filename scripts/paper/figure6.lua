-- Figure 6: the heat equation from sources in space and time to temperatures, learned
-- as a function of the lag t - s (time-invariant), and also zero before the source
-- (causal).
--
-- The text says diffusivity 0.01; the data have 0.1. They were made by backward Euler,
-- which sums its forcing by right Riemann sums: so the input mesh has these weights.
-- With trapezoidal ones G is no function of the lag, and the errors are larger.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.heat
local m = quick and 12 or system.m
local problem = system.problem(m)
local n = quick and 40 or system.n
local noisy = systems.train(system, m, n, seed)
local k = kernel.exponential{lengthscale = quick and .16 or .04}
local invariant = constraint.time_invariant{input = "s", output = "t"}
local causal = {invariant, constraint.causal{input = "s", output = "t"}}

local r = report.new{
  name = "figure6", out = out, seed = seed, title = "Figure 6: heat equation, time-invariant and causal",
  about = "∂u/∂t - 0.1 ∂²u/∂x² = f on [0,1], zero at the ends and at t = 0; input and output on 50 × 50 points of space and time. "
    .. n .. " pairs with 20 % noise, sources of the lengthscale 0.1. Kernel exponential of lengthscale 0.04 on (x, y, t - s) and λ = 2e-7, as in the paper, and λ from the data; 247,500 unknown weights. "
    .. "Test error: mean relative L² error over fresh sources, against clean outputs.",
}
local function fit(c, lambda) return systems.fit{data = noisy, kernel = k, bias = false, constraint = c, lambda = lambda} end
local one, two = fit(invariant), fit(causal)

local probes = quick and {.1, 1} or {.05, .1, .5, 1}
local published = {{[.05] = .155, [.1] = .0955, [.5] = .0435, [1] = .0388}, {[.05] = .120, [.1] = .0777, [.5] = .0382, [1] = .0344}}
local reach = {{[.05] = "0.103", [.1] = "0.072"}, {[.05] = "0.088", [.1] = "0.067"}}
local probe = systems.test(system, m, quick and 10 or 400, probes, seed)
r:section("Test error on the training mesh", "Mean of " .. probe.n .. " samples for each lengthscale ℓ of the sources, with its standard error.",
  {short = "test error", {"lambda", "λ"}, {"iterations", "iterations"}, {"se", "±"}})
local function rows(e, name, published, reach, within)
  local errors = systems.errors(systems.predict(e, probe), probe.u):reshape(#probes, probe.n)
  for i, l in ipairs(probes) do
    local first = i == 1 and e.report or {}
    r:row{
      what = name .. ", ℓ = " .. l, published = published[l], ours = errors[i]:mean(), se = errors[i]:std() / math.sqrt(probe.n), reach = not quick and reach[l] or nil,
      seconds = first.seconds, within = i == 1 and within or nil, iterations = first.iterations, lambda = first.lambda,
    }
  end
end
rows(fit(invariant, 2e-7), "time-invariant, λ = 2e-7", published[1], reach[1], 3)
rows(fit(causal, 2e-7), "and causal, λ = 2e-7", published[2], reach[2], 2)
rows(one, "time-invariant, λ automatic", published[1], reach[1])
rows(two, "and causal, λ automatic", published[2], reach[2])
r:note("The seconds of the last two include the choice of λ by the criterion of the constrained problem, for 250,000 noisy values.")

-- G for several lags after a source at s = 0.5.
local axis = mesh.uniform(0, 1, quick and 24 or 150)
local lags = {-.1, 0, .02, .1, .25, .5}
local times = {}
for i, lag in ipairs(lags) do times[i] = .5 + lag end
local from, to = axis * mesh.points({.5}, {1}, {names = {"s"}}), axis * mesh.trapezoid(times, "t")
local rows = {}
for j, g in ipairs{problem:green(from, to), one:green(from, to), two:green(from, to)} do
  local name = ({"exact", "time-invariant", "and causal"})[j]
  rows[j] = {}
  for i, lag in ipairs(lags) do
    rows[j][i] = plot.heatmap(g:reshape(axis.size, axis.size, #lags):slice{{}, {}, i}, {
      x = axis, y = axis, title = j == 1 and string.format("$t - s = %g$", lag) or nil, xlabel = j == 3 and "$x$" or nil, ylabel = i == 1 and name .. ": $y$" or nil,
      palette = "bluered", min = -4, max = 4, show = false,
    })
  end
end
r:section("The learned Green's function")
r:picture(plot.grid{ rows[1], rows[2], rows[3], same_colors = true, show = false }, {name = "green", width = 13, caption =
  "G(x, y, t - s) for several lags: exact, time-invariant, time-invariant and causal. At lag 0 the truth is an impulse, not drawn; before the source it is zero, which only the causal estimate knows."})

-- Backward Euler on 50 points is some way from the equation, and so is what is learned
-- from it. An estimate of the same points of accurate solutions is as good on any mesh.
local accurate = systems.fit{data = systems.train_finely(system, m, n, seed, 3), kernel = k, bias = false, constraint = causal}
systems.sweep(r, system, {{one, "m = %d, time-invariant"}, {two, "m = %d, and causal", "s-."}, {accurate, "m = %d, causal, from accurate solutions", "^--"}}, {
  meshes = quick and {{12, 4}, {18, 4}} or {{50, 50}, {100, 20}, {150, 10}}, lengthscales = quick and {.1, 1} or systems.lengthscales, seed = seed,
  text = "Trained once, with 20 % noise on 50 × 50 points, of solutions computed there, and of solutions computed on " .. 3*(m - 1) + 1
    .. " points of each axis; tested on sources of other lengthscales and on finer meshes of m × m points, against solutions computed on these.",
  xlabel = "lengthscale of the sources", caption = "Test error against the lengthscale of the sources, for m points of space and of time.",
})
r:note(systems.certificate())
return r:close()
