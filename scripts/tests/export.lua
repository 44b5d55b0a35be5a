-- What is written for other programs is what the estimate says, in every format and unit.

local m = mesh.uniform(0, 1, 12)
local d = pde.poisson{mesh = m}:sample{n = 15, input = {kernel = kernel.se{lengthscale = 0.2}}}:noise{level = 0.1}
local base = os.tmpname()
for _, unit in ipairs{1, 1e9, 1e-9} do
  local scaled = d:map(function(f, u) return f, unit * u end)
  local est = green.fit{data = scaled, kernel = kernel.se{lengthscale = 0.3}}
  local x, y = mesh.uniform(0.1, 0.9, 4), mesh.gauss(0, 1, 3)
  local G, S = est:green(x, y), est:std(x, y)
  local u, s = est:predict(d.input, {ymesh = y, std = true})
  for _, ending in ipairs{".npz", ".mat", ".h5"} do
    est:save_green(base .. ending, {xmesh = x, ymesh = y, std = true})
    assert((array.load(base .. ending, "green") - G):norm() == 0)
    assert((array.load(base .. ending, "std") - S):norm() == 0)
    assert((array.load(base .. ending, "bias"):reshape(3) - est:bias(y)):norm() == 0)
    assert((array.load(base .. ending, "x"):reshape(4) - x:points():reshape(4)):norm() == 0)
    est:save_predictions(base .. ending, d.input, {ymesh = y, std = true})
    assert((array.load(base .. ending, "mean") - u):norm() == 0)
    assert((array.load(base .. ending, "upper") - u - 1.96 * s):norm() <= 1e-12 * u:norm())
    os.remove(base .. ending)
  end
  for _, ending in ipairs{".csv", ".tsv"} do
    est:save_green(base .. ending, {xmesh = x, ymesh = y, std = true})
    local t = sheet.load(base .. ending)
    assert((t.green:reshape(4, 3) - G):norm() == 0 and (t.std:reshape(4, 3) - S):norm() == 0)
    assert(t.x[4] == x:points()[2][1] and t.y[2] == y:points()[2][1])
    est:save_predictions(base .. ending, d.input[1], {ymesh = y})
    t = sheet.load(base .. ending)
    assert(table.concat(t.columns, " ") == "pair x mean" and (t.mean - u[1]):norm() <= 1e-12 * u:norm())
    os.remove(base .. ending)
  end
end

local est = green.fit{data = d, kernel = kernel.se{lengthscale = 0.3}}
est:save_green("G.doc")                             --! saved as .csv
est:save_green()                                    --! path
est:save_green{path = 3}                            --! path
est:save_predictions("u.csv")                       --! f
est:save_predictions("u.csv", array.ones(5))        --! 12
est:save_predictions("u.csv", "f")                  --! f
array.save("a.csv", {x = {1, 2}})                   --! sheet.new
array.save("a.npz", {})                             --! arrays
array.save("a.doc", {x = {1, 2}})                   --! .doc
array.save({x = {1, 2}})                            --! path

-- The interior of a plane: a column for each coordinate.
local plane = mesh.uniform(0, 1, 3) * mesh.uniform(0, 2, 4, "z")
local F = random.normal{shape = {9, 12}}
local two = green.fit{data = data.new{input = F, output = F, input_mesh = plane}, kernel = kernel.se{lengthscale = 0.5}, lambda = 1e-3}
two:save_green(base .. ".csv")
local t = sheet.load(base .. ".csv")
print(t.n, table.concat(t.columns, " "))            --> 144	x z x_out z_out green
os.remove(base .. ".csv")
