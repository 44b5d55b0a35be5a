-- Noise that is correlated along the output, for pairs and for frames.

local m = mesh.uniform(0, 1, 14)
local p = pde.poisson{mesh = m, left = 0, right = 0}
local clean = p:sample{n = 12, input = {kernel = kernel.se{lengthscale = 0.1}}}
local curves = random.field{kernel = kernel.exponential{lengthscale = 0.3}, mesh = m, n = 12, seed = 9}
local d = data.new{input = clean.input, output = clean.output + 0.02 * curves, input_mesh = m}
local k = kernel.matern{nu = 1.5, lengthscale = 0.4}
local est = green.fit{data = d, kernel = k, noise = "auto"}
local white = green.fit{data = d, kernel = k}

-- It is found, and said.
est.report.reason:find("a random curve of", 1, true) ~= nil --> true
est.report.reml < white.report.reml - 30                               --> true

-- Predictions are without it, their bands know of it, and are wider where white noise is wrong.
local mean, std = est:predict(d.input, {std = true})
local off, noise = (mean - clean.output):norm(), (d.output - clean.output):norm()
off < noise                            --> true
est:std():mean() > white:std():mean()                           --> true

-- White noise stays white.
local pure = green.fit{data = clean:noise{level = 0.2}, kernel = k, noise = "auto"}
pure.report.reason:find("the noise is white", 1, true) ~= nil --> true

-- A frame has it as a term of its own.
local f = data.new{input = {f = d.input}, output = {u = d.output}, input_mesh = m}
local model = green.fit{data = f, kernel = {f = k}, noise = kernel.exponential{lengthscale = 0.3}}
model.u.noise.deviation > 0.01                              --> true
#model.u.noise:effect(3)                                    --> 14
local again = model:predict{f = d.input}.u - mean
again:norm() < 0.1 * mean:norm()                            --> true

green.fit{data = d, noise = "brown"}                  --! noise: want "white", "auto", "diagonal", a kernel
green.fit{data = d:take(1, 2), noise = "auto"}        --! want at least 3
green.fit{data = d, noise = "auto", method = "dense"} --! method "dense"
