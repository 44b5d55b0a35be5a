-- Every chunk must fail at the line that ends in a comment with an exclamation
-- mark, with exactly the text there; such comments alone on a line are the
-- further lines of the text.

kernel.define(function(p, q)
  if p.x < q.x then return 1 end --! formula < formula: the comparison has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow
  return 0
end)

kernel.define(function(p, q)
  if p.x < 0 then return 1 end --! comparison with a formula: it has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow
  return 0
end)

kernel.define(function(p, q)
  if 0.5 >= p.x then return 1 end --! comparison with a formula: it has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow
  return 0
end)

kernel.define(function(p, q) if p.x == 0 then return 1 end return math.exp(-dist(p, q)) end) --! kernel.define: the function of line 23 and the expression traced from it differ at p = {0}, q = {0.5391}: 1 and 0.583273; a trace does not see a branch on ==, and, or: write where(cond, a, b), or give {trace = false}

kernel.define(function(p, q) math.exp(-dist(p, q)) end) --! kernel.define: the function of line 25 returns nothing: must return a number (is there a return?)

kernel.define(function(p, q) return 1 == 1 end) --! kernel.define: the function of line 27 returns true: must return a number; lt, le, gt and ge give 1 and 0

kernel.define(function(p, q) return 0/0 end) --! kernel.define: the function of line 29 returns NaN: must return a number

kernel.define(function(p, q) return math.log(-1 - dist(p,q)^2) end) --! kernel.define: the function of line 31 gives no finite number at any of 32 points tried, such as p = {0.936835}, q = {0.689956}

kernel.define(function(p, q) return math.sin(dist(p, q))/(dist(p, q)) end) --! kernel.define: the function of line 33 gives NaN where the points are equal, at p = {0.628924}, q = {0.628924}: must be finite; write where(gt(d, 0), …, limit) for what is 0/0 there

kernel.define(function(p, q) return math.random() end) --! kernel.define: the function of line 35 gives 0.198402 and then 0.615985 for the same points: must depend on its arguments only

local n = 0
kernel.define(function(p, q) n = n + 1 return n end) --! kernel.define: the function of line 38 gives 7 and then 8 for the same points: must depend on its arguments only

kernel.define(function(p, q, v) return v.l end) --! kernel.define: the function of line 40 takes 3 arguments, but there are no parameters: write them as a table after the function

kernel.define(function(p, q) return 1 end, {l = 0.1}) --! kernel.define: the function of line 42 does not take the parameters: write function(p, q, v) and use them as v.l

kernel.define(function(p, q, v) return v.lenthscale end, {lengthscale = 0.1}) --! no parameter 'lenthscale'; did you mean 'lengthscale'?

kernel.define(function(p, q, v) return math.exp(-dist(p,q)/v.l) end, {l = 0.1, dims = 3}) --! kernel.define: parameter dims: the function does not depend on it; did you mean 'dim'?

kernel.define(function(p, q, v) return math.exp(-dist(p,q)/v.l) end, {l = "long"}) --! kernel.define: parameter l: want a finite number or a list of them, got a string ("long")

kernel.define(function(p, q) return p + q end) --! a point is no number: take its coordinates, as in p.x - q.x or p[1] - q[1], or dist(p, q)

kernel.define(function(p, q) local s = 0 for i = 1, p.x do s = s + 1 end return s end) --! the limits of a loop must be known: the function runs once, with formulas for coordinates
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return string.format("%g", p.x) end) --! bad argument #2 to 'format' (number expected, got a formula)
--!   coordinates are formulas here: the function runs once, to be turned into an expression
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return tonumber(p.x) end) --! kernel.define: the function of line 59 returns nil: must return a number; what it returns has no value

kernel.define(math.exp) --! kernel.define: want a function written in Lua, got one of the library; write function(…) return … end around it

kernel.define(3) --! kernel.define: f: want a function, got a number (3)
--!   usage: kernel.define(f [, parameters])

kernel.define() --! kernel.define: f: missing; want a function
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) return p.x * q.x end, {dim = 0}) --! kernel.define: parameters: dim: 0: must be from 1 to 32
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) return p.x * q.x end, {names = {"x", "x"}}) --! kernel.define: parameters: names: "x": must be given, and once
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) return p.y * q.x end, {names = {"x"}}) --! no coordinate 'y': the coordinates here are x

