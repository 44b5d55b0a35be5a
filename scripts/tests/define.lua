-- Kernels, constraints, coefficients and arrays given by Lua functions: they are
-- traced, and then what the library's own are.

local m = mesh.uniform(0, 1, 40)
local train = pde.poisson{mesh = m}:sample{n = 30, input = {kernel = kernel.se{lengthscale = 0.1}}, seed = 1}
local function apart(a, b) return (a - b):norm() / b:norm() end

-- a scripted Matérn kernel is the library's: same structure, same estimate
local matern = kernel.define(function(p, q, v)
  local s = math.sqrt(5) * dist(p, q) / v.lengthscale
  return (1 + s + s^2/3) * math.exp(-s)
end, {lengthscale = 0.2})
local library = kernel.matern{nu = 2.5, lengthscale = 0.2}
test.near(matern(0, 0.1), library(0, 0.1), {rel = 1e-15})
test.near(matern({0.2, 0}, {0, 0.1}), library({0.2, 0}, {0, 0.1}), {rel = 1e-15})
local a = green.fit{data = train, kernel = matern, lambda = 1e-6}
local b = green.fit{data = train, kernel = library, lambda = 1e-6}
print(a.report.reason == b.report.reason, a.report.reason:find("uniform") ~= nil)  --> true	true
print(apart(a:green(), b:green()) < 1e-10, apart(a:bias(), b:bias()) < 1e-10)  --> true	true
print(matern:describe():find("scripted") ~= nil, matern:describe():find("by FFT") ~= nil)  --> true	true
print(library:describe():find("scripted"))          --> nil

-- however the kernels are written, scattered points use the loops of the library
local function loop(f) return kernel.define(f):describe():match("one loop, that of (%w+)") end
print(loop(function(p, q) local s = dist(p, q, {0.3, 0.1}) return (1 + math.sqrt(5)*s + 5*s^2/3)*math.exp(-math.sqrt(5)*s) end))  --> matern52
print(loop(function(p, q)
  local r2 = ((p.x - q.x)^2 + (p.y - q.y)^2)/0.09
  return math.exp(-math.sqrt(5*r2)) + math.sqrt(5*r2)*math.exp(-math.sqrt(5*r2)) + 5*r2/3*math.exp(-math.sqrt(5*r2))
end))                                               --> matern52
print(loop(function(p, q) local s = math.sqrt(3)*dist(p, q)/0.3 return 2*(1 + s)/math.exp(s) end))  --> matern32
print(loop(function(p, q) return math.exp(-(p.x - q.x)^2/0.02)*math.exp(-(p.y - q.y)^2/0.05) end))  --> se
print(loop(function(p, q) return 3*kernel.exponential{lengthscale = 0.3}(p, q) end))  --> exponential
print(loop(function(p, q) return 1/(1 + dist(p, q)^2) end))  --> nil
local wave = kernel.define(function(p, q) return math.cos(4*(p.x - q.x))*math.exp(-math.abs(p.y - q.y)) end):describe()
print(wave:match("symmetric +(%a+)"), wave:match("x .-with period ([%d.]+)"), select(2, wave:gsub("with period", "")))  --> proven	1.5708	1

-- and survives a file
local path = os.tmpname() .. ".npz"
a:save(path)
local back = green.load(path)
print(back(0.3, 0.6) == a(0.3, 0.6), tostring(back.kernel) == tostring(matern))  --> true	true
os.remove(path)

-- the fit chooses its lengthscale
local auto = kernel.define(function(p, q, v) return math.exp(-dist(p, q)/v.lengthscale) end, {lengthscale = "auto"})
local c = green.fit{data = train, kernel = auto, lambda = 1e-5}
local d = green.fit{data = train, kernel = kernel.exponential{lengthscale = "auto"}, lambda = 1e-5}
print(apart(c:green(), d:green()) < 1e-8)           --> true

