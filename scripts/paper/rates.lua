-- Section 4: how fast eigenvalues of kernels fall, the simultaneous diagonalisation of
-- the inputs' covariance and the kernel, and the rate at which the error of the
-- estimator falls with the number of pairs: on the example of section 4.3, where inputs
-- are Brownian bridges, G is in W¹₂ of the square, and everything is known.
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local r = report.new{
  name = "rates", out = out, seed = seed, title = "Section 4: eigenvalues, simultaneous diagonalisation and rates",
  about = "The expected error of predictions falls at least like n^(-r/(r+1)) when λ does and the γ fall like k^(-r). "
    .. "Where a number has a closed form it stands in the column of published ones.",
}

-- Eigenvalues of kernels on [0,1]. In d dimensions a kernel of smoothness ν has
-- k^(-(2ν+d)/d), and a product of equal kernels the rate of its factors, with logarithms.
local line = mesh.uniform(0, 1, quick and 101 or 401)
local kernels = {
  {"exponential", 2, kernel.exponential{lengthscale = .5}}, {"Matérn 3/2", 4, kernel.matern{nu = 1.5, lengthscale = .5}},
  {"Matérn 5/2", 6, kernel.matern{nu = 2.5, lengthscale = .5}}, {"Brownian bridge", 2, kernel.brownian_bridge{}},
  {"squared exponential", "exponential", kernel.se{lengthscale = .5}},
}
local curves = {logx = true, logy = true, ymin = 1e-12, xlabel = "$k$", title = "eigenvalues", show = false}
r:section("Decay of eigenvalues", "The exponent a of k^(-a), from a line through the logarithms of the eigenvalues that the mesh resolves.")
for i, k in ipairs(kernels) do
  local v = theory.eigenvalues{kernel = k[3], mesh = line}
  local d = theory.decay(v)
  r:row{what = k[1], published = k[2], ours = d.law == "power" and d.rate or d.law}
  local n, kept = {}, {}
  for j = 1, math.min(#v, 100) do
    if v[j] > 1e-12 then n[#n + 1], kept[#kept + 1] = j, v[j] end
  end
  curves[i] = {x = n, y = kept, label = k[1]}
end

-- γ of Brownian bridges and W¹₂: 1/(iπ)² of the inputs times 1/(π²(i² + j²)).
local m = mesh.uniform(0, 1, quick and 15 or 31)
local bridge, sobolev = kernel.brownian_bridge{}, kernel.sobolev{terms = quick and 6 or 16}
local modes = quick and 6 or 12
local f = array.from(modes, m.size, function(i, j)
  return math.sqrt(modes) / (i * math.pi) * math.sqrt(2) * math.sin(i * math.pi * (j - 1) / (m.size - 1))
end)
local known = {}
for i = 1, modes do
  for j = 1, modes do known[#known + 1] = 1 / (math.pi^4 * i^2 * (i^2 + j^2)) end
end
table.sort(known, function(a, b) return a > b end)
local gamma = theory.simultaneous{data = data.new{input = f, output = array.zeros(modes, m.size), input_mesh = m}, kernel = sobolev, n = 10}
r:section("Simultaneous diagonalisation", "The largest γ for Brownian bridges as inputs and W¹₂ of the square, computed on " .. m.size .. " points.")
for k = 1, 5 do r:row{what = "γ " .. k, published = known[k], ours = gamma[k]} end

-- The rate. The Green's function of the Poisson equation is in W¹₂.
local steps = quick and {10, 40} or {20, 40, 80, 160, 320, 640, 1280}
local errors = {logx = true, logy = true, xlabel = "pairs $n$", title = "error of predictions", show = false}
r:section("Rate of convergence", "The exponent of n in the error of predictions for fresh inputs; outputs with noise of standard deviation 0.01. For the first two the γ above and 1/(i⁴j²) fall like k^-2, up to logarithms.",
  {{"r", "r"}, {"published", "bound"}, {"ours", "ours"}, only = true})
for i, k in ipairs{{"W¹₂ of the square", sobolev, 2}, {"product of Brownian bridges", bridge, 2}, {"Matérn 3/2, r from its γ", kernel.matern{nu = 1.5, lengthscale = .5}}} do
  local s = theory.rate{kernel = k[2], decay = k[3], input = bridge, xmesh = m, green = pde.poisson{mesh = m}, n = steps, repeats = quick and 2 or 4, seed = seed}
  r:row{what = k[1], r = s.decay, published = s.predicted, ours = s.slope}
  errors[2 * i - 1] = {x = s.n, y = s.error, label = k[1], style = "o-"}
  errors[2 * i] = {x = s.n, y = s.error[1] * (s.n / s.n[1])^s.predicted, style = "--", color = "grey", label = i == 1 and "bounds of the theory" or nil}
end
r:note("G has a kink on the diagonal: it is in W¹₂, at the edge of the space of the product of bridges, and outside that of Matérn 3/2, for which nothing is promised.")
r:picture(plot.grid{ {plot.lines(curves), plot.lines(errors)}, show = false }, {width = 11, caption =
  "Left: eigenvalues of kernels. Right: mean error of predictions, ‖Ĝ - G‖² in the covariance of the inputs, against the number of pairs, and the slopes that the theory promises."})
return r:close()
