-- Learn the Green's function of the equation behind some data.
--
--     go run ./workbench scripts/examples/quickstart.lua

-- 600 pairs (f, u) of a Helmholtz problem: u responds linearly to the forcing f.
-- All functions are sampled on 100 points of [0, 1].
local m = mesh.uniform(0, 1, 100)
local pairs = data.load("scripts/data/helmholtz.npz", {input = "f", output = "u", input_mesh = m})
local train, test = pairs:take(1, 100), pairs:take(501, 600)

-- Make it hard: 20 % noise on what we learn from. The test pairs stay clean.
train = train:noise{level = 0.2, seed = 1}

-- Learn G(x,y) and the bias b(y) in u(y) = b(y) + ∫ G(x,y) f(x) dx. The kernel says
-- how smooth G is; how much to smooth (lambda) is chosen from the data.
local est = green.fit{data = train, kernel = kernel.se{lengthscale = 0.1}}
print(est)

-- The estimate is a function: it predicts, and evaluates anywhere.
print("error on 100 held-out pairs:", est:error{data = test})
print("G(0.3, 0.4) =", est(0.3, 0.4))

-- Here the answer is known, so we can look at it.
local truth = pde.helmholtz{mesh = m, omega = 20, left = -0.1, right = 0.1}
print("relative error of G and of the bias:", est:error{green = truth}, est:error{bias = truth})

local fine = mesh.uniform(0, 1, 300)
local G, exact = est:green(fine, fine), truth:green(fine, fine)
plot.grid{ {
  plot.heatmap(exact, {x = fine, y = fine, title = "exact", xlabel = "x", ylabel = "y", show = false}),
  plot.heatmap(G, {x = fine, y = fine, title = "learned from noisy data", xlabel = "x", show = false}),
}, title = "Green's function $G(x,y)$", same_colors = true, file = "out/quickstart.png" }
print("picture: out/quickstart.png")

print([[
try next:  workbench -i scripts/examples/quickstart.lua      (then type: est.report, est:predict(test.input), ?green.fit)
           kernel.matern{nu = 2.5, lengthscale = 0.05}       another kernel; compare est.report.reml (less is better)
           scripts/paper/helmholtz.lua                       the figures of the paper]])