kernel.define(function(a, b, c, d) return 1 end) --! kernel.define: the function of line 77 takes 4 arguments: must take two points, and parameters if there are any

k = kernel.define(function(p, q) return p[1]*q[1] end)
k({1,2},{3,4}) --! kernel(…): written for points of dimension 1, by number; the points here have dimension 2: x, y; write {dim = 2} after the function if the others do not matter, or multiply kernels with kernel.tensor

k = kernel.define(function(p, q) return p.t*q.t end)
k:gram(mesh.uniform(0,1,5)) --! kernel:gram: define(function(p, q) return p.t*q.t end): no coordinate "t": the coordinates here are x

k = kernel.define(function(p, q) return p[1]*q[1] + p[2]*q[2] end)
k(1, 2) --! kernel(…): written for points of dimension 2, by number; the points here have dimension 1: x

kernel.se{lengthscale=1}:with{lengthscale = 2} --! kernel:with: only a kernel of kernel.define has parameters that can be changed, this is kernel.se{lengthscale=1}

k = kernel.define(function(p, q, v) return v.a*dist(p,q) end, {a = 1})
k:with{b = 2} --! kernel:with: no parameter "b": the parameters are a

kernel.define(function(p, q) return (p.x - q.x) < 0.1 and 1 or 0 end) --! comparison with a formula: it has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) local t = {} t[p.x] = 1 return t[q.x] end) --! kernel.define: the function of line 96 returns nil: must return a number; what it returns has no value

kernel.define(function(p, q) return p.x .. q.x end) --! kernel.define: the function of line 98 returns a string ("p.xq.x"): must return a number

kernel.define(function(p, q) error("not today") end) --! not today

kernel.define(function(p, q) return array{1,2} * p.x end) --! array * formula: there is no such operation
--!   coordinates are formulas here: the function runs once, to be turned into an expression
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return {1, 2} end) --! kernel.define: the function of line 106 returns a table: must return a number

kernel.define(function(p, q) return where(p.x < 1, 1, 0) end) --! comparison with a formula: it has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return where(lt(p.x, 1), 1) end) --! where: b: missing; want a number, a formula or an array
--!   usage: where(condition, a, b)

kernel.define(function(p, q) return dist(p, {1,2,3,4,5,6,7,8,9}) end) --! dist: q: has 9 coordinates, p has 1: must be equally many

kernel.define(function(p, q) return math.exp(-dist(p, q)) end, {0.1}) --! kernel.define: parameters: 0.1 needs a name; write {lengthscale = 0.1}
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) return p[7] end, {dim = 4}) --! no coordinate 7: the point has 4

constraint.mask(function(p) return p.t >= p.s end) --! formula <= formula: the comparison has no value while the function is traced; write where(le(a, b), x, y) for: if a <= b then x else y

constraint.mask(function(p) return p.t - p.s end) --! constraint.mask: the function of line 123 gives -0.882044 at p = {t = 0.0658775, s = 0.947922}: must be 1 or 0

constraint.mask(3) --! constraint.mask: f: want a function, got a number (3)
--!   usage: constraint.mask(f)

constraint.mask(function(p, q, r) return 1 end) --! constraint.mask: the function of line 128 takes 3 arguments: must take a point

constraint.define{} --! constraint.define: constrains nothing: give reduce, average or mask

constraint.define{mask = function(p) return 0.5 end} --! constraint.define: mask: the function of line 132 gives 0.5 at every point: must be 1 or 0

constraint.define{average = {{sign = 2, map = function(p) return {x = p.y} end}}} --! constraint.define: average[1]: sign 2: must be 1 or -1

constraint.define{average = {{map = function(p) return p.x end}}} --! constraint.define: average[1]: map: the function of line 136 returns a formula: must return a point, such as {x = p.y, y = p.x}

constraint.define{average = {{map = function(p) return {x = p.y, p[1]} end}}} --! constraint.define: average[1]: map: the function of line 138 returns a point with coordinates by name and by number: give them in one way

constraint.define{average = {{map = function(p) return {p[2]} end}}} --! constraint.define: average[1]: map: the function of line 140 returns a point of 1 coordinates: must be 2, as it was given

constraint.define{average = {{sgn = 1, map = function(p) return p end}}} --! constraint.define: average[1]: unknown argument 'sgn'; did you mean 'sign'?
--!   usage: constraint.define{reduce=, average=, mask=}

