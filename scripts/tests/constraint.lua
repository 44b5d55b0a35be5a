-- The module constraint: the laws hold for the learned function, off the mesh too.

local x = mesh.uniform(-1, 1, 8)
local f, u = random.normal{shape = {6, 8}, seed = 1}, random.normal{shape = {6, 8}, seed = 2}
local d = data.new{input = f, output = u, input_mesh = x}
local k = kernel.exponential{lengthscale = {0.3, 0.5}}
local function fit(c) return green.fit{data = d, kernel = k, lambda = 1e-2, constraint = c} end
local function same(a, b) return math.abs(a - b) < 1e-12 end

local s = fit(constraint.symmetric{"x", "y"})
print(same(s(0.31, -0.62), s(-0.62, 0.31)))         --> true
local a = fit(constraint.antisymmetric{"x", "y"})
print(same(a(0.31, -0.62), -a(-0.62, 0.31)), same(a(0.3, 0.3), 0))  --> true	true
local fl = fit(constraint.flip{"x", "y"})
print(same(fl(0.31, -0.62), fl(-0.31, 0.62)))       --> true
local both = fit{constraint.symmetric{"x", "y"}, constraint.flip{"x", "y"}}
print(same(both(0.31, -0.62), both(0.62, -0.31)))   --> true

local t = mesh.uniform(0, 1, 8, "t")
local dt = data.new{input = f, output = u, input_mesh = t}
local c = green.fit{data = dt, kernel = k, lambda = 1e-2, constraint = constraint.causal{}}
print(c(0.5, 0.49), c(0.5, 0.51) ~= 0)              --> 0	true
local ti = green.fit{data = dt, kernel = kernel.exponential{lengthscale = 0.3}, lambda = 1e-2,
  constraint = {constraint.time_invariant{}, constraint.causal{}}}
print(same(ti(0.1, 0.4), ti(0.5, 0.8)), ti(0.5, 0.4))  --> true	0

fit(constraint.symmetric{"x"})                      --! must be at least 2
fit(constraint.symmetric{"x", "q"})                 --! no coordinate "q": the coordinates here are x (input) and y (output)
fit(constraint.flip{"z"})                           --! no coordinate "z": the coordinates here are x (input) and y (output)
fit(constraint.permute{{"x", "q"}})                 --! no coordinate "q": the coordinates here are x (input) and y (output)
fit(constraint.causal{})                            --! needs a time axis on both sides, called s and t by default: name the axis
fit(constraint.time_invariant{input = "x"})         --! no coordinate "t"
fit{}                                               --! an empty list
constraint.symetric{"x", "y"}                       --! did you mean 'symmetric'?

-- Times that cannot be paired.
local function timed(from, to)
  return green.fit{
    data = data.new{input = f:slice{{}, {1, from.size}}, output = u:slice{{}, {1, to.size}}, input_mesh = from, output_mesh = to},
    kernel = kernel.exponential{lengthscale = 0.3}, lambda = 1e-2, constraint = constraint.time_invariant{},
  }
end
timed(mesh.uniform(0, 1, 5, "t"), mesh.uniform(0, 1, 6, "t"))     --! that of the input is 0.25 and that of the output 0.2: sample both on one step, or leave time invariance out
timed(mesh.trapezoid({0, .1, .5, 1}, "t"), mesh.uniform(0, 1, 4, "t"))  --! that of the input is uneven
timed(mesh.uniform(0, 1, 5), mesh.uniform(0, 1, 5, "t"))          --! no coordinate "s"

-- Meshes of different numbers of points need not be paired for the others, and no
-- kernel needs a symmetry of its own: averaging makes it.
local coarse = data.new{input = f, output = u:slice{{}, {1, 6}}, input_mesh = x, output_mesh = mesh.uniform(-1, 1, 6)}
local odd = green.fit{data = coarse, kernel = k, lambda = 1e-2, constraint = constraint.symmetric{"x", "y"}}
print(same(odd(0.31, -0.62), odd(-0.62, 0.31)))     --> true
local tilted = kernel.exponential{lengthscale = {0.3, 0.5}} * kernel.polynomial{degree = 2}
local lawful = green.fit{data = d, kernel = tilted, lambda = 1e-2, constraint = constraint.flip{"x", "y"}}
print(same(lawful(0.31, -0.62), lawful(-0.31, 0.62)), tilted({.1, .2}, {.3, .4}) ~= tilted({-.1, -.2}, {.3, .4}))  --> true	true

-- A map that leaves the grid needs none.
local off = fit(constraint.flip{"x", "y", about = 0.45})
print(same(off(0.3, 0.7), off(0.6, 0.2)), off.report.reason:match("no point of that axis"))  --> true	no point of that axis

-- coordinates that are exchanged cover one interval; the numbers of points may differ
local function pairs_on(y) return data.new{input = random.normal{shape = {5, 6}, seed = 1}, output = random.normal{shape = {5, y.size}, seed = 2}, input_mesh = mesh.uniform(0, 1, 6), output_mesh = y} end
local exchange = {kernel = kernel.se{lengthscale = 0.3}, lambda = 1e-2, constraint = constraint.symmetric{"x", "y"}}
exchange.data = pairs_on(mesh.uniform(0, 2, 6))
green.fit(exchange)  --! x covers 0 to 1 and y covers 0 to 2: coordinates that are exchanged must cover the same interval
exchange.data = pairs_on(mesh.uniform(0, 1, 9))
local est = green.fit(exchange)
print(math.abs(est(0.2, 0.7) - est(0.7, 0.2)) < 1e-14)  --> true
