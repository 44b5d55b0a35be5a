-- Figure 1: the Green's function of the Poisson equation with zero boundary values,
-- from 500 pairs with 10 % noise, by least squares and in a reproducing kernel
-- Hilbert space (squared exponential kernel of lengthscale 0.05).
--
--     workbench scripts/paper/figure1.lua
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.poisson
local problem = system.problem(quick and 40 or system.m, 0, 0)
local clean = problem:sample{n = quick and 60 or system.n, input = system.input(), seed = seed}
local noisy = clean:noise{level = system.noise, seed = seed}
local fine = mesh.uniform(0, 1, quick and 100 or 500)
local exact, exact_on_data = problem:green(fine, fine), problem:green()

local r = report.new{
  name = "figure1", out = out, seed = seed, title = "Figure 1: Poisson equation, least squares against the estimator",
  about = "-u″ = f on [0,1] with u(0) = u(1) = 0; 500 pairs on 100 points, 10 % noise. Inputs have the lengthscale sqrt(0.005) = 0.0707 and scale 10, as in the code of the paper: "
    .. "least squares must then divide by numbers near zero. RE(G) is the relative L² error of G; the published figure has no numbers.",
}
r:section("RE(G) at 10 % noise")

local naive = green.naive{data = noisy}
r:row{what = "least squares, a 100 × 100 matrix", ours = (naive - exact_on_data):norm() / exact_on_data:norm()}
local k = kernel.se{lengthscale = 0.05}
local paper = systems.fit{data = noisy, kernel = k, lambda = 1e-4}
r:row{what = "estimator, λ = 1e-4", ours = paper:error{green = exact, xmesh = fine, ymesh = fine}, reach = "0.030", seconds = paper.report.seconds}
local auto, seconds, all, at = systems.choose({data = noisy}, {
  k, kernel.se{lengthscale = 0.1}, kernel.se{lengthscale = 0.2}, kernel.matern{nu = 2.5, lengthscale = 0.1}, kernel.matern{nu = 2.5, lengthscale = 0.2},
  kernel.kink{base = kernel.se{lengthscale = 0.5}, jump = kernel.se{lengthscale = 0.5}},
})
r:row{
  what = "estimator, kernel and λ from the data", ours = auto:error{green = exact, xmesh = fine, ymesh = fine}, reach = "0.030", seconds = seconds,
  note = string.format("%s of 6 kernels, which took %.2f s; λ = %.1e", at == 6 and "the one with a kink on the diagonal" or tostring(auto.kernel), all, auto.report.lambda),
}

local function panel(values, on, title, y)
  return plot.heatmap(values, {
    x = on, y = on, title = title, xlabel = "$x$", ylabel = y and "$y$" or nil, min = -0.3, max = 0.3, palette = "bluered", show = false,
  })
end
r:picture(plot.grid{ {
  panel(naive, clean.input_mesh, "least squares", true),
  panel(paper:green(fine, fine), fine, "estimator, λ = 1e-4"),
  panel(auto:green(fine, fine), fine, "kernel and λ from the data"),
  panel(exact, fine, "exact"),
}, same_colors = true, show = false }, {caption = "G(x, y) from data with 10 % noise: unregularised least squares, the estimator on 500 × 500 points with the kernel and the λ of the paper and with those that the data choose, and the truth. Least squares runs far off the colours."})
r:note(systems.certificate())
return r:close()