constraint.define{average = {{map = function(p) return {x = p.y} end}}} --! constraint.define: average: a map is not undone by repeating it: the maps must form a finite group, such as reflections and rotations of a square

constraint.define{average = {{map = function(p) return {x = p.x + 0.1} end}}} --! constraint.define: average: a composition of the maps moves all points by one step, and repeating it ever further: the group is not finite; mirrors of one coordinate must have one centre

constraint.define{average = {{sign = -1, map = function(p) return {x = -p.x} end}, {map = function(p) return {x = -p.x} end}}} --! constraint.define: average: the signs contradict each other: some composition of the maps would both keep and change the sign, and only G = 0 obeys

c = constraint.define{average = {{map = function(p) return {x = p.w, w = p.x} end}}}
c:apply(kernel.se{lengthscale=1})({1,2},{3,4}) --! kernel(…): constraint.define{average = {{sign = 1, map = function(p) return {x = p.w, w = p.x} end}}}: average: map 1: no coordinate "w": the coordinates here are x, y

c = constraint.define{reduce = function(p) return {x = p.x, y = p.y, lag = p.t + p.s} end}
c:apply(kernel.se{lengthscale=1})({1,2},{3,4}) --! kernel(…): constraint.define{reduce = function(p) return {x = p.x, y = p.y, lag = p.t + p.s} end}: reduce: no coordinate "s": the coordinates here are x, y

c = constraint.define{reduce = function(p) return p.x end} --! constraint.define: reduce: the function of line 157 returns a formula: must return a point, such as {x = p.x, y = p.y, lag = p.t - p.s}

constraint.define{mask = function(p) if p.x > p.y then return 1 else return 0 end end} --! formula < formula: the comparison has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y

p = pde.fokker_planck{mesh = mesh.uniform(-1, 1, 9), time = mesh.uniform(0,1,9), potential = function(x, y) return y end}
print(p:solve(array.ones(9))) --! problem:solve: potential: y uses more than the 1 coordinates of the mesh

kernel.define(function(p, q) if p.x == q.x then return 1 end return 0 end) --! formula == formula: the comparison has no value while the function is traced; write where(le(math.abs(a - b), 0), x, y) for: if a == b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return p[7] end) --! kernel.define: the function of line 167 takes points of more than 6 coordinates: say how many, {dim = …}

kernel.define(function(p, q) return p[1.5] end) --! a point has coordinates by name, p.x, and by number, p[1], got a number (1.5)

kernel.define(function(p, q) return p.x end, {trace = 1}) --! kernel.define: parameters: trace: want true or false, got a number (1)
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) if p.x == 0.37 then return 1 end return math.exp(-dist(p, q)) end) --! kernel.define: the function of line 174 and the expression traced from it differ at p = {0.37}, q = {-5.3234}: 1 and 0.00336811; a trace does not see a branch on ==, and, or: write where(cond, a, b), or give {trace = false}

kernel.define(function(p, q) return p.x - q.x end, {names = {}}) --! kernel.define: parameters: names: got 0, must be from 1 to 32
--!   usage: kernel.define(f [, parameters])

kernel.define(function(p, q) return p.x*q.x end, {names = {"x", "y"}, dim = 3}) --! kernel.define: parameters: dim 3: there are 2 names
--!   usage: kernel.define(f [, parameters])

constraint.define{average = {{sign = 1}}} --! constraint.define: average[1].map: missing; want a function
--!   usage: constraint.define{reduce=, average=, mask=}

constraint.define{reduce = function(p) return {x = p.x, lag = p.t + p.s} end}:apply(kernel.se{lengthscale = 1}):gram(mesh.uniform(0, 1, 3, "s") * mesh.uniform(0, 1, 3, "t")) --! kernel:gram: se{lengthscale=1} under constraint.define{reduce = function(p) return {x = p.x, lag = p.t + p.s} end}: constraint.define{reduce = function(p) return {x = p.x, lag = p.t + p.s} end}: reduce: no coordinate "x": the coordinates here are s, t

pde.schrodinger{mesh = mesh.uniform(0, 1, 9) * mesh.uniform(0, 1, 9), potential = function(x, y) end} --! pde.schrodinger: potential: the function of line 187 returns nothing: must return a number (is there a return?)
--!   usage: pde.schrodinger{mesh, potential}

