-- Kernels, and the random functions they describe
local m = mesh.uniform(0, 1, 100)
for _, k in ipairs{kernel.se{lengthscale = 0.1}, kernel.exponential{lengthscale = 0.1}} do
  local f = random.field{kernel = k, mesh = m, n = 3, seed = 1}
  plot.lines{
    {x = m, y = f[1]}, {x = m, y = f[2]}, {x = m, y = f[3]},
    title = tostring(k),
  }
end

-- Kernels add and multiply, and say how they can be computed fast.
local k = 0.5 * kernel.matern{nu = 2.5, lengthscale = 0.2} + kernel.periodic{period = 0.5, lengthscale = 1}
print(k:describe())
