-- An hourly record of rain and discharge, with gaps: the impulse response of the catchment.
--
--     workbench scripts/examples/catchment.lua

local record, hour = data.load("scripts/data/catchment.csv", {x = "time", input = "rain", output = "discharge"}), 3600
local d = record:window{length = 6 * hour, lags = 42 * hour, step = 12 * hour}  -- times are seconds
local est = green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 12 * hour},
  constraint = {constraint.time_invariant{}, constraint.causal{}}}
local now, lag = mesh.points{{0}}, mesh.uniform(0, 40 * hour, 41, "t")
local h, band, t = est:green(now, lag)[1] * hour, est:std(now, lag)[1] * hour, lag:points():reshape(41) / hour
plot.lines{ {x = t, y = h, low = h - 1.96 * band, high = h + 1.96 * band, label = "learned, 95 % band"},
  xlabel = "hours after the rain", ylabel = "discharge for 1 mm of rain", file = "out/catchment.png" }

-- The data were made (scripts/data/make.py) with a known response.
print(d.n, #d.input[1], #d.output[1])                --> 122	48	6
local truth = 0.15 / 36 * t * math.exp(-t / 6)
print((h - truth):norm() / truth:norm() < 0.1)       --> true
print(math.abs(h - truth):le(1.96 * band + 1e-4):count(), t.size)  --> 40	41