pde.fokker_planck{mesh = mesh.uniform(0, 1, 9), time = mesh.uniform(0, 1, 9), potential = 1/0} --! pde.fokker_planck: potential: must be finite, got a number (inf)
--!   usage: pde.fokker_planck{mesh, time, potential, diffusivity=0.05, drag=1}

pde.schrodinger{mesh = mesh.uniform(0, 1, 9) * mesh.uniform(0, 1, 9), potential = function(x, y) return x.y end} --! pde.schrodinger: potential: define.lua:193: a formula has no 'y'
--!   methods: d, shift
--!   usage: pde.schrodinger{mesh, potential}

dist({1, 2}, {3}) --! dist: q: has 1 coordinates, p has 2: must be equally many

dist({x = 1}, {y = 1}) --! dist: q: has the coordinates [y], p has [x]: must be the same

dist(1, 2, 0) --! dist: scales: 0: must be > 0

dist(1, 2, {1, 2}) --! dist: scales: got 2 for 1 coordinates: must be one, or one for each

dist(1, "two") --! dist: q: want a number, a list of numbers, a table {x=, …} or a formula, got a string ("two")
--!   usage: dist(p, q [, scales])

where(1, array{1, 2}, array{1, 2, 3}) --! where: shapes 2 and 3: do not broadcast (2 against 3: want equal lengths, or 1)

lt(1, "a") --! lt: b: want a number, a formula or an array, got a string ("a")
--!   usage: lt(a, b)

k = kernel.se{lengthscale = 1}
k({1, 2}, 3) --! kernel(…): q: has the coordinates 1, p has 2: must be the same

k = kernel.se{lengthscale = 1}
k({x = 1}, {t = 1}) --! kernel(…): q: has the coordinates t, p has x: must be the same

k = kernel.se{lengthscale = 1}
k({}, {}) --! kernel(…): p: has no coordinates
--!   usage: kernel(p, q)

k = kernel.define(function(p, q) return 1 end, {trace = false}) + kernel.se{lengthscale = 1}
k(1, 2) --! kernel(…): a kernel with trace = false stands alone: it has no expression to be combined, constrained or traced

k = kernel.define(function(p, q) if p.x > q.x then return 1 end end, {trace = false}) --! kernel.define: the function of line 226 returns nothing: must return a number (is there a return?)

k = kernel.define(function(p, q) return 1 end, {trace = false, lengthscale = "auto"}) --! kernel.define: lengthscale "auto": a fit can choose it only when the function is traced

k = kernel.define(function(p, q, v) return dist(p, q)/v.lengthscale end, {lengthscale = "auto"})
k(0, 1) --! kernel(…): lengthscale auto: only a fit can choose it; give a number to evaluate the kernel

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return math.sin(u) end} --! pde.define: pde: operator: sin(u) has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u * u end} --! pde.define: pde: operator: u^2 has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u / u:d("x") end} --! pde.define: pde: operator: u/d(u, x, 1) has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:d("y") end} --! operator:d: axis "y": must be one of x

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u + 1 end} --! pde.define: pde: operator: has a part without u, 1; move it to the other side, with source = …

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u^at.x end} --! pde.define: pde: operator: u^x has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return 2^u end} --! pde.define: pde: operator: 2^u has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) if u < 0 then return u end return u end} --! u and the coordinates have no value yet, so they cannot be compared
--!   a factor that changes from place to place is where(lt(at.x, 0.5), 1, 2)

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) if at.x < 0 then return u end return u end} --! u and the coordinates have no value yet, so they cannot be compared
--!   a factor that changes from place to place is where(lt(at.x, 0.5), 1, 2)

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return at.x end} --! pde.define: operator: the function of line 253 returns a formula: must return an expression in its first argument, such as -u:d("x", 2)

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) end} --! pde.define: operator: the function of line 255 returns nothing: must return an expression in its first argument (is there a return?)

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return at.z*u end} --! no coordinate 'z': the coordinates here are x

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:grad() end} --! pde.define: operator: the function of line 259 returns a flux: must return an expression in its first argument, such as -u:d("x", 2)

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:div{u, u} end} --! operator:div: flux has 2 components, must be 1, one for every space coordinate

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:div(u:grad() * u:grad()) end} --! flux * flux: the product of two fluxes is neither a flux nor a number: multiply components, as in g[1]*g[1]

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u) return u:d("x", 2) end, boundary = {["x-"] = {dirichlet = "inputs"}, ["x+"] = {neumann = 0}}} --! pde.define: boundary.x-.dirichlet: want a number, a function, "input" or a coefficient, got a string ("inputs"); did you mean "input"?
--!   usage: pde.define{mesh, operator, name="pde", time=, boundary={}, initial=0, …}

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u) return u:d("x", 2) end, boundary = {left = {dirichlet = 0}}} --! pde.define: pde: boundary: side "left": must be one of "x-", "x+"

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u) return u:d("x", 2) end, boundary = {["x-"] = {dirichlt = 0}}} --! pde.define: boundary.x-: unknown argument 'dirichlt'; did you mean 'dirichlet'?
--!   usage: pde.define{mesh, operator, name="pde", time=, boundary={}, initial=0, …}

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u) return u:d("x", 2) end, boundary = {["x-"] = {robin = {a = 1}}}} --! pde.define: boundary.x-.robin.b: missing; want a coefficient
--!   usage: pde.define{mesh, operator, name="pde", time=, boundary={}, initial=0, …}

