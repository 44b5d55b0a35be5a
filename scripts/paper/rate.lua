-- The theory (section 4.3, appendices C and D): inputs like Brownian bridges and the
-- kernel of functions that vanish on the boundary of the square, where eigenvalues and
-- the simultaneous diagonalisation are known in closed form, and the rate n^(-r/(r+1))
-- of the excess risk.
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local m = mesh.uniform(0, 1, quick and 25 or 101)
local bridge = kernel.brownian_bridge{}
local r = report.new{
  name = "rate", out = out, seed = seed, title = "Theory: eigenvalues and the rate of convergence",
  about = "Estimates in the space W₂¹ of the square, whose kernel is Q(x,ξ) Q(y,η) with that of the Brownian bridge, Q(x,ξ) = min(x,ξ) - xξ; "
    .. "inputs are Brownian bridges, outputs have noise of the standard deviation 0.01. Both operators have the eigenfunctions sin(iπx) sin(jπy).",
}

-- Eigenvalues of the bridge against their closed form.
local count = quick and 6 or 20
local values = theory.eigenvalues{kernel = bridge, mesh = m}
local pi2 = math.pi ^ 2
local k, closed = {}, {}
for i = 1, count do k[i], closed[i] = i, 1 / (pi2 * i * i) end
r:section("Eigenvalues of the Brownian bridge", "On " .. m.size .. " points, against 1/(kπ)².", {{"closed", "closed form"}})
for _, i in ipairs{1, 2, 5, count} do r:row{what = "k = " .. i, closed = closed[i], ours = values[i]} end

local lines = {logx = true, logy = true, xlabel = "$k$", ylabel = "eigenvalue", show = false, {x = k, y = closed, label = "Brownian bridge, 1/(kπ)²", style = "k--"}}
r:section("Decay", "The law that the eigenvalues on [0,1] follow, and its exponent; a Matérn kernel of order ν falls like k^-(2ν + 1).", {{"law", "law"}, {"theory", "theory"}})
for _, c in ipairs{
  {"Brownian bridge", bridge, 2}, {"exponential", kernel.exponential{lengthscale = .5}, 2}, {"Matérn 3/2", kernel.matern{nu = 1.5, lengthscale = .5}, 4},
  {"Matérn 5/2", kernel.matern{nu = 2.5, lengthscale = .5}, 6}, {"squared exponential", kernel.se{lengthscale = .5}},
} do
  local v = theory.eigenvalues{kernel = c[2], mesh = m}
  local d = theory.decay(v)
  r:row{what = c[1], law = d.law, ours = d.rate, theory = c[3] or "faster than any power"}
  local x, y = {}, {}
  for i = 1, count do
    if v[i] > 1e-12 * v[1] then x[#x + 1], y[#y + 1] = i, v[i] end
  end
  lines[#lines + 1] = {x = x, y = y, label = c[1], style = "o-"}
end
r:picture(plot.lines(lines), {name = "decay", caption = "Eigenvalues of kernels on [0,1], of lengthscale 0.5 but for the bridge."})

-- The rate. The γ are (iπ)⁻⁴(jπ)⁻² and fall like k⁻²: r = 2. The G of -u″ = f has an
-- infinite norm in this space, by a hair; applied twice, as to u⁗ = f with hinged ends,
-- it lies well inside.
local green = pde.poisson{mesh = m}:green()
local inside = 10 * green:dot(green) / (m.size - 1)
local points, bound = {}, {}
r:section("Excess risk", "Mean of 5 draws for each n; λ = c n^(-2/3), with the noise of 0.01.", {{"lambda", "λ"}})
local curves = {logx = true, logy = true, xlabel = "$n$", ylabel = "excess risk", show = false}
for _, c in ipairs{{"G of -u″ = f", green}, {"10 G of u⁗ = f", inside}} do
  local rate = theory.rate{
    kernel = bridge, input = bridge, xmesh = m, green = c[2], n = quick and {20, 80} or {20, 40, 80, 160, 320, 640, 1280, 2560}, decay = 2, seed = seed,
  }
  for i = 1, #rate.n do
    r:row{what = c[1] .. ", n = " .. rate.n[i], lambda = rate.lambda[i], ours = rate.error[i]}
    bound[i] = rate.error[1] * (rate.n[i] / rate.n[1]) ^ rate.predicted
  end
  r:note(string.format("%s: slope %.2f; the theory bounds it by -r/(r+1) = %.2f.", c[1], rate.slope, rate.predicted))
  points = rate.n:table()
  curves[#curves + 1] = {x = points, y = rate.error:table(), label = c[1], style = "o-"}
end
curves[#curves + 1] = {x = points, y = bound, label = "slope of the theory", style = "k--"}
r:picture(plot.lines(curves), {name = "risk", caption = "‖Ĝ - G‖² in the covariance of the inputs against the number of pairs."})
return r:close()
