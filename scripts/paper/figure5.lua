-- Figure 5: the fundamental solution of a Fokker–Planck equation, from the density at
-- the first time to the density at all times, and its test errors.
--
-- The code imposes G(-x,-y,t) = G(x,y,t), which the text does not mention. Numbers
-- called ℓ are kw of exp(-d²/kw), as in the figure.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.fokker_planck
local m = quick and 16 or system.m
local problem = system.problem(m)
local n = quick and 60 or system.n
local noisy = systems.train(system, m, n, seed)
local flip = constraint.flip{"x", "y"}
local function matern(nu, space, time) return kernel.matern{nu = nu, lengthscale = {space, space, time}} end

local r = report.new{
  name = "figure5", out = out, seed = seed, title = "Figure 5: Fokker–Planck equation, initial density to all times",
  about = "∂u/∂t = 0.05 ∂(V′u)/∂x + 0.05 ∂²u/∂x² on [-2,2] with reflecting ends, V = x⁴ - 3x²; input: u at t = 0 on 50 points; output: u on 50 × 50 points of space and time. "
    .. n .. " pairs with 20 % noise, 125,000 unknown weights, flip symmetry. Test error: mean relative L² error over fresh inputs, against clean outputs.",
}

local paper = matern(1.5, .16, .04)
local fixed = systems.fit{data = noisy, kernel = paper, bias = false, constraint = flip, lambda = 1e-5}
local chosen, seconds, all = systems.choose({data = noisy, bias = false, constraint = flip}, quick and {paper} or {
  paper, matern(1.5, .16, .16), matern(1.5, .16, .48), matern(1.5, .24, .48), matern(2.5, .16, .16), matern(2.5, .16, .48), matern(2.5, .24, .48),
})
local own = systems.fit{data = noisy, kernel = paper, bias = false, constraint = flip}

local probes = quick and {.1, 1} or {.01, .05, .1, 1}
local published = {[.01] = .310, [.05] = .132, [.1] = .0673, [1] = .0263}
local reach = {[.01] = "0.25", [.05] = "0.08", [.1] = "0.041", [1] = "0.018"}
local probe = systems.test(system, m, quick and 20 or 500, probes, seed)
local function rows(e, name, to, seconds, within)
  for i, v in ipairs(systems.test_errors(e, probe)) do
    local l = probes[i]
    r:row{
      what = name .. ", ℓ = " .. l, published = published[l], ours = v, reach = not quick and to and to[l] or nil,
      seconds = i == 1 and seconds or nil, within = i == 1 and within or nil, iterations = i == 1 and e.report.iterations or nil, lambda = i == 1 and e.report.lambda or nil,
    }
  end
end
r:section("Test error on the training mesh", "Mean of " .. probe.n .. " samples for each ℓ of the initial densities.", {short = "test error", {"lambda", "λ"}, {"iterations", "iterations"}})
rows(fixed, "λ = 1e-5", nil, fixed.report.seconds)
rows(own, "λ chosen", reach, own.report.seconds, 0.5)
rows(chosen, "kernel, λ chosen", reach, seconds, 0.5)
r:note(string.format("Where nothing is said of the kernel it is Matérn 3/2 with lengthscales (.16, .16, .04), as in the paper. The data chose %s among 7 kernels (%.1f s for all fits).", tostring(chosen.kernel), all))

-- G at several times.
local axis = mesh.uniform(-2, 2, quick and 30 or 150)
local times = {0, .1, .25, .5, 1}
local slices = chosen:green(axis, axis * mesh.trapezoid(times, "t")):reshape(axis.size, axis.size, #times)
local on = problem.input_mesh
local exact = problem:green():reshape(m, m, m)
local top, bottom = {}, {}
for i, t in ipairs(times) do
  local function panel(values, points, o)
    return plot.heatmap(values, {
      x = points, y = points, title = o.title, xlabel = o.xlabel, ylabel = i == 1 and o.ylabel or nil, palette = "viridis", min = 0, max = 3, show = false,
    })
  end
  local k = 1 + math.floor(t * (m - 1) + 0.5)
  bottom[i] = panel(exact:slice{{}, {}, k}:reshape(m, m), on, {xlabel = "$x$", ylabel = "exact: $y$"})
  top[i] = panel(slices:slice{{}, {}, i}:reshape(axis.size, axis.size), axis, {title = "$t$ = " .. t, ylabel = "learned: $y$"})
end
r:section("The learned fundamental solution")
r:picture(plot.grid{ top, bottom, same_colors = true, show = false }, {name = "green", width = 13, caption =
  "G(x, y, t) at several times: learned from noisy data (kernel and λ from the data; on 150 × 150 points), and that of the discrete equation (on its 50 × 50 points). Mass collects in the two wells of the potential."})

-- Solutions on 50 points are some way from those of the equation, and so is what is
-- learned from them. An estimate of the same points of accurate solutions is as good on
-- any mesh that resolves the equation.
local accurate = systems.fit{data = systems.train_finely(system, m, n, seed, 3), kernel = chosen.kernel, bias = false, constraint = flip}
systems.sweep(r, system, {{chosen, "m = %d"}, {accurate, "m = %d, learned from accurate solutions", "s-."}}, {
  meshes = quick and {{16, 5}, {24, 5}} or {{50, 200}, {100, 100}, {150, 50}, {300, 20}}, lengthscales = quick and {.1, 1} or systems.lengthscales, seed = seed,
  text = "Trained once, with 20 % noise on 50 points of space and time, of solutions computed there, and of solutions computed on " .. 3*(m - 1) + 1
    .. " points; tested on initial densities of other lengthscales and on finer meshes, against solutions computed on these.",
  xlabel = "ℓ of the initial densities", caption = "Test error against ℓ of the initial densities, for m points of space and of time.",
})
r:note(systems.certificate())
return r:close()