kernel.define(function(p, q) return math.exp(-dist(p, q)/length) end) --! formula / nil: right side: want a number or a formula, got nil

kernel.define(function(p, q) return math.exp(-dist(p, q)) end, {tracee = false}) --! kernel.define: the function of line 278 does not take the parameters: write function(p, q, v) and use them as v.tracee; did you mean 'trace'?

kernel.define(function(p, q) return math.exp(-(p - q)^2) end) --! a point is no number: take its coordinates, as in p.x - q.x or p[1] - q[1], or dist(p, q)

kernel.define(function(p, q) return t[p.x] end, {trace = false}) --! attempt to index nil: 't' (index 0.6408970510965919; no variable has this name; who() lists them)

constraint.mask(function(p, v) return ge(p.x, v) end) --! constraint.mask: the function of line 284 takes 2 arguments: must take a point; what else it needs are variables around it

constraint.define{average = {{map = function(p) return {x = p.x/2, y = 2*p.y} end}}} --! constraint.define: average: repeating a map stretches ever further: the maps must form a finite group, such as reflections and rotations of a square

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:d("t") - u:d("x", 2) end} --! operator:d: axis "t": must be one of x; a problem in time needs the times, as in time = mesh.uniform(0, 1, 50, "t")

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:d("x", 5) end} --! operator:d: order 5: must be in [1, 4]
--!   usage: operator:d(axis [, order])

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return where(gt(u, 0), u, 2*u) end} --! gt: a: want a number, a formula or an array, got an operator
--!   usage: gt(a, b)
--!   u is not known yet: it and its derivatives are added, multiplied, and arguments of functions of math

pde.define{mesh = mesh.uniform(0,1,9), operator = function(u, at) return u:d("x", 2) + at.x end} --! pde.define: pde: operator: has a part without u, x; move it to the other side, with source = …

k = kernel.define(function(p, q) if p.x > 5 then error("too far") end return 1 end, {trace = false}) --! too far
k:gram(mesh.uniform(0, 9, 4))

local largest = 0
kernel.define(function(p, q) largest = math.max(largest, dist(p, q)) return math.exp(-dist(p, q)/largest) end) --! kernel.define: the function of line 303 returns a formula when it is called with numbers: a variable around it keeps one from the trace; make it local to the function

kernel.define(function(p, q) local s = p.x while s > 1 do s = s - 1 end return s end) --! comparison with a formula: it has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return #tostring(p.x) end) --! kernel.define: the function of line 308 and the expression traced from it differ at p = {x = 0.640897}, q = {x = 0.947922}: 16 and 3; a trace does not see a branch on ==, and, or: write where(cond, a, b), or give {trace = false}

kernel.define(function(p, q) return "1" end) --! kernel.define: the function of line 310 returns a string ("1"): must return a number

kernel.define(function(p, q) return not p.x end) --! kernel.define: the function of line 312 returns false: must return a number; lt, le, gt and ge give 1 and 0

kernel.define(function(p, q) return p[0]*q[0] end) --! a point has coordinates by name, p.x, and by number, p[1], got a number (0)

kernel.define(function(p, q) return 1/dist(p, q) end) --! kernel.define: the function of line 316 gives inf where the points are equal, at p = {0.628924}, q = {0.628924}: must be finite; write where(gt(d, 0), …, limit) for what is 0/0 there

