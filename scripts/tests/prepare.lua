-- Preparing data: what is in them, trends, repeats, records; and what is refused.

local m = mesh.uniform(0, 1, 40)
local k = kernel.se{lengthscale = 0.2}
local d = pde.poisson{mesh = m}:sample{n = 20, input = {kernel = k}}

local s = d:summary()
print(s.n, #s.notes, s.input.missing, s.output.mesh)  --> 20	0	0	mesh.uniform(0, 1, 40)
local bad = d:map(function(f, u, i) if i == 3 then u:set(7, 99) end return f, u end)
s = bad:summary()
print(#s.notes, s.output.values[1].sample, s.output.values[1].point, s.output.values[1].value)  --> 1	3	7	99
print(bad:without{3}.n)                             --> 19
print(tostring(d:summary()):match("^20 pairs: input on mesh.uniform"))  --> 20 pairs: input on mesh.uniform
d:summary(1)                                        --! summary
d:summary().max                                     --! max
d:without{0}                                        --! within 1 to 20
d:without{21}                                       --! within 1 to 20
d:without("a")                                        --! some

print(d:map(function(f) return 2 * f end).output:at(1, 5) == d.output:at(1, 5))  --> true
local half = mesh.uniform(0, 1, 20)
local thin = d:map(function(f, u)
  local v = array.zeros(20)
  for i = 1, 20 do v:set(i, u[2 * i]) end
  return nil, v
end, {output_mesh = half})
print(#thin.output[1], thin.output_mesh)            --> 20	mesh.uniform(0, 1, 20)
print(d:map(function(f, u) return f, u / 1e6 end, {all = true}).output:at(2, 2) == d.output:at(2, 2) / 1e6)  --> true
d:map(function(f, u) end)                           --! returns nothing
d:map(function(f, u) return {1, 2}, u end)          --! want
d:map(function(f, u) return f, "u" end)             --! result 2
d:map(function(f, u, i) return i == 2 and {1} or f end)  --! for pair 2
d:map(function(f, u) return f, u / 0 end)           --! must be finite
d:map()                                             --! f

print(math.abs(d:detrend{order = 2, of = "both"}.input:sum()) < 1e-10)  --> true
d:detrend{order = -1}                               --! order
d:detrend{order = 1.5}                              --! order
d:detrend{of = "outputs"}                           --! output

local mean, counts = d:concat(d, d):average()
print(mean.n, counts:min(), (mean.output - d.output):norm() < 1e-12)  --> 20	3	true
print(d:average{block = 6}.n)                       --> 4
d:average{block = 0}                                --! block
d:average{tolerance = 2}                            --! tolerance
d:average(3)                                        --! average

d:concat()                                          --! other
d:concat(thin)                                      --! want the same mesh
d:concat(m)                                         --! dataset
print(d:shuffle{seed = 1}.output:at(1, 20) == d:shuffle{seed = 1}.output:at(1, 20))  --> true
d:shuffle{seed = -1}                                --! seed

local a, b = d:split(0.8)
print(a.n, b.n)                                     --> 16	4
print(d:split(5).n, d:split{train = 5}.n, d:split(0.001).n)  --> 5	5	1
d:split(1.5)                                        --! whole number
d:split(20)                                         --! train
d:split()                                           --! train

-- A record: the response to each value is that value now, and half of it a step later.
local t = mesh.uniform(10, 19.9, 100, "t")
local rain = random.normal{shape = {1, 100}}
local flow = array.from(1, 100, function(_, j) return rain[1][j] + (j > 1 and 0.5 * rain[1][j - 1] or 0) end)
local w, starts = data.new{input = rain, output = flow, input_mesh = t}:window{length = 2, lags = 1, step = 0.5}
print(w.n, w.input_mesh, #w.output[1])              --> 15	mesh.uniform(-1, 1.9, 30, "t")	20
print(starts[1], starts[2])                         --> 11	11.5
print(math.abs(w.output[4][9] - w.input[4][19] - 0.5 * w.input[4][18]) < 1e-12)  --> true
local record = data.new{input = {rain = rain}, output = {flow = flow}, input_mesh = t}
print(record:window{length = 2, lags = 1}.n)        --> 4
green.fit{data = record, kernel = {rain = k}}       --! 1 sample
d:window{length = 24}                               --! lags
d:window{length = 100, lags = 3}                    --! length
d:window{length = 0.3, lags = "day"}                --! lags

d:plot{some = {0}, show = false}                    --! within 1 to 20
d:plot{some = {1}, file = "plot.doc"}               --! .png
d:plot{pairs = {1}}                                 --! pairs
