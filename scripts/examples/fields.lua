-- Two inputs, two outputs: a model of several terms learns the four Green's functions of
-- the coupled equations u″ - v = f, v″ + u = g on [0, 1], zero at both ends.
--
--     workbench scripts/examples/fields.lua

-- The truth, by central differences: u and v at the inner points solve A (u, v) = (f, g),
-- so that the blocks of the inverse of A, over the step, are the Green's functions.
local n = 30
local m = mesh.uniform(0, 1, n)
local h, inner = 1/(n - 1), n - 2
local A = array.zeros(2*inner, 2*inner)
for i = 1, inner do
  for shift = 0, inner, inner do
    A:set(i + shift, i + shift, -2/h^2)
    if i > 1 then A:set(i + shift, i + shift - 1, 1/h^2) end
    if i < inner then A:set(i + shift, i + shift + 1, 1/h^2) end
  end
  A:set(i, inner + i, -1)
  A:set(inner + i, i, 1)
end
local inverse = linalg.inv(A)
local function green_function(output, input) -- of which block; G(x, y) has the input first
  return array.from(n, n, function(x, y)
    if x == 1 or x == n or y == 1 or y == n then return 0 end
    return inverse:at(output*inner + y - 1, input*inner + x - 1)/h
  end)
end
local G = {u = {f = green_function(0, 0), g = green_function(0, 1)}, v = {f = green_function(1, 0), g = green_function(1, 1)}}

-- Samples by name: random f and g, and what they do to u and v.
local function sample(count, seed)
  local k = kernel.se{lengthscale = 0.1}
  local f = random.field{kernel = k, mesh = m, n = count, seed = seed}
  local g = random.field{kernel = k, mesh = m, n = count, seed = seed + 1}
  local function out(of) return (f*m:weights()):dot(of.f) + (g*m:weights()):dot(of.g) end
  return data.new{input = {f = f, g = g}, output = {u = out(G.u), v = out(G.v)}, input_mesh = m}
end
local clean, test = sample(40, 1), sample(40, 101)

-- A model has a term for every input, here with kernels and sizes chosen from the data;
-- est.u.f is the one of f in u. Beside it the best that one input alone can do.
print("noise    output  test error  one input  G of f   G of g")
local gain, est = {}
for _, level in ipairs{0.05, 0.2} do
  local d = clean:noise{level = level, seed = 7}
  est = green.fit{data = d}
  local errors = est:error{data = test}
  for _, o in ipairs(est.outputs) do
    local alone = math.huge
    for _, name in ipairs{"f", "g"} do
      local one = green.fit{data = d:pair(name, o), kernel = est[o][name].kernel}
      alone = math.min(alone, one:error{data = test:pair(name, o)}.mean)
    end
    print(string.format("%-7g  %-6s  %-10.2g  %-9.2g  %-7.2g  %.2g", level, o, errors[o].mean, alone,
      est[o].f:error{green = G[o].f}, est[o].g:error{green = G[o].g}))
    gain[level] = math.min(gain[level] or math.huge, alone/errors[o].mean)
  end
end

-- At least so many times better than one input alone.
print(gain[0.05] > 5, gain[0.2] > 2)  --> true	true

-- What it looks like, and a prediction.
print(est)
local new = est:predict{f = array.ones(n), g = array.zeros(n)}
print(new.u)
