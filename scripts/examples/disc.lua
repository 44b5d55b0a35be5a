-- Poisson's equation on a disc, learned from 100 noisy pairs on 20,000 scattered points.
--
--     workbench scripts/examples/disc.lua

local m, waves, phases = 20000, random.normal{shape = {2, 60}, seed = 1} * 3, random.uniform{shape = {60}, seed = 2} * 2 * math.pi
local i, size = array.linspace(0.5, m - 0.5, m), random.normal{shape = {100, 60}, seed = 3} / 30 ^ 0.5
local r, turn = (i / m) ^ 0.5, i * math.pi * (3 - 5 ^ 0.5)
local p = array.stack({r * math.cos(turn), r * math.sin(turn)}, 2)
local t, inside = p:dot(waves), (1 - r ^ 2):reshape(m, 1)          -- u is zero at the edge, f is -Δu
local f = 4 * math.cos(t + phases) - 4 * t * math.sin(t + phases) + inside * math.cos(t + phases) * (waves * waves):sum(1)
local points, f, u = mesh.points(p, 0 * r + math.pi / m, {names = {"x1", "x2"}}), size:dot(f:transpose()), size:dot((inside * math.cos(t + phases)):transpose())
local d = data.new{input = f, output = u, input_mesh = points}:noise{level = 0.05, seed = 3}
local est = green.fit{data = d:take(1, 90), kernel = kernel.matern{nu = 2.5, lengthscale = 0.5}}
local g = est:green(mesh.points({{0.4, 0.2}}, {names = {"x1", "x2"}}), points):reshape(m)
plot.scatter(p[{{}, 1}], p[{{}, 2}], {values = g, sizes = 0 * r + 0.2, title = "Green's function, source at (0.4, 0.2)", file = "out/disc.png", width = 6, height = 5})

local truth = data.new{input = f, output = u, input_mesh = points}:take(91, 100)
print(est.report.landmarks_x, est:error{data = truth}.mean < 0.01)    --> 512	true
