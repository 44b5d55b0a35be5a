-- Curves on points of their own: how they are given, and what is refused.

local f, u = {{1, 2, 4}, {3, 0}}, {{5}, {7, 8}}
local x, y = {{1, 0.2, 0}, {1, 0}}, {{0.5}, {0, 1}}
local d = data.new{input = f, input_mesh = x, output = u, output_mesh = y}
print(d)  --> dataset: 2 pairs, input each on 2 to 3 points of its own (3 points of curves on [0, 1]), output each on 1 to 2 points of its own (3 points of curves on [0, 1])
print(d.output[1]:ne(d.output[1]):count(), d.output[2][3])  --> 2	8
print(d:take(2, 2))  --> dataset: 1 pair, input each on 2 points of its own (3 points of curves on [0, 1]), output each on 2 points of its own (3 points of curves on [0, 1])

-- Positions of all, a row of them for each, meshes, arrays: one dataset.
local rows = array{{1, 2, 4}, {3, 0, 1}}
local want = data.new{input = rows, output = rows, input_mesh = mesh.trapezoid{0, 1, 3}}
for _, points in ipairs{{0, 1, 3}, array{0, 1, 3}, array{{0, 1, 3}, {0, 1, 3}}, {mesh.trapezoid{0, 1, 3}, mesh.trapezoid{0, 1, 3}}, {array{0, 1, 3}, {0, 1, 3}}} do
  assert(tostring(data.new{input = rows, output = {{1, 2, 4}, array{3, 0, 1}}, input_mesh = points}) == tostring(want))
end

-- A square array says which way round it was read.
local square = array{{1, 2}, {3, 4}}
print(data.new{input = square, output = rows, input_mesh = mesh.uniform(0, 1, 2), output_mesh = {0, 1, 3}})  --> dataset: 2 pairs, input on 2 points (mesh.uniform(0, 1, 2)), output on 3 points (mesh.trapezoid of 3 points on [0, 3]); square: each row of the input is a pair
local turned = data.new{input = rows.T, output = rows.T, input_mesh = mesh.uniform(0, 1, 3), axis = "columns"}
print(turned.n, turned.input[2][1])  --> 2	3
data.new{input = rows.T, output = rows.T, input_mesh = mesh.uniform(0, 1, 3)}  --! axis = "columns"

-- Gaps in inputs: the trapezoid goes from one measured point to the next.
local gap = data.new{input = {{1, 0/0, 2}, {1, 1, 1}}, output = rows, input_mesh = mesh.uniform(0, 3, 3), missing = true}
print(array.dot(gap.integrand[1], {0.75, 1.5, 0.75}), gap.input[1][3])  --> 4.5	2

data.new{input = f, input_mesh = {{1, 0.2, 1}, {1, 0}}, output = u, output_mesh = y}  --! input 1: points 1 and 3 are both at 1
data.new{input = f, input_mesh = x, output = u, output_mesh = {{0.5}, {1, 1}}}  --! output 2: points 1 and 2 are both at 1
data.new{input = {{1}, {3, 0}}, input_mesh = {{1}, {1, 0}}, output = u, output_mesh = y}  --! input 1: has one point
data.new{input = f, input_mesh = x, output = u}  --! output[1] has 1 value, and its mesh 3 points
data.new{input = f, input_mesh = {x[1]}, output = u, output_mesh = y}  --! input_mesh: has the points of 1 curves, and there are 2
data.new{input = f, input_mesh = mesh.uniform(0, 1, 3), output = u, output_mesh = y}  --! input[2] has 2 values, and its mesh 3 points
data.new{input = f, output = u}  --! {x1, x2, …}
data.new{input = {f = rows}, output = {u = rows}, input_mesh = x}  --! go without names
data.new{input = f, input_mesh = x, output = {{0/0}, {7, 8}}, output_mesh = y}  --! output 1: value 1, at 0.5, is NaN

-- Preparation of curves with points of their own.
local c = data.new{input = {{1, 2, 3}, {4, 5, 6, 7}}, output = {{1, 2}, {3, 4, 5}},
  input_mesh = {{0, 1, 2}, {0, 0.5, 1, 2}}, output_mesh = {{0, 1}, {0, 0.5, 1}}}
print(c:summary().input.high, c:concat(c).n, c:shuffle().n, c:without{1}.n)  --> 7	4	2	1
print(c:detrend{order = 0}.n)                       --> 2
c:average()                                         --! resample
c:map(function(f, u) return f, u end)               --! resample
c:window{length = 1, lags = 1}                      --! resample