kernel.define(function(p, q) local t = {p.x, q.x} table.sort(t) return t[1] end) --! formula < formula: the comparison has no value while the function is traced; write where(lt(a, b), x, y) for: if a < b then x else y
--!   or give {trace = false} to have the function called for every pair of points, which is slow

kernel.define(function(p, q) return array.zeros(3)[p.x] end) --! array[formula]: index: want an integer, a table, an array or a mask, got a formula
--!   coordinates are formulas here: the function runs once, to be turned into an expression
--!   or give {trace = false} to have the function called for every pair of points, which is slow

d = pde.poisson{mesh = mesh.uniform(0, 1, 15)}:sample{n = 8, input = {kernel = kernel.se{lengthscale = 0.2}}, seed = 1}
green.fit{data = d, kernel = kernel.define(function(p, q) return p.x - q.x end)} --! green.fit: kernel define(function(p, q) return p.x - q.x end) is not symmetric: k(p,q) = -0.0714286 but k(q,p) = 0.0714286 at p = [0.3571 0], q = [0.4286 0]; whatever is done with p must be done with q too, as in (1 + p.x)*(1 + q.x)

d = pde.poisson{mesh = mesh.uniform(0, 1, 15)}:sample{n = 8, input = {kernel = kernel.se{lengthscale = 0.2}}, seed = 1}
green.fit{data = d, kernel = kernel.define(function(p, q) return dist(p, q) end)} --! green.fit: kernel define(function(p, q) return dist(p, q) end) is not positive semi-definite: its Gram matrix on 48 points has the eigenvalue -8.94 (largest 26.1); products and sums of kernels are safe, differences are not

d = pde.poisson{mesh = mesh.uniform(0, 1, 15)}:sample{n = 8, input = {kernel = kernel.se{lengthscale = 0.2}}, seed = 1}
green.fit{data = d, kernel = kernel.define(function(p, q) return math.sqrt(p.x*q.x - 0.1) end)} --! green.fit: kernel define(function(p, q) return math.sqrt(p.x*q.x - 0.1) end) is NaN at p = [0.3571 0], q = [0 0]: must be finite

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) end} --! pde.define: pde: boundary: "x-": missing; the operator is of order 2 in x, so this side needs 1; give one such as dirichlet = 0

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) end, boundary = {["x-"] = {neumann = 0}, ["x+"] = {neumann = 0}}} --! pde.define: pde: u is determined up to a constant only: neither the operator nor a condition changes when a constant is added to u; give u on a side (dirichlet), a robin condition, or add a multiple of u to the operator (singular)

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) - math.pi^2*u end, boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: the operator has an eigenvalue that is zero, or too near for this mesh to tell (-0.0203 with these differences, -3e-07 with better ones), so u is not unique; change a coefficient a little, or refine the mesh

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) end, initial = 1, boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: initial: the problem has no time

pde.define{mesh = mesh.uniform(0, 1, 21), time = mesh.uniform(0, 1, 9, "t"), operator = function(u) return u:d("t") + u:d("x", 2) end, boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: operator: short waves grow without bound, because the part of order 2 has the wrong sign at x = 0.95 (as diffusion backwards in time); change its sign

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return u:dx() end} --! an operator has no 'dx'
--!   methods: d, laplacian, grad, div

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return math.abs(u) end} --! pde.define: pde: operator: abs(u) has no part that is linear in u: must have one, such as -u″

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u, at) return -math.sqrt(at.x - 0.5)*u:d("x", 2) end, boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: operator: coefficient -sqrt(x - 0.5): is NaN at x = 0.05: must be finite

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) end, input = "boundary", boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: input "boundary": no side says so; write dirichlet = "input" where the input is to be

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return -u:d("x", 2) end, boundary = {["x-"] = {dirichlet = 0, neumann = 0}, ["x+"] = {dirichlet = 0}}} --! pde.define: pde: boundary: "x-": has 2 conditions, must be 1 for an operator of order 2 in x

pde.define{mesh = mesh.uniform(0, 1, 21), operator = function(u) return 0*u end} --! pde.define: pde: operator: is zero

-- Arguments that only a function of the see-also list takes.

kernel.linear{lengthscale = 0.3} --! kernel.linear: unknown argument 'lengthscale'; kernel.hat has one
--!   usage: kernel.linear{offset=0}

kernel.se{nu = 1.5} --! kernel.se: unknown argument 'nu'; kernel.matern has one
--!   usage: kernel.se{lengthscale="auto"}
