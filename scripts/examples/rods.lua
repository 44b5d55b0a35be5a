-- A file of MATLAB's, version 7.3, with a run in each column.
--
--     workbench scripts/examples/rods.lua

local x = mesh.uniform(0, 1, 40)
local d = data.load("scripts/data/rods.mat", {input = "f", output = "u", input_mesh = x, axis = "columns"})
local est = green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 0.5}}
plot.heatmap(est:green(x, x), {xlabel = "source at", ylabel = "temperature at", title = "Green's function from 25 runs", file = "out/rods.png"})
est:save("out/rods.npz")                             -- scripts/python/workbench.py reads it, too

print(d.n, math.abs(est(0.3, 0.6) - 0.12) < 0.01)    --> 25	true
