-- The module pde: problems with known answers.

local m = mesh.uniform(0, 1, 101)
local p = pde.poisson{mesh = m, left = 0, right = 1}
print(p:solve(2 * array.ones(101))[51])             --> 0.75
print(p:bias()[26])                                 --> 0.25
print(p:green():at(51, 51))                         --> 0.25
local h = pde.helmholtz{mesh = m, omega = 20}
print(h:green():at(21, 71) == h:green():at(71, 21)) --> true
print(p:sample{n = 4, input = {kernel = kernel.se{lengthscale = 0.1}}}.n)  --> 4

pde.poisson{}                                       --! mesh
pde.poisson{mesh = mesh.gauss(0, 1, 9)}             --! must be uniform
pde.helmholtz{mesh = m, omega = -1}                 --! omega
pde.helmholtz{mesh = m, omega = math.pi}            --! an eigenvalue of the interval
p:solve(array.ones(7))                              --! 101 points
p:sample{n = 0, input = {kernel = kernel.se{lengthscale = 0.1}}}  --! n 0
pde.poison{mesh = m}                                --! did you mean 'poisson'?
