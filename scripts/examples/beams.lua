-- A long table, a measurement a row: estimate, band, and predictions in a file.
--
--     workbench scripts/examples/beams.lua

local all = data.load("scripts/data/beams.csv", {pair = "load", x = "depth", input = "force", output = "deflection"})
local train, test = all:split(29)
local est = green.fit{data = train, kernel = kernel.matern{nu = 1.5, lengthscale = 0.5}}
est:save_predictions("out/beams.csv", test.input, {std = true})
local u, band = est:predict(test.input[1], {std = true})
local x = test.output_mesh:points():reshape(#u)
plot.lines{ {x = x, y = u, low = u - 1.96 * band, high = u + 1.96 * band, label = "predicted, 95 % band"},
  {x = x, y = test.output[1], style = "o", label = "measured"}, xlabel = "depth [m]", ylabel = "deflection", file = "out/beams.png" }

print(all:summary())
--> 30 pairs: input on mesh.trapezoid of 40 points on [0, 1], output on mesh.trapezoid of 40 points on [0, 1]
-->           points     from      to        mean  spread     missing
-->   input       40   -2.344   2.049    -0.06997  0.8759        none
-->   output      40  -0.1515  0.1311  -0.0005833  0.0477  12 of 1200
--> nothing looks like a mistake
print(train.n, test.n, est:error{data = test}.r2 > 0.99)  --> 29	1	true
local saved = sheet.load("out/beams.csv")
print(saved.n, table.concat(saved.columns, " "))     --> 40	pair depth mean std lower upper
