-- The module random: the same seed gives the same numbers.

local m = mesh.uniform(0, 1, 20)
local k = kernel.se{lengthscale = 0.2}
local a = random.field{kernel = k, mesh = m, n = 2, seed = 7}
local b = random.field{kernel = k, mesh = m, n = 2, seed = 7}
print((a - b):norm(), (a - random.field{kernel = k, mesh = m, n = 2, seed = 8}):norm() > 0)  --> 0	true
print(random.brownian_bridge{mesh = m, n = 3, seed = 1}:at(2, 1) == 0)  --> true
print(random.uniform{shape = {100}, seed = 1}:min() >= 0)  --> true

random.field{kernel = k, mesh = m, n = 0}           --! n
random.field{kernel = k, n = 1}                     --! mesh
random.field{kernel = k, mesh = m, modes = 21}      --! modes 21
random.normal{shape = {}}                           --! shape
random.brownian_bridge{mesh = m * m:rename("y")}    --! needs 1
