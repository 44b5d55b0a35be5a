-- The module mesh.

local m = mesh.uniform(0, 1, 5)
print(m, m.size, m.dim, m.names[1])                 --> mesh.uniform(0, 1, 5)	5	1	x
print(m:points():at(2, 1))                          --> 0.25
print(m:weights():sum())                            --> 1
print(mesh.gauss(-1, 3, 7):weights():sum() - 4 < 1e-14)  --> true

-- products: the last axis varies fastest
local xt = mesh.uniform(0, 1, 3) * mesh.uniform(0, 2, 4, "t")
print(xt.size, xt.dim, xt.names[1], xt.names[2])    --> 12	2	x	t
print(xt:points():at(2, 1), xt:points():at(2, 2))   --> 0	0.66666666666667
print(xt:refine(2).size)                            --> 35
print(xt:rename("a", "b").names[2])                 --> b

mesh.uniform(0, 1, 1)                               --! n 1: must be at least 2
mesh.uniform(1, 0, 5)                               --! b 0: must be greater than a = 1
mesh.uniform(0, 1)                                  --! n
mesh.uniform(0, 1, 2.5)                             --! n
mesh.uniform(0/0, 1, 5)                             --! a
mesh.trapezoid{0, 1, 1}                             --! does not increase
mesh.trapezoid{0, 0.5, 0.2}                         --! points[3]
mesh.points{{0, 0}, {1}}                            --! length 1: must be 2
mesh.uniform(0, 1, 3, "x") * mesh.uniform(0, 1, 3, "x")  --! used twice
m.sise                                              --! did you mean 'size'?
m:refine(0)                                         --! k
mesh.gauss(0, 1, 1e6)                               --! n 1000000: must be at most 10000 for this rule
mesh.chebyshev(0, 1, 1e6)                           --! n 1000000: must be at most 10000 for this rule
