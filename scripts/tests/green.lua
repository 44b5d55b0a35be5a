-- The estimator, on the stored pairs. Reference numbers: the minima in
-- numeric/fit/testdata/minimisers.json, found by another method.
-- tol: 1e-6

local m = mesh.uniform(0, 1, 100)
local all = data.load("scripts/data/helmholtz.npz", {input_mesh = m})
local train, test1 = all:take(1, 100), all:take(501, 600)
local k = kernel.matern{nu = 2.5, lengthscale = 0.02}

local est = green.fit{data = train, kernel = k, lambda = 1e-3}
print(est.report.objective)                         --> 0.0007227063
print(est.report.converged, est.report.residual < 1e-10)  --> true	true

local sym = green.fit{data = train, kernel = k, lambda = 1e-5, constraint = constraint.symmetric{"x", "y"}}
print(sym.report.objective)                         --> 7.4029772e-06
print(math.abs(sym(0.2, 0.7) - sym(0.7, 0.2)) < 1e-14)  --> true

-- without noise a small penalty predicts well
local fine = green.fit{data = train, kernel = k, lambda = 1e-5}
print(fine:error{data = test1}.mean < 0.02)         --> true

-- the truth
local p = pde.helmholtz{mesh = m, omega = 20, left = -0.1, right = 0.1}
local x = mesh.uniform(0, 1, 300)
test.near(est:error{green = p, xmesh = x, ymesh = x}, 0.04323682, {rel = 5e-4})
test.near(est:error{bias = p, ymesh = x}, 0.052465029, {rel = 5e-4})

-- an estimate is a function
print(#est:green(mesh.gauss(0, 1, 7), mesh.gauss(0, 1, 9))[1])  --> 9
print(#est:predict(train.input[1]))                 --> 100
local path = os.tmpname() .. ".npz"
est:save(path)
print(green.load(path)(0.3, 0.4) == est(0.3, 0.4))  --> true
os.remove(path)

-- Meshes that describe the same data give the same estimate: uniform points, the same
-- points given one by one, and the same points and weights as scattered ones; and so
-- for a product of axes.
local line, square = mesh.uniform(0, 1, 12), mesh.uniform(0, 1, 4) * mesh.uniform(0, 1, 3)
local at, weights = line:points():reshape(12):table(), line:weights():table()
local function learn(x, y)
  local f, u = random.normal{shape = {7, 12}, seed = 1}, random.normal{shape = {7, 12}, seed = 2}
  local d = data.new{input = f, output = u, input_mesh = x, output_mesh = y}
  return green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 0.3}, lambda = 1e-3, tolerance = 1e-12}:green(line, y.dim == 1 and line or square)
end
local function alike(a, b) return (a - b):norm() / b:norm() < 1e-9 end
local given, scattered = mesh.trapezoid(at), mesh.points(at, weights)
local both = mesh.points(square:points():table(), square:weights():table())
local plain = learn(line, line)
print(alike(learn(given, given), plain), alike(learn(scattered, given), plain), alike(learn(line, scattered), plain))  --> true	true	true
print(alike(learn(scattered, both), learn(line, square)))  --> true

-- the criteria at a lambda that is given are computed when somebody asks, whichever way
local function asked() return green.fit{data = train:take(1, 6), kernel = k, lambda = 1e-3} end
local report, ways = asked().report, {}
print(rawget(report, "reml"), report.residual < 1e-9, rawget(report, "reml"))  --> nil	true	nil
print(report.gcv > 0, rawget(report, "reml") == report.reml)  --> true	true
for name, v in pairs(asked().report) do if name == "reml" then ways[1] = v end end
for name, v in next, asked().report do if name == "reml" then ways[2] = v end end
ways[3] = asked():save(path) or green.load(path).report.reml
print(ways[1] == report.reml, ways[2] == report.reml, ways[3] == report.reml, tostring(asked()):match("reml +(%S+)") == string.format("%.8g", report.reml))  --> true	true	true	true
os.remove(path)

-- lambda from the data
local noisy = train:noise{level = 0.2, seed = 1}
local auto = green.fit{data = noisy, kernel = kernel.se{lengthscale = 0.1}}
print(auto.report.criterion, auto:error{green = p} < 0.12)  --> reml	true

green.fit{}                                         --! data
green.fit{data = train, kernel = 3}                 --! kernel
green.fit{data = train, kernel = k, lambda = 0}     --! lambda
green.fit{data = train, kernel = k, lambda = -1}    --! lambda
green.fit{data = train, kernel = k, lambda = "aut"} --! did you mean "auto"?
green.fit{data = train, kernel = k, lamda = 1}      --! did you mean 'lambda'?
green.fit{data = train, kernel = k, criterion = "aic"}  --! criterion
green.fit{data = train, kernel = kernel.define(function(p, q) return 0 end)}  --! all inputs are zero
green.fit{data = train, kernel = k, max_iterations = 0}  --! max_iterations
green.fit{data = train, kernel = kernel.se{lengthscale = {1, 2, 3}}, lambda = 1}  --! a list of 3
green.fit{data = train, kernel = k, lambda = 1e-3, constraint = constraint.symmetric{"x", "z"}}  --! no coordinate "z"
green.fit{data = train, kernel = k, lambda = 1e-3, constraint = constraint.causal{}}  --! needs a time axis
green.fit{data = train, kernel = k, lambda = 1e-9, max_iterations = 1, strict = true}  --! not converged
est:predict(array.ones(7))                          --! must be 100 points
est:error{}                                         --! give exactly one
est:green(mesh.uniform(0, 1, 3) * mesh.uniform(0, 1, 3))  --! xmesh: has 2 coordinates
est("a", 1)                                         --! x
green.load("scripts/data/helmholtz.npz")            --! not a saved estimate
est.reprot                                          --! did you mean 'report'?
