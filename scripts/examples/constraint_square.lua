-- A new constraint, written in Lua: the symmetries of a square. The Laplacian on a
-- square does not change when the square is rotated or mirrored, and so
-- G(g x, g y) = G(x, y) for the eight maps g. Two of them generate the others.
--
--     workbench scripts/examples/constraint_square.lua
-- tol: 1e-3

local square = constraint.define{average = {
  {map = function(p) return {x1 = p.x2, x2 = p.x1, y1 = p.y2, y2 = p.y1} end},   -- mirrored at the diagonal
  {map = function(p) return {x1 = 1 - p.x1, y1 = 1 - p.y1} end},                 -- mirrored at the middle
}}

-- Pairs of -Δu = f on a grid inside the unit square, u = 0 on its boundary.
local n = 7
local h = 1/(n + 1)
local function axis(name) return mesh.uniform(h, 1 - h, n, name) end
local x, y = axis("x1") * axis("x2"), axis("y1") * axis("y2")
local laplacian = array.from(n*n, n*n, function(i, j)
  local a, b = math.floor((i - 1)/n), (i - 1) % n
  local c, d = math.floor((j - 1)/n), (j - 1) % n
  local steps = math.abs(a - c) + math.abs(b - d)
  if steps == 0 then return 4/h^2 elseif steps == 1 then return -1/h^2 end
  return 0
end)
local f = random.normal{shape = {12, n*n}, seed = 1}
local u = linalg.solve(laplacian, f:transpose()):transpose()
local pairs = data.new{input = f, output = u, input_mesh = x, output_mesh = y}

local k = kernel.exponential{lengthscale = 0.3}
local free = green.fit{data = pairs, kernel = k, bias = false, lambda = 1e-9}
local held = green.fit{data = pairs, kernel = k, bias = false, lambda = 1e-9, constraint = square}

-- Twelve inputs are few when there are 49 points; with its eight images each, they
-- are enough.
local test = random.normal{shape = {50, n*n}, seed = 2}
local answers = linalg.solve(laplacian, test:transpose()):transpose()
local held_out = data.new{input = test, output = answers, input_mesh = x, output_mesh = y}
print("error without the symmetries:", free:error{data = held_out}.mean)  --> error without the symmetries:	0.495807
print("and with them:", held:error{data = held_out}.mean)  --> and with them:	0.0191362

local quarter = held({h, 2*h}, {3*h, 2*h}) - held({2*h, 1 - h}, {2*h, 1 - 3*h})   -- a rotation by 90°
print(math.abs(quarter) < 1e-12)  --> true
