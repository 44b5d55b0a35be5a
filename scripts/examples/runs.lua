-- A folder of runs, one file each, with an offset of 293 K.
--
--     workbench scripts/examples/runs.lua

local d = data.load("scripts/data/runs/*.csv", {x = "position", input = "source", output = "temperature"})
d:plot{file = "out/runs.png"}
local est = green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 0.5}, constraint = constraint.symmetric{"position", "position_out"}}
est:save_green("out/runs.mat")       -- for MATLAB and Octave

print(d.n, math.abs(est:bias():mean() - 293) < 0.01, est:error{data = d}.r2 > 0.99)  --> 20	true	true
print(math.abs(est(0.3, 0.6) - 0.12) < 0.01)         --> true
