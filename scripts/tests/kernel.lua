-- The module kernel. Numbers are from the formulas, to the digits shown.

local k = kernel.matern{nu = 1.5, lengthscale = 0.1}
print(k)                                            --> kernel.matern{nu=1.5, lengthscale=0.1}
print(k(0, 0.1))                                    --> 0.48335772459651
print(k(0, 0.2))                                    --> 0.13973135019231
print(kernel.exponential{lengthscale = 2}(0, 1) == math.exp(-0.5))  --> true
print(kernel.se{lengthscale = 2}(0, 1) == math.exp(-0.125))         --> true

-- joint distance: sqrt((3/1)² + (8/2)²) = 5
print(kernel.exponential{lengthscale = {1, 2}}({0, 0}, {3, 8}) / math.exp(-5) - 1 < 1e-14)  --> true

-- an algebra
print(0.5 * k + kernel.white{})                     --> 0.5 * kernel.matern{nu=1.5, lengthscale=0.1} + kernel.white{}
print((k + k) * k)                                  --> (kernel.matern{nu=1.5, lengthscale=0.1} + kernel.matern{nu=1.5, lengthscale=0.1}) * kernel.matern{nu=1.5, lengthscale=0.1}
print((2 * k)(0, 0), (k * k)(0, 0.1) == k(0, 0.1)^2)  --> 2	true

-- Gram matrices
local m = mesh.uniform(0, 1, 5)
local g = k:gram(m)
print(g.shape[1], g.shape[2], g:at(1, 1))           --> 5	5	1
print(k:check{mesh = m}.points)                     --> 5
print(#kernel.se{lengthscale = 0.2}:eigen{mesh = m, n = 3})  --> 3

kernel.matern{nu = -1}                              --! nu -1: must be > 0
kernel.matern{nu = 60, lengthscale = 1}             --! use the squared exponential kernel
kernel.matern{lengthscal = 1}                       --! did you mean 'lengthscale'?
kernel.se{lengthscale = 0}                          --! lengthscale
kernel.se{lengthscale = "atuo"}                     --! lengthscale
kernel.se{lengthscale = {1, -1}}                    --! lengthscale
kernel.mattern{}                                    --! did you mean 'matern'?
kernel.periodic{lengthscale = 1}                    --! period
kernel.se{}(0, 1)                                   --! only a fit can choose it
k({0, 1}, {0})                                      --! must be the same
-2 * k                                              --! factor -2: must be finite and > 0
k + 3                                               --! kernel
k:gramm(m)                                          --! did you mean 'gram'?

-- arithmetic of kernels keeps them kernels
print((kernel.se{lengthscale = 1} / 4)(0, 0), (kernel.se{lengthscale = 1}^3)(0, 1))  --> 0.25	0.22313016014843
k = kernel.se{lengthscale = 1} - kernel.se{lengthscale = 2}  --! a difference of kernels is not positive semi-definite in general
k = kernel.se{lengthscale = 1} / 0                           --! factor +Inf: must be finite and > 0
k = kernel.se{lengthscale = 1}^0.5                           --! right side 0.5: must be an integer
k = kernel.se{lengthscale = 1}^0                             --! power 0: must be a whole number from 1 to 64