-- coordinates by name and number, loops, closures, helpers, kernels inside kernels
local function square(x) return x*x end
local exp, width = math.exp, 0.3
local all = {
  kernel.define(function(p, q) return exp(-square((p.x - q.x)/width)/2) end),
  kernel.define(function(p, q) return exp(-((p[1] - q[1])/width)^2/2) end),
  kernel.define(function(p, q) return exp(-dist(p, q, width)^2/2) end),
  kernel.define(function(p, q)
    local sum = 0
    for i = 1, #p do sum = sum + square(p[i] - q[i]) end
    return exp(-sum/(2*width^2))
  end),
  kernel.define(function(p, q)
    local sum = 0
    for i, x in ipairs(p) do sum = sum + square(x - q[i]) end
    return exp(-sum/(2*width^2))
  end),
  kernel.define(function(p, q) return kernel.se{lengthscale = width}(p, q) end),
  kernel.define(function(p, q) return kernel.se{lengthscale = 1}(p.x/width, q.x/width) end),
  kernel.define(function(p, q, v) return exp(-((p.x - q.x)/v.l[1])^2/2) end, {l = {width, 7}}),
  kernel.define(function(p, q) return where(ge(p.x, p.x), exp(-square(p.x - q.x)/(2*width^2)), 0/0) end),
}
local se = kernel.se{lengthscale = width}
local worst = 0
for i, k in ipairs(all) do worst = math.max(worst, math.abs(k(0.1, 0.5) - se(0.1, 0.5))) end
print(worst < 1e-15, #all)                          --> true	9
test.near(all[3]({0, 0}, {0.3, 0.4}), all[4]({0, 0}, {0.3, 0.4}), {rel = 1e-15})

-- a kernel may have a place where it is not finite, far from where it is used
local sharp = kernel.define(function(p, q)
  local a, b = 0.1 + 0.2*(p[1] + p[2]), 0.1 + 0.2*(q[1] + q[2])   -- zero at {-1, 0.5}
  return 2*a*b/(a^2 + b^2) * math.exp(-dist(p, q)^2/(a^2 + b^2))
end, {dim = 2})
print(sharp({0, 0}, {0, 0}))                        --> 1

-- names find their coordinates in any space
local time = kernel.define(function(p, q) return math.exp(-math.abs(p.t - q.t)) end)
print(time({t = 0}, {t = 1}), time(0, 1), time({x = 5, t = 0}, {x = 2, t = 1}))  --> 0.36787944117144	0.36787944117144	0.36787944117144
print((time * kernel.se{lengthscale = 1}):gram(mesh.uniform(0, 1, 3) * mesh.uniform(0, 1, 2, "t")):at(1, 2))  --> 0.22313016014843
local both = kernel.define(function(p, q) return p[1]*q[1] + 2*p[2]*q[2] end, {names = {"s", "t"}})
print(both({s = 1, t = 2}, {s = 3, t = 4}), both({1, 2}, {3, 4}))  --> 19	19
local inner = kernel.define(function(p, q) return time(p, q) * (1 + p.s*q.s) end)
print(inner({s = 1, t = 0}, {s = 2, t = 0}))        --> 3

-- printing is the expression that makes it: variables around it become numbers
print(all[1])                                       --> kernel.define(function(p, q) return math.exp(-0.5*((p.x - q.x)/0.3)^2) end)
print(kernel.define(function(p, q) return p[1]*q[1] end, {dim = 2}))  --> kernel.define(function(p, q) return p[1]*q[1] end, {dim = 2})
test.near(matern:with{lengthscale = 0.5}(0, 0.1), kernel.matern{nu = 2.5, lengthscale = 0.5}(0, 0.1), {rel = 1e-15})

-- a function that branches can be called instead
local bridge = kernel.define(function(p, q)
  if p.x < q.x then return p.x*(1 - q.x) end
  return q.x*(1 - p.x)
end, {trace = false})
print(bridge(0.2, 0.5))                             --> 0.1
print(bridge:describe():find("µs each") ~= nil)     --> true
print(apart(bridge:gram(m), kernel.brownian_bridge{}:gram(m)) < 1e-15)  --> true
local called = kernel.define(function(p, q)
  local d = dist(p, q)
  if d > 100 then return 0 end
  return math.exp(-d)
end, {trace = false})
a = green.fit{data = data.new{input = array.ones(2, 9), output = array.ones(2, 9), input_mesh = mesh.uniform(0, 1, 9)}, kernel = called, lambda = 1e-3}
b = green.fit{data = data.new{input = array.ones(2, 9), output = array.ones(2, 9), input_mesh = mesh.uniform(0, 1, 9)}, kernel = kernel.exponential{lengthscale = 1}, lambda = 1e-3}
print(apart(a:green(), b:green()) < 1e-10)          --> true

-- constraints by their maps are those of the library, on the grid and off it
local flip = constraint.define{average = {{sign = -1, map = function(p) return {x = p.y, y = p.x} end}}}
local place = constraint.define{average = {{sign = -1, map = function(p) p.x, p.y = p.y, p.x return p end}}}
local list = constraint.define{average = {{sign = -1, map = function(p) return {p[2], p[1]} end}}}
b = green.fit{data = train, kernel = library, constraint = constraint.antisymmetric{"x", "y"}, lambda = 1e-3}
for _, con in ipairs{flip, place, list} do
  a = green.fit{data = train, kernel = library, constraint = con, lambda = 1e-3}
  test.near(apart(a:green(), b:green()), 0, {abs = 1e-12})
  test.near(a(0.31, 0.62), -a(0.62, 0.31), {abs = 1e-12})
end
local square = constraint.define{average = {
  {map = function(p) return {x = p.y, y = p.x} end},
  {map = function(p) return {x = 1 - p.x} end},
}}
a = green.fit{data = train, kernel = library, constraint = square, lambda = 1e-3}
print(a(0.2, 0.3) - a(0.8, 0.3) < 1e-13, a(0.2, 0.3) - a(0.7, 0.2) < 1e-13)  --> true	true
local within = constraint.mask(function(p) return le(math.abs(p.y - 0.5), 0.25) end) -- so x as well
a = green.fit{data = train, kernel = library, constraint = {square, within}, lambda = 1e-3}
print(a(0.4, 0.8), a(0.8, 0.4), a(0.4, 0.7) ~= 0)   --> 0	0	true
local t = mesh.uniform(0, 1, 8, "t")
local dt = data.new{input = random.normal{shape = {6, 8}, seed = 1}, output = random.normal{shape = {6, 8}, seed = 2}, input_mesh = t}
local lag = constraint.define{reduce = function(p) return {lag = p.t - p.s} end}
a = green.fit{data = dt, kernel = kernel.exponential{lengthscale = 0.3}, lambda = 1e-2, constraint = lag}
b = green.fit{data = dt, kernel = kernel.exponential{lengthscale = 0.3}, lambda = 1e-2, constraint = constraint.time_invariant{}}
print(apart(a:green(), b:green()))                  --> 0

-- coefficients of problems
local xy = mesh.uniform(0, 1, 9) * mesh.uniform(0, 1, 9)
local function solved(v) return pde.schrodinger{mesh = xy, potential = v}:solve(array.ones(33)) end
b = solved(function(x, y) return 100*x*y^2 end)
print(apart(solved(function(p) return 100*p.x*p.y^2 end), b), apart(solved(function(p) return 100*p[1]*p[2]^2 end), b))  --> 0	0
b = solved(function(x, y) return where(lt(x, 0.5), 10, 1000) end)
print(apart(solved(function(x, y) if x < 0.5 then return 10 else return 1000 end end), b))  --> 0
print(pde.hexagon{height = 5}(0.5, 0.5), pde.hexagon{}(0, 0))  --> 5	0

-- problems by their operator are those of the library
local unit = mesh.uniform(0, 1, 30)
local ends = {["x-"] = {dirichlet = -0.1}, ["x+"] = {dirichlet = 0.1}}
local f = random.normal{shape = {3, 30}, seed = 1}
local function like(operator, problem)
  return apart(pde.define{mesh = unit, operator = operator, boundary = ends}:solve(f), problem:solve(f)) < 1e-11
end
print(like(function(u) return -u:d("x", 2) end, pde.poisson{mesh = unit, left = -0.1, right = 0.1}))  --> true
print(like(function(u) return -u:laplacian() - 400*u end, pde.helmholtz{mesh = unit, left = -0.1, right = 0.1}))  --> true
print(like(function(u) return u:div(-u:grad()) end, pde.poisson{mesh = unit, left = -0.1, right = 0.1}))  --> true
-- (k u')' with k = e^x is k u'' + k u', and u = x solves it for e^x
local p = pde.define{mesh = unit, order = 4, operator = function(u, at) return u:div(math.exp(at.x)*u:grad()) end,
  boundary = {["x-"] = {dirichlet = 0}, ["x+"] = {neumann = 1}}}
local x = unit:points():reshape(30)
test.near((p:solve(math.exp(x)) - x):norm(), 0, {abs = 1e-5})
local flow = pde.define{mesh = mesh.periodic(0, 1, 32), time = mesh.uniform(0, 0.25, 101, "t"), input = "initial", scheme = "exponential", order = 4,
  operator = function(u, at) return u:d("t") + u:d("x") end, boundary = {["x-"] = {periodic = true}, ["x+"] = {periodic = true}}}
local wave = math.sin(2*math.pi*mesh.periodic(0, 1, 32):points():reshape(32))
local last = flow:solve(wave):reshape(32, 101):slice{{}, 101}
test.near((last + math.cos(2*math.pi*mesh.periodic(0, 1, 32):points():reshape(32))):norm(), 0, {abs = 1e-2})  -- a quarter period later

-- arrays: what is traced is what calls give; what counts calls is called
local n = 0
local big = array.from(40, 50, function(i, j) return math.sin(i)/j + (i % 3) end)
print(big:at(17, 30) == math.sin(17)/30 + 2, big[40][50] == math.sin(40)/50 + 1)  --> true	true
print(array.from(1000, function(i) n = n + 1 return n end)[1000], n)  --> 1000	1000
print(array.from(1000, function(i) if i == 700 then return 1 end return 0 end):sum())  --> 1
print(array.from(1000, function(i) return i == 700 and 1 or 0 end):sum())  --> 1

kernel.define(function(p, q) if p.x < q.x then return 1 end return 0 end)  --! where(lt(a, b), x, y)
kernel.define(function(p, q) if p.x == 0.5 then return 1 end return 0 end)  --! differ at p = {x = 0.5}
kernel.define(function(p, q) return math.sin(dist(p, q))/dist(p, q) end)  --! NaN where the points are equal
kernel.define(function(p, q) local _ = p.x end)     --! returns nothing
kernel.define(function(p, q, v) return dist(p, q)*v.a end, {a = 1, dims = 2})  --! did you mean 'dim'?
constraint.mask(function(p) return p.x end)         --! must be 1 or 0
fit = green.fit{data = train, kernel = library, lambda = 1, constraint = constraint.define{average = {{map = function(p) return {x = 2*p.x} end}}}}  --! stretches ever further
