-- Section 5.5: the damped oscillator u″ + c u′ + ω² u = f, whose Green's function is a
-- function of the lag t - s and zero before the force: learned without that knowledge,
-- with either half of it, and with both.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed, c, omega = 1, 1, 6
local time = mesh.uniform(0, 4, quick and 31 or 81)
local problem = pde.oscillator{time = time, c = c, omega = omega}
local d = problem:sample{n = 30, input = {kernel = kernel.exponential{lengthscale = .2}}, seed = seed}:noise{level = .2, seed = seed}

-- The closed form: r₁ and r₂ are complex, so (exp(r₁τ) - exp(r₂τ)) / (r₁ - r₂) is
local b = math.sqrt(omega^2 - c^2 / 4)
local function G(lag) return lag < 0 and 0 or math.exp(-c / 2 * lag) * math.sin(b * lag) / b end

local r = report.new{
  name = "oscillator", out = out, seed = seed, title = "Section 5.5: damped oscillator",
  about = "u″ + u′ + 36 u = f on [0,4], at rest at 0; 30 pairs on 81 times, forces exponential of lengthscale 0.2, 20 % noise. Kernel and λ from the data. "
    .. "RE(G) is the relative L² error of G on 161 × 161 points of s and t.",
}
local fine = mesh.uniform(0, 4, quick and 41 or 161)
local n = fine.size
local exact = array.from(n, n, function(i, j) return G((j - i) * 4 / (n - 1)) end)
local short_list = quick and {kernel.matern{nu = 2.5, lengthscale = .4}} or {
  kernel.matern{nu = 1.5, lengthscale = .2}, kernel.matern{nu = 1.5, lengthscale = .4}, kernel.matern{nu = 2.5, lengthscale = .2}, kernel.matern{nu = 2.5, lengthscale = .4},
}
local invariant, causal = constraint.time_invariant{}, constraint.causal{}
local panels, curves = {}, {xlabel = "lag $t - s$", xmin = -1, ymin = -.12, ymax = .16, show = false}
r:section("RE(G)", nil, {{"lambda", "λ"}, {"residual", "residual"}})
for i, k in ipairs{{"nothing known"}, {"causal", causal}, {"time-invariant", invariant}, {"time-invariant and causal", {invariant, causal}}} do
  local e, seconds = systems.choose({data = d, bias = false, constraint = k[2]}, short_list)
  r:row{
    what = k[1], ours = e:error{green = exact, xmesh = fine, ymesh = fine}, seconds = seconds, lambda = e.report.lambda, residual = e.report.residual,
    note = tostring(e.kernel):gsub("kernel%.", "") .. "",
  }
  local g = e:green(fine, fine)
  panels[i] = plot.heatmap(g, {x = fine, y = fine, title = k[1], xlabel = "$s$", ylabel = i == 1 and "$t$" or nil, palette = "bluered", min = -.15, max = .15, show = false})
  if i > 2 then
    local from = mesh.points({1}, {1}, {names = {"s"}})
    curves[i - 2] = {x = fine:points():reshape(n) - 1, y = e:green(from, fine):reshape(n), label = k[1]}
  end
end
curves[3] = {x = fine:points():reshape(n) - 1, y = array.from(n, function(i) return G((i - 1) * 4 / (n - 1) - 1) end), label = "closed form", style = "k--"}
panels[5] = plot.heatmap(exact, {x = fine, y = fine, title = "closed form", xlabel = "$s$", palette = "bluered", min = -.15, max = .15, show = false})
r:picture(plot.grid{ panels, same_colors = true, show = false }, {name = "green", width = 13, caption = "G(s, t) as learned with more and more known of it, and the closed form."})
r:picture(plot.lines(curves), {name = "lag", width = 7, caption = "G as a function of the lag. Only the causal estimate is zero before the force."})
r:note(systems.certificate())
return r:close()
