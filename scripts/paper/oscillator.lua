-- The damped oscillator (section 5.5): position from force, learned freely, zero
-- before the force (causal), as a function of the lag (time-invariant), and both.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local damping, frequency = 1, 6
local n, m = quick and 12 or 30, quick and 25 or 81
local time = mesh.uniform(0, 4, m)
local problem = pde.oscillator{time = time, c = damping, omega = frequency}
local noisy = problem:sample{n = n, input = {kernel = kernel.exponential{lengthscale = 0.2}}, seed = seed}:noise{level = 0.2, seed = seed}
local exact = problem:green(time, time)

local r = report.new{
  name = "oscillator", out = out, seed = seed, title = "Damped oscillator: what is known of time",
  about = "u″ + c u′ + ω² u = f on [0,4] with c = " .. damping .. " and ω = " .. frequency .. ", at rest at t = 0; " .. n .. " pairs on " .. m
    .. " points, forces with the covariance exp(-d/0.2), 20 % noise. G is known in closed form: an oscillation after the force, zero before it.",
}
r:section("RE(G)", "Of two kernels, Matérn 3/2 and 5/2 with lengthscale 0.2, and of all λ, the data choose. The paper gives no numbers.", {{"lambda", "λ"}, {"iterations", "iterations"}})

local invariant, causal = constraint.time_invariant{}, constraint.causal{}
local kernels = {}
for i, nu in ipairs{1.5, 2.5} do kernels[i] = kernel.matern{nu = nu, lengthscale = 0.2} end
local lags, panels = {}, {}
local curves = {xlabel = "lag $t - s$", ylabel = "$G$", show = false}
local s, first = 1, math.floor((m - 1) / 4) + 1 -- the response to an impulse at s
for i = 1, m do lags[i] = 4 * (i - first) / (m - 1) end
local function draw(g, name, style)
  curves[#curves + 1] = {x = lags, y = g[first]:table(), label = name, style = style}
  panels[#panels + 1] = plot.heatmap(g, {
    x = time, y = time, title = name, xlabel = "$s$", ylabel = #panels == 0 and "$t$" or nil, palette = "bluered", min = -.15, max = .15, show = false,
  })
end
draw(exact, "exact", "k--")
for _, c in ipairs{{"free"}, {"causal", causal}, {"time-invariant", invariant}, {"both", {invariant, causal}}} do
  local e, seconds = systems.choose({data = noisy, bias = false, constraint = c[2]}, kernels)
  local g = e:green(time, time)
  draw(g, c[1])
  r:row{
    what = c[1], ours = (g - exact):norm() / exact:norm(), seconds = seconds, lambda = e.report.lambda, iterations = e.report.iterations, note = tostring(e.kernel),
  }
end
r:picture(plot.grid{panels, same_colors = true, show = false}, {name = "green", width = 13, dpi = 100, caption = "G(s, t), exact and learned with less and less freedom."})
r:picture(plot.lines(curves), {name = "response", caption = "The response to an impulse at s = " .. s .. ": what is known of time takes the place of data."})
r:note(systems.certificate())
return r:close()
